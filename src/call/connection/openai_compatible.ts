import { ScenarioError } from "../../base/errors.ts";
import {
  checkOptions,
  defined,
  isListOf,
  isRecord,
  type JsonObject,
  OPTION,
  parsedJson,
} from "../../base/values/mod.ts";
import { expandPrompt } from "../../document/expressions/mod.ts";
import { resultText } from "../turn/mod.ts";
import { type AgentClient, createAgentClient, ENDPOINT_RULES, type EndpointOptions } from "./agent_client.ts";
import {
  type AgentConnection,
  type AgentEvent,
  type AgentTurn,
  type OpenOptions,
  type ReportedToolCall,
  type SpokenMessage,
  TEXT_ONLY,
} from "./connection.ts";
import { connectionFailure } from "./connection_error.ts";
import { customContext, historyCall, type MockedTools } from "./custom.ts";

/** Options of `connect.openAICompatible()`. */
export interface OpenAICompatibleOptions extends EndpointOptions {
  /** Address of the API, such as `https://api.example.com/v1`; `/chat/completions` is added to it. */
  readonly url: string;
  readonly model: string;
  /** The agent's instructions, if the server does not have its own. `{{name}}` stands for a variable. */
  readonly system?: string;
  /** Definitions of tools, as the API takes them. The mocks of the scenario answer them. Default: none. */
  readonly tools?: readonly JsonObject[];
  /** Whether the agent speaks first: the first request of a call then has no words of the caller. Default: false. */
  readonly opening?: boolean;
}

const RULES = {
  ...ENDPOINT_RULES,
  model: OPTION.text,
  system: OPTION.text,
  tools: OPTION.list,
  opening: OPTION.switch,
};

/** Requests of one turn: an agent that only calls tools does not come to its words. */
const MOST_REQUESTS = 20;

/**
 * Connects to a chat endpoint that speaks OpenAI's protocol. The whole history is sent each turn. Tool calls in an
 * answer are answered by the mocks of the scenario.
 *
 * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
 */
export function openAICompatibleConnection(given: OpenAICompatibleOptions): AgentConnection {
  const options = given ?? {}; // a call without types
  checkOptions(options, RULES, ScenarioError, "Cannot connect", { open: false });
  const { model, name = model, version, url, system, tools = [], opening = false } = options;
  if (!model?.trim())
    throw new ScenarioError("Cannot connect: there is no model", {
      code: "invalid-option",
      path: ["model"],
      hint: "Pass { model } as the server names it",
    });
  const client = createAgentClient(name, {
    ...options,
    ...defined({ url: url && `${url.replace(/\/+$/, "")}/chat/completions` }),
  });
  return {
    name,
    ...defined({ version }),
    capabilities: {
      ...TEXT_ONLY,
      toolArguments: tools.length > 0,
      mocks: tools.length > 0,
      startVariables: system !== undefined,
      version: version !== undefined,
      opening,
    },
    open: async (open) => {
      const { mocks, variables } = customContext(open);
      const instructions = system === undefined ? undefined : expandPrompt(system, { snippets: {}, variables });
      const chat: Chat = { name, client, open, mocks, model, tools, instructions, messages: [] };
      return await historyCall(opening, async (history) => await takeTurn(chat, history));
    },
  };
}

/** A call, with all messages of the protocol so far. */
interface Chat {
  readonly name: string;
  readonly client: AgentClient;
  readonly open: OpenOptions;
  readonly mocks: MockedTools;
  readonly model: string;
  readonly tools: readonly JsonObject[];
  readonly instructions: string | undefined;
  readonly messages: JsonObject[];
}

async function takeTurn(chat: Chat, history: readonly SpokenMessage[]): Promise<AgentTurn> {
  const { name, client, open, model, tools, instructions, messages } = chat;
  const said = history.at(-1);
  if (said) messages.push({ role: "user", content: said.content });
  const system = instructions === undefined ? [] : [{ role: "system", content: instructions }];
  const events: AgentEvent[] = [];
  for (let request = 1; request <= MOST_REQUESTS; request++) {
    const body = { model, messages: [...system, ...messages], ...(tools.length > 0 ? { tools } : {}) };
    const message = messageOf(name, await client.post(body, open));
    const { content } = message;
    if (typeof content === "string" && content.trim() !== "") events.push({ kind: "says", text: content });
    const calls = callsOf(name, message);
    messages.push({ role: "assistant", content: content ?? null, ...(calls.length > 0 ? { tool_calls: calls } : {}) });
    if (calls.length === 0) return { events };
    for (const call of calls) {
      const { id, answered } = answerOf(chat, call);
      events.push({ kind: "tool", call: answered });
      messages.push({ role: "tool", tool_call_id: id, content: resultText(answered.result) });
    }
  }
  throw connectionFailure(name, "vendor", `it only calls tools, ${MOST_REQUESTS} times in a turn`);
}

function messageOf(name: string, answer: unknown): JsonObject {
  const choices = isRecord(answer) ? answer.choices : undefined;
  const [choice] = Array.isArray(choices) ? choices : [];
  const message: unknown = isRecord(choice) ? choice.message : undefined;
  const hasContent = isRecord(message) && (typeof message.content === "string" || (message.content ?? null) === null);
  const hasSomething = isRecord(message) && (typeof message.content === "string" || Array.isArray(message.tool_calls));
  if (isRecord(message) && hasContent && hasSomething) return message;
  throw connectionFailure(name, "vendor", "its answer has no message with text or tool calls at choices[0].message");
}

function callsOf(name: string, { tool_calls: given }: JsonObject): readonly JsonObject[] {
  const calls = given ?? [];
  if (isListOf(calls, isRecord)) return calls;
  throw connectionFailure(name, "vendor", "its answer has tool_calls that are no list of objects");
}

/** Answers a tool call by the mocks. Without one it fails, as in a call with a graph. */
function answerOf(
  { name, mocks }: Chat,
  call: JsonObject,
): { readonly id: string; readonly answered: ReportedToolCall } {
  const { id, function: called } = call;
  const args =
    isRecord(called) && typeof called.arguments === "string" ? parsedJson(called.arguments || "{}") : undefined;
  if (typeof id !== "string" || !isRecord(called) || typeof called.name !== "string" || !isRecord(args))
    throw connectionFailure(name, "vendor", "its answer has a tool call without id, name or arguments in JSON");
  const answer = mocks.answer(called.name, args) ?? {
    outcome: "failed",
    result: `tool "${called.name}" has no mock`,
    mocked: false,
  };
  return { id, answered: { name: called.name, arguments: args, ...answer } };
}
