import { ScenarioError } from "../../base/errors.ts";
import { defined, thrownWords } from "../../base/values/mod.ts";
import type { Telemetry } from "../../call/telemetry/mod.ts";
import { type AgentGraph, attachDefinition, fingerprint, parseGraph } from "../../document/graph/mod.ts";
import { CHECKS, type Scenario } from "../../document/scenario/mod.ts";
import {
  cancelledResult,
  codeHash,
  createModelLoader,
  prepareRun,
  type RunOptions,
  type RunRequestOptions,
  runAttempt,
} from "../runner/mod.ts";
import type { NewResult, ResultRecord, Store, StoredRun } from "../store/mod.ts";
import type { CallJob } from "./call_job.ts";
import { modelLimits } from "./model_limits.ts";

/** The dependencies of a worker. */
export interface JobRunnerOptions {
  readonly store: Store;
  /** The agent's own module; absent: graphs come from the database. */
  readonly graph?: AgentGraph | undefined;
  readonly scenarios: readonly Scenario[];
  /** Version of the worker's code; absent: the texts of its functions are compared with those of the run. */
  readonly codeVersion?: string | undefined;
  readonly requests?: RunRequestOptions | undefined;
  readonly telemetry?: Telemetry | undefined;
  /** Called once with each notice about a model. */
  readonly onNotice?: (notice: string) => void;
}

/** Number of runs whose graph is cached. */
const KEPT_RUNS = 8;

/** The run of a call, with its agent. */
interface JobRun {
  readonly run: StoredRun["run"];
  readonly graph: AgentGraph;
  /** Whether the graph is the worker's own, with its code. */
  readonly isOwn: boolean;
}

/**
 * Creates the function that runs the calls of a queue. A call with a stored result, for example of a worker that lost
 * its connection, does not run again.
 */
export function createJobRunner(
  options: JobRunnerOptions,
): (job: CallJob, signal: AbortSignal) => Promise<ResultRecord> {
  const { store, graph: own, scenarios, telemetry, codeVersion } = options;
  const limits = modelLimits(options.requests);
  const notices = new Set<string>();
  const loadModel = createModelLoader();
  const runs = new Map<string, Promise<JobRun>>();
  const load = async ({ runId, variables }: CallJob): Promise<JobRun> => {
    const run = await store.findRun(runId);
    if (own !== undefined && fingerprint(own) === run.graphFingerprint) return { run, isOwn: true, graph: own };
    const graph = parseGraph(await store.showGraph(runId));
    if (variables) attachDefinition(graph, { name: run.agent, variables, tools: {} });
    return { run, isOwn: false, graph };
  };
  const runOf = (job: CallJob): Promise<JobRun> => {
    const { runId } = job;
    const known = runs.get(runId) ?? load(job);
    runs.delete(runId);
    runs.set(runId, known);
    for (const old of [...runs.keys()].slice(0, -KEPT_RUNS)) runs.delete(old);
    known.catch(() => runs.delete(runId));
    return known;
  };

  const noticeOnce = (notice: string) => {
    if (notices.has(notice)) return;
    notices.add(notice);
    options.onNotice?.(notice);
  };
  const runCall = async ({ slot, scenario, settings, needs }: CallJob, at: JobRun, signal: AbortSignal) => {
    const checks = scenarios.find(({ name }) => name === scenario.name)?.[CHECKS];
    checkNeeds(needs, at, checks !== undefined, own !== undefined);
    if (needs.length > 0) checkCode(at, scenarios, codeVersion);
    const { requests, ...rest }: RunOptions = settings;
    const prepared = await prepareRun(
      at.graph,
      [checks ? { ...scenario, [CHECKS]: checks } : scenario],
      {
        ...rest,
        requests: { ...requests, ...limits },
        signal,
      },
      { loadModel },
    );
    const [plan] = prepared.plans;
    if (!plan) throw new TypeError("unreachable: one scenario has one plan");
    const spans = telemetry && { telemetry, runId: at.run.id, agent: at.run.agent };
    try {
      return await runAttempt(plan.resolved, { ...prepared.setup, ...(spans ? { spans } : {}) }, slot);
    } finally {
      prepared.over.abort();
      prepared.modelNotices().forEach(noticeOnce);
    }
  };
  return async (job, signal) => {
    const { runId, slot } = job;
    const at = await runOf(job);
    const stored = await store.listResults({ runId, scenario: slot.scenario, limit: Number.POSITIVE_INFINITY });
    const before = stored.find(({ trial, attempt = 1 }) => trial === slot.trial && attempt === slot.attempt);
    const storedResult = before && (await store.findResult(before.id));
    if (storedResult) return storedResult;
    const result = await runCall(job, at, signal).catch((error: unknown): NewResult => {
      const words = error instanceof ScenarioError ? `${error.message} (${error.hint})` : thrownWords(error);
      return { ...cancelledResult(slot, new Date()), status: "error", errorMessage: words };
    });
    return await store.addResult(runId, result);
  };
}

/** Refuses a call that needs code which this worker does not have. */
function checkNeeds(needs: readonly string[], { isOwn }: JobRun, hasChecks: boolean, hasSource: boolean): void {
  const missing = needs.filter((need) => (need.startsWith("check ") ? !hasChecks : !isOwn));
  if (missing.length === 0) return;
  const state = hasSource ? "the worker's module is another version" : "the worker was started without a SOURCE";
  throw new ScenarioError(`Cannot run a call that needs ${missing.join(", ")}: ${state}`, {
    code: "queue-failed",
    path: ["queue"],
    hint: "Start the worker with the module of the run: callweave worker flow.ts --queue URL",
  });
}

/** Refuses a call whose code is not that of the run: its verdict would be another one. */
function checkCode({ run, graph }: JobRun, scenarios: readonly Scenario[], codeVersion: string | undefined): void {
  const wanted = run.plan?.code;
  if (wanted === undefined) return;
  const names = (Array.isArray(run.plan?.scenarios) ? run.plan.scenarios : []).flatMap((each: unknown) =>
    Array.isArray(each) ? [each[0]] : [],
  );
  const planned = names.flatMap((name) => scenarios.find((each) => each.name === name) ?? []);
  const code = { graph, scenarios: planned };
  // a run without a code version has a hash of its functions
  const known = [
    codeHash({ ...code, options: { share: defined({ codeVersion }) } }),
    codeHash({ ...code, options: {} }),
  ];
  if (known.includes(String(wanted))) return;
  throw new ScenarioError("Cannot run a call with other code than that of the run: its checks or tools may differ", {
    code: "queue-failed",
    path: ["codeVersion"],
    hint: "Start the worker with the SOURCE and --scenarios of the run, unchanged, or with the run's codeVersion",
  });
}
