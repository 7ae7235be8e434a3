import fc from "fast-check";

/** Names as users and attackers choose them: duplicates, numbers and special object keys. */
export const name = fc.oneof(
  fc.constantFrom("Greeter", "Billing", "Closing", "42", "__proto__", "constructor", "toString", ""),
  fc.string({ maxLength: 8 }),
);
const id = fc.constantFrom("11111111-aaaa", "22222222-bbbb", "33333333-cccc", "missing-id");
const text = fc.oneof(
  fc.constantFrom("", "Caller wants to pay", "{{ name }} {% if x %}y{% endif %}"),
  fc.string({ maxLength: 20 }),
);
const junk = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.constant("text"),
  fc.constant([]),
  fc.constant({}),
);
const rest = fc.dictionary(
  fc.constantFrom("async", "messages", "unknown_key", "rejectionPlan", "__proto__", "strict"),
  junk,
  {
    maxKeys: 2,
  },
);

/** Generates an object with some of the given keys, and sometimes with a value of the wrong type. */
function some(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const odd = Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: junk }),
    ]),
  );
  return fc.tuple(rest, fc.record(odd, { requiredKeys: [] })).map(([others, known]) => ({ ...others, ...known }));
}

const parameters = fc.constantFrom<unknown>({}, { type: "object", properties: { city: { type: "string" } } });
const alias = fc.constantFrom<unknown>(
  { key: "order", value: "{{$.order.id}}" },
  { key: "status", value: "{{ $.status }}" },
  { key: "1", value: "{{$.one}}" },
  { key: "loud", value: "{{ $.status | upcase }}" },
  { key: "order", value: "{{$.other}}", extra: null },
);
const spec = some({ name, description: text, parameters });

export const destination = some({
  type: fc.constantFrom("assistant", "assistant", "assistant", "number", "squad", "dynamic"),
  assistantId: id,
  assistantName: name,
  description: text,
  contextEngineeringPlan: fc.constant({ type: "lastNMessages", maxMessages: 3 }),
});

const tool = some({
  type: fc.constantFrom("function", "apiRequest", "endCall", "transferCall", "dtmf", "code", "future.kind"),
  function: spec,
  name,
  description: text,
  id,
  url: text,
  body: parameters,
  server: some({ url: text }),
  variableExtractionPlan: some({ aliases: fc.array(alias, { maxLength: 3 }) }),
  destinations: fc.array(some({ type: fc.constant("number"), number: text }), { maxLength: 2 }),
});
const handoff = some({
  type: fc.constantFrom("handoff", "handoff", "handoff", "transferCall"),
  function: spec,
  destinations: fc.array(destination, { maxLength: 3 }),
});
const tools = fc.array(fc.oneof(tool, handoff, handoff), { maxLength: 4 });

const model = some({
  provider: fc.constantFrom("openai", "anthropic", "custom-llm", "a/b"),
  model: fc.constantFrom("gpt-4o", "claude-x", "vendor/model"),
  messages: fc.array(some({ role: fc.constantFrom("system", "system", "user", "assistant"), content: text }), {
    maxLength: 3,
  }),
  systemPrompt: text,
  tools,
  toolIds: fc.array(id, { maxLength: 2 }),
});
const assistantFields = {
  name,
  id,
  model,
  firstMessage: text,
  firstMessageMode: fc.constantFrom(
    "assistant-speaks-first",
    "assistant-waits-for-user",
    "assistant-speaks-first-with-model-generated-message",
    "a-mode-of-tomorrow",
  ),
  voice: fc.constant({ provider: "11labs", voiceId: "x", speed: null }),
  hooks: fc.constant([{ on: "call.ending", do: [] }]),
  silenceTimeoutSeconds: fc.integer(),
  tools,
  functions: fc.array(spec, { maxLength: 2 }),
  systemPrompt: text,
  metadata: fc.constantFrom<unknown>({}, { callweave: null }, { app: "clinic" }),
};

/** Generates an assistant with a model, by which it is detected, and arbitrary other settings. */
export const assistant = fc
  .tuple(some(assistantFields), fc.constant({ provider: "openai" }), model)
  .map(([fields, told, odd]) => ({ ...fields, model: { ...odd, ...told } }));

const overrides = some({
  ...assistantFields,
  "tools:append": tools,
  variableValues: fc.constantFrom({}, { plan: "gold" }),
});

const member = fc.oneof(
  fc
    .tuple(
      some({ assistantOverrides: overrides, assistantDestinations: fc.array(destination, { maxLength: 3 }) }),
      assistant,
    )
    .map(([fields, inline]) => ({ ...fields, assistant: inline })),
  fc
    .tuple(some({ assistantOverrides: overrides, assistantDestinations: fc.array(destination, { maxLength: 3 }) }), id)
    .map(([fields, assistantId]) => ({ ...fields, assistantId })),
);

/** Generates a squad in any envelope. */
export const squad = fc
  .tuple(
    some({ name, membersOverrides: overrides, memberOverrides: overrides, orgId: id }),
    fc.array(member, { minLength: 1, maxLength: 4 }),
    fc.array(assistant, { maxLength: 2 }),
    fc.constantFrom("bare", "list", "envelope", "bundle"),
  )
  .map(([fields, members, assistants, around]): unknown => {
    const document = { ...fields, members };
    if (around === "list") return [{ note: 1 }, document];
    if (around === "envelope") return { exportedAt: "today", squad: document };
    return around === "bundle" ? { squad: document, assistants } : document;
  });
