import { defined, isRecord } from "../../../src/base/values/mod.ts";
import {
  type AgentCall,
  type AgentClient,
  type AgentConnection,
  type AgentEvent,
  type AgentTurn,
  type CallRequest,
  connectionFailure,
  createAgentClient,
  type OpenOptions,
  TEXT_ONLY,
} from "../../../src/call/connection/mod.ts";
import { expandPrompt } from "../../../src/document/expressions/mod.ts";
import { endingOf } from "../../../src/document/graph/mod.ts";
import { AGENT_ID, type AgentOptions, checkTalkOptions, checkVersion, endpointOf } from "../../talking/mod.ts";
import { ENDING_TOOLS, TELNYX_CONNECTION } from "../traits/mod.ts";
import { readTelnyxAssistant, type TelnyxAssistant } from "./assistant.ts";
import { readToolCalls } from "./messages.ts";

/** Options of `connect.telnyx()`. */
export interface TelnyxOptions extends AgentOptions {
  /** Id of an AI assistant. */
  readonly assistantId: string;
  /** Id or name of the main version: another one is refused, because chats cannot choose it. */
  readonly version?: string;
}

/**
 * Connects to an AI assistant of Telnyx in text, by the platform's chat. Its tool calls are read from the messages of the
 * conversation. Tools run: Telnyx takes no mocks.
 *
 * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
 */
export function telnyxConnection(given: TelnyxOptions): AgentConnection {
  const options = checkTalkOptions(given, { assistantId: AGENT_ID }, { assistantId: '"assistant-…"' });
  const { assistantId, version, name = `telnyx:${assistantId}` } = options;
  const client = createAgentClient(name, endpointOf(options, TELNYX_CONNECTION));
  const look = async (request: CallRequest) => {
    const found = await readTelnyxAssistant({ name, client }, assistantId, request);
    const also = found.versionName === undefined ? [] : [found.versionName];
    checkVersion(name, version, { newest: found.version, also });
    return found;
  };
  const connectionTo = (assistant?: TelnyxAssistant): AgentConnection => ({
    name,
    ...defined({ version: assistant?.version ?? version }),
    capabilities: {
      ...TEXT_ONLY,
      toolArguments: true,
      opening: assistant ? assistant.greeting !== undefined : true,
      version: assistant ? assistant.version !== undefined : true,
    },
    ...(assistant?.realTools ? { tools: assistant.realTools.map((tool) => ({ name: tool, isMockable: false })) } : {}),
    prepare: async (request) => connectionTo(await look(request)),
    open: async (open) =>
      await openChat({ name, assistantId, client, open, assistant: assistant ?? (await look(open)) }),
  });
  return connectionTo();
}

/** What a call is made of. */
interface ChatParts {
  readonly name: string;
  readonly assistantId: string;
  readonly client: AgentClient;
  readonly assistant: TelnyxAssistant;
  readonly open: OpenOptions;
}

async function openChat(parts: ChatParts): Promise<AgentCall> {
  const { name, assistantId, client, assistant, open } = parts;
  const conversationId = await openConversation(parts);
  const known = new Set<string>();
  let callers = 0;
  const take = async (text: string): Promise<AgentTurn> => {
    const path = `/ai/assistants/${encodeURIComponent(assistantId)}/chat`;
    const answer = await client.send({ path, body: { content: text, conversation_id: conversationId } }, open);
    const { content } = isRecord(answer) ? answer : {};
    if (typeof content !== "string") throw connectionFailure(name, "vendor", "its answer has no text as content");
    if (text.trim() !== "") callers += 1;
    const isAnswered = content.trim() !== "";
    const listed = await readToolCalls({ name, client, conversationId }, { callers, isAnswered }, open);
    const fresh = listed.filter(({ id }) => !known.has(id));
    for (const { id } of fresh) known.add(id);
    const calls = fresh.map(({ call }) => call);
    const ended = calls
      .filter(({ outcome }) => outcome !== "failed")
      .map((call) => endingOf({ type: ENDING_TOOLS.get(assistant.types.get(call.name) ?? call.name) ?? null }))
      .find((reason) => reason !== undefined);
    const events: readonly AgentEvent[] = [
      ...calls.map((call) => ({ kind: "tool", call }) as const),
      { kind: "says", text: content },
    ];
    return { events, ...defined({ ended }) };
  };
  return {
    opening: { events: openingOf(assistant, open) },
    say: take,
    close: async () => defined({ callId: conversationId, version: assistant.version }),
  };
}

/** Chats have no opening: the greeting of calls is said in its place. */
function openingOf({ greeting, variables }: TelnyxAssistant, open: OpenOptions): readonly AgentEvent[] {
  if (greeting === undefined) return [];
  const text = expandPrompt(greeting, { snippets: {}, variables: { ...variables, ...open.variables } });
  return [{ kind: "says", text }];
}

async function openConversation({ name, client, open }: ChatParts): Promise<string> {
  const answer = await client.send({ path: "/ai/conversations", body: { name } }, open);
  // the types have the conversation itself, and other answers of the API have it under `data`
  const places = isRecord(answer) ? [answer, answer.data] : [];
  const id = places.map((place) => (isRecord(place) ? place.id : undefined)).find((each) => typeof each === "string");
  if (typeof id === "string" && id !== "") return id;
  throw connectionFailure(name, "vendor", "its answer has no id of the conversation");
}
