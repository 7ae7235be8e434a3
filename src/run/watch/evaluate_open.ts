import { defined, groupBy } from "../../base/values/mod.ts";
import type { CallRedactor, RecordedCall } from "../calls/mod.ts";
import { type EvaluateOptions, type EvaluationReport, evaluate, LACKS_DATA } from "../evaluation/mod.ts";
import type { ResultRecord, Store } from "../store/mod.ts";
import type { CallExpectations } from "./expectations.ts";
import type { WatchProblem } from "./types.ts";
import { type StoredCall, WATCH_LABEL } from "./watched_calls.ts";

/** How calls are evaluated, and where they are stored. */
export interface EvaluateOpenOptions
  extends Pick<EvaluateOptions, "agent" | "judging" | "models" | "requests" | "limits" | "signal"> {
  readonly agentName?: string;
  readonly store: Store;
  readonly redact: CallRedactor;
  readonly limit?: number;
}

/** Counts of a round, which are kept when it fails in the middle. */
export interface OpenCounts {
  calls: number;
  errors: number;
  unmatched: number;
}

/** Calls whose transcripts are in memory at a time; each such group is stored as one run. */
const AT_A_TIME = 100;

/**
 * Evaluates the calls that no earlier round has judged, the oldest first, and stores each verdict as soon as it is known.
 *
 * @returns What ended the round early, and what could not be stored.
 */
export async function evaluateOpen(
  calls: readonly StoredCall[],
  expectations: CallExpectations,
  options: EvaluateOpenOptions,
  counts: OpenCounts,
): Promise<readonly WatchProblem[]> {
  const { store, signal, limit = Number.POSITIVE_INFINITY } = options;
  const open = calls
    .filter(({ state }) => state === "open")
    .toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  const problems: WatchProblem[] = [];
  for (let at = 0; at < open.length && counts.calls < limit && !signal?.aborted; at += AT_A_TIME) {
    const ids = open.slice(at, at + AT_A_TIME).map(({ id }) => id);
    const found = await readResults(store, ids, signal);
    const matched = found.flatMap((call) => {
      const name = call && expectations.nameFor(call.transcript);
      if (!call || name === null || name === undefined) return [];
      return [namedCall(call, name, options.redact)];
    });
    counts.unmatched += ids.length - matched.length;
    const taken = matched.slice(0, limit - counts.calls);
    if (taken.length === 0) continue;
    const { results, storeError, stopped } = await evaluateNamed(taken, expectations, options);
    counts.calls += results.filter(({ status }) => status !== "cancelled").length;
    counts.errors += results.filter(isFailure).length;
    if (storeError !== null) problems.push({ step: "store", code: "store-failed", message: storeError });
    if (stopped === undefined) continue;
    problems.push({ step: "evaluate", code: "model-failed", message: stopped });
    break;
  }
  return problems;
}

/** Concurrent reads: each listens to the signal, and runtimes warn of more than ten listeners. */
const READS = 8;

async function readResults(store: Store, ids: readonly string[], signal: AbortSignal | undefined) {
  const found: (ResultRecord | undefined)[] = [];
  for (let at = 0; at < ids.length; at += READS) {
    const group = ids.slice(at, at + READS);
    found.push(...(await Promise.all(group.map((id) => store.findResult(id, defined({ signal }))))));
  }
  return found;
}

function isFailure({ status, errorMessage }: EvaluationReport["results"][number]): boolean {
  return status === "error" && errorMessage !== LACKS_DATA;
}

/** A call under the name of the scenario by which it is judged, without personal data. */
function namedCall(call: ResultRecord, scenario: string, redact: CallRedactor): ResultRecord {
  const { provenance } = call;
  if (!provenance || provenance.redacted) return { ...call, scenario };
  const { startedAt, durationMs } = call;
  const recorded: RecordedCall = { ...call, provenance };
  const { provenance: replaced, ...clean } = redact.call(recorded);
  return { ...call, ...clean, startedAt, durationMs, provenance: { ...replaced, redacted: true }, scenario };
}

async function evaluateNamed(
  calls: readonly ResultRecord[],
  { scenarios }: CallExpectations,
  { agent, agentName, judging, models, requests, limits, signal, store }: EvaluateOpenOptions,
): Promise<EvaluationReport> {
  const names = groupBy(calls, ({ scenario }) => scenario);
  return await evaluate(calls, {
    ...defined({ agent, name: agentName, judging, models, requests, limits, signal }),
    scenarios: scenarios.filter(({ name }) => names.has(name)),
    label: WATCH_LABEL,
    store,
  });
}
