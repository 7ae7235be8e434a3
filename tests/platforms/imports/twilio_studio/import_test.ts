import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, flow, importAgent } from "../../../../mod.ts";
import { convert } from "../../../../src/agent/convert/mod.ts";
import { CLINIC } from "./_flow.ts";

const read = (document: unknown) => importAgent(JSON.stringify(document));
const { graph, format, findings } = read(CLINIC);

/** A flow of one widget after the trigger, whose events lead to a widget that speaks. */
function flowOf(type: string, properties: object, transitions: readonly object[]) {
  const trigger = { name: "Trigger", type: "trigger", transitions: [{ event: "incomingCall", next: "step" }] };
  const next = { name: "next", type: "say-play", transitions: [], properties: { say: "Next." } };
  return { states: [trigger, { name: "step", type, properties, transitions }, next], initial_state: "Trigger" };
}

test("importAgent() detects a flow of Studio, also as its API answers", () => {
  assert.equal(format, "twilio-studio");
  const answered = read({ sid: "FW1", friendly_name: "Front desk", status: "published", definition: CLINIC });
  assert.equal(answered.graph.source_metadata.name, "Front desk");
  assert.deepEqual(answered.graph.nodes, graph.nodes);
  assert.deepEqual(
    answered.findings.map(({ path }) => path),
    findings.map(({ path }) => ["definition", ...path]),
  );
});

test("the call starts at the trigger's target, with the language of the texts", () => {
  assert.equal(graph.entry_node_id, "welcome");
  assert.deepEqual(graph.source_metadata, { name: "Clinic", language: "en-US" });
  assert.equal(graph.nodes.welcome?.state_prompt, "Welcome to the clinic.");
  assert.equal(graph.nodes.welcome?.instruction_type, "static_text");
});

test("a menu asks, and keys and words become variables that the split compares", () => {
  const { menu, "menu answer": answer, choice } = graph.nodes;
  assert.deepEqual(
    menu?.transitions.map(({ target_node_id: to, condition, timing }) => [to, condition.type, timing]),
    [
      ["welcome", "llm_prompt", undefined],
      ["menu answer", "llm_prompt", undefined],
      ["menu answer", "always", "else"],
    ],
  );
  assert.deepEqual(
    answer?.variables_to_extract.map(({ name }) => name),
    ["menu_Digits", "menu_SpeechResult"],
  );
  assert.deepEqual(
    choice?.transitions.map(({ target_node_id: to, condition }) => [to, condition.type, condition.value]),
    [
      ["lookup", "equation", ""],
      ["doctor", "equation", ""],
      ["doctor", "llm_prompt", '{{menu_Digits}} matches the regular expression "^[2-9]$"'],
      ["end of the flow", "always", ""],
    ],
  );
  assert.deepEqual(choice?.transitions[0]?.condition.equations, [{ left: "menu_Digits", operator: "==", right: "1" }]);
});

test("a request is a tool with its method, its fields and what is read of its response", () => {
  const [tool] = graph.nodes.lookup?.tools ?? [];
  assert.equal(tool?.url, "https://clinic.example.com/patients");
  assert.deepEqual(tool?.response_variables, { lookup_patient_name: "$.patient.name" });
  assert.deepEqual(tool?.metadata, {
    callweave: { method: "POST", headers: { "Content-Type": "application/json;charset=utf-8" } },
  });
  assert.match(
    JSON.stringify(tool?.parameters),
    /"phone":\{"type":"string","description":"Always \\"\{\{call_From\}\}/,
  );
  assert.deepEqual(
    graph.nodes.lookup?.transitions.map(({ target_node_id: to, condition }) => [to, condition.outcome]),
    [
      ["remember", "succeeded"],
      ["doctor", "failed"],
    ],
  );
});

test("set variables are given their values by a model: a fixed one is the only choice", () => {
  const [name, channel] = graph.nodes.remember?.variables_to_extract ?? [];
  assert.match(name?.description ?? "", /\{\{lookup_patient_name\}\}/);
  assert.deepEqual(channel?.choices, ["phone"]);
});

test("a connected call is a transfer, and what follows it is reached if it fails", () => {
  assert.equal(graph.nodes.doctor?.transfer_to, "+15550100");
  assert.deepEqual(graph.nodes.doctor?.transitions, [
    { target_node_id: "box", condition: { type: "tool_call", value: "", outcome: "failed" } },
  ]);
  const { graph: sip } = read(flowOf("connect-call-to", { noun: "sip", sip_endpoint: "sip:a@b.example.com" }, []));
  assert.equal(sip.nodes.step?.transfer_to, "sip:a@b.example.com");
});

test("what was not read is named by its path, and kept", () => {
  const codes = findings.map(({ code, path }) => [code, path.join(".")]);
  assert.ok(codes.some(([code, path]) => code === "unknown-node" && path === "states.9"));
  assert.ok(codes.some(([code, path]) => code === "condition-in-words" && path === "states.3.transitions.3"));
  assert.deepEqual(graph.nodes.welcome?.metadata, { "twilio-studio": { voice: "Polly.Joanna-Neural" } });
});

test("a comparison that is true for a value that is not set stays so", () => {
  const conditions = [{ arguments: ["{{flow.variables.plan}}"], type: "not_equal_to", value: "gold" }];
  const { nodes } = read(flowOf("split-based-on", {}, [{ event: "match", next: "next", conditions }])).graph;
  assert.deepEqual(nodes.step?.transitions[0]?.condition, {
    type: "equation",
    value: "",
    equations: [
      { left: "plan", operator: "!=", right: "gold" },
      { left: "plan", operator: "not_exist" },
    ],
    logical_operator: "or",
  });
});

test("wrong parts are named and not fatal", () => {
  const found = read({
    states: [null, { name: 3 }, { name: "a" }, { name: "a", type: "say-play" }],
    initial_state: "b",
  });
  assert.deepEqual(Object.keys(found.graph.nodes), ["a", "a-2", "end of the flow"]);
  assert.deepEqual(
    found.findings.map(({ code }) => code),
    ["unread-part", "unread-part", "unknown-node", "duplicate-node", "unknown-entry"],
  );
  const lost = read(flowOf("say-play", { say: "Hi {{x | upcase}}" }, [{ event: "audioComplete", next: "gone" }]));
  assert.deepEqual(
    lost.findings.map(({ code }) => code),
    ["template", "unknown-target"],
  );
});

test("a flow is converted to a platform, and cannot be written as a flow", () => {
  for (const to of ["retell", "vapi-squad", "bland"] as const)
    assert.ok(convert(graph, { to }).text.includes("clinic"));
  assert.throws(() => emit(graph, "twilio-studio"), { code: "format-not-emitted" });
  const own = flow("x").conversation("a", { prompt: "Hi." }).compile();
  assert.throws(() => importAgent(JSON.stringify(own), { format: "twilio-studio" }), { code: "unknown-shape" });
});
