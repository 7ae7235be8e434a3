import assert from "node:assert/strict";
import { test } from "node:test";
import type { Format } from "../../../../platforms/platform.ts";
import { vapiAssistant } from "../../../../platforms/vapi/assistant/mod.ts";
import { vapiSquad } from "../../../../platforms/vapi/squad/mod.ts";
import type { Path } from "../../../../src/base/errors.ts";
import { dropAt, getAt, type JsonObject, setAt } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph, type Transition } from "../../../../src/document/graph/mod.ts";
import { differences } from "./differences.ts";
import { clinicSquad, deskAssistant } from "./documents.ts";
import { emitted, imported, plain } from "./lens.ts";

/** New values for a graph by their paths; `undefined` removes the key. */
type Edits = readonly (readonly [path: Path, value: unknown])[];

function edited(format: Format, document: unknown, edits: Edits): AgentGraph {
  const graph: JsonObject = { ...plain(imported(format, document)) };
  const written = edits.reduce(
    (result, [path, value]) => (value === undefined ? dropAt(result, path) : setAt(result, path, value)),
    graph,
  );
  return parseGraph(plain(written));
}

/** Edits the graph of a document and returns the differences in the emitted document: path and new value. */
function changed(edits: Edits, document: unknown = clinicSquad(), format: Format = vapiSquad) {
  const { config, losses } = emitted(format, edited(format, document, edits));
  assert.deepEqual(losses, []);
  return differences(document, plain(config));
}

/** Imports a squad and returns the transitions of a node. */
function transitionsOf(id: string): readonly Transition[] {
  return imported(vapiSquad, clinicSquad()).nodes[id]?.transitions ?? [];
}

const GREETER = ["nodes", "Greeter"];
const TOOLS = "members.0.assistant.model.tools";
const APPENDED = "members.0.assistantOverrides.tools:append.0";

test("emit() returns every imported document unchanged", () => {
  const squads = [clinicSquad(), [clinicSquad()], { data: { squad: clinicSquad() }, note: null }];
  for (const document of squads) assert.deepEqual(changed([], document), []);
  const assistants = [deskAssistant(), [deskAssistant(), 1], { assistant: deskAssistant(), assistantOverrides: {} }];
  for (const document of assistants) assert.deepEqual(changed([], document, vapiAssistant), []);
});

test("emit() writes an edited prompt to its original place", () => {
  const edits: Edits = [[["nodes", "Booking", "state_prompt"], "Be quick."]];
  assert.deepEqual(changed(edits), [["members.1.assistant.model.systemPrompt", "Be quick."]]);
});

test("emit() writes a new prompt as the first system message", () => {
  const message = { role: "system", content: "Explain bills." };
  const edits: Edits = [[["nodes", "Billing", "state_prompt"], message.content]];
  assert.deepEqual(changed(edits), [["members.3.assistant.model.messages.0", message]]);
});

test("emit() writes an edited condition to each description that contained it", () => {
  const edits: Edits = [
    [[...GREETER, "transitions", 0, "condition", "value"], "Caller wants to come"],
    [[...GREETER, "transitions", 2, "condition", "value"], "Caller feels bad"],
    [["nodes", "Booking", "transitions", 0, "condition", "value"], "Booked"],
  ];
  assert.deepEqual(changed(edits), [
    [`${TOOLS}.1.destinations.0.description`, "Caller wants to come"],
    [`${APPENDED}.function.description`, "Caller feels bad"],
    [`${APPENDED}.destinations.0.description`, "Caller feels bad"],
    ["members.1.assistant.model.tools.0.function.description", "Booked"],
  ]);
});

test("emit() refers to a new target by the same keys as to the old one if possible", () => {
  const destination = `${TOOLS}.1.destinations.0`;
  assert.deepEqual(changed([[[...GREETER, "transitions", 0, "target_node_id"], "aaaa-nurse"]]), [
    [`${destination}.assistantName`, undefined],
    [`${destination}.assistantId`, "aaaa-nurse"],
  ]);
});

test("emit() removes a handoff tool with its last transition", () => {
  const edits: Edits = [[[...GREETER, "transitions"], transitionsOf("Greeter").toSpliced(2, 1)]];
  assert.deepEqual(changed(edits), [[APPENDED, undefined]]);
});

test("emit() writes edits of an end to its tools", () => {
  const end = `${TOOLS}.2`;
  const prompt: Edits = [
    [["nodes", "end_call", "state_prompt"], "Goodbye!"],
    [["nodes", "end_call", "instruction_type"], "static_text"],
  ];
  const message = { type: "request-start", content: "Goodbye!", blocking: true };
  assert.deepEqual(changed(prompt), [[`${end}.messages.0`, message]]);
  const condition: Edits = [[[...GREETER, "transitions", 3, "condition", "value"], "Caller is done"]];
  assert.deepEqual(changed(condition), [[`${end}.function`, { description: "Caller is done" }]]);
  const without: Edits = [[[...GREETER, "transitions"], transitionsOf("Greeter").slice(0, 3)]];
  assert.deepEqual(changed(without), [[end, undefined]]);
});

test("an end that two tools lead to stays one node when one of the tools gets a description", () => {
  const tool = { type: "transferCall", destinations: [] };
  const assistant = { model: { provider: "openai", model: "gpt-4.1", tools: [tool] } };
  const document = { members: [{ assistant, assistantOverrides: { "tools:append": [tool] } }] };
  const described: Edits = [[["nodes", "member_1", "transitions", 0, "condition", "value"], "Caller wants a person"]];
  const { config } = emitted(vapiSquad, edited(vapiSquad, document, described));
  const { nodes } = imported(vapiSquad, config);
  assert.deepEqual(Object.keys(nodes), ["member_1", "transfer_call"]);
  assert.deepEqual(emitted(vapiSquad, imported(vapiSquad, config)).config, config);
});

test("emit() writes an end after an equation as a guarded tool and keeps other ends", () => {
  const equation = { type: "equation", value: "", equations: [{ left: "vip", operator: "==", right: "no" }] };
  const added = [...transitionsOf("Greeter"), { target_node_id: "end_call", condition: equation }];
  const { config } = emitted(vapiSquad, edited(vapiSquad, clinicSquad(), [[[...GREETER, "transitions"], added]]));
  assert.deepEqual(getAt(config, ["members", 0, "assistant", "model", "tools", 2]), { type: "endCall", messages: [] });
  const guarded = getAt(config, ["members", 0, "assistantOverrides", "tools:append", 1]);
  assert.equal(getAt(guarded, ["type"]), "endCall");
  assert.notEqual(getAt(guarded, ["rejectionPlan"]), undefined);
});

test("emit() keeps the other destinations of a handoff tool when a transition is removed", () => {
  const edits: Edits = [[[...GREETER, "transitions"], transitionsOf("Greeter").slice(2)]];
  const { config } = emitted(vapiSquad, edited(vapiSquad, clinicSquad(), edits));
  const left = getAt(config, ["members", 0, "assistant", "model", "tools", 1, "destinations"]);
  assert.deepEqual(left, [{ type: "assistant", assistantName: "Night line", description: "The clinic is closed" }]);
});

test("emit() writes an edited condition only to its own destination if several destinations share the tool's description", () => {
  const destinations = ["Booking", "Billing"].map((assistantName) => ({ type: "assistant", assistantName }));
  const handoff = { type: "handoff", function: { name: "on", description: "Caller is done here" }, destinations };
  const squad = setAt(clinicSquad(), ["members", 0, "assistantOverrides", "tools:append"], [handoff]);
  const value = ["nodes", "Greeter", "transitions", 3, "condition", "value"];
  assert.equal(getAt(imported(vapiSquad, squad), value), "Caller is done here");
  assert.deepEqual(changed([[value, "Caller asks for a bill"]], squad), [
    [`${APPENDED}.destinations.1.description`, "Caller asks for a bill"],
  ]);
});

test("emit() writes a new transition as a silent handoff with a description", () => {
  const value = "Caller has another question";
  const added = [{ target_node_id: "Greeter", condition: { type: "llm_prompt", value } }];
  const handoff = {
    type: "handoff",
    function: { name: "handoff_to_Greeter", description: value },
    destinations: [{ type: "assistant", assistantName: "Greeter", description: value }],
    messages: [],
  };
  assert.deepEqual(changed([[["nodes", "Billing", "transitions"], added]]), [
    ["members.3.assistantOverrides", { "tools:append": [handoff] }],
  ]);
});

test("emit() writes edited tools, openings and variables to their original places", () => {
  const edits: Edits = [
    [[...GREETER, "tools", 0, "url"], "https://new.example"],
    [[...GREETER, "tools", 0, "response_variables", "patient_id"], "$.id"],
    [["source_metadata", "begin_message"], "Hello"],
    [["source_metadata", "default_dynamic_variables", "caller"], "you"],
  ];
  assert.deepEqual(changed(edits), [
    ["members.0.assistant.firstMessage", "Hello"],
    [`${TOOLS}.0.server.url`, "https://new.example"],
    [`${TOOLS}.0.variableExtractionPlan.aliases.0.value`, "{{$.id}}"],
    ["membersOverrides.variableValues.caller", "you"],
  ]);
});

test("emit() writes a new default model to every member with the old one", () => {
  const paths = changed([[["default_model"], "openai/gpt-5"]]).map(([path]) => path);
  assert.deepEqual(paths, [
    "members.0.assistant.model.model",
    "members.2.assistantOverrides.model.model",
    "members.3.assistant.model.model",
  ]);
});

test("emit() reports a new default model that no member can have", () => {
  const edits: Edits = [[["default_model"], "openai/gpt-5"]];
  const lossesOf = (members: readonly unknown[]) => {
    const { losses } = emitted(vapiSquad, edited(vapiSquad, { name: "Desk", members }, edits));
    return losses.map(({ code, kind, path }) => ({ code, kind, path }));
  };
  const saved = { assistantId: "a1" };
  const named = { assistant: { name: "Billing", model: { provider: "openai", model: "gpt-4.1" } } };
  const open = { assistant: { name: "Sales" } };
  const lost = [{ code: "default-model", kind: "dropped", path: ["default_model"] }];
  assert.deepEqual(lossesOf([saved]), lost);
  assert.deepEqual(lossesOf([saved, named]), lost);
  assert.deepEqual(lossesOf([saved, named, open]), []);
  assert.deepEqual(lossesOf([named, saved]), []);
});

test("emit() changes the mode of the first message only if the opening requires it", () => {
  const message = "members.0.assistant.firstMessage";
  const mode = "members.0.assistant.firstMessageMode";
  assert.deepEqual(changed([[["source_metadata", "begin_message"], ""]]), [[message, undefined]]);
  assert.deepEqual(changed([[["source_metadata", "start_speaker"], "user"]]), [[mode, "assistant-waits-for-user"]]);
  assert.deepEqual(changed([[["source_metadata", "begin_message"], undefined]]), [
    [message, undefined],
    [mode, "assistant-speaks-first-with-model-generated-message"],
  ]);
});

test("emit() renames the assistant of a renamed node, also in handoffs to it", () => {
  const text = JSON.stringify(imported(vapiSquad, clinicSquad())).replaceAll('"Billing"', '"Invoices"');
  const { config } = emitted(vapiSquad, parseGraph(JSON.parse(text)));
  assert.deepEqual(differences(clinicSquad(), plain(config)), [
    [`${TOOLS}.1.destinations.2.assistantName`, "Invoices"],
    ["members.3.assistant.name", "Invoices"],
    ["membersOverrides.tools:append.1.destinations.0.assistantName", "Invoices"],
  ]);
});

test("emit() moves a new entry node to the front", () => {
  const { config } = emitted(vapiSquad, edited(vapiSquad, clinicSquad(), [[["entry_node_id"], "Booking"]]));
  assert.equal(getAt(config, ["members", 0, "assistant", "name"]), "Booking");
  assert.equal(getAt(config, ["members", 0, "assistant", "firstMessage"]), "Riverside Clinic, how can I help?");
  assert.equal(getAt(config, ["members", 1, "assistant", "firstMessage"]), undefined);
});

test("emit() writes the defaults of an assistant's variables into its texts, and reports it", () => {
  const graph = edited(vapiAssistant, deskAssistant(), [
    [["nodes", "Desk", "state_prompt"], "Greet {{guest}}."],
    [["source_metadata", "begin_message"], "Hello {{  time_of_day }}"],
    [["source_metadata", "default_dynamic_variables"], { guest: "our guest", time_of_day: "there", unheard_of: "x" }],
  ]);
  const { config, losses } = emitted(vapiAssistant, graph);
  const prompt = getAt(config, ["model", "messages", 0, "content"]);
  assert.equal(prompt, 'Greet {{ guest | default: "our guest" }}.');
  assert.equal(getAt(config, ["firstMessage"]), 'Hello {{ time_of_day | default: "there" }}');
  assert.deepEqual(
    losses.map(({ code, kind, path }) => [code, kind, path.at(-1)]),
    [
      ["variable-default", "emulated", "guest"],
      ["variable-default", "emulated", "time_of_day"],
      ["variable-default", "dropped", "unheard_of"],
    ],
  );
});

test("emit() escapes quotes in the default of an assistant's variable", () => {
  const graph = edited(vapiAssistant, deskAssistant(), [
    [["nodes", "Desk", "state_prompt"], "Greet {{guest}}."],
    [["source_metadata", "default_dynamic_variables"], { guest: `the "guest's" name` }],
  ]);
  const { config, losses } = emitted(vapiAssistant, graph);
  const prompt = 'Greet {{ guest | default: "the \\u0022guest\\u0027s\\u0022 name" }}.';
  assert.equal(getAt(config, ["model", "messages", 0, "content"]), prompt);
  assert.deepEqual(
    losses.map(({ code, kind }) => [code, kind]),
    [["variable-default", "emulated"]],
  );
});

test("importAgent() reads aliases that are paths as variables, and emit() writes them back", () => {
  const aliases = [
    { key: "state", value: "{{ $.state }}" },
    { key: "loud", value: "{{ $.name | upcase }}" },
    { key: "name", value: "{{$.name}}" },
  ];
  const tool = { type: "endCall", variableExtractionPlan: { aliases } };
  const tools = [{ ...tool, type: "function", function: { name: "find" } }, tool];
  const document = { name: "Desk", model: { provider: "openai", tools } };
  const graph = imported(vapiAssistant, document);
  assert.deepEqual(graph.nodes.Desk?.tools[0]?.response_variables, { state: "$.state", name: "$.name" });
  assert.deepEqual(plain(emitted(vapiAssistant, graph).config), document);
  const [found] = graph.nodes.Desk?.tools ?? [];
  const changed = setAt({ ...plain(graph) }, ["nodes", "Desk", "tools", 0], {
    ...found,
    response_variables: { name: "$.full_name", city: "$.city" },
  });
  const { config } = emitted(vapiAssistant, parseGraph(changed));
  assert.deepEqual(getAt(config, ["model", "tools", 0, "variableExtractionPlan", "aliases"]), [
    { key: "loud", value: "{{ $.name | upcase }}" },
    { key: "name", value: "{{$.full_name}}" },
    { key: "city", value: "{{$.city}}" },
  ]);
});
