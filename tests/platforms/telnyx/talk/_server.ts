import { type Answer, startServer, type TakenRequest, type TestServer } from "../../../call/connection/_server.ts";
import { type BrainTurn, replayTurn } from "../../connections/_brain.ts";
import { DESK_TOOLS } from "../../connections/_tools.ts";

/** How a server differs from the usual one. */
export interface TelnyxServerOptions {
  /** Whether the server answers look-ups; a proxy may pass on only chats. Default: true. */
  readonly looksUp?: boolean;
  /** Whether messages are listed with the newest first; the order is not documented. Default: false. */
  readonly newestFirst?: boolean;
  /** How many reads of the messages lack all after the caller's last words. Default: 0. */
  readonly late?: number;
  /** Whether the messages begin with the greeting. Default: false. */
  readonly greets?: boolean;
  /** Messages of a page, if smaller than asked for. */
  readonly pageSize?: number;
  /** Whether tool messages have the id of their call; the types of the SDK do not. Default: false. */
  readonly ids?: boolean;
  /** Whether answers are under `data`, as other answers of the API are. Default: false. */
  readonly wrapped?: boolean;
  /** Whether the hangup tool is among the tool calls. Default: true. */
  readonly hangsUp?: boolean;
  /** Changes the assistant's words. */
  readonly words?: (text: string) => string;
  /** Changes fields of the assistant. */
  readonly assistant?: object;
  /** Answers in place of the usual ones, by the number of the request; `undefined`: the usual one. */
  readonly instead?: (request: TakenRequest, number: number) => Answer | undefined;
}

export const ASSISTANT_ID = "assistant-1";
export const VERSION = "version-7";

const ASSISTANT = {
  id: ASSISTANT_ID,
  name: "desk",
  instructions: "You answer the phone.",
  greeting: "Hello, this is {{shop}}. How can I help you?",
  dynamic_variables: { shop: "Lumen" },
  version_id: VERSION,
  version_name: "spring",
  tools: [
    { type: "webhook", webhook: { name: "look_up_order", url: "https://example.com" }, shared: true },
    { type: "hangup", hangup: { description: "Ends the call" } },
    { type: "transfer", transfer: { from: "+1", targets: [{ to: "+2", name: "technician" }] } },
  ],
};

interface Listed {
  readonly role: string;
  readonly text: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

interface State {
  readonly said: string[];
  readonly messages: Listed[];
  late: number;
}

/** A server that behaves as Telnyx's API is described by the types of the telnyx SDK 7.24.0. It runs tools itself. */
export async function startTelnyx(options: TelnyxServerOptions = {}): Promise<TestServer> {
  const { looksUp = true, newestFirst = false, late = 0, wrapped = false, instead, assistant = {} } = options;
  const states = new Map<string, State>();
  const wrap = (json: object): Answer => ({ json: wrapped ? { data: json } : json });
  return await startServer(async (request, number): Promise<Answer> => {
    const other = instead?.(request, number);
    if (other) return other;
    const { method, body } = request;
    const { pathname, searchParams } = new URL(request.url, "http://server");
    if (pathname === `/ai/assistants/${ASSISTANT_ID}` && looksUp) return wrap({ ...ASSISTANT, ...assistant });
    if (pathname === "/ai/conversations" && method === "POST") {
      const id = `conversation_${states.size + 1}`;
      const messages = options.greets ? [{ role: "assistant", text: "Hello, this is Lumen. How can I help you?" }] : [];
      states.set(id, { said: [], messages, late: 0 });
      return wrap({ id, name: body.name, created_at: "2026-01-01T00:00:00Z", metadata: {} });
    }
    if (pathname === `/ai/assistants/${ASSISTANT_ID}/chat`) {
      const state = states.get(body.conversation_id);
      if (!state) return missing("conversation");
      state.said.push(body.content);
      state.late = late;
      const turn = await replayTurn(state.said, { mocks: DESK_TOOLS });
      const spoken = turn.events.flatMap((event) => (event.kind === "says" ? [event.text] : [])).join(" ");
      const content = (options.words ?? ((text) => text))(spoken);
      state.messages.push({ role: "user", text: body.content }, ...toolMessages(turn, state.said.length, options));
      state.messages.push({ role: "assistant", text: content });
      return { json: { content } };
    }
    const [, id = ""] = /^\/ai\/conversations\/([^/]+)\/messages$/.exec(pathname) ?? [];
    const state = states.get(id);
    if (!state) return missing(pathname);
    const timed = state.messages.map((message, at) => ({
      ...message,
      created_at: new Date(Date.UTC(2026, 0, 1) + at).toISOString(),
    }));
    const isLate = state.late-- > 0;
    const listed = isLate ? timed.slice(0, timed.findLastIndex(({ role }) => role === "user") + 1) : timed;
    const all = newestFirst ? listed.toReversed() : listed;
    const size = options.pageSize ?? Number(searchParams.get("page[size]"));
    const page = Number(searchParams.get("page[number]"));
    const meta = { page_number: page, page_size: size, total_pages: Math.max(1, Math.ceil(all.length / size)) };
    return { json: { data: all.slice((page - 1) * size, page * size), meta } };
  });
}

/** Telnyx's shape of errors. */
const missing = (what: string): Answer => ({
  status: 404,
  json: { errors: [{ code: "10005", title: "Resource not found", detail: `${what} could not be found` }] },
});

function toolMessages(
  { events, ended }: BrainTurn,
  turn: number,
  { ids = false, hangsUp = true }: TelnyxServerOptions,
) {
  const called = (id: string, name: string, args: object, text: string): readonly Listed[] => [
    {
      role: "assistant",
      text: null,
      tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(args) } }],
    },
    { role: "tool", text, ...(ids ? { tool_call_id: id } : {}) },
  ];
  const calls = events.flatMap((event, at): readonly Listed[] => {
    if (event.kind !== "calls") return [];
    const text = event.failed ? `Error: ${String(event.result)}` : JSON.stringify(event.result);
    return called(`call_${turn}_${at}`, event.name, event.arguments, text);
  });
  if (!hangsUp || !ended) return calls;
  return [...calls, ...called(`end_${turn}`, ended === "agent_ended" ? "hangup" : "transfer", {}, "{}")];
}
