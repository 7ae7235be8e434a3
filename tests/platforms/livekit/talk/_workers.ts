import { createServer, connect as openSocket, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { AgentSession as livekit } from "@livekit/protocol";
import type { ToolMock } from "../../../../src/document/scenario/mod.ts";
import { type Brain, type BrainEvent, startBrain } from "../../connections/_brain.ts";
import type { Fault, PlannedFault } from "../../connections/_faults.ts";

/** A request that a worker got. */
export interface WorkerRequest {
  readonly kind: NonNullable<livekit.SessionRequest["request"]["case"]>;
  /** Of `runInput`. */
  readonly text: string;
}

/** What a worker does in place of its answer: bytes that it sends, or how it stays away. */
export type WorkerFault =
  | Uint8Array
  /** Closes the socket. */
  | "leaves"
  /** Never answers. */
  | "silent"
  | { readonly error: string };

/** How a worker differs from the usual one. */
export interface WorkerOptions {
  /**
   * When the agent says its first words: before it connects, so that only the history has them, as with `onEnter()`;
   * after the first request for its state; with a voice whose sound and end were sent before it connects, so that the
   * words count as said when they were played or cut off; or never. Default: `before`.
   */
  readonly opening?: "before" | "later" | "unheard" | "never";
  /** How the call ends: after the answer, or before it. Default: `after`. */
  readonly leaves?: "after" | "before" | "never";
  /** The tool that ends the call, unless the agent transfers it. Default: `end_call`. */
  readonly endTool?: string;
  /** Whether words after a handoff are in the answer, or in the history only. Default: false, as LiveKit 1.9 does. */
  readonly completeAnswers?: boolean;
  /** How many bytes are sent at once. Default: whole messages. */
  readonly pieces?: number;
  /** Default: `["look_up_order"]`. */
  readonly tools?: readonly string[];
  /** In place of the usual answer to a request, by its number from 1; `undefined`: the usual one. */
  readonly instead?: (request: WorkerRequest, number: number) => WorkerFault | undefined;
  /** In place of a message. */
  readonly fault?: (() => Fault | undefined) | undefined;
}

/** The results of the agent's own tools. */
export const TOOLS: readonly ToolMock[] = [
  {
    tool_name: "look_up_order",
    input_match_rule: { type: "partial_match", args: { order_number: "A-1042" } },
    output: { status: "shipped", arrives: "Friday" },
    result: true,
  },
  { tool_name: "look_up_order", input_match_rule: { type: "any" }, output: "no such order", result: false },
];

/** Workers that connect to an address again and again, one for each call. */
export interface Workers extends AsyncDisposable {
  /** For `listen`. */
  readonly address: string;
  /** Requests of all workers, in order. */
  readonly taken: WorkerRequest[];
  /** How many are connected. */
  readonly connected: number;
  /** Number of messages of all workers so far. */
  readonly messages: () => number;
}

/**
 * Starts workers that behave as those of `@livekit/agents` 1.9.0 in `console` mode do, with the help desk as the agent:
 * its nodes are agents, so that a transition is a handoff.
 */
export async function startLiveKit({
  planned,
  ...given
}: WorkerOptions & { readonly planned?: PlannedFault | undefined } = {}): Promise<Workers> {
  const port = await freePort();
  const taken: WorkerRequest[] = [];
  const sockets = new Set<Socket>();
  let isOver = false;
  let messages = 0;
  const fault = () => (++messages === planned?.at ? planned.kind : undefined);
  const options = { ...given, fault };
  const come = async () => {
    while (!isOver) {
      const socket = openSocket({ host: "127.0.0.1", port });
      sockets.add(socket);
      const isOpen = await new Promise<boolean>((resolve) => {
        socket.once("connect", () => resolve(true));
        socket.on("error", () => resolve(false));
        socket.on("close", () => {
          sockets.delete(socket);
          resolve(false);
        });
      });
      if (isOpen && !isOver) await serve(socket, options, taken);
      else socket.destroy();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const coming = come();
  return {
    address: `127.0.0.1:${port}`,
    taken,
    get connected() {
      return sockets.size;
    },
    messages: () => messages,
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      for (const socket of sockets) socket.destroy();
      await coming;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

/** A worker with one session, until its socket is closed. */
export async function serve(
  socket: Duplex,
  options: WorkerOptions,
  taken: WorkerRequest[] = [],
  begin: (session: WorkerSession) => void = () => {},
): Promise<void> {
  const session = new WorkerSession(socket, options, taken);
  begin(session);
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  await session.start();
  await closed;
}

const { AgentSessionMessage, ChatRole, AgentState } = livekit;
type Item = livekit.ChatContext_ChatItem;
type Response = livekit.SessionResponse["response"];

/** The session of a worker. */
export class WorkerSession {
  readonly #socket: Duplex;
  readonly #options: WorkerOptions;
  readonly #taken: WorkerRequest[];
  readonly #brain: Brain = startBrain({ mocks: TOOLS });
  readonly #history: Item[] = [];
  #agent = "";
  #state = AgentState.AS_LISTENING;
  #numbers = 0;
  #isOver = false;
  #received = Buffer.alloc(0);
  /** Requests are answered in their order. */
  #answering: Promise<unknown> = Promise.resolve();

  constructor(socket: Duplex, options: WorkerOptions, taken: WorkerRequest[]) {
    this.#socket = socket;
    this.#options = options;
    this.#taken = taken;
  }

  async start(): Promise<void> {
    const { opening = "before" } = this.#options;
    const { node } = await this.#brain.open().then((turn) => {
      this.#first = turn.events;
      return turn;
    });
    this.#agent = node;
    this.#history.push(this.#handoff(undefined, node));
    if (opening === "before") this.#tellAll(this.#first, false);
    this.#socket.on("data", (part: Uint8Array) => {
      this.#received = Buffer.concat([this.#received, part]);
      for (;;) {
        if (this.#received.length < 4) return;
        const length = this.#received.readUInt32BE(0);
        if (this.#received.length < 4 + length) return;
        const message = AgentSessionMessage.fromBinary(this.#received.subarray(4, 4 + length));
        this.#received = this.#received.subarray(4 + length);
        const { case: kind, value } = message.message;
        if (kind === "audioPlaybackFinished" && opening === "unheard") this.#sayUnheard();
        if (kind === "request") this.#answering = this.#answering.then(() => this.#answer(value));
      }
    });
    this.#event({ case: "agentStateChanged", value: new livekit.AgentSessionEvent_AgentStateChanged({ newState: 2 }) });
  }

  #first: readonly BrainEvent[] = [];

  async #answer({ requestId, request }: livekit.SessionRequest): Promise<void> {
    const { case: kind, value } = request;
    if (kind === undefined) return;
    const text = kind === "runInput" ? value.text : "";
    this.#taken.push({ kind, text });
    const fault = this.#options.instead?.({ kind, text }, this.#taken.length);
    if (fault === "silent") return;
    if (fault === "leaves") return this.#leave();
    if (fault instanceof Uint8Array) return this.#write(fault);
    if (fault) return this.#respond(requestId, { case: undefined }, fault.error);
    if (kind === "runInput") return await this.#turn(requestId, text);
    this.#respond(requestId, this.#content(kind));
    if (kind === "getSessionState" && this.#options.opening === "later") this.#speakLater();
  }

  #content(kind: WorkerRequest["kind"]): Response {
    const { tools = ["look_up_order"] } = this.#options;
    const agentId = this.#agent;
    if (kind === "getChatHistory") {
      const value = new livekit.SessionResponse_GetChatHistoryResponse({ items: this.#history });
      return { case: "getChatHistory", value };
    }
    if (kind === "getAgentInfo") {
      const chatCtx = this.#history.slice(0, 1);
      const info = { id: agentId, instructions: "Be kind.", tools: [...tools], chatCtx };
      return { case: "getAgentInfo", value: new livekit.SessionResponse_GetAgentInfoResponse(info) };
    }
    if (kind === "getSessionState") {
      const state = { agentState: this.#state, userState: 1, agentId, options: { max_tool_steps: "3" } };
      return { case: "getSessionState", value: new livekit.SessionResponse_GetSessionStateResponse(state) };
    }
    return { case: "updateIo", value: new livekit.SessionResponse_UpdateIOResponse() };
  }

  #sayUnheard(): void {
    this.#tellAll(this.#first);
    this.#first = [];
  }

  #speakLater(): void {
    const say = () => {
      this.#setState(AgentState.AS_THINKING);
      this.#setState(AgentState.AS_SPEAKING);
      this.#send({ case: "audioPlaybackFlush", value: new livekit.AgentSessionMessage_ConsoleIO_AudioPlaybackFlush() });
      this.#tellAll(this.#first);
      this.#setState(AgentState.AS_LISTENING);
    };
    setTimeout(say, 10);
  }

  async #turn(requestId: string, text: string): Promise<void> {
    const { leaves = "after", completeAnswers = false, endTool = "end_call" } = this.#options;
    // a session that closes does not answer
    if (this.#isOver) return;
    this.#tell(this.#message(ChatRole.USER, text));
    if (this.#options.opening === "unheard") this.#sayUnheard();
    this.#setState(AgentState.AS_THINKING);
    const { events, ended } = await this.#brain.hear(text);
    this.#isOver = ended !== undefined;
    const items = this.#tellAll(events);
    if (ended === "agent_transferred") items.push(...this.#call("transfer_call", {}, "ok", false));
    else if (ended) items.push(...this.#call(endTool, {}, "say goodbye to the user", false));
    this.#setState(AgentState.AS_LISTENING);
    if (ended && leaves === "before") return this.#leave();
    const handoff = items.findIndex(({ item }) => item.case === "agentHandoff");
    const isTold = ({ item }: Item, at: number) =>
      completeAnswers || handoff < 0 || at < handoff || item.case !== "message";
    const value = new livekit.SessionResponse_RunInputResponse({ items: items.filter(isTold) });
    const nothing = items.length === 0 ? "agent produced no response items" : undefined;
    this.#respond(requestId, { case: "runInput", value }, nothing);
    if (ended && leaves === "after") setTimeout(() => this.#leave(), 20);
  }

  /** Says its first words, as a voice does when somebody has joined. Returns them. */
  speakFirst(): string {
    this.#setState(AgentState.AS_SPEAKING);
    return wordsOf(this.#first);
  }

  /** Hears the caller by voice. Returns what it says, and whether it leaves after that. */
  async hear(text: string): Promise<{ readonly say: string; readonly isOver: boolean }> {
    this.#taken.push({ kind: "runInput", text });
    const value = new livekit.AgentSessionEvent_UserInputTranscribed({ transcript: text, isFinal: true });
    this.#event({ case: "userInputTranscribed", value });
    this.#tell(this.#message(ChatRole.USER, text));
    this.#setState(AgentState.AS_THINKING);
    const { events, ended } = await this.#brain.hear(text);
    this.#tellAll(events.filter(({ kind }) => kind !== "says"));
    if (ended === "agent_transferred") this.#call("transfer_call", {}, "ok", false);
    else if (ended) this.#call(this.#options.endTool ?? "end_call", {}, "say goodbye to the user", false);
    this.#setState(AgentState.AS_SPEAKING);
    return { say: wordsOf(events), isOver: ended !== undefined };
  }

  /** Its words were played. */
  spoke(text: string): void {
    this.#tell(this.#message(ChatRole.ASSISTANT, text));
    this.#setState(AgentState.AS_LISTENING);
  }

  leave(): void {
    this.#leave();
  }

  #tellAll(events: readonly BrainEvent[], asEvents = true): Item[] {
    return events.flatMap((event): readonly Item[] => {
      if (event.kind === "calls") {
        const { name, arguments: args, result, failed } = event;
        return this.#call(name, args, result, failed);
      }
      if (event.kind === "moves") this.#agent = event.to;
      const item =
        event.kind === "says" ? this.#message(ChatRole.ASSISTANT, event.text) : this.#handoff(event.from, event.to);
      if (asEvents) this.#tell(item);
      else this.#history.push(item);
      return [item];
    });
  }

  /** A call and its result. Ids of calls come again, and the event has no ids of items, as with LiveKit's own fake. */
  #call(name: string, args: object, result: unknown, failed: boolean): readonly Item[] {
    const called = { callId: "call_0", name, arguments: JSON.stringify(args) };
    const output = failed ? String(result) : JSON.stringify(result);
    const answered = { callId: "call_0", name, output, isError: failed };
    const value = new livekit.AgentSessionEvent_FunctionToolsExecuted({
      functionCalls: [new livekit.FunctionCall(called)],
      functionCallOutputs: [new livekit.FunctionCallOutput(answered)],
    });
    this.#event({ case: "functionToolsExecuted", value });
    const items = [
      new livekit.ChatContext_ChatItem({
        item: { case: "functionCall", value: new livekit.FunctionCall({ ...called, id: this.#id() }) },
      }),
      new livekit.ChatContext_ChatItem({
        item: { case: "functionCallOutput", value: new livekit.FunctionCallOutput({ ...answered, id: this.#id() }) },
      }),
    ];
    this.#history.push(...items);
    return items;
  }

  #message(role: livekit.ChatRole, text: string): Item {
    const content = [new livekit.ChatMessage_ChatContent({ payload: { case: "text", value: text } })];
    const metrics = new livekit.MetricsReport({ llmNodeTtft: 0.25 });
    const value = new livekit.ChatMessage({ id: this.#id(), role, content, metrics, extra: { lang: "en" } });
    return new livekit.ChatContext_ChatItem({ item: { case: "message", value } });
  }

  #handoff(from: string | undefined, to: string): Item {
    const old = from === undefined ? {} : { oldAgentId: from };
    const value = new livekit.AgentHandoff({ id: this.#id(), newAgentId: to, ...old });
    return new livekit.ChatContext_ChatItem({ item: { case: "agentHandoff", value } });
  }

  #id(): string {
    return `item_${++this.#numbers}`;
  }

  #tell(item: Item): void {
    this.#history.push(item);
    const value = new livekit.AgentSessionEvent_ConversationItemAdded({ item });
    this.#event({ case: "conversationItemAdded", value });
  }

  #setState(newState: livekit.AgentState): void {
    const value = new livekit.AgentSessionEvent_AgentStateChanged({ oldState: this.#state, newState });
    this.#state = newState;
    this.#event({ case: "agentStateChanged", value });
  }

  #event(event: livekit.AgentSessionEvent["event"]): void {
    this.#send({ case: "event", value: new livekit.AgentSessionEvent({ event }) });
  }

  #respond(requestId: string, response: Response, error?: string): void {
    const value = new livekit.SessionResponse({ requestId, response, ...(error === undefined ? {} : { error }) });
    this.#send({ case: "response", value });
  }

  #send(message: livekit.AgentSessionMessage["message"]): void {
    this.#write(frame(new AgentSessionMessage({ message }).toBinary()));
  }

  #isSilent = false;

  #write(whole: Uint8Array): void {
    if (this.#isSilent) return;
    const kind = this.#options.fault?.();
    if (kind === "break") return void this.#socket.destroy();
    this.#isSilent = kind === "stall" || kind === "half";
    if (kind === "stall") return;
    const bytes =
      kind === undefined
        ? whole
        : kind === "half"
          ? whole.subarray(0, whole.length / 2)
          : frame(faulty(whole.subarray(4), kind));
    const { pieces = bytes.length } = this.#options;
    for (let at = 0; at < bytes.length && !this.#socket.destroyed; at += pieces)
      this.#socket.write(bytes.subarray(at, at + pieces));
  }

  #leave(): void {
    this.#socket.end();
  }
}

function wordsOf(events: readonly BrainEvent[]): string {
  return events.flatMap((event) => (event.kind === "says" ? [event.text] : [])).join(" ");
}

/** A message that cannot be used. */
export function faulty(bytes: Uint8Array, kind: Fault): Uint8Array {
  if (kind === "garbage") return new TextEncoder().encode("]garbage[");
  const { message } = livekit.AgentSessionMessage.fromBinary(bytes);
  if (message.case !== "response") return bytes;
  const { requestId } = message.value;
  const error = { throttle: "too many requests", fails: "internal error" }[String(kind)];
  const value = new livekit.SessionResponse({ requestId, ...(error === undefined ? {} : { error }) });
  return new livekit.AgentSessionMessage({ message: { case: "response", value } }).toBinary();
}

/** A message with its length before it. */
export function frame(bytes: Uint8Array): Uint8Array {
  const all = Buffer.alloc(4 + bytes.length);
  all.writeUInt32BE(bytes.length);
  all.set(bytes, 4);
  return all;
}
