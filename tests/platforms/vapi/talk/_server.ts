import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { emit } from "../../../../mod.ts";
import { type Answer, startServer, type TakenRequest, type TestServer } from "../../../call/connection/_server.ts";
import { type BrainEvent, type BrainTurn, replayTurn } from "../../connections/_brain.ts";
import { DESK_TOOLS } from "../../connections/_tools.ts";

/** How a server differs from the usual one. Unsure readings are marked [?] in what is known of Vapi. */
export interface VapiServerOptions {
  /** Whether the members of the squad and their tools are stored by themselves, as in a dashboard. Default: inside. */
  readonly stored?: boolean;
  /** Whether the server answers look-ups; a proxy may pass on only chats. Default: true. */
  readonly looksUp?: boolean;
  /** What keeps the member of a squad between chats [?]. Default: both. */
  readonly keeps?: "both" | "session" | "previous-chat";
  /** Whether the output of the first chat begins with the first message [?]. Default: false. */
  readonly opensFirstChat?: boolean;
  /** Whether the output has the results of tools. Default: true. */
  readonly results?: boolean;
  /** Changes the agent's words. */
  readonly words?: (text: string) => string;
  /** Answers in place of the usual ones, by the number of the request; `undefined`: the usual one. */
  readonly instead?: (request: TakenRequest, number: number) => Answer | undefined;
}

export const SQUAD_ID = "squad_1";
export const ASSISTANT_ID = "assistant_1";
export const COST_PER_CHAT = 0.01;

const LOOK_UP = { type: "function", function: { name: "look_up_order" }, server: { url: "https://example.com" } };
/** The help desk as one assistant. */
export const ASSISTANT = {
  id: ASSISTANT_ID,
  name: "desk",
  latestVersion: "v3",
  firstMessage: "Hello, this is Lumen. How can I help you?",
  model: {
    provider: "openai",
    model: "gpt-4.1",
    tools: [LOOK_UP, { type: "endCall" }, { type: "transferCall", destinations: [{ type: "number", number: "+1" }] }],
  },
};

// biome-ignore lint/suspicious/noExplicitAny: tests read what the package has emitted
type Json = any;

/** The emitted squad of the help desk, as `GET /squad/{id}` answers, and what is stored beside it. */
export function deskSquad(stored: boolean): { readonly squad: Json; readonly beside: ReadonlyMap<string, Json> } {
  const { name, members } = JSON.parse(emit(helpDesk, "vapi-squad").text);
  if (!stored) return { squad: { id: SQUAD_ID, name, members }, beside: new Map() };
  const beside = new Map<string, Json>();
  const lean = members.map(({ assistant, assistantOverrides }: Json, at: number) => {
    const { tools = [], ...model } = assistant.model;
    const toolIds = tools.map((tool: Json) => {
      const id = `tool_${tool.function.name}`;
      beside.set(`/tool/${id}`, { id, ...tool });
      return id;
    });
    const id = `member_${at}`;
    beside.set(`/assistant/${id}`, { id, ...assistant, model: { ...model, toolIds } });
    return { assistantId: id, assistantOverrides };
  });
  return { squad: { id: SQUAD_ID, name, members: lean }, beside };
}

interface ChatState {
  readonly said: readonly string[];
  readonly member: string;
  readonly variables: { readonly [name: string]: string };
}

/**
 * A server that behaves as Vapi's chat is described (VapiAI/docs `fern/chat`, types of @vapi-ai/server-sdk): it runs
 * the agent's tools itself, and keeps a call by a session or by the id of the previous chat.
 */
export async function startVapi(options: VapiServerOptions = {}): Promise<TestServer> {
  const { stored = false, looksUp = true, keeps = "both", opensFirstChat = false, results = true } = options;
  const { words = (text) => text, instead } = options;
  const { squad, beside } = deskSquad(stored);
  const start = "welcome";
  const states = new Map<string, ChatState>();
  const isSquad = new Map<string, boolean>();
  return await startServer(async (request, number): Promise<Answer> => {
    const other = instead?.(request, number);
    if (other) return other;
    const { method, url, body } = request;
    if (method === "GET") {
      const found =
        url === `/squad/${SQUAD_ID}` ? squad : url === `/assistant/${ASSISTANT_ID}` ? ASSISTANT : beside.get(url);
      return looksUp && found ? { json: found } : missing(`Couldn't get ${url}`);
    }
    const { assistantId, squadId, sessionId, previousChatId, input, assistantOverrides } = body;
    if (sessionId === undefined && assistantId !== ASSISTANT_ID && squadId !== SQUAD_ID) return missing("Not found");
    const empty = { said: [], member: start, variables: assistantOverrides?.variableValues ?? {} };
    if (url === "/session") {
      const id = `session_${states.size + 1}`;
      states.set(id, empty);
      isSquad.set(id, squadId !== undefined);
      return { status: 201, json: { id, orgId: "org", status: "active" } };
    }
    // "previousChatId and sessionId are mutually exclusive", and sessions are tied to one agent (fern/chat)
    if (url !== "/chat" || (sessionId && (previousChatId || assistantId || squadId)))
      return { status: 400, json: { statusCode: 400, message: ["property should not exist"], error: "Bad Request" } };
    const key = sessionId ?? previousChatId;
    const before = key === undefined ? empty : states.get(key);
    if (!before) return missing("Chat not found");
    const text: string = typeof input === "string" ? input : input.at(-1).content;
    const said = [...before.said, text];
    const turn = await replayTurn(said, { mocks: DESK_TOOLS, variables: before.variables });
    const ofSquad = sessionId === undefined ? squadId !== undefined : isSquad.get(sessionId) === true;
    const isKept = keeps === "both" || keeps === (sessionId === undefined ? "previous-chat" : "session");
    const { output, member } = outputOf(turn, { member: before.member, ofSquad, results, words });
    // a squad that starts again at its first member calls that member's tools
    const again =
      ofSquad && !isKept && before.member !== start ? toolMessages("again", "extract_find_topic", {}, {}, true) : [];
    const opening = opensFirstChat && said.length === 1 ? [{ role: "assistant", content: ASSISTANT.firstMessage }] : [];
    const id = `chat_${number}`;
    const after = { said, member, variables: before.variables };
    states.set(id, after);
    if (sessionId) states.set(sessionId, after);
    return { status: 201, json: { id, orgId: "org", output: [...opening, ...again, ...output], cost: COST_PER_CHAT } };
  });
}

const missing = (message: string): Answer => ({ status: 404, json: { statusCode: 404, message, error: "Not Found" } });

/** How the output of a turn is written. */
export interface OutputOptions {
  readonly member: string;
  readonly ofSquad: boolean;
  readonly results: boolean;
  readonly words: (text: string) => string;
}

export const MEMBERS: ReadonlySet<string> = new Set(
  JSON.parse(emit(helpDesk, "vapi-squad").text).members.map(({ assistant }: Json) => assistant.name),
);

/** The messages of a turn: what the graph's engine does by itself, the members of the squad do by tool calls. */
export function outputOf({ events, ended }: BrainTurn, { member: at, ofSquad, results, words }: OutputOptions) {
  let member = at;
  const output = events.flatMap((event, index): readonly object[] => {
    const call = (name: string, args: object, result: unknown) =>
      toolMessages(`call_${index}_${member}`, name, args, result, results);
    if (event.kind === "says") return [{ role: "assistant", content: words(event.text) }];
    if (event.kind === "calls") return call(event.name, event.arguments, resultOf(event));
    if (!ofSquad || event.to === member) return [];
    if (event.to === "find_topic" || event.to === "read_number") return call(`extract_${event.to}`, {}, {});
    if (!MEMBERS.has(event.to)) return [];
    const handoff = call(`to_${event.to}`, {}, "Handoff initiated.");
    member = event.to;
    return handoff;
  });
  const end =
    ended === "agent_ended"
      ? toolMessages("end", "endCall", {}, "Success.", results)
      : ended === "agent_transferred"
        ? toolMessages("end", "transferCall", { destination: "+14155550123" }, "Transfer Executed.", results)
        : [];
  return { output: [...output, ...end], member };
}

function resultOf({ result, failed }: Extract<BrainEvent, { kind: "calls" }>): object {
  return failed ? { outcome: "failed", error: result } : { outcome: "succeeded", result };
}

function toolMessages(id: string, name: string, args: object, result: unknown, results: boolean): readonly object[] {
  const call = { id, type: "function", function: { name, arguments: JSON.stringify(args) } };
  const content = typeof result === "string" ? result : JSON.stringify(result);
  return [{ role: "assistant", tool_calls: [call] }, ...(results ? [{ role: "tool", tool_call_id: id, content }] : [])];
}
