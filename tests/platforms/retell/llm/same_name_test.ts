import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../../../mod.ts";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord, type JsonObject } from "../../../../src/base/values/mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";

const to = (target_node_id: string, value: string) => ({ target_node_id, condition: { type: "llm_prompt", value } });
const bye = { node_type: "end", state_prompt: "Bye." };

/** Emits a graph from code; returns the LLM, the losses, and whether two tools have the same name. */
function emitted(nodes: object) {
  const graph = parseGraph({ entry_node_id: "ask", nodes });
  const { config, losses } = emit(graph, "retell-llm");
  const body = isRecord(config) && isRecord(config.retellLlmData) ? config.retellLlmData : {};
  assert.ok(!check(graph, { target: "retell-llm" }).some(({ code }) => code === "duplicate-tool"));
  return { body, codes: losses.map(({ code, path }) => `${code} ${path.join(".")}`) };
}

const records = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const told = (tools: unknown) => records(tools).map(({ name, description }) => [name, description]);

test("emit() writes several transitions to the same end as one tool", () => {
  const { body, codes } = emitted({
    ask: { state_prompt: "Ask.", transitions: [to("bye", "Done"), to("more", "More"), to("bye", "Angry")] },
    more: { state_prompt: "More.", transitions: [to("bye", "Done")] },
    bye,
  });
  const [ask, more] = records(body.states);
  assert.deepEqual(told(ask?.tools), [["bye", "Done, or: Angry"]]);
  assert.deepEqual(told(more?.tools), [["bye", "Done"]]);
  assert.deepEqual(codes, ["edges-merged nodes.ask.transitions.2"]);
});

test("emit() writes a transition to a general tool's node as a tool with another name", () => {
  const { body, codes } = emitted({
    ask: { state_prompt: "Ask.", transitions: [to("desk", "Caller is lost"), to("more", "More")] },
    more: { state_prompt: "More.", transitions: [to("bye", "Done")] },
    bye,
    desk: { ...bye, global_node_setting: { condition: "Caller wants the desk" } },
  });
  assert.deepEqual(told(body.general_tools), [["desk", "Caller wants the desk"]]);
  assert.deepEqual(told(records(body.states)[0]?.tools), [["desk-2", "Caller is lost"]]);
  assert.deepEqual(codes, ["tool-beside-general nodes.ask.transitions.0"]);
});

test("emit() renames ends with the same name as a tool", () => {
  const tools = [{ name: "book", type: "custom", url: "https://example.test", description: "Books" }];
  const { body, codes } = emitted({
    ask: { state_prompt: "Ask.", tools, transitions: [to("book", "Booked"), to("ask2", "Again")] },
    ask2: { state_prompt: "Again." },
    book: bye,
  });
  assert.deepEqual(told(records(body.states)[0]?.tools), [
    ["book", "Books"],
    ["book-2", "Booked"],
  ]);
  assert.deepEqual(codes, ["name-changed nodes.book"]);
});

test("emit() returns imported tools with the same name unchanged", () => {
  const end = (description: string) => ({ type: "end_call", name: "end_call", description });
  const document = {
    llm_id: "llm_1",
    general_tools: [end("Anybody is done")],
    states: [
      { name: "a", state_prompt: "A", tools: [end("Done"), end("Anybody is done"), end("Done")] },
      { name: "b", state_prompt: "B", tools: [{ ...end("Bye"), speak_during_execution: true }, end("Done")] },
    ],
    starting_state: "a",
  };
  const { graph } = importAgent(document);
  const { config, losses } = emit(parseGraph(JSON.parse(JSON.stringify(graph))), "retell-llm");
  assert.deepEqual(JSON.parse(JSON.stringify(config)), document);
  assert.deepEqual(losses, []);
});
