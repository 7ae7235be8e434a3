import {
  isListOf,
  isRecord,
  type JsonObject,
  jsonOrText,
  own,
  parsedJson,
  shown,
} from "../../../src/base/values/mod.ts";
import {
  type AgentEvent,
  type AgentTurn,
  type ConnectionError,
  connectionFailure,
  type ReportedToolCall,
} from "../../../src/call/connection/mod.ts";
import { outcomeOf } from "../../reading/mod.ts";
import { handoffOutcome } from "../traits/mod.ts";
import { destinationOf, type VapiAgent, type VapiSquad } from "./agent.ts";
import { effectOf } from "./tools.ts";

/** Messages of an answer that are not the agent's. */
const OTHERS: readonly unknown[] = ["user", "system", "developer"];

/** Where a call is. */
export interface ChatPlace {
  readonly name: string;
  readonly agent: VapiAgent;
  /** The member that speaks; absent for an agent without a known path. */
  readonly node: string | undefined;
  /** The opening, while no answer came: some answers may begin with it. */
  readonly opening: string | undefined;
}

/** What an answer says, and where the call is then. */
export interface ReadOutput extends Pick<ChatPlace, "node"> {
  readonly turn: AgentTurn;
}

/**
 * Reads the messages of an answer. A handoff that succeeded leads to another member of the squad.
 *
 * @throws {ConnectionError} `vendor` for an answer that cannot be read, or that contradicts the squad.
 */
export function readOutput(output: unknown, place: ChatPlace): ReadOutput {
  const { name, agent } = place;
  const wrong = (state: string) => connectionFailure(name, "vendor", `its answer has ${state}`);
  if (!isListOf(output, isRecord) || output.length === 0) throw wrong("no output");
  const results = new Map(output.flatMap((each) => (each.role === "tool" ? [[each.tool_call_id, each.content]] : [])));
  const { squad } = agent;
  let { node } = place;
  let ended: AgentTurn["ended"];
  const events: AgentEvent[] = node === undefined ? [] : [{ kind: "node", node }];
  const move = (to: string) => {
    if (to === node) return;
    node = to;
    events.push({ kind: "node", node: to });
  };
  for (const message of withoutOpening(output, place)) {
    const { role, content, tool_calls: calls, name: speaker } = message;
    if (role === "tool" || OTHERS.includes(role)) continue;
    if (role !== "assistant") throw wrong(`a message of ${shown(role)}`);
    if (typeof (content ?? "") !== "string") throw wrong(`a message that cannot be read: ${shown(message)}`);
    if (!isListOf(calls ?? [], isRecord)) throw wrong(`tool calls that cannot be read: ${shown(message)}`);
    const named =
      squad && typeof speaker === "string" ? squad.directory.resolve({ assistantName: speaker }) : undefined;
    if (named !== undefined) move(named);
    if (typeof content === "string" && content !== "") events.push({ kind: "says", text: content });
    for (const called of isListOf(calls, isRecord) ? calls : []) {
      const call = toolCall(called, results, wrong);
      const own = squad && node !== undefined ? memberTools(call.name, { ...place, squad, node }) : agent.tools;
      const effect = effectOf(call.name, own);
      const done = withOutcome(call, effect !== undefined);
      events.push({ kind: "tool", call: done });
      if (effect === undefined || done.outcome === "failed") continue;
      const to =
        squad && effect !== "endCall" ? destinationOf(call.name, call.arguments, { squad, tools: own }) : undefined;
      if (to !== undefined) move(to);
      else if (effect === "handoff" && squad)
        throw wrong(`a handoff by "${call.name}" to an assistant that the squad does not have`);
      else if (effect !== "handoff") ended ??= effect === "endCall" ? "agent_ended" : "agent_transferred";
    }
  }
  return { node, turn: { events, ...(ended ? { ended } : {}) } };
}

/** Whether chats begin with the first message is not documented. It was said before the caller spoke. */
function withoutOpening(output: readonly JsonObject[], { opening }: ChatPlace): readonly JsonObject[] {
  const said = output.filter(
    ({ role, content }) => role === "assistant" && typeof content === "string" && content !== "",
  );
  const [first] = said;
  return said.length > 1 && opening !== undefined && first?.content === opening
    ? output.filter((message) => message !== first || Array.isArray(message.tool_calls))
    : output;
}

/**
 * The tools of the member that speaks. A tool that only another member has shows that the call is not where the handoffs
 * led: the path would be wrong.
 */
function memberTools(
  called: string,
  { name, squad, node }: ChatPlace & { readonly squad: VapiSquad; readonly node: string },
) {
  const { members } = squad;
  const { tools, hasAllTools } = members.get(node) ?? { tools: [], hasAllTools: false };
  const has = (list: typeof tools) => list.some((tool) => tool.name === called);
  if (has(tools) || !hasAllTools) return tools;
  const others = [...members.values()].filter((member) => has(member.tools));
  if (others.length === 0) return tools;
  const state = `it called "${called}" at "${node}", which does not have this tool: it does not keep the member of the squad between chats`;
  throw connectionFailure(name, "vendor", state, {
    hint: 'Set context to "session" or "previous-chat", whichever is not set, and check the squad',
  });
}

/** Reads a tool call, with its result if there is one. */
export function toolCall(
  called: JsonObject,
  results: ReadonlyMap<unknown, unknown>,
  wrong: (state: string) => ConnectionError,
): ReportedToolCall {
  const { id, function: given } = called;
  const { name, arguments: text } = isRecord(given) ? given : {};
  const args = typeof text === "string" ? parsedJson(text === "" ? "{}" : text) : (text ?? {});
  if (typeof name !== "string" || name === "" || !isRecord(args))
    throw wrong(`a tool call that cannot be read: ${shown(called)}`);
  const result = results.get(id);
  return { name, arguments: args, ...(result === undefined ? {} : { result: jsonOrText(result) }) };
}

/** Adds the outcome, by the words of the result. A handoff and an end without a result were not refused. */
export function withOutcome(call: ReportedToolCall, isOfCall: boolean): ReportedToolCall {
  const { result } = call;
  if (result === undefined || result === null) return call;
  // the code tools of emitted squads say so
  const says = isRecord(result) && own(result, "outcome") === "failed";
  return { ...call, outcome: says ? "failed" : isOfCall ? handoffOutcome(result) : outcomeOf(result) };
}
