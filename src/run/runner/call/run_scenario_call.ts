import { createHash } from "node:crypto";
import { systemValues } from "../../../../platforms/known/mod.ts";
import { defined } from "../../../base/values/mod.ts";
import { type CallAudio, createCallAudio, type Hearing } from "../../../call/audio/mod.ts";
import { checkedCaller } from "../../../call/callers/mod.ts";
import type { RetryEvent } from "../../../call/engine/mod.ts";
import type { AuditedCall } from "../../../call/judges/mod.ts";
import type { Retry } from "../../../call/models/mod.ts";
import { startToolState } from "../../../call/turn/mod.ts";
import { expandPrompt, startVariables } from "../../../document/expressions/mod.ts";
import {
  expectsEndState,
  personaWithTraits,
  type Scenario,
  speechWithTraits,
  wordsOnly,
} from "../../../document/scenario/mod.ts";
import { DEFAULT_TURN_TIMEOUT_MS, limitsOfCalls, type TrialAttempt } from "../options.ts";
import { callerOf, pathPlayers } from "./caller.ts";
import { type CallSetup, type EngineCall, listenersOf, runCall, type StartedCall } from "./run_call.ts";
import {
  callSettings,
  type PastCall,
  type ReplayedCall,
  type ResolvedScenario,
  type RunSetup,
  recordedName,
  roleRequests,
} from "./run_setup.ts";

/** Has a key for each option of a call, so that a new option of `run()` that no call gets is a compile error. */
type EachOption = { readonly [Name in keyof Required<CallSetup["options"]>]: unknown };

/** Runs the call of a slot from the opening to its end. */
export async function runScenarioCall(
  { scenario, agent }: ResolvedScenario,
  setup: RunSetup,
  {
    startedAt,
    onRetry,
    slot,
    variantCall,
  }: {
    readonly startedAt: Date;
    readonly onRetry: (retry: Retry) => void;
    readonly slot: TrialAttempt;
    readonly variantCall?: ReplayedCall | PastCall | undefined;
  },
): Promise<StartedCall> {
  const { graph, options } = setup;
  if (variantCall && "past" in variantCall) return variantCall.past;
  const limits = limitsOfCalls(options.limits);
  const { recordings, createCaller, listeners = {}, tools, liveTools, turn } = options;
  const { tool_state: changes } = scenario;
  const now = (await recordings?.startOf(recordedName(slot), startedAt)) ?? startedAt;
  const aheadMs = now.getTime() - startedAt.getTime();
  // an agent where it runs has its own defaults and system variables
  const agentVariables = { ...options.variables, ...scenario.dynamic_variables, ...variantCall?.variables };
  const variables = {
    ...systemValues(setup.names, { ...options.systemVariables, now, callId: callIdOf(slot) }),
    ...graph.source_metadata.default_dynamic_variables,
    ...agentVariables,
  };
  const calls = { ...callSettings("caller", slot, setup), onRetry };
  const { clock } = calls;
  const own = createCaller?.(scenario, slot);
  const given = variantCall?.caller({ model: setup.caller, calls, variables }) ?? own;
  const plain = expandPrompt(scenario.user_prompt, { snippets: {}, variables }).trim();
  const persona = scenario.caller ? personaWithTraits(plain, scenario.caller) : plain;
  // a caller of the user's may say anything: the agent listens to it
  const players = own && !setup.isAgain ? undefined : pathPlayers(scenario, { agent, caller: setup.caller });
  const checked = given && checkedCaller(given, { limitMs: limits.turnTimeoutMs ?? DEFAULT_TURN_TIMEOUT_MS, clock });
  const caller = checked
    ? (players?.withCaller(checked) ?? checked)
    : (players?.caller ??
      callerOf(scenario, {
        model: setup.caller,
        calls,
        variables,
        agentLanguage: graph.source_metadata.language,
      }));
  const connection = setup.connected?.connection;
  if (!connection) listeners.onProgress?.({ kind: "node", ...slot, node: graph.entry_node_id });
  const audio = setup.audio && callAudio(setup.audio, setup, { slot, onRetry, variables });
  const isHeard = setup.audio?.options.direction === "both";
  const finished = await runCall(graph, {
    agent: players?.model ?? agent,
    caller: audio && isHeard ? audio.onLine(caller, clock) : caller,
    clock,
    timers: setup.timers,
    connection,
    allowRealTools: setup.connected?.allowRealTools,
    speaks: scenario.caller ? speechWithTraits(scenario.caller, scenario.speaks) : (scenario.speaks ?? undefined),
    ...(setup.spans ? { spans: setup.spans } : {}),
    options: {
      tools,
      toolState: changes ? () => startToolState(options.toolState, changes) : options.toolState,
      liveTools,
      turn,
      variables: connection ? agentVariables : variables,
      mocks: scenario.tool_mocks,
      recordedTools: variantCall?.tools,
      limits: { ...limits, ...defined({ maxTurns: variantCall?.maxTurns ?? scenario.max_turns ?? limits.maxTurns }) },
      requests: roleRequests("agent", slot, setup),
      clock: { now: aheadMs === 0 ? setup.now : () => new Date(setup.now().getTime() + aheadMs) },
      signal: setup.signal,
      listeners: { ...listenersOf(listeners, slot), onRetry: ({ retry }: RetryEvent) => onRetry(retry) },
    } satisfies EachOption,
    keepsState: expectsEndState(scenario),
    onTurn: (messages) => listeners.onProgress?.({ kind: "turn-end", ...slot, messages }),
  });
  const call = audio ? { ...finished, transcript: audio.withOwnWords(finished.transcript) } : finished;
  return {
    ...call,
    ...(audio ? { audio } : {}),
    startVariables: startVariables(graph, variables),
    ...defined({ audited: variantCall?.audited(call) }),
    ...(players ? { offlinePath: followed(players.left()) } : {}),
    ...(given === undefined && !players && persona !== ""
      ? { audited: auditedCall(call, persona, { scenario, variables }) }
      : {}),
  };
}

function callAudio(
  hearing: Hearing,
  { signal }: RunSetup,
  {
    slot: { scenario, trial, attempt },
    onRetry,
    variables,
  }: {
    readonly slot: TrialAttempt;
    readonly onRetry: (retry: Retry) => void;
    readonly variables: { readonly [name: string]: unknown };
  },
): CallAudio {
  const known = Object.values(variables).filter((value) => typeof value === "string");
  return createCallAudio(hearing, { place: [scenario, trial, attempt], known, signal, onRetry });
}

function followed(left: string | undefined): NonNullable<StartedCall["offlinePath"]> {
  return left === undefined ? { followed: true } : { followed: false, reason: left };
}

function auditedCall(
  { transcript, endReason }: EngineCall,
  persona: string,
  { scenario, variables }: { readonly scenario: Scenario; readonly variables: { readonly [name: string]: unknown } },
): AuditedCall {
  return {
    persona,
    given: [...wordsOnly(scenario.says), ...Object.values(variables).map(String)],
    transcript,
    endReason,
    ...(scenario.caller ? { traits: scenario.caller } : {}),
  };
}

/** Returns an id that is the same in every run, and different for each call of a run. */
function callIdOf({ scenario, trial, attempt }: TrialAttempt): string {
  const name = trial === 1 && attempt === 1 ? scenario : JSON.stringify([scenario, trial, attempt]);
  return `call_${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
}
