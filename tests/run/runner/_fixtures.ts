import { type ScriptedModel, type ScriptedQueues, scripted } from "../../../src/call/models/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";

/** greet -> ask (extracts intent) -> billing or goodbye; a manager can be asked for from anywhere. */
export const DESK: AgentGraph = parseGraph({
  entry_node_id: "greet",
  source_metadata: { begin_message: "Hello, how can I help?" },
  nodes: {
    greet: {
      node_type: "conversation",
      state_prompt: "Ask what it is about.",
      transitions: [{ target_node_id: "ask", condition: { type: "llm_prompt", value: "Caller says why they call" } }],
    },
    ask: {
      node_type: "extract",
      variables_to_extract: [
        { name: "intent", description: "Why they call", type: "enum", choices: ["billing", "other"] },
      ],
      transitions: [
        {
          target_node_id: "billing",
          condition: { type: "equation", equations: [{ left: "intent", operator: "==", right: "billing" }] },
        },
        { target_node_id: "goodbye", condition: { type: "always" } },
      ],
    },
    billing: {
      node_type: "conversation",
      state_prompt: "Explain the bill.",
      tools: [
        { name: "lookup_bill", description: "Finds a bill", parameters: { properties: { id: { type: "string" } } } },
      ],
      transitions: [{ target_node_id: "goodbye", condition: { type: "llm_prompt", value: "Caller is content" } }],
    },
    goodbye: { node_type: "end", state_prompt: "Say goodbye." },
    manager: {
      state_prompt: "Take a message.",
      global_node_setting: { condition: "Caller asks for a manager", go_back_conditions: [] },
    },
  },
});

/** The agent's answers to "my bill" and "thanks". */
export const BILLING: ScriptedQueues = {
  transition: [
    { objectives_complete: true, transition_to: "ask" },
    { objectives_complete: true, transition_to: "goodbye" },
  ],
  extract: [{ intent: "billing" }],
  respond: [
    { toolCalls: [{ name: "lookup_bill", arguments: { id: "A7", year: 2026 } }] },
    "Your bill REF-A7 is 30 dollars.",
    "Goodbye!",
  ],
};

/** What every billing scenario says and has answered. */
export const BILLING_CALL = {
  says: ["It is about my bill, account 123-45", "Thanks"],
  tool_mocks: [{ tool_name: "lookup_bill", output: '{"total": 30}' }],
};

/** A judge's verdict on a criterion. */
export function verdict(number: number, score: number, changes: { readonly [key: string]: unknown } = {}) {
  return {
    number,
    requirement: "The agent does it",
    evidence: "Your bill REF-A7 is 30 dollars.",
    reasoning: "It says so.",
    score,
    confidence: 0.9,
    ...changes,
  };
}

/** The same answers for several billing calls that are run one after another. */
export function billingModel(calls: number, judge: ScriptedQueues["judge"] = []): ScriptedModel {
  const repeated = (queue: readonly unknown[] | undefined) => Array.from({ length: calls }, () => queue ?? []).flat();
  const { transition, extract, respond } = BILLING;
  return scripted({
    transition: repeated(transition),
    extract: repeated(extract),
    respond: repeated(respond),
    judge,
  });
}

/** A graph whose only node answers for as long as the caller talks. */
export const CHAT: AgentGraph = parseGraph({
  entry_node_id: "chat",
  source_metadata: { begin_message: "Hello" },
  nodes: { chat: { node_type: "conversation", state_prompt: "Chat." } },
});
