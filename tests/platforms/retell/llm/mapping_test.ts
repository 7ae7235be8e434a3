import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, withoutOriginal } from "../../../../src/document/graph/mod.ts";
import { CLINIC, SINGLE } from "./documents.ts";

const graphOf = (document: unknown): AgentGraph => importAgent(document).graph;

test("importAgent() reads a single prompt as one node and the general prompt", () => {
  const graph = graphOf(SINGLE);
  assert.equal(graph.entry_node_id, "main");
  assert.equal(graph.nodes.main?.state_prompt, "");
  assert.equal(graph.source_metadata.general_prompt, "You are the front desk.");
  assert.equal(JSON.stringify(withoutOriginal(graph)).split("You are the front desk.").length, 2);
  assert.deepEqual(
    graph.nodes.main?.tools.map(({ name }) => name),
    ["press", "text"],
  );
});

test("importAgent() reads end_call as an end node with an LLM transition to it", () => {
  const graph = graphOf(SINGLE);
  const [transition] = graph.nodes.main?.transitions ?? [];
  assert.deepEqual(transition?.condition, { type: "llm_prompt", value: "Caller says bye" });
  assert.equal(graph.nodes[transition?.target_node_id ?? ""]?.node_type, "end");
});

test("importAgent() reads states as conversation nodes, and descriptions of edges as conditions", () => {
  const graph = graphOf(CLINIC);
  assert.equal(graph.entry_node_id, "greeting");
  assert.equal(graph.default_model, "gpt-4.1");
  assert.equal(graph.source_metadata.begin_message, "Clinic, good morning.");
  assert.deepEqual(graph.source_metadata.default_dynamic_variables, { clinic: "North" });
  assert.deepEqual(graph.nodes.questions?.transitions[0], {
    target_node_id: "greeting",
    condition: { type: "llm_prompt", value: "Caller wants something else" },
  });
});

test("importAgent() reads general end and transfer tools as global nodes", () => {
  const { nodes } = graphOf(CLINIC);
  assert.equal(nodes.hang_up?.node_type, "end");
  assert.equal(nodes.hang_up?.global_node_setting?.condition, "The caller says goodbye");
  assert.equal(nodes.to_nurse?.node_type, "transfer");
  assert.equal(nodes.to_nurse?.state_prompt, "One moment, please.");
  assert.equal(nodes.to_nurse?.instruction_type, "static_text");
});

test("importAgent() adds the general tools to every state", () => {
  const { nodes } = graphOf(CLINIC);
  for (const id of ["greeting", "booking", "questions"]) assert.equal(nodes[id]?.tools[0]?.name, "find_patient");
});

test("importAgent() reads tools that differ only in their description as one node", () => {
  const { nodes } = graphOf(CLINIC);
  const ways = ["booking", "questions"].map((id) =>
    nodes[id]?.transitions.find(({ target_node_id: to }) => to === "done"),
  );
  assert.deepEqual(
    ways.map((way) => way?.condition.value),
    ["The appointment is booked", "The question is answered"],
  );
});

test("importAgent() reads an edge's parameters as an extract node", () => {
  const { nodes } = graphOf(CLINIC);
  const [way] = nodes.greeting?.transitions ?? [];
  const between = nodes[way?.target_node_id ?? ""];
  assert.equal(way?.condition.value, "Caller wants an appointment");
  assert.equal(between?.node_type, "extract");
  assert.deepEqual(between?.variables_to_extract, [
    { name: "day", description: "", type: "string", metadata: { retell: { required: true } } },
  ]);
  assert.deepEqual(between?.transitions, [{ target_node_id: "booking", condition: { type: "always", value: "" } }]);
});

test("importAgent() keeps an edge to a missing state only in the document", () => {
  const { nodes } = graphOf(CLINIC);
  assert.equal(nodes.greeting?.transitions.length, 2);
});

test("emit() writes ends and transfers of an LLM as nodes of a conversation flow, with destination and option", () => {
  const { config } = emit(graphOf(CLINIC), "retell");
  const flow = isRecord(config) && isRecord(config.conversationFlow) ? config.conversationFlow : {};
  const nodes: unknown[] = Array.isArray(flow.nodes) ? flow.nodes : [];
  const named = (id: string) => nodes.filter(isRecord).find((node) => node.id === id);
  assert.equal(named("hang_up")?.type, "end");
  assert.deepEqual(named("hang_up")?.global_node_setting, { condition: "The caller says goodbye" });
  const transfer = named("to_nurse");
  assert.equal(transfer?.type, "transfer_call");
  assert.deepEqual(transfer?.transfer_destination, { type: "predefined", number: "+15550100" });
  assert.deepEqual(transfer?.transfer_option, { type: "warm_transfer", on_hold_music: "none" });
  assert.deepEqual(transfer?.instruction, { type: "static_text", text: "One moment, please." });
  assert.equal(flow.model_temperature, 0.2);
  assert.ok(!("llm_id" in flow) && !("future_setting" in flow));
});

test("converting an LLM to a conversation flow and back keeps everything that both support", () => {
  const { config } = emit(graphOf(CLINIC), "retell");
  const again = emit(importAgent(config).graph, "retell-llm").config;
  const llm = isRecord(again) && isRecord(again.retellLlmData) ? again.retellLlmData : {};
  assert.equal(llm.general_prompt, CLINIC.general_prompt);
  const tools: unknown[] = Array.isArray(llm.general_tools) ? llm.general_tools : [];
  const transfer = tools.filter(isRecord).find(({ name }) => name === "to_nurse");
  assert.deepEqual(transfer?.transfer_destination, { type: "predefined", number: "+15550100" });
  assert.equal(transfer?.execution_message_type, "static_text");
});

test("importAgent() adds a transition for a failed transfer to the only state with the tool", () => {
  const transfer = { type: "transfer_call", name: "desk", description: "Human" };
  const failed = { type: "tool_call", value: "", outcome: "failed" };
  const single = graphOf({ general_prompt: "Hi", general_tools: [transfer] });
  assert.deepEqual(single.nodes.desk?.transitions, [{ target_node_id: "main", condition: failed }]);
  const shared = graphOf({ states: ["a", "b"].map((name) => ({ name, tools: [transfer] })) });
  assert.deepEqual(shared.nodes.desk?.transitions, []);
});

test("emit() to a conversation flow keeps the agent's settings and replaces its engine", () => {
  const { config } = emit(graphOf(SINGLE), "retell");
  const agent = isRecord(config) ? config : {};
  assert.equal(agent.agent_name, "Desk");
  assert.deepEqual(agent.response_engine, { type: "conversation-flow", version: 0, conversation_flow_id: "" });
});

test("emit() omits settings that may be null in only one of Retell's engines", () => {
  const llm = graphOf({ general_prompt: "Hi", kb_config: null, model_temperature: 0.5 });
  const flow = emit(llm, "retell").config;
  assert.ok(isRecord(flow) && isRecord(flow.conversationFlow));
  assert.equal(Object.hasOwn(flow.conversationFlow, "kb_config"), false);
  assert.equal(flow.conversationFlow.model_temperature, 0.5);

  const nodes = [{ id: "a", type: "conversation", instruction: { type: "prompt", text: "Hi" } }];
  const back = emit(
    graphOf({ nodes, start_node_id: "a", model_temperature: null, kb_config: { top_k: 2 } }),
    "retell-llm",
  );
  assert.ok(isRecord(back.config) && isRecord(back.config.retellLlmData));
  assert.equal(Object.hasOwn(back.config.retellLlmData, "model_temperature"), false);
  assert.deepEqual(back.config.retellLlmData.kb_config, { top_k: 2 });
});

test("importAgent() keeps tools without a name only in the document", () => {
  const tools = [{ type: "custom", url: "https://a.example" }, { type: "end_call" }, { type: "end_call", name: "bye" }];
  const { nodes } = graphOf({ general_prompt: "Hi", general_tools: tools });
  assert.deepEqual(Object.keys(nodes), ["main", "bye"]);
  assert.deepEqual(nodes.main?.tools, []);
});
