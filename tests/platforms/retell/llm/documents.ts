import fc from "fast-check";
import { webAddress } from "../../../fast_check.ts";

/** Converts a value to plain JSON: objects with ordinary prototypes, no `undefined`. */
export function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/** An LLM of several states with every feature of the format. */
export const CLINIC = {
  llm_id: "llm_clinic",
  version: 3,
  model: "gpt-4.1",
  model_temperature: 0.2,
  general_prompt: "You answer the phone of a clinic.",
  begin_message: "Clinic, good morning.",
  start_speaker: "agent",
  default_dynamic_variables: { clinic: "North" },
  knowledge_base_ids: [],
  starting_state: "greeting",
  general_tools: [
    { type: "end_call", name: "hang_up", description: "The caller says goodbye", speak_after_execution: true },
    { type: "custom", name: "find_patient", url: "https://example.com/find", method: "POST", headers: {} },
    {
      type: "transfer_call",
      name: "to_nurse",
      description: "The caller has a medical question",
      transfer_destination: { type: "predefined", number: "+15550100" },
      transfer_option: { type: "warm_transfer", on_hold_music: "none" },
      speak_during_execution: true,
      execution_message_description: "One moment, please.",
      execution_message_type: "static_text",
    },
  ],
  states: [
    {
      name: "greeting",
      state_prompt: "Find out what the caller wants.",
      edges: [
        {
          destination_state_name: "booking",
          description: "Caller wants an appointment",
          parameters: { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
        },
        { destination_state_name: "nowhere", description: "A state that was deleted" },
        { destination_state_name: "questions", description: "Caller has a question" },
      ],
      tools: [],
    },
    {
      name: "booking",
      state_prompt: "Book the appointment.",
      tools: [
        { type: "end_call", name: "done", description: "The appointment is booked" },
        { type: "book_appointment_cal", name: "book", cal_api_key: "key", event_type_id: "{{event}}" },
      ],
    },
    {
      name: "questions",
      state_prompt: "Answer the question.",
      edges: [{ destination_state_name: "greeting", description: "Caller wants something else" }],
      tools: [{ type: "end_call", name: "done", description: "The question is answered" }],
      pinned: true,
    },
  ],
  future_setting: { anything: [1, null] },
};

/** An agent with a single prompt, as a dashboard export. */
export const SINGLE = {
  agent_id: "",
  agent_name: "Desk",
  voice_id: "retell-Cimo",
  response_engine: { type: "retell-llm", llm_id: "llm_desk", version: 0 },
  retellLlmData: {
    llm_id: "llm_desk",
    general_prompt: "You are the front desk.",
    begin_message: null,
    general_tools: [
      { type: "press_digit", name: "press", delay_ms: 100 },
      { type: "end_call", name: "end_call", description: "Caller says bye" },
      { type: "send_sms", name: "text", sms_content: { type: "inferred", prompt: "Thanks" } },
    ],
  },
};

const name = fc.oneof(
  fc.constantFrom("a", "b", "main", "end_call", "__proto__", "constructor", "2", "1", "", "two words"),
  fc.string({ maxLength: 8 }),
);
const unknown = fc.dictionary(fc.constantFrom("x", "pinned", "note", "lens", "agent"), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 2,
  noNullPrototype: true,
});
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.oneof({ weight: 4, arbitrary: value }, fc.constant(null));

function record(model: { [key: string]: fc.Arbitrary<unknown> }, required: string[]): fc.Arbitrary<object> {
  return fc
    .tuple(unknown, fc.record(model, { requiredKeys: required, noNullPrototype: true }))
    .map(([others, known]) => ({ ...others, ...known }));
}

const speech = {
  speak_during_execution: fc.boolean(),
  execution_message_description: fc.constantFrom("", "One moment"),
  execution_message_type: fc.constantFrom("prompt", "static_text", "new"),
};
const description = optional(fc.constantFrom("", "When done", "When asked"));
const tool = fc.oneof(
  record({ type: fc.constant("end_call"), name, description, ...speech }, ["type", "name"]),
  record(
    {
      type: fc.constant("transfer_call"),
      name,
      description,
      transfer_destination: fc.jsonValue({ maxDepth: 1 }),
      transfer_option: fc.constant({ type: "cold_transfer" }),
      custom_sip_headers: fc.constant({}),
      ...speech,
    },
    ["type", "name"],
  ),
  record({ type: fc.constant("agent_swap"), name, agent_id: fc.string(), description }, ["type", "name"]),
  record(
    {
      type: fc.constantFrom("custom", "press_digit", "mcp", "from_the_future"),
      name,
      description,
      url: optional(webAddress()),
      parameters: optional(fc.constant({ type: "object", properties: {} })),
      response_variables: optional(fc.constant({ order: "data.order" })),
      tool_id: fc.string(),
      headers: fc.constant({}),
    },
    ["name"],
  ),
  fc.jsonValue({ maxDepth: 1 }),
);
const tools = optional(fc.array(tool, { maxLength: 4 }));

const property = record(
  {
    type: fc.constantFrom("string", "number", "integer", "boolean"),
    description: fc.constantFrom("", "The day", null),
    enum: fc.constantFrom([], ["a", "b"], [1, "b"], null),
  },
  ["type"],
);
const parameters = record(
  {
    type: fc.constant("object"),
    properties: fc.dictionary(fc.constantFrom("day", "time", "__proto__", "7"), property, { noNullPrototype: true }),
    required: fc.constantFrom([], ["day"], ["day", "gone"], [3], null),
  },
  ["type", "properties"],
);

function stateOf(stateName: string, names: readonly string[]): fc.Arbitrary<object> {
  const edge = fc.oneof(
    {
      weight: 5,
      arbitrary: record(
        {
          destination_state_name: fc.constantFrom(...names, "nowhere"),
          description,
          parameters: fc.oneof(parameters, fc.jsonValue({ maxDepth: 2 })),
        },
        [],
      ),
    },
    fc.jsonValue({ maxDepth: 1 }),
  );
  const prompt = optional(fc.constantFrom("", "Ask.", "Answer."));
  return record(
    { name: fc.constant(stateName), state_prompt: prompt, edges: optional(fc.array(edge, { maxLength: 4 })), tools },
    ["name"],
  );
}

/** Generates any LLM that Retell could return, with unknown keys, types and values. */
export const anyLlm: fc.Arbitrary<{ [key: string]: unknown }> = fc
  .array(name, { maxLength: 4 })
  .chain((names) => fc.tuple(fc.constant(names), fc.tuple(...names.map((each) => stateOf(each, names)))))
  .chain(([names, states]) =>
    fc
      .tuple(
        unknown,
        fc.record(
          {
            general_prompt: optional(fc.string()),
            begin_message: fc.oneof(fc.constantFrom("", null, 5), fc.string()),
            start_speaker: fc.constantFrom("agent", "user", null, "nobody"),
            model: fc.constantFrom("gpt-4.1", null, 4),
            default_dynamic_variables: fc.constantFrom({}, { a: "1", n: 2 }, null, "none"),
            general_tools: tools,
            states: fc.constantFrom(...(states.length > 0 ? [states] : [[], null])),
            starting_state: fc.constantFrom(...names, "nowhere", null, 3),
            mcps: fc.constantFrom(null, [], [{ name: "m", url: "u" }]),
            llm_id: fc.string(),
          },
          { requiredKeys: states.length > 0 ? ["llm_id", "states"] : ["llm_id"], noNullPrototype: true },
        ),
      )
      .map(([others, known]) => ({ ...others, ...known })),
  );
