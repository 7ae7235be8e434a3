import { ScenarioError } from "../../base/errors.ts";
import {
  checkOptions,
  defined,
  isRecord,
  jsonOrText,
  OPTION,
  rule,
  shown,
  untilAborted,
} from "../../base/values/mod.ts";
import type { ToolMock } from "../../document/scenario/mod.ts";
import { Mocks, type ToolAnswer } from "../turn/mod.ts";
import type {
  AgentCall,
  AgentConnection,
  AgentEvent,
  AgentTurn,
  ConnectionCapabilities,
  OpenOptions,
  ReportedToolCall,
  SpokenMessage,
} from "./connection.ts";
import { TEXT_ONLY } from "./connection.ts";
import { connectionFailure } from "./connection_error.ts";

/** The mocks of a scenario, for an agent that calls its tools itself. */
export interface MockedTools {
  readonly list: readonly ToolMock[];
  /** The answer of the first mock that fits and is not used up; `undefined`: none fits. */
  answer(name: string, args: { readonly [name: string]: unknown }): ToolAnswer | undefined;
}

/** What an agent of your own gets besides the messages. */
export interface CustomContext {
  /** Aborted when the run is cancelled or a turn takes too long. */
  readonly signal: AbortSignal;
  readonly mocks: MockedTools;
  /** Variables of the scenario and of the run. */
  readonly variables: { readonly [name: string]: unknown };
  /** Different for each call. */
  readonly callId: string;
}

/** A reply with more than its text. */
export interface CustomReply {
  /** Absent: the agent says nothing. */
  readonly text?: string;
  /** Tools that the agent called, before it spoke. */
  readonly toolCalls?: readonly ReportedToolCall[];
  /** The node after the turn. */
  readonly node?: string;
  /** All nodes of the turn, in order, if there were several. */
  readonly nodes?: readonly string[];
  /** Variables that changed. */
  readonly variables?: { readonly [name: string]: unknown };
  /** Whether the agent ended the call, or transferred it. */
  readonly ended?: boolean | "agent_ended" | "agent_transferred";
}

/** Answers the caller: gets all messages so far, the caller's last. They are empty for the opening. */
export type CustomAgent = (
  messages: readonly SpokenMessage[],
  context: CustomContext,
) => string | CustomReply | Promise<string | CustomReply>;

/** An agent of the AI SDK, such as a `ToolLoopAgent`. */
export interface GeneratingAgent {
  generate(options: {
    readonly messages: { readonly role: "user" | "assistant"; readonly content: string }[];
    readonly abortSignal?: AbortSignal;
  }): PromiseLike<{ readonly text: string; readonly steps: readonly unknown[] }>;
}

/** Options of `connect.custom()`. */
export interface CustomOptions {
  /** Name of the agent in reports. Default: `custom`. */
  readonly name?: string;
  /** Version of the agent, such as a commit. It is stored with the run. */
  readonly version?: string;
  /** A function that answers the caller, or an agent of the AI SDK. */
  readonly agent: CustomAgent | GeneratingAgent;
  /**
   * What the agent reports and accepts, such as `{ mocks: true, toolArguments: true }`. Default: text only, and for an
   * agent of the AI SDK also `toolArguments`.
   */
  readonly capabilities?: Partial<
    Omit<ConnectionCapabilities, "text" | "voice" | "dtmf" | "transcripts" | "version" | "nodeAfterwards">
  >;
}

/** Rules for capabilities that a user sets. */
export const CAPABILITY_RULES = {
  nodeEachTurn: OPTION.switch,
  toolArguments: OPTION.switch,
  mocks: OPTION.switch,
  opening: OPTION.switch,
  startVariables: OPTION.switch,
  variables: OPTION.switch,
  endSignal: OPTION.switch,
  transferSignal: OPTION.switch,
};

const RULES = {
  name: OPTION.text,
  version: OPTION.text,
  agent: rule(
    "a function, or an agent of the AI SDK",
    (value) => typeof value === "function" || (isRecord(value) && typeof value.generate === "function"),
  ),
  capabilities: { needs: "an object with capabilities", accepts: isRecord, group: CAPABILITY_RULES },
};

/**
 * Connects to a function of your own, or to an agent of the AI SDK. It gets the whole history each turn.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function customConnection(given: CustomOptions): AgentConnection {
  const options = given ?? {}; // a call without types
  checkOptions(options, RULES, ScenarioError, "Cannot connect", { open: false });
  const { name = "custom", version, agent, capabilities = {} } = options;
  if (agent === undefined)
    throw new ScenarioError("Cannot connect: there is no agent", {
      code: "invalid-option",
      path: ["agent"],
      hint: "Pass { agent: async (messages) => … }",
    });
  const isFunction = typeof agent === "function";
  const answer = isFunction ? agent : generating(agent);
  const can = { ...TEXT_ONLY, toolArguments: !isFunction, ...capabilities, version: version !== undefined };
  return {
    name,
    ...defined({ version }),
    capabilities: can,
    open: async (open) => {
      const context = { ...customContext(open), signal: open.signal };
      return await historyCall(can.opening, async (messages) =>
        turnOf(name, await untilAborted(Promise.resolve(answer(messages, context)), open.signal)),
      );
    },
  };
}

/** The context of one call, without its signal. */
export function customContext({ mocks, variables }: OpenOptions): Omit<CustomContext, "signal"> {
  return { mocks: mockedTools(mocks), variables, callId: `call_${globalThis.crypto.randomUUID()}` };
}

function mockedTools(list: readonly ToolMock[]): MockedTools {
  const mocks = new Mocks(list);
  return {
    list,
    answer: (name, args) => {
      const mock = mocks.take(name, args);
      if (!mock) return undefined;
      const outcome = mock.result === false ? "failed" : "succeeded";
      return { outcome, result: jsonOrText(mock.output) ?? null, mocked: true };
    },
  };
}

/** A call with an agent that gets the whole history each turn. */
export async function historyCall(
  opens: boolean,
  answer: (messages: readonly SpokenMessage[]) => Promise<AgentTurn>,
): Promise<AgentCall> {
  const history: SpokenMessage[] = [];
  const take = async () => {
    const turn = await answer([...history]);
    for (const event of turn.events)
      if (event.kind === "says" && event.text.trim() !== "") history.push({ role: "assistant", content: event.text });
    return turn;
  };
  const opening = opens ? await take() : { events: [] };
  return {
    opening,
    say: async (text) => {
      history.push({ role: "user", content: text });
      return await take();
    },
    close: async () => ({}),
  };
}

/** Converts a reply of an agent of one's own. */
function turnOf(name: string, reply: unknown): AgentTurn {
  if (typeof reply === "string") return { events: [{ kind: "says", text: reply }] };
  const wrong = (state: string) => connectionFailure(name, "agent", state);
  if (!isReply(reply)) throw wrong(`it replied ${shown(reply)}, not a text or { text, toolCalls, node, … }`);
  const { text, toolCalls = [], node, nodes = node === undefined ? [] : [node], variables, ended } = reply;
  const events: AgentEvent[] = [
    ...toolCalls.map((call): AgentEvent => ({ kind: "tool", call })),
    ...nodes.map((each): AgentEvent => ({ kind: "node", node: each })),
    ...(text === undefined ? [] : [{ kind: "says", text } as const]),
  ];
  return { events, ...defined({ variables, ended: ended === true ? "agent_ended" : ended || undefined }) };
}

const REPLY = {
  text: OPTION.text,
  toolCalls: OPTION.list,
  node: OPTION.text,
  nodes: OPTION.texts,
  variables: OPTION.object,
  ended: rule("", (value) => typeof value === "boolean" || value === "agent_ended" || value === "agent_transferred"),
};

/** Whether a value is a reply: a misspelt key would be a part that nobody reads. */
function isReply(value: unknown): value is CustomReply {
  if (!isRecord(value) || Object.keys(value).length === 0) return false;
  return Object.entries(value).every(([key, given]) => {
    const known = Object.entries(REPLY).find(([name]) => name === key)?.[1];
    return known !== undefined && (given === undefined || known.accepts(given));
  });
}

/** Asks an agent of the AI SDK. Its tools have run when it answers. */
function generating(agent: GeneratingAgent): CustomAgent {
  return async (messages, { signal }) => {
    const { text, steps } = await agent.generate({ messages: [...messages], abortSignal: signal });
    return { text, toolCalls: steps.flatMap(callsOfStep) };
  };
}

/** The tool calls of a step of the AI SDK, with their results. */
function callsOfStep(step: unknown): readonly ReportedToolCall[] {
  if (!isRecord(step) || !Array.isArray(step.toolCalls)) return [];
  const content: readonly unknown[] = Array.isArray(step.content) ? step.content : [];
  const results: readonly unknown[] = Array.isArray(step.toolResults) ? step.toolResults : [];
  const answers = [...results, ...content].filter(isRecord);
  return step.toolCalls.filter(isRecord).map(({ toolCallId, toolName, input }): ReportedToolCall => {
    const own = answers.filter((answer) => answer.toolCallId === toolCallId);
    const failed = own.find(({ type }) => type === "tool-error");
    const output = own.find((answer) => answer.output !== undefined)?.output;
    const call = { name: String(toolName), arguments: isRecord(input) ? input : {} };
    return failed
      ? { ...call, outcome: "failed", result: String(failed.error) }
      : { ...call, ...defined({ result: output }) };
  });
}
