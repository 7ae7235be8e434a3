import { type Field, messagesIn, numberIn, readFields, textIn, textsIn, writeMessage } from "../../talking/mod.ts";

/** A request to the session of a worker: `livekit.agent.SessionRequest`. */
export type SessionRequest =
  | { readonly kind: "getChatHistory" | "getAgentInfo" | "getSessionState" }
  | { readonly kind: "runInput"; readonly text: string }
  /** Switches sound in and out off. */
  | { readonly kind: "turnSoundOff" };

/** What happened in a session: `livekit.agent.ChatContext.ChatItem`. */
export type SessionItem =
  | {
      readonly kind: "message";
      readonly id: string;
      readonly isAgents: boolean;
      /** Pieces of the text. */
      readonly texts: readonly string[];
    }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly callId: string;
      readonly name: string;
      readonly arguments: string;
    }
  | {
      readonly kind: "result";
      readonly id: string;
      readonly callId: string;
      readonly output: string;
      readonly isError: boolean;
    }
  | { readonly kind: "handoff"; readonly id: string; readonly to: string };

/** A message of a worker, as far as a call in text needs it: `livekit.agent.AgentSessionMessage`. */
export type WorkerMessage =
  | {
      readonly kind: "answer";
      readonly requestId: string;
      /** Empty: the request succeeded. */
      readonly error: string;
      readonly items: readonly SessionItem[];
      /** Of `getAgentInfo` and `getSessionState`. */
      readonly agentId: string;
      readonly tools: readonly string[];
      readonly isBusy: boolean;
      /** Which request it answers. */
      readonly of: SessionRequest["kind"] | undefined;
    }
  /** `areTools`: calls that have run, with their results. */
  | { readonly kind: "items"; readonly items: readonly SessionItem[]; readonly areTools: boolean }
  /** What the agent has heard of the caller, when it is final. */
  | { readonly kind: "heard"; readonly text: string }
  /** The agent begins or stops to think or to speak. */
  | { readonly kind: "state"; readonly isBusy: boolean }
  | { readonly kind: "error"; readonly words: string }
  /** The agent waits until the sound that it has sent was played. */
  | { readonly kind: "playing" }
  | { readonly kind: "other" };

/** Fields of the messages, from `agent/livekit_agent_session.proto` of `@livekit/protocol` 1.50. */
const MESSAGE = { event: 3, request: 4, response: 5, audioPlaybackFlush: 6, audioPlaybackFinished: 8 };
const REQUEST = { id: 1, getChatHistory: 4, runInput: 5, getAgentInfo: 6, getSessionState: 7, turnSoundOff: 11 };
const RESPONSE = { id: 1, error: 2, getChatHistory: 5, runInput: 6, getAgentInfo: 7, getSessionState: 8, updateIo: 12 };
const EVENT = {
  agentStateChanged: 10,
  conversationItemAdded: 12,
  userInputTranscribed: 13,
  functionToolsExecuted: 14,
  error: 15,
};
const ITEM = { message: 1, call: 2, result: 3, handoff: 4 };
/** `AS_IDLE` and `AS_LISTENING`; in the others the agent starts, thinks or speaks. */
const RESTING: readonly number[] = [1, 2];
const ASSISTANT = 3;

/** The bytes of a request. */
export function writeRequest(id: string, request: SessionRequest): Uint8Array {
  return writeMessage([MESSAGE.request, writeMessage([REQUEST.id, id], [REQUEST[request.kind], contentOf(request)])]);
}

function contentOf(request: SessionRequest): Uint8Array {
  if (request.kind === "runInput") return writeMessage([1, request.text]);
  // UpdateIO { input { audio_enabled }, output { audio_enabled } }
  if (request.kind === "turnSoundOff")
    return writeMessage([1, writeMessage([1, false])], [2, writeMessage([1, false])]);
  return writeMessage();
}

/** The bytes of the answer to `playing`. */
export function writePlayed(): Uint8Array {
  return writeMessage([MESSAGE.audioPlaybackFinished, writeMessage()]);
}

/**
 * Reads a message of a worker.
 *
 * @throws {RangeError | TypeError} If the bytes are no message.
 */
export function readWorkerMessage(bytes: Uint8Array): WorkerMessage {
  const fields = readFields(bytes);
  const [response] = messagesIn(fields, MESSAGE.response);
  if (response) return answerOf(response);
  const [event] = messagesIn(fields, MESSAGE.event);
  if (event) return eventOf(event);
  return { kind: fields.some(({ number }) => number === MESSAGE.audioPlaybackFlush) ? "playing" : "other" };
}

function answerOf(response: readonly Field[]): WorkerMessage {
  const [history] = messagesIn(response, RESPONSE.getChatHistory);
  const [turn] = messagesIn(response, RESPONSE.runInput);
  const [info] = messagesIn(response, RESPONSE.getAgentInfo);
  const [state] = messagesIn(response, RESPONSE.getSessionState);
  const [updated] = messagesIn(response, RESPONSE.updateIo);
  const kinds = {
    getChatHistory: history,
    runInput: turn,
    getAgentInfo: info,
    getSessionState: state,
    turnSoundOff: updated,
  };
  return {
    kind: "answer",
    requestId: textIn(response, RESPONSE.id) ?? "",
    error: textIn(response, RESPONSE.error) ?? "",
    items: itemsIn(history ?? turn ?? [], 1),
    agentId: textIn(info ?? [], 1) ?? textIn(state ?? [], 3) ?? "",
    tools: textsIn(info ?? [], 3),
    isBusy: !RESTING.includes(numberIn(state ?? [], 1)),
    of: isKind(Object.entries(kinds).find(([, found]) => found)?.[0]),
  };
}

function isKind(name: string | undefined): SessionRequest["kind"] | undefined {
  const kinds: readonly SessionRequest["kind"][] = [
    "getChatHistory",
    "runInput",
    "getAgentInfo",
    "getSessionState",
    "turnSoundOff",
  ];
  return kinds.find((kind) => kind === name);
}

function eventOf(event: readonly Field[]): WorkerMessage {
  const [state] = messagesIn(event, EVENT.agentStateChanged);
  if (state) return { kind: "state", isBusy: !RESTING.includes(numberIn(state, 2)) };
  const [added] = messagesIn(event, EVENT.conversationItemAdded);
  if (added) return { kind: "items", items: itemsIn(added, 1), areTools: false };
  const [executed] = messagesIn(event, EVENT.functionToolsExecuted);
  if (executed)
    return {
      kind: "items",
      items: [...messagesIn(executed, 1).map(callOf), ...messagesIn(executed, 2).map(resultOf)],
      areTools: true,
    };
  const [heard] = messagesIn(event, EVENT.userInputTranscribed);
  if (heard && numberIn(heard, 2) === 1) return { kind: "heard", text: textIn(heard, 1) ?? "" };
  const [error] = messagesIn(event, EVENT.error);
  if (error) return { kind: "error", words: textIn(error, 1) ?? "" };
  return { kind: "other" };
}

function itemsIn(fields: readonly Field[], number: number): readonly SessionItem[] {
  return messagesIn(fields, number).flatMap((item): readonly SessionItem[] => {
    const handoffs = messagesIn(item, ITEM.handoff);
    return [
      ...messagesIn(item, ITEM.message).map(messageOf),
      ...messagesIn(item, ITEM.call).map(callOf),
      ...messagesIn(item, ITEM.result).map(resultOf),
      ...handoffs.map((one) => ({ kind: "handoff", id: textIn(one, 1) ?? "", to: textIn(one, 3) ?? "" }) as const),
    ];
  });
}

function messageOf(message: readonly Field[]): SessionItem {
  const texts = messagesIn(message, 3).flatMap((content) => textIn(content, 1) ?? []);
  return { kind: "message", id: textIn(message, 1) ?? "", isAgents: numberIn(message, 2) === ASSISTANT, texts };
}

function callOf(call: readonly Field[]): SessionItem {
  return {
    kind: "call",
    id: textIn(call, 1) ?? "",
    callId: textIn(call, 2) ?? "",
    name: textIn(call, 4) ?? "",
    arguments: textIn(call, 3) ?? "",
  };
}

function resultOf(result: readonly Field[]): SessionItem {
  return {
    kind: "result",
    id: textIn(result, 1) ?? "",
    callId: textIn(result, 3) ?? "",
    output: textIn(result, 4) ?? "",
    isError: numberIn(result, 5) === 1,
  };
}
