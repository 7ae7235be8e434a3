const at = (x: number) => ({ x, y: 0 });
const llm = (condition: string) => ({ label: null, type: "llm", condition });

/** An agent with a node of each type, as the API returns it. */
export function clinicAgent() {
  const tool = {
    type: "webhook",
    name: "find_slot",
    description: "Finds a slot",
    response_timeout_secs: 20,
    assignments: [{ source: "response", dynamic_variable: "slot", value_path: "slots.0.id", sanitize: false }],
    api_schema: {
      url: "https://acme.test/slots",
      method: "POST",
      request_headers: { "x-key": { secret_id: "sec_1" } },
      request_body_schema: {
        type: "object",
        properties: { day: { type: "string", description: "The day" } },
        required: ["day"],
      },
    },
  };
  const end = { type: "system", name: "end_call", description: "", params: { system_tool_type: "end_call" } };
  return {
    agent_id: "agent_1",
    name: "Clinic",
    conversation_config: {
      tts: { voice_id: "v1", stability: 0.5 },
      agent: {
        first_message: "Clinic, hello.",
        language: "en",
        dynamic_variables: { dynamic_variable_placeholders: { visits: 3, vip: false, name: "Ann" } },
        prompt: {
          prompt: "You work for a clinic.",
          llm: "gemini-2.5-flash",
          temperature: 0,
          tool_ids: ["tool_1"],
          built_in_tools: { end_call: end, skip_turn: null },
          tools: [tool, end],
        },
      },
    },
    platform_settings: { ban: null, auth: { enable_auth: false } },
    workflow: {
      edges: {
        edge_start: {
          source: "start_node",
          target: "greet",
          forward_condition: { label: null, type: "unconditional" },
          backward_condition: null,
        },
        edge_book: {
          source: "greet",
          target: "book",
          forward_condition: llm("Caller wants an appointment"),
          backward_condition: llm("Caller asks for something else"),
        },
        edge_vip: {
          source: "greet",
          target: "vip",
          forward_condition: {
            label: "VIP",
            type: "expression",
            expression: {
              type: "and_operator",
              children: [
                {
                  type: "eq_operator",
                  left: { type: "dynamic_variable", name: "vip" },
                  right: { type: "boolean_literal", value: true },
                },
                {
                  type: "gte_operator",
                  left: { type: "dynamic_variable", name: "visits" },
                  right: { type: "number_literal", value: 2 },
                },
              ],
            },
          },
          backward_condition: null,
        },
        edge_tool: {
          source: "book",
          target: "look_up",
          forward_condition: { label: null, type: "unconditional" },
          backward_condition: null,
        },
        edge_ok: {
          source: "look_up",
          target: "note",
          forward_condition: { label: null, type: "result", successful: true },
          backward_condition: null,
        },
        edge_bad: {
          source: "look_up",
          target: "sorry",
          forward_condition: { label: null, type: "result", successful: false },
          backward_condition: null,
        },
        edge_end: {
          source: "note",
          target: "bye",
          forward_condition: { label: null, type: "unconditional" },
          backward_condition: null,
        },
        edge_desk: {
          source: "sorry",
          target: "desk",
          forward_condition: { label: null, type: "unconditional" },
          backward_condition: null,
        },
      },
      nodes: {
        start_node: { type: "start", position: at(0), edge_order: ["edge_start"] },
        greet: {
          type: "override_agent",
          position: at(1),
          edge_order: ["edge_vip", "edge_book"],
          label: "Greet",
          additional_prompt: "Greet the caller.",
          additional_tool_ids: [],
        },
        book: {
          type: "override_agent",
          position: at(2),
          edge_order: ["edge_book", "edge_tool"],
          label: "Book",
          additional_prompt: "Book.",
          entry_behavior: "auto",
        },
        vip: {
          type: "override_agent",
          position: at(3),
          edge_order: [],
          label: "VIP",
          conversation_config: {
            agent: { prompt: { prompt: "You are the assistant of important guests.", llm: "gpt-4o" } },
          },
        },
        look_up: {
          type: "tool",
          position: at(4),
          edge_order: ["edge_ok", "edge_bad"],
          tools: [
            {
              tool_id: "tool_1",
              schema_overrides: { "request_body.day": { source: "constant", constant_value: "mon" } },
            },
          ],
        },
        note: {
          type: "update_state",
          position: at(5),
          edge_order: ["edge_end"],
          label: "Note",
          updates: [
            {
              type: "dynamic_variable",
              variable_name: "day",
              expression: {
                type: "llm",
                value_schema: { type: "string", description: "The day", enum: ["mon", "tue"] },
              },
            },
            { type: "dynamic_variable", variable_name: "noted", expression: { type: "boolean_literal", value: true } },
          ],
        },
        sorry: {
          type: "say",
          position: at(6),
          edge_order: ["edge_desk"],
          label: "Sorry",
          message: { type: "literal", text: "I am sorry." },
          wait_for_user_response: false,
        },
        desk: {
          type: "phone_number",
          position: at(7),
          edge_order: [],
          transfer_type: "blind",
          transfer_destination: { type: "phone", phone_number: "+14155550100" },
        },
        bye: { type: "end", position: at(8), edge_order: [], outcome: "success" },
      },
      prevent_subagent_loops: false,
      subgraphs: {},
    },
    version_id: "ver_1",
  };
}
