import type { Loss } from "../../platforms/mod.ts";
import { DeployError, type Issue } from "../errors.ts";
import { type AgentGraph, fingerprint, toGraph } from "../graph/mod.ts";
import type { RunRecord, Store, WaitOptions } from "../store/mod.ts";
import { haveAllPassed, plannedIn, summarise } from "../summary/mod.ts";
import { checkOptions, isListOf, isRecord, isTexts, OPTION } from "../values/mod.ts";

/** Looks up runs; a store can be passed. */
export type RunSource = Pick<Store, "listRuns" | "findRun" | "listResults">;

/** Which run must have passed. */
export interface RequiredRun {
  /** Id of the run, or its first characters. Default: any run of this graph. */
  readonly run?: string;
  readonly signal?: AbortSignal;
}

/** Maximum number of runs of a graph to look at, newest first. */
const MOST_RUNS = 200;

/**
 * Finds the run that allows a graph to be deployed: a finished one of exactly this graph, in which every scenario passed.
 *
 * @returns The newest such run, or the named one.
 * @throws {DeployError} `gate` if there is none; the message says what is wrong with the run.
 * @throws {StoreError} `unknown-run`, `store-failed`.
 */
export async function requireRun(graph: AgentGraph, store: RunSource, options: RequiredRun = {}): Promise<RunRecord> {
  checkOptions(options, { run: OPTION.text, signal: OPTION.signal }, DeployError, "Cannot check runs");
  const wanted = fingerprint(toGraph(graph, "Cannot check runs"));
  if (!isRecord(store) || typeof store.findRun !== "function" || typeof store.listRuns !== "function")
    throw wrongArgument("the second argument is not a store", "Pass what openStore() returns");
  const { run: id, signal } = options;
  const wait = signal ? { signal } : {};
  if (id !== undefined) {
    const run = await store.findRun(id, wait);
    if (run.graphFingerprint !== wanted)
      throw refused(`run ${run.id} was made with another version of the agent`, "Run the scenarios on this version");
    if (!(await hasPassed(run, store, wait)))
      throw refused(`run ${run.id} ${stateOf(run)}`, `See callweave runs show ${run.id}`);
    return run;
  }
  const runs = await store.listRuns({ graphFingerprint: wanted, limit: MOST_RUNS, ...wait });
  for (const run of runs) if (await hasPassed(run, store, wait)) return run;
  const [newest] = runs;
  throw newest
    ? refused(
        `the newest run of this version, ${newest.id}, ${stateOf(newest)}`,
        `See callweave runs show ${newest.id}`,
      )
    : refused("no run of this version of the agent is stored", "Run its scenarios: callweave run");
}

/**
 * Refuses a deployment with losses that are not accepted.
 *
 * @param accepted Codes of losses, as in `acceptLosses` of the configuration.
 * @throws {DeployError} `gate`, with an issue for each place.
 */
export function requireAcceptedLosses(losses: readonly Loss[], accepted: readonly string[]): void {
  if (!isListOf(losses, isRecord)) throw wrongArgument("there is no list of losses", "Pass those of emit() or plan()");
  if (!isTexts(accepted)) throw wrongArgument("there is no list of accepted losses", "Pass a list of codes");
  const issues = losses
    .filter(({ code }) => !accepted.includes(code))
    .map(({ code, path, message }): Issue => {
      const hint = `Change it, or accept the loss: acceptLosses: ["${code}"] in the environment`;
      return { code: "gate", path, message: `${message} (${code})`, hint };
    });
  const [first] = issues;
  if (!first) return;
  const more = issues.length > 1 ? `, and ${issues.length - 1} more` : "";
  throw new DeployError(`Cannot deploy: the platform cannot express a part of the agent: ${first.message}${more}`, {
    code: "gate",
    path: first.path,
    hint: first.hint,
    issues,
  });
}

/** Whether a run is finished, and the gate of each of its scenarios passed. */
async function hasPassed(run: RunRecord, store: RunSource, wait: WaitOptions): Promise<boolean> {
  const { counts, finishedAt, id } = run;
  if (finishedAt === null || counts.pass === 0) return false;
  if (counts.pass === Object.values(counts).reduce((sum, count) => sum + count, 0)) return true;
  const results = await store.listResults({ runId: id, limit: Number.POSITIVE_INFINITY, ...wait });
  return haveAllPassed(summarise(plannedIn(run, results), results));
}

function stateOf({ counts, finishedAt }: RunRecord): string {
  if (finishedAt === null) return "has not finished";
  const { fail, error, cancelled, pass } = counts;
  const wrong = [
    ...(fail > 0 ? [`${fail} failed`] : []),
    ...(error > 0 ? [`${error} ended in an error`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ];
  if (wrong.length > 0) return `has not passed: ${wrong.join(", ")}`;
  return pass > 0 ? "has passed" : "has no judged calls";
}

function wrongArgument(state: string, hint: string): DeployError {
  return new DeployError(`Cannot check the gate: ${state}`, { code: "invalid-option", hint });
}

function refused(state: string, hint: string): DeployError {
  return new DeployError(`Cannot deploy: ${state}`, { code: "gate", hint });
}
