import { setImmediate as nextTask } from "node:timers/promises";
import type { LanguageModelMiddleware } from "ai";
import { ModelError } from "../../../base/errors.ts";
import {
  type Clock,
  eitherSignal,
  type JsonObject,
  readableError,
  thrownWords,
  untilAborted,
} from "../../../base/values/mod.ts";
import type { CallAudio } from "../../../call/audio/mod.ts";
import { actOf, type Caller, type CallerMove } from "../../../call/callers/mod.ts";
import {
  type AgentConnection,
  ConnectedCall,
  connectionFailure,
  factsOf,
  type HeldCall,
} from "../../../call/connection/mod.ts";
import {
  Conversation,
  type ConversationOptions,
  type Listeners,
  type SharedOptions,
  type Turn,
} from "../../../call/engine/mod.ts";
import type { AuditedCall, JudgedCall } from "../../../call/judges/mod.ts";
import type { CallClock, CallUsage, HistoryLine, Model } from "../../../call/models/mod.ts";
import type { Telemetry } from "../../../call/telemetry/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import {
  type CallerAct,
  type CallerSpeech,
  type Interruption,
  stepText,
  wordsBefore,
} from "../../../document/scenario/mod.ts";
import type { Approximation, ConnectedCallFacts, Message } from "../../../document/transcript/mod.ts";
import type { FollowedPath, NewResult } from "../../store/mod.ts";
import { DEFAULT_MAX_TURNS, DEFAULT_TURN_TIMEOUT_MS, type RunListeners, type TrialAttempt } from "../options.ts";
import { watchSilence } from "./caller.ts";

/** Agent model, caller and conversation options of one call. */
export interface CallSetup {
  readonly agent: Model;
  readonly caller: Caller;
  /** Clock of this call, shared by agent and caller. */
  readonly clock: CallClock;
  /** Clock of requests and tools. Absent: the machine's. */
  readonly timers?: Clock | undefined;
  /** The agent where it runs. Absent: the engine plays the graph. */
  readonly connection?: AgentConnection | undefined;
  /** Whether tools of the agent run that no mock answers. Default: false. */
  readonly allowRealTools?: boolean | undefined;
  /** How the caller speaks, over a connection by voice. */
  readonly speaks?: CallerSpeech | undefined;
  /** Options passed to the conversation. */
  readonly options: SharedOptions & Pick<ConversationOptions, "mocks" | "recordedTools" | "listeners">;
  /** Whether the tools' state after the call is wanted. */
  readonly keepsState?: boolean | undefined;
  readonly onTurn: (messages: readonly Message[]) => void;
  /** The run's OpenTelemetry spans; absent when telemetry is off. */
  readonly spans?: RunSpans;
}

/** A finished or interrupted call. */
export interface EngineCall extends JudgedCall {
  readonly turnCount: number;
  readonly usage: readonly CallUsage[];
  /**
   * Error of a model, the connection, the caller or the runner. Also set when a turn timed out while waiting for a model
   * or for an agent where it runs.
   */
  readonly error: unknown;
  /** The tools' state after the call; absent if nobody wants it, or if it is not known. */
  readonly endState?: JsonObject;
  /** Interruptions that came too late. */
  readonly missed?: readonly Approximation[];
  /** The connection of the call; absent for a call with a graph. */
  readonly connection?: ConnectedCallFacts;
}

/** Runs one call: the agent opens, then caller and agent alternate until one of them, a limit or the signal ends it. */
export async function runCall(graph: AgentGraph, setup: CallSetup): Promise<EngineCall> {
  const { agent, caller, clock, timers, options } = setup;
  const { limits: { maxTurns = DEFAULT_MAX_TURNS, turnTimeoutMs = DEFAULT_TURN_TIMEOUT_MS } = {}, signal: outer } =
    options;
  // one signal per call, aborted when the run is aborted or a turn times out
  const controller = new AbortController();
  const signal = eitherSignal(outer, controller.signal);
  const callerUsage: CallUsage[] = [];
  const watch = createModelWatch(clock);
  const requests = { ...options.requests, within: [...(options.requests?.within ?? []), watch.middleware] };
  const clocks = { ...options.clock, startCall: () => clock };
  const connected = connectedCall(graph, setup, signal);
  const played = connected
    ? undefined
    : new Conversation(graph, { ...options, models: { agent }, requests, clock: clocks, signal }, timers);
  const call: HeldCall | undefined = connected ?? played;
  if (!call) throw new TypeError("unreachable: a call is connected or played");
  let error: unknown;
  let turnCount = 0;
  const missed: Approximation[] = [];
  const takeTurn = async (turn: () => Promise<Turn>, said?: string): Promise<Turn | undefined> => {
    const callOff = clock.after(turnTimeoutMs, () => {
      if (setup.connection) error = silentAgent(setup.connection, turnTimeoutMs);
      else if (watch.waitingMs() > turnTimeoutMs / 2) error = silentModel(turnTimeoutMs);
      call.end("turn_timeout", `a turn took longer than ${turnTimeoutMs} ms`);
      controller.abort();
    });
    try {
      const taken = await untilAborted(inTurnSpan(setup.spans, turnCount, said, turn), signal);
      setup.onTurn(taken.messages);
      return taken;
    } catch (error) {
      if (!signal.aborted) throw error;
      call.end("aborted", "the run was cancelled");
      return undefined;
    } finally {
      callOff();
    }
  };

  const silence = watchSilence(graph);
  try {
    signal.throwIfAborted();
    let heardTurn = await takeTurn(() => call.open(caller.ahead?.()));
    while (!call.ended) {
      if (!(turnCount < maxTurns)) {
        call.end("max_turns", `the caller has taken ${maxTurns} turns`);
        break;
      }
      const onUsage = (usage: CallUsage) => void callerUsage.push(usage);
      const move = await untilAborted(caller.next(heard(call), { signal, onUsage }), signal);
      if (move.interrupts && !interrupt(call, move, heardTurn))
        missed.push(lateInterruption(move.interrupts, turnCount));
      const { say } = move;
      if (say !== undefined) {
        turnCount += 1;
        const act = actOf({ ...move, say });
        const noted = notedOf(move);
        if (act.kind === "words" && act.cut) {
          await takeTurn(() => lastTurn(call, () => call.hearLast(say, noted, { act })), say);
          break;
        }
        const ahead = caller.ahead?.();
        const step = move.act || move.interrupts || ahead ? { act, ahead } : undefined;
        heardTurn = await takeTurn(() => call.hear(say, noted, step), say);
        // nobody has to answer silence
        const isAsked = act.kind !== "silence" && act.kind !== "music";
        const deadAir = isAsked && heardTurn && silence.answered({ ...heardTurn, variables: call.variables });
        if (deadAir) call.end("dead_air", deadAir);
      }
      if (move.hangUp) call.end(move.hangUp);
    }
  } catch (thrown) {
    if (signal.aborted) call.end("aborted", "the run was cancelled");
    else {
      error = readableError(thrown) ?? new Error(`${thrown} was thrown`);
      call.end("failed", thrownWords(error));
    }
  }
  if (connected && setup.connection) {
    const failed = await connected.close().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    error ??= call.endReason === "aborted" ? undefined : failed;
  }
  await nextTask(); // lets aborted requests add their usage
  const connection = connected && setup.connection && factsOf(setup.connection, connected);
  const usage = [...call.usage, ...callerUsage];
  let endState: JsonObject | undefined;
  try {
    endState = setup.keepsState ? played?.toolState : undefined;
  } catch (thrown) {
    error ??= readableError(thrown);
  }
  const rest = { ...(connection ? { connection } : {}), ...(endState ? { endState } : {}) };
  return { ...snapshot(call), turnCount, usage, error, missed, ...rest };
}

/** Metadata of the caller's words: what they stand for, and that they interrupt. A replay takes the same steps. */
function notedOf({ act, interrupts }: CallerMove & { readonly act?: CallerAct }): Message["metadata"] {
  return { ...(act ? { act } : {}), ...(interrupts ? { interrupts } : {}) };
}

/** Cuts the reply that a move interrupts. By voice, it was interrupted while the agent spoke. */
function interrupt(call: HeldCall, { say, interrupts }: CallerMove, turn: Turn | undefined): boolean {
  if (!interrupts) return false;
  const isHeard = turn?.messages.some(({ metadata }) => metadata.kind === "interruption") ?? false;
  const noted = { ...interrupts, ...(say === undefined ? { hangs_up: true } : {}) };
  return isHeard || call.interrupt(wordsBefore(interrupts), noted) !== undefined;
}

function lateInterruption(after: Interruption, turn: number): Approximation {
  const reply = turn === 0 ? "the opening" : `the reply to turn ${turn}`;
  return { step: stepText({ interrupts: after }), instead: `${reply} was over before: the caller waits for its end` };
}

/** A turn in which the caller hangs up. */
async function lastTurn(call: HeldCall, hear: () => Promise<void>): Promise<Turn> {
  const before = call.transcript.length;
  await hear();
  const messages = call.transcript.slice(before);
  return { messages, spoken: [], nodeId: messages[0]?.node_id ?? "", ended: true, endReason: call.endReason };
}

/** Starts a call over the connection of a setup, if it has one. */
function connectedCall(graph: AgentGraph, setup: CallSetup, signal: AbortSignal): ConnectedCall | undefined {
  const { connection, allowRealTools = false, clock, timers, speaks, options } = setup;
  const { variables = {}, mocks = [], listeners, clock: { now = () => new Date() } = {} } = options;
  const given = { variables, mocks, allowRealTools, signal, clock, now, listeners, graph, timers, speaks };
  return connection && new ConnectedCall(connection, given);
}

/** Error for a turn in which an agent did not answer. */
function silentAgent({ name }: AgentConnection, timeoutMs: number): Error {
  return connectionFailure(name, "silence", `it did not answer within the ${timeoutMs} ms of a turn`);
}

/** Error for a turn that timed out mostly because the model did not answer. */
function silentModel(timeoutMs: number): ModelError {
  return new ModelError(`Cannot finish the turn: the model did not answer within the ${timeoutMs} ms of a turn`, {
    code: "model-timeout",
    hint: "Try again, use a faster model or raise limits.turnTimeoutMs",
  });
}

/** Messages so far, as the caller's model receives them. */
function heard(call: HeldCall): readonly HistoryLine[] {
  return call.transcript.flatMap(({ role, content }) =>
    role === "user" || role === "assistant" ? [{ role, content }] : [],
  );
}

/** Copies the lists, because a turn that timed out may still append to the originals. */
function snapshot(call: HeldCall): JudgedCall {
  return {
    transcript: [...call.transcript],
    nodesVisited: [...call.nodesVisited],
    toolsCalled: [...call.toolsCalled],
    variables: call.variables,
    endReason: call.endReason,
    endDetail: call.endDetail,
    latency: [...call.latency],
  };
}

/** A call with the variables that it started with. */
export interface StartedCall extends EngineCall {
  readonly startVariables: ReadonlyMap<string, string>;
  /** The input of the caller's audit; absent for callers without a persona. */
  readonly audited?: AuditedCall;
  /** Absent for a call that does not follow the path of its scenario. */
  readonly offlinePath?: FollowedPath;
  /** The call's audio; absent without. */
  readonly audio?: CallAudio;
}

/**
 * Adds the call's place in the run to the run's listeners, and reports the nodes that the call moves to. Replies are
 * streamed only when `onToken` is set.
 */
export function listenersOf({ onToken, onMessage, onTool, onProgress }: RunListeners, slot: TrialAttempt): Listeners {
  const reportNode = ({ metadata: { kind, to } }: Message) => {
    if (kind === "transition" && typeof to === "string") onProgress?.({ kind: "node", ...slot, node: to });
  };
  return {
    ...(onToken ? { onToken: (event) => onToken({ ...event, ...slot }) } : {}),
    ...(onMessage || onProgress
      ? {
          onMessage: ({ message }) => {
            onMessage?.({ message, ...slot });
            reportNode(message);
          },
        }
      : {}),
    ...(onTool ? { onTool: (event) => onTool({ ...event, ...slot }) } : {}),
  };
}

/** Measures how long a call has been waiting for a model. */
export interface ModelWatch {
  /** Wraps each request of a model call. */
  readonly middleware: LanguageModelMiddleware;
  /** Milliseconds since the first request that was not answered yet; 0 when no request is waiting. */
  waitingMs(): number;
}

/**
 * Creates a watch on the call's clock. Failed requests and retry delays count as waiting; an answer resets the time.
 */
function createModelWatch(clock: CallClock): ModelWatch {
  let since: number | undefined;
  return {
    waitingMs: () => (since === undefined ? 0 : clock.now() - since),
    middleware: {
      specificationVersion: "v3",
      wrapGenerate: async ({ doGenerate }) => {
        since ??= clock.now();
        const result = await doGenerate();
        since = undefined;
        return result;
      },
    },
  };
}

/** The spans of a run, and the attributes of each call's root span. */
export interface RunSpans {
  readonly telemetry: Telemetry;
  readonly runId: string;
  readonly agent: string;
}

/** Runs a call within the root span of its trace. Without telemetry, it only runs the call. */
export async function inCallSpan(
  spans: RunSpans | undefined,
  { scenario, trial, attempt }: TrialAttempt,
  runCall: () => Promise<NewResult>,
): Promise<NewResult> {
  if (!spans) return await runCall();
  const { telemetry, runId, agent } = spans;
  const attributes = {
    "callweave.run.id": runId,
    "callweave.agent": agent,
    "callweave.scenario": scenario,
    "callweave.trial": trial,
    "callweave.attempt": attempt,
    "session.id": runId, // groups the calls of a run in Langfuse and Phoenix
    "openinference.span.kind": "AGENT",
  };
  return await telemetry.span(`call ${scenario}`, { root: true, attributes }, async (span) => {
    const result = await runCall();
    const failed = [...result.verdicts, ...result.checks].filter(({ passed }) => !passed);
    span.set({
      "callweave.verdict": result.status,
      "callweave.end_reason": result.endReason,
      "callweave.turns": result.turnCount,
      "callweave.nodes": result.nodesVisited,
      "callweave.failed": failed.map((each) => ("criterion" in each ? each.criterion : each.expected)),
    });
    if (result.errorMessage !== null) span.fail(result.errorMessage);
    return result;
  });
}

/** Runs a turn of the agent within a span. Turn 0 is the agent's opening. */
async function inTurnSpan(
  spans: RunSpans | undefined,
  turn: number,
  said: string | undefined,
  take: () => Promise<Turn>,
): Promise<Turn> {
  if (!spans) return await take();
  const { telemetry } = spans;
  const { recordInputs, recordOutputs } = telemetry;
  const attributes = {
    "callweave.turn": turn,
    "openinference.span.kind": "CHAIN",
    ...(recordInputs ? { "input.value": said } : {}),
  };
  return await telemetry.span(`turn ${turn}`, { attributes }, async (span) => {
    const taken = await take();
    span.set({
      "callweave.node": taken.nodeId,
      "callweave.end_reason": taken.endReason,
      ...(recordOutputs ? { "output.value": taken.spoken.join("\n") } : {}),
    });
    return taken;
  });
}

/** Judges a call within a span. */
export async function inJudgeSpan<Result>(spans: RunSpans | undefined, judge: () => Promise<Result>): Promise<Result> {
  if (!spans) return await judge();
  return await spans.telemetry.span("judge", { attributes: { "openinference.span.kind": "EVALUATOR" } }, judge);
}
