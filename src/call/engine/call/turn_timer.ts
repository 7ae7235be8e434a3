import type { LatencyParts, TurnLatency } from "../../../document/transcript/mod.ts";
import type { CallState } from "./call_state.ts";

/** Starts to measure a turn. */
export function startTimer(state: CallState): void {
  state.timer = {
    startedMs: state.calls.clock.now(),
    parts: { transition: 0, extraction: 0, tools: 0, reply: 0 },
    replyFromMs: undefined,
    firstTokenMs: undefined,
    heard: undefined,
    isReplayed: false,
  };
}

/** Runs work that the caller waits for, and adds its time to a part of the turn. */
export async function timed<Result>(
  state: CallState,
  part: Exclude<keyof LatencyParts, "reply">,
  work: () => Promise<Result>,
): Promise<Result> {
  const { timer } = state;
  if (!timer || timer.heard) return await work();
  const { now } = state.calls.clock;
  const startedMs = now();
  try {
    return await work();
  } finally {
    timer.parts[part] += now() - startedMs;
  }
}

/**
 * Marks the request of a reply.
 *
 * @param decidedMs Time of the request that made both the decision and the reply. It counts as the reply's.
 */
export function replyRequested({ timer, calls }: CallState, decidedMs = 0): void {
  if (!timer || timer.heard) return;
  timer.replyFromMs = calls.clock.now();
  timer.firstTokenMs = undefined;
  timer.parts.transition -= decidedMs;
  timer.parts.reply += decidedMs;
}

/** Marks that an answer of the turn came from a recording. */
export function answerReplayed({ timer }: CallState): void {
  if (timer) timer.isReplayed = true;
}

/** Marks the arrival of a token of the reply. */
export function tokenArrived({ timer, calls }: CallState): void {
  if (timer) timer.firstTokenMs ??= calls.clock.now();
}

/** Discards the tokens so far: text next to tool calls is not spoken. */
export function tokensUnspoken({ timer }: CallState): void {
  if (timer) timer.firstTokenMs = undefined;
}

/** Adds the time of the tools that the reply called. */
export function toolsAnswered({ timer }: CallState, toolsMs: number): void {
  if (!timer || timer.heard) return;
  timer.parts.tools += toolsMs;
  timer.parts.reply -= toolsMs;
}

/** Marks that the caller hears the current node. Only the first message of a turn counts. */
export function wordsHeard({ timer, calls, at }: CallState): void {
  if (!timer || timer.heard) return;
  const { startedMs, replyFromMs, parts } = timer;
  const heardMs = replyFromMs === undefined ? calls.clock.now() : (timer.firstTokenMs ?? calls.clock.now());
  if (replyFromMs !== undefined) parts.reply += heardMs - replyFromMs;
  timer.heard = { nodeId: at, afterMs: heardMs - startedMs };
}

/**
 * Ends the measurement of a turn and keeps it. Nothing is kept of an opening in which the agent waits for the caller, of
 * an aborted turn, and of a turn with answers from a recording.
 */
export function stopTimer(state: CallState): void {
  const { timer, transcript } = state;
  state.timer = undefined;
  if (!timer || timer.isReplayed) return;
  const { heard, parts } = timer;
  let turn = 0;
  for (const message of transcript) if (message.role === "user") turn += 1;
  if (!heard && (state.endReason === "aborted" || (turn === 0 && !state.endReason))) return;
  const latency: TurnLatency = heard
    ? { turn, nodeId: heard.nodeId, firstWordMs: rounded(heard.afterMs), parts: roundedParts(parts) }
    : { turn, nodeId: state.at, firstWordMs: null };
  state.latency.push(latency);
}

function roundedParts({ transition, extraction, tools, reply }: LatencyParts): LatencyParts {
  return {
    transition: rounded(transition),
    extraction: rounded(extraction),
    tools: rounded(tools),
    reply: rounded(reply),
  };
}

/** To a tenth of a millisecond, and without the -0 and the tiny negative values of subtraction. */
function rounded(ms: number): number {
  return Math.max(0, Math.round(ms * 10) / 10);
}
