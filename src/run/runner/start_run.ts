import { StoreError } from "../../base/errors.ts";
import { defined, madeOnce, wordsWithHint } from "../../base/values/mod.ts";
import { type ModelReference, type Models, modelName, type Recordings } from "../../call/models/mod.ts";
import { startTelemetry } from "../../call/telemetry/mod.ts";
import { agentName } from "../../document/graph/mod.ts";
import type { ModelNames, ResultRecord } from "../store/mod.ts";
import type { PlannedScenario } from "../summary/mod.ts";
import type { RunSetup } from "./call/mod.ts";
import { DEFAULT_TURN_TIMEOUT_MS, type RunOptions } from "./options/mod.ts";
import { functionsOf, type PreparedRun } from "./plan/mod.ts";
import { type RecordedRun, type Recorder, startRecord } from "./recorder.ts";
import { completeReport, type RunReport, settleCallbacks } from "./report/mod.ts";

/** The results of a run's calls, and how many of them come from an earlier process. */
export interface FinishedCalls {
  readonly results: readonly ResultRecord[];
  /** The plan of the scenarios that have run. */
  readonly planned: readonly PlannedScenario[];
  /** Number of the results that were stored before. */
  readonly storedCount: number;
  readonly durationMs: number;
}

/** A run whose record is stored and whose calls can start. */
export interface StartedRun {
  readonly recorder: Recorder;
  /** The prepared setup with the run's spans. */
  readonly setup: RunSetup;
  /** Finishes recordings, spans and the stored run. Throws what callbacks threw, once everything is stored. */
  report(calls: FinishedCalls): Promise<RunReport>;
  /** Releases the resources of the run. Always call it; without a report, recorded answers are still written. */
  close(): Promise<void>;
}

/**
 * Starts spans, recordings and the stored run. If a later step fails, earlier ones are rolled back.
 *
 * @throws {ModelError | StoreError} Like `run()`.
 */
export async function startRun(
  prepared: PreparedRun,
  runOptions: RunOptions,
  described: Pick<RecordedRun, "kind" | "options" | "plan" | "shard">,
): Promise<StartedRun> {
  const { graph, setup, callbacks, stop, over } = prepared;
  refuseUnknownCode(prepared, runOptions);
  const { options, now } = setup;
  const name = options.name ?? agentName(graph) ?? "agent";
  const models = namesOf(prepared.models);
  const startedAt = now().toISOString();
  const telemetry = await startTelemetry(runOptions.telemetry);
  const ending = madeOnce(async () => await telemetry?.end());
  const flushing = madeOnce(async () => await flushed(options.recordings));
  let recorder: Recorder;
  try {
    await options.recordings?.prepare();
    const { resume, joinRun } = runOptions.share ?? {};
    recorder = await startRecord(
      { models, startedAt, agent: name, graph, ...described, ...defined({ resume, joinRun }) },
      options.store,
    );
  } catch (error) {
    over.abort();
    await ending();
    throw error;
  }
  const { runId: id } = recorder;
  const spans = telemetry && { telemetry, runId: id, agent: name };
  return {
    recorder,
    setup: { ...setup, ...defined({ spans }) },
    report: async ({ results, planned, storedCount, durationMs }) => {
      const [recordingsError, telemetryError] = await Promise.all([flushing(), ending()]);
      const storage = await recorder.finish(now(), storedCount);
      const missing = { recordingsError, ...(telemetryError ? { telemetryError } : {}) };
      const notices = prepared.modelNotices();
      const head = {
        kind: described.kind,
        models,
        id,
        name,
        startedAt,
        durationMs,
        ...missing,
        ...(notices.length > 0 ? { modelNotices: notices } : {}),
      };
      const report = completeReport({ ...head, ...storage, ...stop.reason() }, results, { planned });
      const timeoutMs = options.limits?.turnTimeoutMs ?? DEFAULT_TURN_TIMEOUT_MS;
      await settleCallbacks(callbacks, report, { timeoutMs, timers: setup.timers });
      return report;
    },
    close: async () => {
      over.abort();
      await Promise.all([flushing(), ending()]);
      await recorder.close();
    },
  };
}

/**
 * Refuses to resume a run that uses functions of which nothing shows that they are those of the stored results.
 *
 * @throws {StoreError} `different-plan`.
 */
function refuseUnknownCode(prepared: PreparedRun, { share: { resume, codeVersion } = {} }: RunOptions): void {
  if (resume === undefined || codeVersion !== undefined) return;
  const { graph, plans, setup } = prepared;
  const scenarios = plans.map(({ resolved }) => resolved.scenario);
  const [first, ...others] = functionsOf({ graph, scenarios, options: setup.options });
  if (!first) return;
  const more = others.length > 0 ? ` and ${others.length} more functions` : "";
  throw new StoreError(`Cannot resume run "${resume}": ${first.what}${more} may have changed since it was started`, {
    code: "different-plan",
    path: ["share", "codeVersion"],
    hint: "Pass share.codeVersion, such as the commit, to both runs, or start a new run",
  });
}

/** Writes recordings. Returns the error message on failure, so that the report is not lost. */
async function flushed(recordings: Recordings | undefined): Promise<string | null> {
  try {
    await recordings?.flush();
    return null;
  } catch (error) {
    return wordsWithHint(error);
  }
}

/** Returns the names of the models of a run. */
function namesOf({ agent, caller, judge }: Models): ModelNames {
  const name = (model: ModelReference) => modelName(model).replace(/^callweave\//, "");
  return { agent: name(agent), caller: name(caller ?? agent), judge: name(judge ?? agent) };
}
