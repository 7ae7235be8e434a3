import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";

const FLOW = {
  start_node_id: "a",
  nodes: [{ id: "a", type: "conversation", instruction: { type: "prompt", text: "Greet as a flow" } }],
};
const LLM = { general_prompt: "Greet as an LLM" };

/** Imports a document, checks that it is emitted unchanged, and returns its format and its prompts. */
function read(document: object) {
  const { graph, format } = importAgent(JSON.stringify(document));
  const { config, text } = emit(graph, format);
  assert.deepEqual(config, document);
  assert.equal(text, JSON.stringify(document));
  const { general_prompt: general } = graph.source_metadata;
  return [format, general ?? Object.values(graph.nodes)[0]?.state_prompt];
}

test("of an agent with a flow and an LLM, the one that response_engine names is read, else the flow", () => {
  const flow = ["retell", "Greet as a flow"];
  const llm = ["retell-llm", "Greet as an LLM"];
  for (const [engine, expected] of [
    [{ type: "retell-llm" }, llm],
    [{ type: "conversation-flow" }, flow],
    [{}, flow],
  ] as const) {
    const agent = { agent_name: "Desk", response_engine: engine };
    assert.deepEqual(read({ ...agent, conversationFlow: FLOW, retellLlmData: LLM }), expected);
    assert.deepEqual(read({ ...agent, retellLlmData: LLM, conversationFlow: FLOW }), expected);
  }
});

test("an agent with one body has that format, whatever response_engine names", () => {
  const flow = { response_engine: { type: "retell-llm" }, conversationFlow: FLOW };
  assert.deepEqual(read(flow), ["retell", "Greet as a flow"]);
  const llm = { response_engine: { type: "conversation-flow" }, retellLlmData: LLM };
  assert.deepEqual(read(llm), ["retell-llm", "Greet as an LLM"]);
});

test("a body beside an agent that has a body of its own is read, and the agent stays as it is", () => {
  const agent = { agent_name: "Desk", conversationFlow: { nodes: [] } };
  assert.deepEqual(read({ agent, conversation_flow: FLOW }), ["retell", "Greet as a flow"]);
  assert.deepEqual(read({ conversationFlow: null, conversation_flow: FLOW }), ["retell", "Greet as a flow"]);
});

test("an agent beside the one that is imported is told, and stays in the document", () => {
  const llm = { general_prompt: "You sell bread.", general_tools: [], states: [] };
  const flow = {
    start_speaker: "agent",
    nodes: [{ id: "a", type: "conversation", instruction: { type: "prompt", text: "Hi" } }],
  };
  const cases = [
    [{ general_prompt: "You sell cake.", retellLlmData: llm }, "general_prompt"],
    [{ agent_name: "Desk", conversationFlow: flow, retellLlmData: llm }, "retellLlmData"],
    [
      { agent_name: "Desk", response_engine: { type: "retell-llm" }, conversationFlow: flow, retellLlmData: llm },
      "conversationFlow",
    ],
  ] as const;
  for (const [document, other] of cases) {
    const { graph, format, findings } = importAgent(document);
    assert.deepEqual(
      findings.map(({ code, severity, path }) => [code, severity, path]),
      [["several-agents", "warning", [other]]],
    );
    assert.deepEqual(JSON.parse(emit(graph, format === "retell" ? "retell" : "retell-llm").text), document);
  }
  assert.deepEqual(importAgent({ agent_name: "Desk", retellLlmData: llm }).findings, []);
});
