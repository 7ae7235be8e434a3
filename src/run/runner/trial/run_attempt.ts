import { readableError } from "../../../base/values/mod.ts";
import type { CallUsage, Retry } from "../../../call/models/mod.ts";
import { hasSteps, type Scenario } from "../../../document/scenario/mod.ts";
import type {
  CallerAudit,
  CheckResult,
  ConnectedCallFacts,
  NotChecked,
  VarianceSample,
  Verdict,
} from "../../../document/transcript/mod.ts";
import { type NewResult, type ResultStatus, redactedResult } from "../../store/mod.ts";
import {
  callSettings,
  inCallSpan,
  inJudgeSpan,
  type ResolvedScenario,
  type RunSetup,
  renamed,
  resultVariables,
  runScenarioCall,
  type StartedCall,
} from "../call/mod.ts";
import { approximated } from "../caller_steps.ts";
import { notCheckedOf } from "../connected.ts";
import {
  auditCall,
  checkByCode,
  checkWithoutJudge,
  needsJudge,
  replyChecksOf,
  resultErrorWords,
  ruling,
  verdictsOf,
  voiceChecksOf,
} from "../judging.ts";
import { DEFAULT_AUDIT, type TrialAttempt } from "../options.ts";
import { usageOf } from "../report.ts";
import { type HeardTrial, hearCall } from "./hear_call.ts";
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
  let unseen: readonly string[] | undefined;
  let variance: VarianceSample | undefined;
  let heard: HeardTrial | undefined;
  const notChecked = [...notCheckedOf(resolved, setup)];
  let outcome: { status: ResultStatus; error: string | null };
  const ofJudge = () => ({
    ...callSettings("judge", slot, setup),
    onRetry,
    model: setup.judge,
    signal: setup.signal,
    onUsage: (usage: CallUsage) => void judgeUsage.push(usage),
  });
  const told = new Set<CallUsage>();
  let isCharged = false;
  // what a call has cost counts before it waits for others
  const tell = (error: unknown) => {
    const requests = requestsOf().filter((each) => !told.has(each));
    for (const each of requests) told.add(each);
    setup.onCall(requests, error, call && !isCharged ? chargedFor(call, setup) : 0);
    isCharged = true;
  };
  const { sharing } = setup;
  const toJudge = sharing
    ? { ...setup, sharing: (options: Parameters<typeof sharing>[0]) => sharing(options, () => tell(call?.error)) }
    : setup;
  const requestsOf = () => [...(call?.usage ?? []), ...judgeUsage, ...repeatedUsage];
  const resultNow = ({ status, error }: typeof outcome) =>
    redactedResult<NewResult>({
      ...slot,
      status,
      startedAt: startedAt.toISOString(),
      transcript: heard?.transcript ?? call?.transcript ?? [],
      verdicts,
      checks,
      nodesVisited: call?.nodesVisited ?? [],
      toolsCalled: call?.toolsCalled ?? [],
      variables: call ? resultVariables(setup.graph, call.variables) : {},
      turnCount: call?.turnCount ?? 0,
      durationMs: performance.now() - started,
      usage: { ...usageOf(requestsOf()), ...(retries > 0 ? { retries } : {}) },
      endReason: call?.endReason,
      errorMessage: error,
      ...(call?.latency?.length ? { latency: call.latency } : {}),
      ...(scenario.caller || scenario.cast ? { caller: callerOfResult(scenario, unseen) } : {}),
      ...(audit ? { audit } : {}),
      ...(call?.offlinePath ? { offlinePath: call.offlinePath } : {}),
      ...(variance ? { variance } : {}),
      ...(heard ? { audio: heard.audio } : {}),
      ...(call?.connection ? { connection: connectionFacts(call, call.connection, notChecked, setup) } : {}),
      ...(setup.connected || notChecked.length === 0 ? {} : { notChecked }),
      ...(hasSteps(scenario) || call?.missed?.length ? approximated(call, scenario, setup) : {}),
      ...(call && call.startVariables.size > 0 ? { startVariables: Object.fromEntries(call.startVariables) } : {}),
    });
  try {
    call = await runScenarioCall(resolved, setup, { startedAt, onRetry, slot, variantCall });
    const isPast = variantCall !== undefined && "past" in variantCall;
    outcome = isPast ? { status: "pass", error: null } : ruling(call, scenario);
    if (call.audited && (outcome.status === "pass" || outcome.status === "fail")) {
      ({ audit, unseen } = await auditCall(call.audited, setup.options.judging?.audit ?? DEFAULT_AUDIT, ofJudge()));
      if (audit) outcome = { status: "invalid", error: null };
    }
    if (outcome.status === "pass" && setup.variant?.isJudged !== false) {
      checks = checkWithoutJudge(resolved, setup, call);
      notChecked.push(...unshown(voiceChecksOf(scenario, call).notChecked, notChecked));
      notChecked.push(...unshown(replyChecksOf(resolved, setup, call).notChecked, notChecked));
      const byCode = await checkByCode(resolved, setup, call, (each) => void notChecked.push(each));
      checks = [...checks, ...byCode];
      if (variantCall && "past" in variantCall) checks = checks.filter(variantCall.isKnown);
      const judged = call;
      setup.keepUnjudged?.(resultNow({ status: "cancelled", error: null }));
      if (needsJudge(resolved, setup))
        verdicts = await inJudgeSpan(setup.spans, () => verdictsOf(resolved, toJudge, judged, ofJudge()));
      if (![...checks, ...verdicts].every(({ passed }) => passed)) outcome = { status: "fail", error: null };
      else if (checks.length + verdicts.length === 0 && (setup.connected || notChecked.length > 0)) {
        const how = setup.connected ? `over "${setup.connected.connection.name}"` : "in text";
        outcome = { status: "error", error: `Nothing of the scenario could be checked ${how}` };
      }
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
  tell(call?.error ?? thrown);
  const result = resultNow(outcome);
  // a past call stays that call if its judge fails
  const isKnown = outcome.status === "error" && variantCall !== undefined && "past" in variantCall;
  const isFinished = outcome.status === "pass" || outcome.status === "fail" || isKnown;
  return variantCall && isFinished ? redactedResult(variantCall.complete(result)) : result;
}

function callerOfResult({ caller, cast }: Scenario, unseen: readonly string[] | undefined): NewResult["caller"] {
  return { traits: caller ?? {}, ...(cast ? { cast } : {}), ...(unseen ? { unseen } : {}) };
}

/** Expectations that a call did not show, without those that are named already. */
function unshown(more: readonly NotChecked[], named: readonly NotChecked[]): readonly NotChecked[] {
  const isNamed = (each: NotChecked) =>
    named.some(({ kind, expected }) => kind === each.kind && expected === each.expected);
  return more.filter((each) => !isNamed(each));
}

/** What the platform charged for a call, in US dollars: as it says, else the most that it can be; `null`: not known. */
function chargedFor(
  { connection, turnCount }: { readonly connection?: ConnectedCallFacts | undefined; readonly turnCount: number },
  { connected }: Pick<RunSetup, "connected">,
): number | null {
  if (!connected) return 0;
  const { costPerReplyUsd } = connected.connection;
  // the opening is a reply, too
  return connection?.costUsd ?? (costPerReplyUsd ? (turnCount + 1) * costPerReplyUsd.most : null);
}

/** The connection of a call, with what could not be checked over it. */
function connectionFacts(
  { toolsCalled }: Pick<NewResult, "toolsCalled">,
  facts: ConnectedCallFacts,
  notChecked: readonly NotChecked[],
  { connected }: RunSetup,
): ConnectedCallFacts {
  const isMocked = connected?.connection.capabilities.mocks && toolsCalled.every(({ mocked }) => mocked);
  const isReal = connected?.allowRealTools === true && !isMocked;
  return { ...facts, ...(isReal ? { realTools: true } : {}), ...(notChecked.length > 0 ? { notChecked } : {}) };
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

/** Audio calls have their own recordings: the agent hears other words than in text. */
function withAudio(setup: RunSetup): RunSetup {
  return setup.audio?.options.direction === "both" ? renamed(setup, "with audio") : setup;
}
