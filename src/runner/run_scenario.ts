import { createHash } from "node:crypto";
import { heldCaller } from "../callers/mod.ts";
import type { Listeners } from "../engine/mod.ts";
import type { AgentGraph } from "../graph/mod.ts";
import { checkExpectations, checkFlow, checkTexts, type Pattern, runOwnChecks } from "../judges/mod.ts";
import {
  type CallClock,
  type CallUsage,
  createCallClock,
  heldCallClock,
  type Model,
  type RequestOptions,
  type Retry,
  type Role,
} from "../models/mod.ts";
import { CHECKS, type Metric, type Scenario } from "../scenario/mod.ts";
import { type NewResult, type ResultStatus, redactedResult } from "../store/mod.ts";
import type { CheckResult, Verdict } from "../transcript/mod.ts";
import { readableError } from "../values/mod.ts";
import { callerOf } from "./caller_of.ts";
import { checkedCall, resultVariables } from "./checked_call.ts";
import { type Call, holdCall } from "./hold_call.ts";
import { judgeCall } from "./judge_call.ts";
import { DEFAULT_TURN_TIMEOUT_MS, type RunListeners, type RunOptions } from "./options.ts";
import { platformValues } from "./platform_values.ts";
import { ruling, wordsOf } from "./ruling.ts";
import { usageOf } from "./usage.ts";

/** Everything that the calls of a run have in common. */
export interface RunSetup {
  readonly graph: AgentGraph;
  /** The names of variables that the graph uses. */
  readonly names: ReadonlySet<string>;
  readonly caller: Model;
  readonly judge: Model;
  /** As the run was given them; its listeners never throw, and its requests wait for the limits of the run. */
  readonly options: RunOptions;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Called when a call is over, with its requests and with what has broken it off. */
  readonly onCall: (usage: readonly CallUsage[], error: unknown) => void;
}

/** A scenario that is ready to be run. */
export interface ResolvedScenario {
  readonly scenario: Scenario;
  readonly agent: Model;
  /** The scenario's criteria and the run's. */
  readonly metrics: readonly Metric[];
  readonly patterns: readonly Pattern[];
}

/**
 * Holds a scenario's call and judges it. Never throws: what goes wrong is the result.
 *
 * - `pass`: everything that the scenario expects holds.
 * - `fail`: something does not hold, or the call ended with `hop_limit`, `dead_air`, `budget_exceeded` or `turn_timeout`
 *   without that being expected.
 * - `error`: a model could not be reached, answered nonsense or kept a turn waiting until its time was up, the caller or
 *   the harness failed, or the call ended with `failed`, because a model kept saying nothing or repeated a failing tool
 *   call, without that being expected.
 * - `cancelled`: the run was aborted before the call was over and judged.
 */
export async function runScenario(resolved: ResolvedScenario, setup: RunSetup): Promise<NewResult> {
  const { scenario } = resolved;
  const started = performance.now();
  const startedAt = setup.now();
  const judgeUsage: CallUsage[] = [];
  let thrown: unknown;
  let retries = 0;
  const { listeners = {}, threshold } = setup.options;
  const onRetry = (retry: Retry) => {
    retries += 1;
    listeners.onRetry?.(retry, scenario.name);
    listeners.onProgress?.({ kind: "retry", scenario: scenario.name, retry });
  };
  let call: Call | undefined;
  let checks: readonly CheckResult[] = [];
  let verdicts: readonly Verdict[] = [];
  let outcome: { status: ResultStatus; error: string | null };
  try {
    call = await hold(resolved, setup, { startedAt, onRetry });
    outcome = ruling(call, scenario);
    if (outcome.status === "pass") {
      checks = [
        ...checkTexts(scenario, resolved.patterns, call),
        ...checkFlow(scenario, call),
        ...checkExpectations(scenario, call),
      ];
      const { signal } = setup;
      const own = checkedCall(scenario.name, call, setup.graph);
      checks = [...checks, ...(await runOwnChecks(scenario[CHECKS] ?? [], own, { threshold, signal }))];
      verdicts = await judgeCall(resolved.metrics, call.transcript, {
        ...requestsOf("judge", scenario.name, setup),
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
    scenario: scenario.name,
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

/** The result of a scenario that the run was aborted before. */
export function cancelledResult({ scenario }: ResolvedScenario, now: Date): NewResult {
  return {
    scenario: scenario.name,
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

/** Scenarios are held once. */
const TRIAL = 1;

async function hold(
  { scenario, agent }: ResolvedScenario,
  setup: RunSetup,
  { startedAt, onRetry }: { readonly startedAt: Date; readonly onRetry: (retry: Retry) => void },
): Promise<Call> {
  const { graph, options } = setup;
  const { recordings, limits, createCaller, listeners = {}, tools, liveTools, budget, turn } = options;
  const now = (await recordings?.startOf({ scenario: scenario.name, trial: TRIAL }, startedAt)) ?? startedAt;
  const aheadMs = now.getTime() - startedAt.getTime();
  const callId = `call_${createHash("sha256").update(scenario.name).digest("hex").slice(0, 32)}`;
  const variables = {
    ...platformValues(setup.names, callId, { now, place: options.place }),
    ...graph.source_metadata.default_dynamic_variables,
    ...options.variables,
    ...scenario.dynamic_variables,
  };
  const clock = startClock(setup);
  const given = createCaller?.(scenario) ?? undefined;
  const caller =
    given === undefined
      ? callerOf(scenario, {
          model: setup.caller,
          calls: { ...requestsOf("caller", scenario.name, setup), onRetry, clock },
          variables,
        })
      : heldCaller(given, { limitMs: limits?.turnTimeoutMs ?? DEFAULT_TURN_TIMEOUT_MS, clock });
  return await holdCall(graph, {
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
      requests: requestsOf("agent", scenario.name, setup),
      clock: { now: aheadMs === 0 ? setup.now : () => new Date(setup.now().getTime() + aheadMs) },
      signal: setup.signal,
      listeners: { ...listenersOf(listeners, scenario.name), onRetry },
    },
    onTurn: (messages) => listeners.onProgress?.({ kind: "turn-end", scenario: scenario.name, messages }),
  });
}

/** The clock of one call, or of its judge. */
function startClock({ options: { clock } }: RunSetup): CallClock {
  return clock?.startCall ? heldCallClock(clock.startCall()) : createCallClock();
}

/** Replies are streamed only where somebody listens. */
function listenersOf({ onToken, onMessage, onTool }: RunListeners, scenario: string): Listeners {
  return {
    ...(onToken ? { onToken: (text) => onToken(text, scenario) } : {}),
    ...(onMessage ? { onMessage: (message) => onMessage(message, scenario) } : {}),
    ...(onTool ? { onTool: (call) => onTool(call, scenario) } : {}),
  };
}

/**
 * The request options of a role's model calls in one call; recordings count anew for each. They lie within what the user
 * has put around calls, and so know the settings that it adds.
 */
function requestsOf(
  role: Role,
  scenario: string,
  { options: { requests = {}, recordings } }: RunSetup,
): RequestOptions {
  if (!recordings) return requests;
  const recorded = recordings.around(role, TRIAL, { scenario });
  return { ...requests, around: (call) => [...(requests.around?.(call) ?? []), ...recorded(call)] };
}
