import { SYSTEM_CLOCK, untilAborted } from "../../../src/base/values/mod.ts";
import {
  type AgentEvent,
  type AgentTurn,
  type CallRequest,
  ConnectionError,
  connectionFailure,
} from "../../../src/call/connection/mod.ts";
import type { SessionItem } from "./messages.ts";
import { type Session, startSession } from "./session.ts";
import { toolCall } from "./tool_call.ts";
import type { Worker } from "./worker.ts";

/** A session of a worker that has been greeted. */
export interface OpenedSession {
  readonly worker: Worker;
  /** Tools of the agent with which the call begins. */
  readonly tools: readonly string[];
  /** Whether the agent spoke first. */
  readonly opened: boolean;
  readonly opening: AgentTurn;
  say(text: string, request: CallRequest): Promise<AgentTurn>;
  /** Why the call was over before the worker is stopped; `undefined`: the agent did not end it. */
  ended(signal: AbortSignal): Promise<AgentTurn["ended"]>;
}

/** What a session is opened with. */
export interface SessionOptions {
  readonly name: string;
  readonly worker: Worker;
  /** Whether the agent speaks first; `undefined`: it has a time to begin. */
  readonly opens: boolean | undefined;
  readonly endTools: readonly string[];
  readonly transfers: readonly string[];
  /** How long a worker has to leave after its last turn, in milliseconds. */
  readonly hangUpMs: number;
  readonly signal: AbortSignal;
}

/** How long an agent that may speak first has to begin, in milliseconds. */
const BEGIN_MS = 2_000;

/** The state of a call. */
interface CallState extends SessionOptions {
  readonly session: Session;
  /** Ids of items that were reported. */
  readonly known: Set<string>;
  /** The agent that speaks. */
  agent: string;
  /** Tools of the last turn. */
  lastTools: readonly string[];
}

/**
 * Greets a worker that has connected: switches sound off, asks for its tools and waits for what the agent says first. A
 * worker that cannot be used is stopped.
 *
 * @throws {ConnectionError}
 */
export async function openSession(options: SessionOptions): Promise<OpenedSession> {
  const { name, worker, opens, signal } = options;
  const session = startSession(name, worker.carrier);
  try {
    await session.ask({ kind: "turnSoundOff" }, signal);
    const { agentId, tools } = await session.ask({ kind: "getAgentInfo" }, signal);
    const call: CallState = { ...options, session, known: new Set(), agent: agentId, lastTools: [] };
    await waitForOpening(call);
    const opening = opens === false && !session.hasSpoken ? { events: [] } : await openingOf(call);
    return {
      worker,
      tools,
      opened: session.hasSpoken,
      opening,
      say: async (text, request) => await takeTurn(call, text, request.signal),
      ended: async (limit) => await endOf(call, limit),
    };
  } catch (error) {
    const failed = await explained({ name, worker }, error);
    await worker.stop();
    throw failed;
  }
}

/** Adds how the worker's process failed, if that is why it left. */
async function explained({ name, worker }: Pick<SessionOptions, "name" | "worker">, error: unknown): Promise<unknown> {
  if (!(error instanceof ConnectionError) || error.kind !== "ended-early") return error;
  const failure = await worker.failure("wait");
  return failure ? connectionFailure(name, "ended-early", `its worker ${failure}`) : error;
}

/**
 * Waits until the agent has said its first words: a turn of the caller would cut them off. They may have been said
 * before the worker connected.
 */
async function waitForOpening({ session, opens, signal }: CallState): Promise<void> {
  await session.ask({ kind: "getChatHistory" }, signal);
  await session.ask({ kind: "getSessionState" }, signal);
  if (opens === false) return;
  let isPatient = true;
  const patience = new AbortController();
  const waited =
    opens === true
      ? new Promise<void>(() => {})
      : SYSTEM_CLOCK.pause(BEGIN_MS, patience.signal).then(() => {
          isPatient = false;
        });
  try {
    while (!session.hasLeft && (session.isBusy || (!session.hasSpoken && isPatient)))
      await untilAborted(Promise.race([session.next(), ...(isPatient ? [waited] : [])]), signal);
  } finally {
    patience.abort();
  }
}

async function openingOf(call: CallState): Promise<AgentTurn> {
  const { session, signal } = call;
  const items = session.hasLeft ? session.take().items : await newItems(call, [], signal);
  const said = eventsOf(call, items);
  const events: readonly AgentEvent[] = said.some(({ kind }) => kind !== "node") ? said : [];
  const { errors } = session.take();
  if (events.length === 0 && errors.length > 0) throw connectionFailure(call.name, "vendor", errors.join("; "));
  if (events.length === 0 && session.hasLeft) throw connectionFailure(call.name, "ended-early", "its worker left");
  return session.hasLeft ? await endedTurn(call, events) : { events };
}

/** A turn after which the worker has left. */
async function endedTurn(call: CallState, events: readonly AgentEvent[]): Promise<AgentTurn> {
  const { name, session, worker } = call;
  if (session.fault !== undefined) throw connectionFailure(name, "vendor", session.fault);
  const failure = await worker.failure(isEnd(call) ? "at once" : "wait");
  if (failure !== undefined) throw connectionFailure(name, "ended-early", `its worker ${failure}`);
  checkEnd(call);
  return { events, ended: endReason(call) };
}

/** Refuses an end that may be a crash: it would look like the agent's choice. */
function checkEnd(call: CallState): void {
  const { name, session, worker } = call;
  if (!session.hasLeft || worker.tellsFailure || isEnd(call)) return;
  throw connectionFailure(name, "ended-early", "its worker left, and had called no tool that ends the call", {
    hint: "If the agent ended the call, name the tool that does so in endTools, or start the worker with command",
  });
}

function endReason({ lastTools, transfers }: CallState): AgentTurn["ended"] {
  return lastTools.some((tool) => transfers.includes(tool)) ? "agent_transferred" : "agent_ended";
}

async function takeTurn(call: CallState, text: string, signal: AbortSignal): Promise<AgentTurn> {
  const { session } = call;
  if (session.hasLeft) return await endedTurn(call, eventsOf(call, session.take().items));
  let items: readonly SessionItem[];
  try {
    items = (await session.ask({ kind: "runInput", text }, signal)).items;
  } catch (error) {
    return await unansweredTurn(call, error, signal);
  }
  const events = eventsOf(call, await newItems(call, items, signal));
  call.lastTools = toolsOf(events);
  if (isEnd(call)) await untilAborted(session.left, signal);
  return session.hasLeft ? await endedTurn(call, events) : { events };
}

/**
 * A turn without an answer. An agent that ends the call may leave before it answers; what it said was told before. Or it
 * was about to leave when the caller spoke.
 */
async function unansweredTurn(call: CallState, error: unknown, signal: AbortSignal): Promise<AgentTurn> {
  const { name, session, lastTools } = call;
  if (!(error instanceof ConnectionError) || session.fault !== undefined) throw error;
  if (!session.hasLeft && lastTools.length > 0) await leaving(call, signal);
  if (!session.hasLeft) throw error;
  const { items, errors } = session.take();
  if (errors.length > 0) throw connectionFailure(name, "vendor", `its worker left: ${errors.join("; ")}`);
  const events = eventsOf(call, items);
  const isSilent = events.every(({ kind }) => kind === "node");
  if (isSilent && lastTools.length === 0) throw await explained(call, error);
  if (!isSilent) call.lastTools = toolsOf(events);
  return await endedTurn(call, events);
}

function isEnd({ lastTools, endTools, transfers }: CallState): boolean {
  return lastTools.some((tool) => endTools.includes(tool) || transfers.includes(tool));
}

async function leaving({ session, hangUpMs }: CallState, signal: AbortSignal): Promise<void> {
  const waiting = new AbortController();
  const limit = SYSTEM_CLOCK.pause(hangUpMs, waiting.signal);
  await untilAborted(Promise.race([session.left, limit]), signal).finally(() => waiting.abort());
}

/** How a call ended that the caller has left: the worker may leave a moment after its last answer. */
async function endOf(call: CallState, signal: AbortSignal): Promise<AgentTurn["ended"]> {
  const { session, worker, lastTools } = call;
  if (!session.hasLeft && lastTools.length > 0) await leaving(call, signal);
  if (!session.hasLeft || session.fault !== undefined) return undefined;
  checkEnd(call);
  return (await worker.failure("wait")) === undefined ? endReason(call) : undefined;
}

/** The tools that succeeded, or whose outcome is not known. */
function toolsOf(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) => (event.kind === "tool" && event.call.outcome !== "failed" ? [event.call.name] : []));
}

/**
 * What happened since it was asked last, in order. The history also has what was said outside of a turn, and what an
 * agent says after a handoff, which the answer to a turn lacks.
 */
async function newItems(
  { session, known }: CallState,
  answered: readonly SessionItem[],
  signal: AbortSignal,
): Promise<readonly SessionItem[]> {
  let items: readonly SessionItem[];
  try {
    items = (await session.ask({ kind: "getChatHistory" }, signal)).items;
    session.take();
  } catch (error) {
    if (!session.hasLeft || session.fault !== undefined) throw error;
    const ids = new Set(answered.map(({ id }) => id));
    const told = session.take().items.filter((item) => item.kind === "message" || item.kind === "handoff");
    items = [...answered, ...told.filter(({ id }) => !ids.has(id))];
  }
  const ids = new Set(items.map(({ id }) => id));
  const all = [...items, ...answered.filter(({ id }) => !ids.has(id))];
  const fresh = all.filter(({ id }) => id === "" || !known.has(id));
  for (const { id } of all) known.add(id);
  return fresh;
}

/** The events of items, beginning with the agent that speaks. */
function eventsOf(call: CallState, items: readonly SessionItem[]): readonly AgentEvent[] {
  const events: AgentEvent[] = [{ kind: "node", node: call.agent }];
  const results = items.filter((item) => item.kind === "result");
  for (const item of items) {
    if (item.kind === "message" && item.isAgents) {
      const text = item.texts.join("\n");
      if (text.trim() !== "") events.push({ kind: "says", text });
    } else if (item.kind === "call") {
      // ids of calls may come again in another turn
      const at = results.findIndex(({ callId }) => callId === item.callId);
      events.push({
        kind: "tool",
        call: toolCall(call.name, item, results.splice(at < 0 ? results.length : at, 1)[0]),
      });
    } else if (item.kind === "handoff" && item.to !== "") {
      call.agent = item.to;
      events.push({ kind: "node", node: item.to });
    }
  }
  return events;
}
