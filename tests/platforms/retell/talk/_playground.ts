import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { type AgentGraph, emit } from "../../../../mod.ts";
import { type Answer, startServer, type TakenRequest, type TestServer } from "../../../call/connection/_server.ts";
import { type BrainEvent, replayTurn } from "../../connections/_brain.ts";

/** How a playground differs from the usual one. */
export interface PlaygroundOptions {
  /** What an empty history is answered with. Default: the opening. */
  readonly empty?: "opening" | "nothing" | "refused";
  /** Whether answers have only the variables that changed. Default: all of them. */
  readonly delta?: boolean;
  /** Answers in place of the usual ones, by the number of the request; `undefined`: the usual one. */
  readonly instead?: (request: TakenRequest, number: number) => Answer | undefined | Promise<Answer | undefined>;
  /** The agent. Default: the help desk. */
  readonly graph?: AgentGraph;
  /** The graph that it plays. Default: its own. */
  readonly graphNow?: () => AgentGraph;
  /** Id of the agent. Default: {@link AGENT_ID}. */
  readonly agentId?: () => string;
}

export const AGENT_ID = "agent_1";
const VERSION = 7;

/**
 * A server that behaves as Retell's playground is described: it keeps nothing of a call, so that each request has the
 * whole history, and it answers with the new messages alone. It has one agent, with its flow.
 */
export async function startPlayground(options: PlaygroundOptions = {}): Promise<TestServer> {
  const {
    empty = "opening",
    delta = false,
    instead,
    agentId = () => AGENT_ID,
    graph = helpDesk,
    graphNow = () => graph,
  } = options;
  const { conversationFlow } = JSON.parse(emit(graph, "retell").text);
  // the variables at the start of a call, by the id that its messages have
  const starts = new Map<string, { readonly [name: string]: string }>();
  return await startServer(async (request, number): Promise<Answer> => {
    const other = await instead?.(request, number);
    if (other) return other;
    const { pathname, searchParams } = new URL(request.url, "http://server");
    if (pathname === `/get-agent/${agentId()}`) {
      const version = Number(searchParams.get("version") ?? VERSION);
      const response_engine = { type: "conversation-flow", conversation_flow_id: "flow_1", version };
      return { json: { agent_id: agentId(), version, response_engine } };
    }
    if (pathname === "/get-conversation-flow/flow_1") return { json: conversationFlow };
    if (pathname !== `/agent-playground-completion/${agentId()}`)
      return { status: 404, json: { status: "error", message: "Not found" } };
    const { messages, dynamic_variables: sent, tool_mocks: mocks } = request.body;
    if (messages.length === 0 && empty === "refused")
      return { status: 422, json: { status: "error", message: "messages must not be empty" } };
    if (messages.length === 0 && empty === "nothing")
      return { json: { messages: [], current_node_id: "begin_message", call_ended: false } };
    const known = messages.find((message: { readonly message_id?: string }) => message.message_id !== undefined);
    const id = known?.message_id ?? `call_${starts.size + 1}`;
    const variables = starts.get(id) ?? sent;
    starts.set(id, variables);
    const said: string[] = messages.flatMap(({ role, content }: Record<string, string>) =>
      role === "user" ? [content] : [],
    );
    const turn = await replayTurn(said, { graph: graphNow(), mocks, variables });
    const before =
      said.length === 0 ? {} : (await replayTurn(said.slice(0, -1), { graph: graphNow(), mocks, variables })).variables;
    const changed = Object.entries(turn.variables).filter(([name, value]) => Reflect.get(before, name) !== value);
    return {
      json: {
        messages: turn.events.flatMap((event, index) => messagesOf(event, `tool_${said.length}_${index}`, id)),
        current_node_id: turn.node,
        dynamic_variables: delta ? Object.fromEntries(changed) : turn.variables,
        call_ended: turn.ended !== undefined,
      },
    };
  });
}

export function messagesOf(event: BrainEvent, tool_call_id: string, message_id: string): readonly object[] {
  if (event.kind === "says") return [{ role: "agent", content: event.text, message_id }];
  if (event.kind === "moves") {
    const { from, to } = event;
    const nodes = { former_node_id: from, former_node_name: from, new_node_id: to, new_node_name: to };
    return [{ role: "node_transition", ...nodes, transition_type: "normal", message_id }];
  }
  const { name, arguments: args, result, failed } = event;
  const content = JSON.stringify(result);
  return [
    { role: "tool_call_invocation", tool_call_id, name, arguments: JSON.stringify(args), message_id },
    { role: "tool_call_result", tool_call_id, content, successful: !failed, message_id },
  ];
}
