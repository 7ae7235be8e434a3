import assert from "node:assert/strict";
import { test } from "node:test";
import { emit } from "../../../../platforms/mod.ts";
import { getAt, isRecord, type JsonObject, pick } from "../../../../src/base/values/mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";

const SMS = { name: "send_link", type: "send_sms" };
const LOOK = { name: "look", type: "custom", url: "https://example.test", description: "Looks" };
const WORK = "Say nothing to the caller in this state. Call";

/** Emits a function node as a state of an LLM; returns the state. */
function stateOf(node: object): JsonObject {
  const wants = { target_node_id: "work", condition: { type: "llm_prompt", value: "Caller wants it" } };
  const graph = parseGraph({
    entry_node_id: "greet",
    nodes: {
      greet: { state_prompt: "Greet.", transitions: [wants] },
      work: { node_type: "function", transitions: [{ target_node_id: "bye", condition: { type: "always" } }], ...node },
      bye: { node_type: "end" },
    },
  });
  const state = getAt(emit(graph, "retell-llm").config, ["retellLlmData", "states", 1]);
  assert.ok(isRecord(state));
  return state;
}

/** Returns the first tool of a state without its name and type. */
function settingsOf(state: JsonObject, keys: readonly string[]): JsonObject {
  const tool = getAt(state, ["tools", 0]);
  return isRecord(tool) ? pick(tool, keys) : {};
}

test("the prompt of a function node that sends an SMS is the text of the SMS", () => {
  const template = { type: "template", template: "info_collection" };
  const cases: readonly (readonly [node: object, content: unknown])[] = [
    [{ state_prompt: "Thank the caller" }, { type: "inferred", prompt: "Thank the caller" }],
    [
      { state_prompt: "Thank you!", instruction_type: "static_text" },
      { type: "predefined", text: "Thank you!" },
    ],
    [{ state_prompt: "Thanks", metadata: { retell: { instruction: template } } }, template],
    [{ state_prompt: "" }, { type: "inferred", prompt: "" }],
  ];
  for (const [node, content] of cases) {
    const state = stateOf({ tools: [SMS], ...node });
    assert.deepEqual(settingsOf(state, ["sms_content"]), { sms_content: content });
    assert.ok(String(state.state_prompt).startsWith(WORK), "the agent does not speak it too");
  }
});

test("the prompt of a function node is what the agent says while the tool runs, if it speaks then", () => {
  const keys = ["speak_during_execution", "execution_message_description", "execution_message_type", "sms_content"];
  const speaks = { retell: { speak_during_execution: true } };
  const node = { tools: [LOOK], state_prompt: "Say that it takes a moment", metadata: speaks };
  const state = stateOf(node);
  assert.deepEqual(settingsOf(state, keys), {
    speak_during_execution: true,
    execution_message_description: "Say that it takes a moment",
  });
  assert.ok(String(state.state_prompt).startsWith(WORK));
  assert.deepEqual(settingsOf(stateOf({ ...node, instruction_type: "static_text" }), keys), {
    speak_during_execution: true,
    execution_message_description: "Say that it takes a moment",
    execution_message_type: "static_text",
  });
  const template = { instruction: { type: "template", template: "info_collection" } };
  assert.deepEqual(settingsOf(stateOf({ tools: [LOOK], state_prompt: "", metadata: { retell: template } }), keys), {});
});

test("the prompt of any other function node is an instruction of its state", () => {
  for (const metadata of [{}, { retell: { speak_during_execution: false } }]) {
    const state = stateOf({ tools: [LOOK], state_prompt: "Look it up", metadata });
    assert.ok(String(state.state_prompt).startsWith(`Look it up\n${WORK}`));
    assert.deepEqual(settingsOf(state, ["execution_message_description"]), {});
  }
});

test("settings of a function node go to its own tool only", () => {
  const speaks = { retell: { speak_during_execution: true } };
  const state = stateOf({ node_type: "conversation", tools: [LOOK], state_prompt: "Look it up", metadata: speaks });
  assert.deepEqual(settingsOf(state, ["speak_during_execution", "execution_message_description"]), {});
});
