import { readableError } from "../../../base/values/mod.ts";
import type { CallUsage, Retry } from "../../../call/models/mod.ts";
import { type NewResult, type ResultRecord, redactedResult } from "../../store/mod.ts";
import { callSettings, inCallSpan, inJudgeSpan, type ResolvedScenario, type RunSetup } from "../call/mod.ts";
import { resultErrorWords, verdictsOf } from "../judging.ts";
import type { TrialAttempt } from "../options.ts";
import { addUsage, usageOf } from "../report.ts";

/**
 * Judges a call that an earlier process of the run has held and kept, because it waited for its verdicts. Like
 * `runAttempt()`, it never throws.
 */
export async function judgeKept(
  resolved: ResolvedScenario,
  setup: RunSetup,
  slot: TrialAttempt,
  kept: ResultRecord,
): Promise<NewResult> {
  return await inCallSpan(setup.spans, slot, () => judge(resolved, setup, slot, kept));
}

async function judge(
  resolved: ResolvedScenario,
  setup: RunSetup,
  slot: TrialAttempt,
  given: ResultRecord,
): Promise<NewResult> {
  const kept = notCountedTwice(given, slot);
  const started = performance.now();
  const usage: CallUsage[] = [];
  let retries = 0;
  let thrown: unknown;
  const { listeners = {} } = setup.options;
  const options = {
    ...callSettings("judge", slot, setup),
    onRetry: (retry: Retry) => {
      retries += 1;
      listeners.onRetry?.({ retry, ...slot });
      listeners.onProgress?.({ kind: "retry", ...slot, retry });
    },
    model: setup.judge,
    signal: setup.signal,
    onUsage: (each: CallUsage) => void usage.push(each),
  };
  let ruled: Pick<NewResult, "status" | "errorMessage" | "verdicts">;
  setup.keepUnjudged?.({ ...kept, ...slot }); // it may wait again
  try {
    const call = { ...kept, variables: textsOf(kept.variables), endDetail: undefined };
    const verdicts = await inJudgeSpan(setup.spans, () => verdictsOf(resolved, setup, call, options));
    const isPassed = [...kept.checks, ...verdicts].every(({ passed }) => passed);
    ruled = { status: isPassed ? "pass" : "fail", errorMessage: null, verdicts };
  } catch (error) {
    thrown = readableError(error);
    ruled = setup.signal.aborted
      ? { status: "cancelled", errorMessage: null, verdicts: [] }
      : { status: "error", errorMessage: resultErrorWords(thrown), verdicts: [] };
  }
  setup.onCall(usage, thrown);
  const asked = { ...usageOf(usage), ...(retries > 0 ? { retries } : {}) };
  const result = redactedResult<NewResult>({
    ...kept,
    ...slot,
    ...ruled,
    durationMs: kept.durationMs + performance.now() - started,
    usage: addUsage([kept.usage, asked]),
  });
  const variantCall = setup.variant?.callOf(slot);
  const isFinished = result.status === "pass" || result.status === "fail";
  return variantCall && isFinished ? redactedResult(variantCall.complete(result)) : result;
}

/** A kept call without what it has cost, if a cancelled result of an earlier attempt counts that. */
function notCountedTwice({ id: _id, runId: _runId, ...kept }: ResultRecord, { attempt }: TrialAttempt) {
  if ((kept.attempt ?? 1) === attempt) return kept;
  const { connection, ...rest } = { ...kept, usage: usageOf([]) };
  if (!connection) return rest;
  const { costUsd: _costUsd, ...facts } = connection;
  return { ...rest, connection: facts };
}

function textsOf(variables: ResultRecord["variables"]): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}
