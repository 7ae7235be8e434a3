import { createHash } from "node:crypto";
import { checkedCaller } from "../callers/mod.ts";
import { type Listeners, startVariables } from "../engine/mod.ts";
import type { AgentGraph } from "../graph/mod.ts";
import { checkExpectations, checkFlow, checkTexts, type Pattern, runOwnChecks } from "../judges/mod.ts";
import {
  type CallClock,
  type CallUsage,
  checkedCallClock,
  createCallClock,
  type Model,
  type RequestOptions,
  type Retry,
  type Role,
} from "../models/mod.ts";
import { CHECKS, type Metric, type Policy, type Scenario } from "../scenario/mod.ts";
import { type NewResult, type ResultStatus, redactedResult } from "../store/mod.ts";
import type { CheckResult, Verdict } from "../transcript/mod.ts";
import { readableError } from "../values/mod.ts";
import { callerOf } from "./caller_of.ts";
import { checkedCall, resultVariables } from "./checked_call.ts";
import { judgeCall } from "./judge_call.ts";
import { DEFAULT_TURN_TIMEOUT_MS, type RunListeners, type RunOptions } from "./options.ts";
import { platformValues } from "./platform_values.ts";
import { checkCallPolicies } from "./policy_checks.ts";
import { ruling, wordsOf } from "./ruling.ts";
import { type Call, runCall } from "./run_call.ts";
import type { Slot } from "./slot.ts";
import { usageOf } from "./usage.ts";

/** State shared by all calls of a run. */
export interface RunSetup {
  readonly graph: AgentGraph;
  /** Names of the variables that the graph uses. */
  readonly names: ReadonlySet<string>;
  /** What must hold in every call. */
  readonly policies: readonly Policy[];
  readonly caller: Model;
  readonly judge: Model;
  /** Options of the run. Listeners never throw, and requests obey the run's limits. */
  readonly options: RunOptions;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Called after each call with its model usage and the error that interrupted it, if any. */
  readonly onCall: (usage: readonly CallUsage[], error: unknown) => void;
}

/** A validated scenario with its models and metrics. */
export interface ResolvedScenario {
  readonly scenario: Scenario;
  readonly agent: Model;
  /** Criteria of the scenario and of the run. */
  readonly metrics: readonly Metric[];
  readonly patterns: readonly Pattern[];
}

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
 */
export async function runScenario(resolved: ResolvedScenario, setup: RunSetup, slot: Slot): Promise<NewResult> {
  const { scenario } = resolved;
  const started = performance.now();
  const startedAt = setup.now();
  const judgeUsage: CallUsage[] = [];
  let thrown: unknown;
  let retries = 0;
  const { listeners = {}, threshold } = setup.options;
  const onRetry = (retry: Retry) => {
    retries += 1;
    listeners.onRetry?.(retry, scenario.name, slot);
    listeners.onProgress?.({ kind: "retry", ...slot, retry });
  };
  let call: StartedCall | undefined;
  let checks: readonly CheckResult[] = [];
  let verdicts: readonly Verdict[] = [];
  let outcome: { status: ResultStatus; error: string | null };
  try {
    call = await hold(resolved, setup, { startedAt, onRetry, slot });
    outcome = ruling(call, scenario);
    if (outcome.status === "pass") {
      checks = [
        ...checkTexts(scenario, resolved.patterns, call),
        ...checkFlow(scenario, call),
        ...checkExpectations(scenario, call),
        ...checkCallPolicies(setup.graph, setup.policies, call),
      ];
      const { signal } = setup;
      const own = checkedCall(scenario.name, call, setup.graph);
      checks = [...checks, ...(await runOwnChecks(scenario[CHECKS] ?? [], own, { threshold, signal }))];
      verdicts = await judgeCall(resolved.metrics, call.transcript, {
        ...requestsOf("judge", slot, setup),
        onRetry,
        clock: startClock(setup),
        model: setup.judge,
        signal,
        onUsage: (usage) => void judgeUsage.push(usage),
      });
      if (![...checks, ...verdicts].every(({ passed }) => passed)) outcome = { status: "fail", error: null };
    }
  } catch (error) {
    thrown = readableError(error);
    outcome = setup.signal.aborted ? { status: "cancelled", error: null } : { status: "error", error: wordsOf(thrown) };
  }
  const requests = [...(call?.usage ?? []), ...judgeUsage];
  setup.onCall(requests, call?.error ?? thrown);
  return redactedResult({
    ...slot,
    status: outcome.status,
    startedAt: startedAt.toISOString(),
    transcript: call?.transcript ?? [],
    verdicts,
    checks,
    nodesVisited: call?.nodesVisited ?? [],
    toolsCalled: call?.toolsCalled ?? [],
    variables: call ? resultVariables(setup.graph, call.variables) : {},
    turnCount: call?.turnCount ?? 0,
    durationMs: performance.now() - started,
    usage: { ...usageOf(requests), ...(retries > 0 ? { retries } : {}) },
    endReason: call?.endReason ?? null,
    errorMessage: outcome.error,
  });
}

/** Builds the result of a scenario that was cancelled before its call started. */
export function cancelledResult(slot: Slot, now: Date): NewResult {
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
    endReason: null,
    errorMessage: null,
  };
}

/** A call with the variables that it started with. */
interface StartedCall extends Call {
  readonly startVariables: ReadonlyMap<string, string>;
}

async function hold(
  { scenario, agent }: ResolvedScenario,
  setup: RunSetup,
  {
    startedAt,
    onRetry,
    slot,
  }: { readonly startedAt: Date; readonly onRetry: (retry: Retry) => void; readonly slot: Slot },
): Promise<StartedCall> {
  const { graph, options } = setup;
  const { recordings, limits, createCaller, listeners = {}, tools, liveTools, budget, turn } = options;
  const now = (await recordings?.startOf(recordedName(slot), startedAt)) ?? startedAt;
  const aheadMs = now.getTime() - startedAt.getTime();
  const variables = {
    ...platformValues(setup.names, callIdOf(slot), { now, place: options.place }),
    ...graph.source_metadata.default_dynamic_variables,
    ...options.variables,
    ...scenario.dynamic_variables,
  };
  const clock = startClock(setup);
  const given = createCaller?.(scenario, slot) ?? undefined;
  const caller =
    given === undefined
      ? callerOf(scenario, {
          model: setup.caller,
          calls: { ...requestsOf("caller", slot, setup), onRetry, clock },
          variables,
        })
      : checkedCaller(given, { limitMs: limits?.turnTimeoutMs ?? DEFAULT_TURN_TIMEOUT_MS, clock });
  const call = await runCall(graph, {
    agent,
    caller,
    clock,
    options: {
      tools,
      liveTools,
      budget,
      turn,
      variables,
      mocks: scenario.tool_mocks,
      limits: { ...limits, ...(scenario.max_turns ? { maxTurns: scenario.max_turns } : {}) },
      requests: requestsOf("agent", slot, setup),
      clock: { now: aheadMs === 0 ? setup.now : () => new Date(setup.now().getTime() + aheadMs) },
      signal: setup.signal,
      listeners: { ...listenersOf(listeners, slot), onRetry },
    },
    onTurn: (messages) => listeners.onProgress?.({ kind: "turn-end", ...slot, messages }),
  });
  return { ...call, startVariables: startVariables(graph, variables) };
}

/** Starts the clock of a call or of its judge. */
function startClock({ options: { clock } }: RunSetup): CallClock {
  return clock?.startCall ? checkedCallClock(clock.startCall()) : createCallClock();
}

/** Returns an id that is the same in every run, and different for each call of a run. */
function callIdOf({ scenario, trial, attempt }: Slot): string {
  const name = trial === 1 && attempt === 1 ? scenario : JSON.stringify([scenario, trial, attempt]);
  return `call_${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
}

/** Returns the name of a call in recordings. Another attempt must not replay the first one. */
function recordedName({ scenario, trial, attempt }: Slot) {
  return { scenario: attempt === 1 ? scenario : `${scenario} (attempt ${attempt})`, trial };
}

/** Adds the call's place in the run to the run's listeners. Replies are streamed only when `onToken` is set. */
function listenersOf({ onToken, onMessage, onTool }: RunListeners, slot: Slot): Listeners {
  const { scenario } = slot;
  return {
    ...(onToken ? { onToken: (text) => onToken(text, scenario, slot) } : {}),
    ...(onMessage ? { onMessage: (message) => onMessage(message, scenario, slot) } : {}),
    ...(onTool ? { onTool: (call) => onTool(call, scenario, slot) } : {}),
  };
}

/**
 * Builds the request options of one role in one call. Recordings count requests per role and call. They wrap requests
 * inside the user's own middleware, so that they see the settings it adds.
 */
function requestsOf(role: Role, slot: Slot, { options: { requests = {}, recordings } }: RunSetup): RequestOptions {
  if (!recordings) return requests;
  const { scenario, trial } = recordedName(slot);
  const recorded = recordings.around(role, trial, { scenario });
  return { ...requests, around: (call) => [...(requests.around?.(call) ?? []), ...recorded(call)] };
}
