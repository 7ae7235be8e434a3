import { createHash } from "node:crypto";
import { type Caller, heldCaller } from "../callers/mod.ts";
import type { Listeners, TurnMode } from "../engine/mod.ts";
import type { AgentGraph, CheckResult, Message, ToolExecute, Verdict } from "../graph/mod.ts";
import { checkExpectations, checkFlow, checkTexts, type Pattern, runOwnChecks } from "../judges/mod.ts";
import {
  type CallSettings,
  type CallUsage,
  type Cassette,
  createCallClock,
  type Model,
  type Retry,
  type Role,
} from "../models/mod.ts";
import { CHECKS, type Metric, type Scenario } from "../scenario/mod.ts";
import { type NewResult, type ResultStatus, redactedResult } from "../store/mod.ts";
import type { Budget, LiveTools } from "../turn/mod.ts";
import { readableError } from "../values/mod.ts";
import { callerOf } from "./caller_of.ts";
import { checkedCall } from "./checked_call.ts";
import { type Call, holdCall } from "./hold_call.ts";
import { judgeCall } from "./judge_call.ts";
import { type CallPlace, platformValues } from "./platform_values.ts";
import { ruling, wordsOf } from "./ruling.ts";
import { usageOf } from "./usage.ts";

/** Everything that the calls of a run have in common. */
export interface RunSetup {
  readonly graph: AgentGraph;
  /** The names of variables that the graph uses. */
  readonly names: ReadonlySet<string>;
  readonly caller: Model;
  readonly judge: Model;
  readonly calls: CallSettings;
  readonly recordings: Cassette | undefined;
  readonly turn: TurnMode | undefined;
  readonly tools: { readonly [name: string]: ToolExecute };
  readonly liveTools: LiveTools | undefined;
  readonly toolTimeoutMs: number | undefined;
  readonly variables: { readonly [name: string]: unknown };
  readonly place: CallPlace | undefined;
  /** Of checks of one's own that score and have no threshold. */
  readonly threshold: number | undefined;
  readonly budget: Budget | undefined;
  readonly maxTurns: number;
  readonly timeoutMs: number;
  readonly now: () => Date;
  readonly signal: AbortSignal | undefined;
  /** Called when a call is over, with its requests and what has broken it off. */
  readonly onCall: (usage: readonly CallUsage[], error: unknown) => void;
  readonly onRetry: (scenario: string, retry: Retry) => void;
  readonly createCaller: ((scenario: Scenario) => Caller | undefined) | undefined;
  readonly onTurn: (scenario: string, messages: readonly Message[]) => void;
  readonly listeners: (scenario: string) => Listeners;
}

/** A scenario that is ready to be run. */
export interface PreparedScenario {
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
export async function runScenario(prepared: PreparedScenario, setup: RunSetup): Promise<NewResult> {
  const { scenario } = prepared;
  const started = performance.now();
  const startedAt = setup.now();
  const judgeUsage: CallUsage[] = [];
  let thrown: unknown;
  let retries = 0;
  const onRetry = (retry: Retry) => {
    retries += 1;
    setup.calls.onRetry?.(retry);
    setup.onRetry(scenario.name, retry);
  };
  const counted = { ...setup, calls: { ...setup.calls, onRetry } };
  let call: Call | undefined;
  let checks: readonly CheckResult[] = [];
  let verdicts: readonly Verdict[] = [];
  let outcome: { status: ResultStatus; error: string | null };
  try {
    call = await hold(prepared, counted, startedAt);
    outcome = ruling(call, scenario);
    if (outcome.status === "pass") {
      checks = [
        ...checkTexts(scenario, prepared.patterns, call),
        ...checkFlow(scenario, call),
        ...checkExpectations(scenario, call),
      ];
      const { threshold, signal } = setup;
      const own = checkedCall(scenario.name, call, setup.graph);
      checks = [...checks, ...(await runOwnChecks(scenario[CHECKS] ?? [], own, { threshold, signal }))];
      verdicts = await judgeCall(prepared.metrics, call.transcript, {
        ...callsOf("judge", scenario.name, counted),
        model: setup.judge,
        ...(setup.signal ? { signal: setup.signal } : {}),
        onUsage: (usage) => void judgeUsage.push(usage),
      });
      if (![...checks, ...verdicts].every(({ passed }) => passed)) outcome = { status: "fail", error: null };
    }
  } catch (error) {
    thrown = readableError(error);
    outcome = setup.signal?.aborted
      ? { status: "cancelled", error: null }
      : { status: "error", error: wordsOf(thrown) };
  }
  const requests = [...(call?.usage ?? []), ...judgeUsage];
  setup.onCall(requests, call?.error ?? thrown);
  return redactedResult({
    scenario: scenario.name,
    status: outcome.status,
    started_at: startedAt.toISOString(),
    transcript: call?.transcript ?? [],
    verdicts,
    checks,
    nodes_visited: call?.nodesVisited ?? [],
    tools_called: call?.toolsCalled ?? [],
    variables: call?.variables ?? {},
    turn_count: call?.turnCount ?? 0,
    duration_ms: performance.now() - started,
    usage: { ...usageOf(requests), ...(retries > 0 ? { retries } : {}) },
    end_reason: call?.endReason ?? null,
    error_message: outcome.error,
  });
}

/** The result of a scenario that the run was aborted before. */
export function cancelledResult({ scenario }: PreparedScenario, now: Date): NewResult {
  return {
    scenario: scenario.name,
    status: "cancelled",
    started_at: now.toISOString(),
    transcript: [],
    verdicts: [],
    checks: [],
    nodes_visited: [],
    tools_called: [],
    variables: {},
    turn_count: 0,
    duration_ms: 0,
    usage: usageOf([]),
    end_reason: null,
    error_message: null,
  };
}

/** Scenarios are held once. */
const TRIAL = 1;

async function hold({ scenario, agent }: PreparedScenario, setup: RunSetup, startedAt: Date): Promise<Call> {
  const { graph } = setup;
  const now = (await setup.recordings?.startOf({ scenario: scenario.name, trial: TRIAL }, startedAt)) ?? startedAt;
  const aheadMs = now.getTime() - startedAt.getTime();
  const callId = `call_${createHash("sha256").update(scenario.name).digest("hex").slice(0, 32)}`;
  const variables = {
    ...platformValues(setup.names, callId, { now, place: setup.place }),
    ...graph.source_metadata.default_dynamic_variables,
    ...setup.variables,
    ...scenario.dynamic_variables,
  };
  const clock = createCallClock();
  const given = setup.createCaller?.(scenario) ?? undefined;
  const caller =
    given === undefined
      ? callerOf(scenario, {
          model: setup.caller,
          calls: { ...callsOf("caller", scenario.name, setup), clock },
          variables,
        })
      : heldCaller(given, { limitMs: setup.timeoutMs, clock });
  return await holdCall(graph, {
    agent,
    caller,
    variables,
    mocks: scenario.tool_mocks,
    tools: setup.tools,
    liveTools: setup.liveTools,
    toolTimeoutMs: setup.toolTimeoutMs,
    calls: { ...callsOf("agent", scenario.name, setup), clock },
    turn: setup.turn,
    budget: setup.budget,
    maxTurns: scenario.max_turns ?? setup.maxTurns,
    timeoutMs: setup.timeoutMs,
    now: aheadMs === 0 ? setup.now : () => new Date(setup.now().getTime() + aheadMs),
    signal: setup.signal,
    onTurn: (messages) => setup.onTurn(scenario.name, messages),
    listeners: setup.listeners(scenario.name),
  });
}

/**
 * What holds for a role's model calls in one call; recordings count anew for each. They lie within what the user has put
 * around calls, and so know the settings that it adds.
 */
function callsOf(role: Role, scenario: string, { calls, recordings }: RunSetup): CallSettings {
  if (!recordings) return calls;
  const recorded = recordings.around(role, TRIAL, { scenario });
  return { ...calls, around: (call) => [...(calls.around?.(call) ?? []), ...recorded(call)] };
}
