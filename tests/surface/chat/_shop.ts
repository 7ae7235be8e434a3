import type { ConversationOptions } from "../../../src/call/engine/mod.ts";
import { type ScriptedQueues, scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import type { ChatListeners } from "../../../src/surface/chat/message_lines.ts";
import { ChatSession } from "../../../src/surface/chat/session.ts";
import { pick, to } from "../../call/engine/calls.ts";

export { pick };

/** A small agent with every kind of node that a chat shows. */
export const SHOP = {
  entry_node_id: "welcome",
  source_metadata: { begin_message: "Hello, this is Lumen." },
  nodes: {
    welcome: { state_prompt: "Ask what it is about.", transitions: [to("read", "Caller names an order")] },
    read: {
      node_type: "extract",
      variables_to_extract: [{ name: "order", description: "Number of the order", type: "string" }],
      transitions: [to("look")],
    },
    look: {
      node_type: "function",
      tools: [
        {
          name: "look_up",
          description: "Finds an order",
          parameters: { type: "object", properties: { order: { type: "string" } } },
          response_variables: { status: "$.status" },
        },
      ],
      transitions: [to("tell", { type: "tool_call", value: "" })],
    },
    tell: {
      state_prompt: "Order {{order}} is {{status}}.",
      transitions: [
        to("late", { type: "equation", value: "", equations: [{ left: "status", operator: "==", right: "late" }] }),
        to("bye", "Caller says goodbye"),
      ],
    },
    late: { state_prompt: "Say sorry." },
    bye: { node_type: "end", state_prompt: "Say goodbye." },
    manager: { state_prompt: "Take a message.", global_node_setting: { condition: "Caller asks for a manager" } },
  },
};

export const FOUND = { tool_name: "look_up", input_match_rule: { type: "any" }, result: true } as const;

/** The model's answers in a call about the shipped order A-1, up to its end. */
export const ANSWERS = {
  transition: [{ ...pickOf("read"), reasoning: "A-1 is a number." }, pickOf("bye")],
  extract: [{ order: "A-1" }],
  arguments: [{ order: "A-1" }],
  respond: ["It is shipped.", "Goodbye."],
};

function pickOf(target: string) {
  return { objectives_complete: true, transition_to: target };
}

/** A session with a scripted model, and all events of its listeners. */
export function startSession(
  queues: ScriptedQueues,
  options: Partial<ConversationOptions> = {},
  document: unknown = SHOP,
) {
  const told: string[] = [];
  const listeners: ChatListeners = {
    onToken: ({ text }) => told.push(`token ${text}`),
    onMessage: ({ message: { role, content } }) => told.push(`${role} ${content}`),
    onVariables: ({ changes }) => told.push(`variables ${JSON.stringify(changes)}`),
    onRetry: ({ retry: reason }) => told.push(`retry ${reason}`),
  };
  const model = scripted(queues);
  const session = new ChatSession(
    parseGraph(document),
    { mocks: [{ ...FOUND, output: { status: "shipped" } }], ...options, models: { agent: model } },
    listeners,
  );
  return { session, model, told };
}
