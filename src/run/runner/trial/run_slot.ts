import { readableError } from "../../../base/values/mod.ts";
import type { CallUsage, Retry } from "../../../call/models/mod.ts";
import type { CallerAudit, CheckResult, VarianceSample, Verdict } from "../../../document/transcript/mod.ts";
import { type NewResult, type ResultStatus, redactedResult } from "../../store/mod.ts";
import type { StartedCall } from "../call/mod.ts";
import {
  callSettings,
  inCallSpan,
  inJudgeSpan,
  type ResolvedScenario,
  type RunSetup,
  resultVariables,
  runScenarioCall,
} from "../call/mod.ts";
import { checkByCode, checkWithoutJudge, resultErrorWords, ruling, verdictsOf } from "../judging/mod.ts";
import type { TrialAttempt } from "../options/mod.ts";
import { auditCall, DEFAULT_AUDIT, flowJudgement } from "../options/mod.ts";
import { usageOf } from "../report/mod.ts";
import { type HeardTrial, hearCall, withAudio } from "./hear_call.ts";
import { measureVariance } from "./measure_variance.ts";

/**
 * Runs a scenario's call and judges it. It never throws; errors become results:
 *
 * - `pass`: every expectation holds.
 * - `fail`: an expectation does not hold, or the call ended unexpectedly with `hop_limit`, `dead_air`,
 *   `budget_exceeded` or `turn_timeout`.
 * - `error`: a model could not be reached, gave unusable answers or let a turn time out; the caller or the runner
 *   failed; or the call ended unexpectedly with `failed`, because a model stayed silent or repeated a failing tool
 *   call.
 * - `cancelled`: the run was aborted before the call was finished and judged.
 * - `invalid`: the simulated caller was unreliable, see `audit`. Such a call is not judged.
 */
export async function runAttempt(resolved: ResolvedScenario, setup: RunSetup, slot: TrialAttempt): Promise<NewResult> {
  return await inCallSpan(setup.spans, slot, () => runAndJudge(resolved, setup, slot));
}

async function runAndJudge(resolved: ResolvedScenario, run: RunSetup, slot: TrialAttempt): Promise<NewResult> {
  const setup = withAudio(run);
  const { scenario } = resolved;
  const variantCall = setup.variant?.callOf(slot);
  const started = performance.now();
  const startedAt = setup.now();
  const judgeUsage: CallUsage[] = [];
  const repeatedUsage: CallUsage[] = [];
  let thrown: unknown;
  let retries = 0;
  const { listeners = {} } = setup.options;
  const onRetry = (retry: Retry) => {
    retries += 1;
    listeners.onRetry?.({ retry, ...slot });
    listeners.onProgress?.({ kind: "retry", ...slot, retry });
  };
  let call: StartedCall | undefined;
  let checks: readonly CheckResult[] = [];
  let verdicts: readonly Verdict[] = [];
  let audit: CallerAudit | undefined;
  let variance: VarianceSample | undefined;
  let heard: HeardTrial | undefined;
  let outcome: { status: ResultStatus; error: string | null };
  const ofJudge = () => ({
    ...callSettings("judge", slot, setup),
    onRetry,
    model: setup.judge,
    signal: setup.signal,
    onUsage: (usage: CallUsage) => void judgeUsage.push(usage),
  });
  try {
    call = await runScenarioCall(resolved, setup, { startedAt, onRetry, slot, variantCall });
    const isPast = variantCall !== undefined && "past" in variantCall;
    outcome = isPast ? { status: "pass", error: null } : ruling(call, scenario);
    if (call.audited && (outcome.status === "pass" || outcome.status === "fail")) {
      audit = await auditCall(call.audited, setup.options.judging?.audit ?? DEFAULT_AUDIT, ofJudge());
      if (audit) outcome = { status: "invalid", error: null };
    }
    if (outcome.status === "pass" && setup.variant?.isJudged !== false) {
      checks = checkWithoutJudge(resolved, setup, call);
      checks = [...checks, ...(await checkByCode(resolved, setup, call))];
      if (variantCall && "past" in variantCall) checks = checks.filter(variantCall.isKnown);
      const judged = call;
      if (resolved.metrics.length > 0 || flowJudgement(setup.options))
        verdicts = await inJudgeSpan(setup.spans, () => verdictsOf(resolved, setup, judged, ofJudge()));
      if (![...checks, ...verdicts].every(({ passed }) => passed)) outcome = { status: "fail", error: null };
      const onUsage = (usage: CallUsage) => void repeatedUsage.push(usage);
      const context = { slot, startedAt, onRetry, onUsage };
      if (call.audio)
        heard = await hearCall({ call, audio: call.audio, status: outcome.status, verdicts }, resolved, run, context);
      if (setup.options.repeat?.variance) {
        variance = await measureVariance({ call, checks, verdicts }, resolved, setup, context);
      }
    }
  } catch (error) {
    thrown = readableError(error);
    outcome = setup.signal.aborted
      ? { status: "cancelled", error: null }
      : { status: "error", error: resultErrorWords(thrown) };
  }
  const requests = [...(call?.usage ?? []), ...judgeUsage, ...repeatedUsage];
  setup.onCall(requests, call?.error ?? thrown);
  const result = redactedResult<NewResult>({
    ...slot,
    status: outcome.status,
    startedAt: startedAt.toISOString(),
    transcript: heard?.transcript ?? call?.transcript ?? [],
    verdicts,
    checks,
    nodesVisited: call?.nodesVisited ?? [],
    toolsCalled: call?.toolsCalled ?? [],
    variables: call ? resultVariables(setup.graph, call.variables) : {},
    turnCount: call?.turnCount ?? 0,
    durationMs: performance.now() - started,
    usage: { ...usageOf(requests), ...(retries > 0 ? { retries } : {}) },
    endReason: call?.endReason,
    errorMessage: outcome.error,
    ...(call?.latency?.length ? { latency: call.latency } : {}),
    ...(audit ? { audit } : {}),
    ...(call?.offlinePath ? { offlinePath: call.offlinePath } : {}),
    ...(variance ? { variance } : {}),
    ...(heard ? { audio: heard.audio } : {}),
    ...(call && call.startVariables.size > 0 ? { startVariables: Object.fromEntries(call.startVariables) } : {}),
  });
  const isFinished = outcome.status === "pass" || outcome.status === "fail";
  return variantCall && isFinished ? redactedResult(variantCall.complete(result)) : result;
}

/** Builds the result of a scenario that was cancelled before its call started. */
export function cancelledResult(slot: TrialAttempt, now: Date): NewResult {
  return {
    ...slot,
    status: "cancelled",
    startedAt: now.toISOString(),
    transcript: [],
    verdicts: [],
    checks: [],
    nodesVisited: [],
    toolsCalled: [],
    variables: {},
    turnCount: 0,
    durationMs: 0,
    usage: usageOf([]),
    errorMessage: null,
  };
}
