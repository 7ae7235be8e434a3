import { readableError } from "../../../base/values/mod.ts";
import { createReplayCaller } from "../../../call/callers/mod.ts";
import type { CallOptions, CallUsage, Model, Retry } from "../../../call/models/mod.ts";
import type {
  CheckResult,
  VarianceCall,
  VarianceJudgement,
  VarianceSample,
  Verdict,
} from "../../../document/transcript/mod.ts";
import type { StartedCall } from "../call/mod.ts";
import { callSettings, type ResolvedScenario, type RunSetup, renamed, runScenarioCall } from "../call/mod.ts";
import { checkByCode, checkWithoutJudge, resultErrorWords, ruling, verdictsOf } from "../judging.ts";
import type { TrialAttempt } from "../options.ts";

/** A trial that was run and judged. */
export interface JudgedTrial {
  readonly call: StartedCall;
  readonly checks: readonly CheckResult[];
  readonly verdicts: readonly Verdict[];
}

/** Dependencies of a call besides its setup. */
export interface TrialContext {
  readonly slot: TrialAttempt;
  readonly startedAt: Date;
  readonly onRetry: (retry: Retry) => void;
  /** Called with the usage of every request. */
  readonly onUsage: (usage: CallUsage) => void;
}

/**
 * Judges a trial's call again, and repeats the call with the same words of the caller. Errors of single
 * calls and judgements are skipped. Listeners are not called for these calls.
 *
 * @returns `undefined` if the run was aborted meanwhile.
 */
export async function measureVariance(
  { call, checks, verdicts }: JudgedTrial,
  resolved: ResolvedScenario,
  setup: RunSetup,
  context: TrialContext,
): Promise<VarianceSample | undefined> {
  const { agent = 1, judge = 1 } = setup.options.repeat?.variance ?? {};
  const judged = judgementOf(checks, verdicts);
  const more = await judgements(1, judge - 1, { call, checks }, { resolved, setup, context });
  const { endReason } = call;
  const calls: VarianceCall[] = [{ status: "judged", endReason, errorMessage: null, judgements: [judged, ...more] }];
  for (let number = 2; number <= agent; number += 1)
    calls.push(await runAgain(number, call, judge, { resolved, setup, context }));
  return setup.signal.aborted ? undefined : { calls };
}

interface Surroundings {
  readonly resolved: ResolvedScenario;
  readonly setup: RunSetup;
  readonly context: TrialContext;
}

/** Repeats a call with the same words of the caller, and judges it. */
async function runAgain(
  number: number,
  original: StartedCall,
  times: number,
  { resolved, setup, context }: Surroundings,
): Promise<VarianceCall> {
  const { recordings, listeners: _listeners, ...options } = renamed(setup, `agent again ${number}`).options;
  // Spans and listeners belong to the trial's own call.
  const { spans: _spans, ...rest } = setup;
  const again: RunSetup = {
    ...rest,
    isAgain: true,
    options: { ...options, ...(recordings ? { recordings } : {}), createCaller: () => createReplayCaller(original) },
  };
  try {
    const call = await runScenarioCall(resolved, again, context);
    for (const usage of call.usage) context.onUsage(usage);
    const { endReason, transcript } = call;
    const { status, error } = ruling(call, resolved.scenario);
    if (status !== "pass") return { status: "error", endReason, errorMessage: error, transcript, judgements: [] };
    const checks = [...checkWithoutJudge(resolved, again, call), ...(await checkByCode(resolved, again, call))];
    const found = await judgements(number, times, { call, checks }, { resolved, setup, context });
    return { status: "judged", endReason, errorMessage: null, transcript, judgements: found };
  } catch (error) {
    return { status: "error", errorMessage: resultErrorWords(readableError(error)), judgements: [] };
  }
}

/** Judges a call several times. Failed judgements are skipped. */
async function judgements(
  number: number,
  times: number,
  { call, checks }: Pick<JudgedTrial, "call" | "checks">,
  { resolved, setup, context }: Surroundings,
): Promise<readonly VarianceJudgement[]> {
  const found: VarianceJudgement[] = [];
  for (let time = 1; time <= times; time += 1) {
    const options: CallOptions & { readonly model: Model } = {
      ...callSettings("judge", context.slot, renamed(setup, `judged again ${number}.${time}`)),
      onRetry: context.onRetry,
      onUsage: context.onUsage,
      model: setup.judge,
      signal: setup.signal,
    };
    try {
      found.push(judgementOf(checks, await verdictsOf(resolved, setup, call, options)));
    } catch (error) {
      if (setup.signal.aborted) return found;
      readableError(error); // the judge failed: skip this judgement
    }
  }
  return found;
}

function judgementOf(checks: readonly CheckResult[], verdicts: readonly Verdict[]): VarianceJudgement {
  return {
    passed: [...checks, ...verdicts].every(({ passed }) => passed),
    verdicts: verdicts.map(({ criterion, score, passed }) => ({ criterion, score, passed })),
  };
}
