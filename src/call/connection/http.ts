import { ScenarioError } from "../../base/errors.ts";
import {
  checkOptions,
  defined,
  isListOf,
  isRecord,
  type JsonObject,
  jsonOrText,
  OPTION,
  rule,
} from "../../base/values/mod.ts";
import type { ToolMock } from "../../document/scenario/mod.ts";
import { valueAtJsonPath } from "../turn/mod.ts";
import { createAgentClient, ENDPOINT_RULES, type EndpointOptions } from "./agent_client.ts";
import {
  type AgentConnection,
  type AgentEvent,
  type AgentTurn,
  type ReportedToolCall,
  type SpokenMessage,
  TEXT_ONLY,
} from "./connection.ts";
import { connectionFailure } from "./connection_error.ts";
import { customContext, historyCall } from "./custom.ts";

/** What a request can be made of. */
export interface HttpTurn {
  /** The caller's words; absent for the opening. */
  readonly text?: string;
  /** All messages so far, the caller's last. */
  readonly messages: readonly SpokenMessage[];
  /** Different for each call. */
  readonly callId: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly mocks: readonly ToolMock[];
  /** The last answer of the call; absent for its first request. It has what a server wants back. */
  readonly last?: unknown;
}

/** JSON paths of an answer, such as `$.reply.text`. */
export interface HttpPaths {
  /** The agent's words: a text, or a list of texts. */
  readonly text: string;
  /** The node after the turn, or a list of the turn's nodes in order. */
  readonly node?: string;
  /** A list of `{ name, arguments, result }`. Arguments can be JSON as text. */
  readonly toolCalls?: string;
  /** An object with the variables that changed. */
  readonly variables?: string;
  /** Whether the agent ended the call: `true` or `false`, or how: `"agent_ended"` or `"agent_transferred"`. */
  readonly ended?: string;
}

/** Options of `connect.http()`. */
export interface HttpOptions extends EndpointOptions {
  /** The body of a request. Default: all of {@link HttpTurn} but `last`. */
  readonly body?: (turn: HttpTurn) => JsonObject;
  /** Where the answer has what; each path besides `text` is a capability of the connection. */
  readonly paths: HttpPaths;
  /** Whether the agent speaks first: the first request of a call then has no words of the caller. Default: false. */
  readonly opening?: boolean;
  /** Whether the server answers tools with the mocks in the body. Default: false. */
  readonly mocks?: boolean;
  /** Whether the server uses the variables in the body. Default: false. */
  readonly startVariables?: boolean;
}

const PATH = rule("a JSON path such as $.reply", (value) => typeof value === "string" && /^\$?[^$]+$/.test(value));

const RULES = {
  ...ENDPOINT_RULES,
  body: OPTION.function,
  paths: {
    needs: "an object with JSON paths, at least { text }",
    accepts: (value: unknown) => isRecord(value) && value.text !== undefined,
    group: { text: PATH, node: PATH, toolCalls: PATH, variables: PATH, ended: PATH },
  },
  opening: OPTION.switch,
  mocks: OPTION.switch,
  startVariables: OPTION.switch,
};

/**
 * Connects to an agent behind HTTP: a `POST` each turn, with an answer in JSON.
 *
 * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
 */
export function httpConnection(given: HttpOptions): AgentConnection {
  const options = given ?? {}; // a call without types
  checkOptions(options, RULES, ScenarioError, "Cannot connect", { open: false });
  const {
    name = "http",
    version,
    paths,
    body = allOf,
    opening = false,
    mocks = false,
    startVariables = false,
  } = options;
  const client = createAgentClient(name, options);
  if (paths === undefined)
    throw new ScenarioError("Cannot connect: there are no paths", {
      code: "invalid-option",
      path: ["paths"],
      hint: 'Pass { paths: { text: "$.reply" } }, where the answer has the words',
    });
  return {
    name,
    ...defined({ version }),
    capabilities: {
      ...TEXT_ONLY,
      nodeEachTurn: paths.node !== undefined,
      toolArguments: paths.toolCalls !== undefined,
      variables: paths.variables !== undefined,
      endSignal: paths.ended !== undefined,
      version: version !== undefined,
      opening,
      mocks,
      startVariables,
    },
    open: async (open) => {
      const { callId, variables } = customContext(open);
      let last: unknown;
      return await historyCall(opening, async (messages) => {
        const text = messages.at(-1)?.content;
        const turn: HttpTurn = { messages, callId, variables, mocks: open.mocks, ...defined({ text, last }) };
        last = await client.post(body(turn), open);
        return readAnswer(name, last, paths);
      });
    },
  };
}

function allOf({ last: _, ...turn }: HttpTurn): JsonObject {
  return { ...turn };
}

/** How an agent ends a call. */
const ENDS = ["agent_ended", "agent_transferred"] as const;

/** Reads an answer by its paths. What is missing or has another type is the vendor's fault, not an empty reply. */
function readAnswer(name: string, answer: unknown, paths: HttpPaths): AgentTurn {
  const at = (path: string | undefined) => (path === undefined ? undefined : valueAtJsonPath(answer, path));
  const wrong = (path: string | undefined, needs: string) =>
    connectionFailure(name, "vendor", `its answer has no ${needs} at ${path}`, {
      hint: "Check the paths of the connection, and what the server answers",
    });
  // a missing key may be a wrong path, null is an answer
  const listed = (path: string | undefined, needs: string, none: unknown) => {
    const found = path === undefined ? none : at(path);
    if (found === undefined) throw wrong(path, needs);
    return found ?? none;
  };
  const found = at(paths.ended);
  const ended = found === true ? "agent_ended" : found === false ? undefined : ENDS.find((end) => end === found);
  if (paths.ended !== undefined && ended === undefined && found !== false)
    throw wrong(paths.ended, `true, false, ${ENDS.map((end) => `"${end}"`).join(" or ")}`);
  const words = at(paths.text);
  const texts = typeof words === "string" ? [words] : words;
  const isSilent = texts === undefined || texts === null;
  if (isSilent ? ended === undefined : !isListOf(texts, isText)) throw wrong(paths.text, "text, or list of texts,");
  const node = at(paths.node);
  const nodes = typeof node === "string" ? [node] : node;
  const isNamed = isListOf(nodes, isText) && nodes.length > 0 && !nodes.includes("");
  if (paths.node !== undefined && !isNamed) throw wrong(paths.node, "name of a node, or list of names,");
  const variables = listed(paths.variables, "object with variables", {});
  if (!isRecord(variables)) throw wrong(paths.variables, "object with variables");
  const calls = listed(paths.toolCalls, "list of tool calls", []);
  if (!isListOf(calls, isToolCall)) throw wrong(paths.toolCalls, "list of tool calls with names and arguments");
  const events: AgentEvent[] = [
    ...calls.map((call): AgentEvent => ({ kind: "tool", call: toolCall(call) })),
    ...(isListOf(nodes, isText) ? nodes : []).map((each): AgentEvent => ({ kind: "node", node: each })),
    ...(isListOf(texts, isText) ? texts : []).map((text): AgentEvent => ({ kind: "says", text })),
  ];
  return { events, variables, ...defined({ ended }) };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isToolCall(value: unknown): value is JsonObject & { readonly name: string } {
  return isRecord(value) && typeof value.name === "string" && isRecord(argumentsOf(value.arguments));
}

function argumentsOf(given: unknown): unknown {
  return typeof given === "string" ? jsonOrText(given === "" ? "{}" : given) : (given ?? {});
}

function toolCall({
  name,
  arguments: given,
  result,
  outcome,
}: JsonObject & { readonly name: string }): ReportedToolCall {
  const args = argumentsOf(given);
  return {
    name,
    arguments: isRecord(args) ? args : {},
    ...defined({ result }),
    outcome: outcome === "failed" ? "failed" : "succeeded",
  };
}
