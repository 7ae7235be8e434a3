import type { RunEvent } from "../../../../run/runner/mod.ts";
import type { ResultRecord } from "../../../../run/store/mod.ts";

export interface LiveCall {
  readonly scenario: string;
  readonly trial: number;
  readonly startedMs: number;
  /** The current node. */
  readonly node: string;
  /** Finished turns. */
  readonly turns: number;
}

export interface LiveScenario {
  readonly name: string;
  /** Maximum number of trials. */
  readonly planned: number;
  readonly passed: number;
  readonly failed: number;
  /** Trials that say nothing about the agent: errors, cancelled and invalid ones. */
  readonly other: number;
}

export interface LiveState {
  readonly startedMs: number;
  /** In the order of the run. */
  readonly scenarios: readonly LiveScenario[];
  /** In the order in which they started, by `liveCallKey`. */
  readonly calls: ReadonlyMap<string, LiveCall>;
  /** Model calls of the finished calls. */
  readonly modelCalls: number;
  /** Dollars for the finished calls; `undefined` when a price is unknown. */
  readonly costUsd: number | undefined;
  /** Total duration of the finished calls. */
  readonly finishedMs: number;
  readonly finished: number;
  /** Whether the run is being stopped. */
  readonly isStopping: boolean;
}

/** The state before the first call. */
export function startLive(
  scenarios: readonly { readonly name: string; readonly trials: number }[],
  startedMs: number,
): LiveState {
  return {
    startedMs,
    scenarios: plannedScenarios(scenarios.map(({ name, trials }) => ({ name, calls: trials }))),
    calls: new Map(),
    modelCalls: 0,
    costUsd: 0,
    finishedMs: 0,
    finished: 0,
    isStopping: false,
  };
}

function plannedScenarios(
  scenarios: readonly { readonly name: string; readonly calls: number }[],
): LiveState["scenarios"] {
  return scenarios
    .filter(({ calls }) => calls > 0)
    .map(({ name, calls }) => ({ name, planned: calls, passed: 0, failed: 0, other: 0 }));
}

/** The state after an event of the run. */
export function nextLive(state: LiveState, event: RunEvent, nowMs: number): LiveState {
  switch (event.kind) {
    case "run-start": // fewer in a shard, and in a run that is resumed
      return { ...state, scenarios: plannedScenarios(event.scenarios) };
    case "call-start": {
      const { scenario, trial } = event;
      const call: LiveCall = { scenario, trial, startedMs: nowMs, node: "", turns: 0 };
      return { ...state, calls: new Map(state.calls).set(liveCallKey(event), call) };
    }
    case "node":
      return withCall(state, event, (call) => ({ ...call, node: event.node }));
    case "turn-end":
      return withCall(state, event, (call) => ({ ...call, turns: call.turns + 1 }));
    case "call-end":
      return ended(state, liveCallKey(event), event.result);
    default:
      return state;
  }
}

interface NamedCall {
  readonly scenario: string;
  readonly trial: number;
  readonly attempt?: number;
}

/** Tells the calls of a run apart. */
export function liveCallKey({ scenario, trial, attempt = 1 }: NamedCall): string {
  return JSON.stringify([scenario, trial, attempt]);
}

function withCall(state: LiveState, named: NamedCall, change: (call: LiveCall) => LiveCall): LiveState {
  const key = liveCallKey(named);
  const call = state.calls.get(key);
  return call ? { ...state, calls: new Map(state.calls).set(key, change(call)) } : state;
}

function ended(state: LiveState, key: string, result: ResultRecord): LiveState {
  const { status, usage, durationMs, scenario } = result;
  const calls = new Map(state.calls);
  const wasRunning = calls.delete(key);
  const count = status === "pass" ? "passed" : status === "fail" ? "failed" : "other";
  return {
    ...state,
    calls,
    scenarios: state.scenarios.map((each) => (each.name === scenario ? { ...each, [count]: each[count] + 1 } : each)),
    modelCalls: state.modelCalls + usage.calls,
    costUsd: state.costUsd === undefined || usage.costUsd === undefined ? undefined : state.costUsd + usage.costUsd,
    finishedMs: state.finishedMs + (wasRunning ? durationMs : 0),
    finished: state.finished + (wasRunning ? 1 : 0),
  };
}
