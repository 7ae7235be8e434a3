import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";

/** A graph with an example of everything that a document can contain. */
export const SHOP = {
  entry_node_id: "greet",
  default_model: "openai/gpt-5-mini",
  source_metadata: {
    name: "shop",
    general_prompt: "You answer the phone of a bicycle shop.",
    begin_message: "Hello, this is the shop.",
    default_dynamic_variables: { opening: "9" },
    retell: { voice_speed: 1, boosted_keywords: ["bike", "brake"] },
  },
  snippets: { hours: "We are open from 9 to 5." },
  nodes: {
    greet: {
      state_prompt: "Greet the caller and ask how you can help. {%hours%}",
      transitions: [
        { target_node_id: "listen", condition: { type: "llm_prompt", value: "Caller gives a reason" } },
        { target_node_id: "bye", condition: { type: "llm_prompt", value: "Caller has the wrong number" } },
      ],
      metadata: { retell: { display_position: { x: 10, y: 20 }, interruption_sensitivity: 0.5 } },
    },
    listen: {
      node_type: "extract",
      state_prompt: "Find out why the caller calls and what they owe.",
      variables_to_extract: [
        { name: "topic", description: "Why the caller calls", type: "enum", choices: ["repair", "rental"] },
        { name: "balance", description: "What the caller owes", type: "number" },
      ],
      transitions: [
        {
          target_node_id: "pay",
          condition: { type: "equation", equations: [{ left: "balance", operator: ">", right: 100 }] },
        },
        {
          target_node_id: "repair",
          condition: {
            type: "equation",
            equations: [
              { left: "topic", operator: "==", right: "repair" },
              { left: "balance", operator: "<=", right: 100 },
            ],
            logical_operator: "and",
          },
        },
        { target_node_id: "bye", condition: { type: "always" } },
      ],
    },
    repair: {
      state_prompt: "Ask on which day the caller would like to bring the bicycle, and write the day down.",
      tools: [
        {
          name: "book",
          description: "Books a repair",
          url: "https://example.com/book",
          parameters: {
            type: "object",
            properties: {
              day: { type: "string", description: "Day of the repair" },
              size: { type: "string", enum: ["small", "large"] },
            },
            required: ["day"],
          },
          response_variables: { number: "$.number" },
        },
      ],
      transitions: [{ target_node_id: "bye", condition: { type: "tool_call", value: "book", outcome: "succeeded" } }],
    },
    pay: {
      state_prompt: "Tell the caller what they owe and ask them to pay it before the repair begins.",
      transitions: [{ target_node_id: "repair", condition: { type: "llm_prompt", value: "Caller has paid" } }],
    },
    owner: {
      state_prompt: "Take a message for the owner.",
      global_node_setting: {
        condition: "Caller asks for the owner",
        go_back_conditions: [{ id: "back", condition: { type: "llm_prompt", value: "Caller wants to go on" } }],
      },
    },
    desk: { node_type: "transfer", state_prompt: "", transfer_to: "+15550100" },
    bye: { node_type: "end", state_prompt: "Thank the caller. Say goodbye." },
  },
} as const;

type Json = { [key: string]: Json };

/** The shop after an edit of its document. */
export function shopWith(edit: (document: Json, nodes: Json) => void = () => {}): AgentGraph {
  const document: Json = JSON.parse(JSON.stringify(SHOP));
  edit(document, document.nodes ?? {});
  return parseGraph(document);
}

/** The shop with another id for a node, in all references too. */
export function shopRenamed(from: string, to: string, edit: (nodes: Json) => void = () => {}): AgentGraph {
  const document: { nodes: Json } = JSON.parse(JSON.stringify(SHOP), (key, value) =>
    (key === "target_node_id" || key === "entry_node_id") && value === from ? to : value,
  );
  const nodes = Object.fromEntries(Object.entries(document.nodes).map(([id, node]) => [id === from ? to : id, node]));
  edit(nodes);
  return parseGraph({ ...document, nodes });
}
