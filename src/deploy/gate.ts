import type { Loss } from "../../platforms/mod.ts";
import { DeployError, type Issue } from "../base/errors.ts";
import { checkOptions, isListOf, isRecord, isTexts, OPTION, quotedList, shown } from "../base/values/mod.ts";
import { type AgentGraph, fingerprint, toGraph } from "../document/graph/mod.ts";
import type { ScenarioSource } from "../document/scenario/mod.ts";
import type { RunRecord, Store, WaitOptions } from "../run/store/mod.ts";
import { standingOf } from "../run/summary/mod.ts";

/** Looks up runs; a store can be passed. */
export type RunSource = Pick<Store, "listRuns" | "findRun" | "listResults">;

/** Which run must have passed. */
export interface RequiredRun {
  /** Id of the run, or its first characters. Default: any run of this graph. */
  readonly run?: string;
  /** The scenarios that the run must have had, with this content. Default: those that it was started with. */
  readonly scenarios?: readonly ScenarioSource[];
  readonly signal?: AbortSignal;
}

/** Names listed in a message. */
const MOST_NAMES = 5;
/** Maximum number of runs of a graph to look at, newest first. */
const MOST_RUNS = 200;

/**
 * Finds the run that allows a graph to be deployed: a finished one of exactly this graph, in which every scenario passed,
 * without a call that is missing, was cancelled or ended in an error. A shard, a run of selected scenarios, or one with a
 * deployed agent is not enough.
 *
 * @returns The newest such run, or the named one.
 * @throws {DeployError} `gate` if there is none; the message says what is wrong with the run.
 * @throws {StoreError} `unknown-run`, `store-failed`.
 */
export async function requireRun(graph: AgentGraph, store: RunSource, options: RequiredRun = {}): Promise<RunRecord> {
  checkOptions(
    options,
    { run: OPTION.text, scenarios: OPTION.list, signal: OPTION.signal },
    DeployError,
    "Cannot check runs",
  );
  const version = fingerprint(toGraph(graph, "Cannot check runs"));
  if (!isRecord(store) || typeof store.findRun !== "function" || typeof store.listRuns !== "function")
    throw wrongArgument("the second argument is not a store", "Pass what openStore() returns");
  const { run: id, signal, scenarios: wanted } = options;
  const wait = { ...(signal ? { signal } : {}), ...(wanted ? { wanted } : {}) };
  if (id !== undefined) {
    const run = await store.findRun(id, wait);
    if (run.graphFingerprint !== version)
      throw refusedAs(`run ${run.id} was made with another version of the agent`, "Run the scenarios on this version");
    const wrong = await wrongWith(run, store, wait);
    if (wrong.length > 0) throw refused(run, wrong);
    return run;
  }
  const runs = await store.listRuns({ graphFingerprint: version, limit: MOST_RUNS, ...wait });
  let newest: DeployError | undefined;
  for (const run of runs) {
    const wrong = await wrongWith(run, store, wait);
    if (wrong.length === 0) return run;
    newest ??= refused(run, wrong, "the newest run of this version, ");
  }
  throw newest ?? refusedAs("no run of this version of the agent is stored", "Run its scenarios: callweave run");
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

/** Why a run does not pass the gate: what is missing, or did not pass. Empty for a run that passed as a whole. */
async function wrongWith(
  run: RunRecord,
  store: RunSource,
  options: WaitOptions & { readonly wanted?: readonly ScenarioSource[] },
): Promise<readonly string[]> {
  const { failed, missing } = await standingOf(store, run, options);
  const words = failed.length > 0 ? [`${failed.length} failed (${quotedList(failed, MOST_NAMES)})`] : [];
  // a graph beside a deployed agent only names its nodes: the agent may be an older version of it
  const { connection } = run.options;
  const called = isRecord(connection) ? [`its calls were held with the deployed agent ${shown(connection.name)}`] : [];
  return [...called, ...words, ...missing];
}

function wrongArgument(state: string, hint: string): DeployError {
  return new DeployError(`Cannot check the gate: ${state}`, { code: "invalid-option", hint });
}

function refused(run: RunRecord, wrong: readonly string[], which = "run "): DeployError {
  const hint = `Run all scenarios on this version; see callweave runs show ${run.id}`;
  const issues = wrong.map((message): Issue => ({ code: "gate", path: [run.id], message, hint }));
  const message = `Cannot deploy: ${which}${run.id}${which === "run " ? "" : ","} has not passed: ${wrong.join("; ")}`;
  return new DeployError(message, { code: "gate", path: [run.id], hint, issues });
}

function refusedAs(state: string, hint: string): DeployError {
  return new DeployError(`Cannot deploy: ${state}`, { code: "gate", hint });
}
