import type { ConversationFlowCreateParams } from "retell-sdk/resources/conversation-flow";

const says = (prompt: string) => ({ type: "prompt" as const, prompt });
const prompt = (text: string) => ({ type: "prompt" as const, text });
const at = (x: number, y: number) => ({ x, y });

/** A hotel's flow with every type of node and edge, typed by the SDK as the body of an API request. */
export const hotelFlow = {
  start_speaker: "agent",
  start_node_id: "welcome",
  model_choice: { type: "cascading", model: "gpt-4.1", high_priority: true },
  model_temperature: 0.2,
  global_prompt: "You answer the phone of a small hotel.",
  default_dynamic_variables: { hotel: "Alder" },
  knowledge_base_ids: ["kb_1"],
  mcps: [{ name: "rooms", url: "https://mcp.example.test", headers: { "X-Key": "k" } }],
  tools: [
    {
      type: "custom",
      tool_id: "tool-rate",
      name: "look_up_rate",
      url: "https://example.test/rate",
      description: "The price of a night",
      parameters: { type: "object", properties: { night: { type: "string" } }, required: ["night"] },
      response_variables: { price: "$.price" },
      headers: { Authorization: "Bearer {{token}}" },
      timeout_ms: 5000,
    },
    { type: "custom", tool_id: "tool-unused", name: "nobody_calls_it", url: "https://example.test/none" },
    { type: "custom", tool_id: "tool-note", name: "take_note", url: "https://example.test/note" },
  ],
  components: [
    {
      name: "Card",
      start_node_id: "ask-card",
      nodes: [
        {
          id: "ask-card",
          type: "conversation",
          instruction: prompt("Ask for the card."),
          edges: [{ id: "c1", transition_condition: says("Caller gave the card"), destination_node_id: "card-done" }],
        },
        { id: "card-done", type: "end", name: "Exit Component" },
      ],
    },
  ],
  nodes: [
    {
      id: "welcome",
      type: "conversation",
      name: "Welcome",
      instruction: { type: "static_text", text: "Hotel {{hotel}}, good day." },
      display_position: at(0, 0),
      interruption_sensitivity: 0.5,
      edges: [
        { id: "w1", transition_condition: says("Caller wants a room"), destination_node_id: "stay" },
        { id: "w2", transition_condition: says("Nothing comes of it") },
        {
          id: "w3",
          transition_condition: {
            type: "equation",
            operator: "||",
            equations: [
              { left: "{{guest}}", operator: "==", right: "known" },
              { left: "vip", operator: "exists" },
            ],
          },
          destination_node_id: "butler",
        },
      ],
      else_edge: { id: "w4", transition_condition: { type: "prompt", prompt: "Else" }, destination_node_id: "desk" },
    },
    {
      id: "stay",
      type: "extract_dynamic_variables",
      variables: [
        { type: "string", name: "night", description: "First night", examples: ["Monday"], required: true },
        { type: "enum", name: "room", description: "Kind of room", choices: ["single", "double"] },
      ],
      edges: [],
      else_edge: { id: "s1", transition_condition: { type: "prompt", prompt: "Else" }, destination_node_id: "rate" },
    },
    {
      id: "rate",
      type: "function",
      tool_id: "tool-rate",
      tool_type: "local",
      wait_for_result: true,
      edges: [{ id: "r1", transition_condition: says("There is a price"), destination_node_id: "split" }],
    },
    {
      id: "split",
      type: "branch",
      edges: [
        {
          id: "b1",
          transition_condition: {
            type: "equation",
            operator: "&&",
            equations: [{ left: "price", operator: ">", right: "100" }],
          },
          destination_node_id: "discount",
        },
      ],
      else_edge: { id: "b2", transition_condition: { type: "prompt", prompt: "Else" }, destination_node_id: "pay" },
    },
    {
      id: "discount",
      type: "code",
      name: "Work out discount",
      code: "return { price: 90 }",
      wait_for_result: true,
      response_variables: { price: "$.price" },
      edges: [],
      else_edge: { id: "d1", transition_condition: { type: "prompt", prompt: "Else" }, destination_node_id: "rooms" },
    },
    {
      id: "rooms",
      type: "mcp",
      mcp_id: "mcp-1",
      mcp_tool_name: "list_rooms",
      wait_for_result: true,
      edges: [{ id: "m1", transition_condition: says("There are rooms"), destination_node_id: "pay" }],
    },
    {
      id: "pay",
      type: "component",
      component_id: "Card",
      component_type: "local",
      edges: [{ id: "p1", transition_condition: says("Card is fine"), destination_node_id: "confirm" }],
      else_edge: { id: "p2", transition_condition: { type: "prompt", prompt: "Else" }, destination_node_id: "desk" },
    },
    {
      id: "confirm",
      type: "sms",
      instruction: prompt("Confirm the booking."),
      success_edge: {
        id: "x1",
        transition_condition: { type: "prompt", prompt: "Sent successfully" },
        destination_node_id: "bye",
      },
      failed_edge: {
        id: "x2",
        transition_condition: { type: "prompt", prompt: "Failed to send" },
        destination_node_id: "spell",
      },
    },
    {
      id: "spell",
      type: "conversation",
      instruction: prompt("Spell the booking code."),
      edges: [],
      always_edge: { id: "y1", transition_condition: { type: "prompt", prompt: "Always" }, destination_node_id: "bye" },
    },
    {
      id: "butler",
      type: "subagent",
      instruction: prompt("Help the guest."),
      tool_ids: ["tool-note"],
      tools: [{ type: "end_call", name: "hang_up", description: "Guest is done" }],
      edges: [{ id: "u1", transition_condition: says("Guest wants the spa"), destination_node_id: "spa" }],
    },
    {
      id: "spa",
      type: "agent_swap",
      agent_id: "agent_spa",
      post_call_analysis_setting: "both_agents",
      edge: {
        id: "a1",
        transition_condition: { type: "prompt", prompt: "Transfer failed" },
        destination_node_id: "desk",
      },
    },
    {
      id: "desk",
      type: "transfer_call",
      instruction: prompt("Say that the desk will help."),
      speak_during_execution: true,
      transfer_destination: { type: "predefined", number: "+15550100" },
      transfer_option: { type: "cold_transfer", show_transferee_as_caller: true },
      edge: {
        id: "t1",
        transition_condition: { type: "prompt", prompt: "Transfer failed" },
        destination_node_id: "sorry",
      },
      global_node_setting: {
        condition: "Caller asks for a person",
        cool_down: 3,
        go_back_conditions: [{ id: "g1", transition_condition: says("Caller changed their mind") }],
        positive_finetune_examples: [{ transcript: [{ role: "user", content: "A human, please" }] }],
      },
    },
    {
      id: "sorry",
      type: "conversation",
      instruction: { type: "static_text", text: "Nobody is there." },
      edges: [],
      skip_response_edge: {
        id: "k1",
        transition_condition: { type: "prompt", prompt: "Skip response" },
        destination_node_id: "menu",
      },
    },
    {
      id: "menu",
      type: "press_digit",
      instruction: prompt("Press 1."),
      delay_ms: 500,
      edges: [{ id: "n1", transition_condition: says("Menu is over"), destination_node_id: "bridge" }],
    },
    { id: "bridge", type: "bridge_transfer" },
    { id: "cancel", type: "cancel_transfer" },
    { id: "bye", type: "end", instruction: prompt("Say goodbye."), speak_during_execution: true },
  ],
} satisfies ConversationFlowCreateParams;

/** The same flow as a dashboard export. */
export const hotelExport = {
  agent_id: "",
  channel: "voice",
  agent_name: "Hotel",
  response_engine: { type: "conversation-flow", version: 3, conversation_flow_id: "conversation_flow_1" },
  voice_id: "retell-Cimo",
  language: "en-GB",
  version: 3,
  conversationFlow: { conversation_flow_id: "conversation_flow_1", version: 3, is_published: false, ...hotelFlow },
};
