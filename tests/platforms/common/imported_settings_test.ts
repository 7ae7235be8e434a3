import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { isRecord, type JsonObject, recordAt } from "../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph, type SourceMetadata } from "../../../src/document/graph/mod.ts";

const SPEECH: SourceMetadata = {
  language: "de-DE",
  voice: { retell: "11labs-Adrian", vapi: { provider: "11labs", voiceId: "sarah" } },
};

const FLOW = {
  start_node_id: "owner",
  nodes: [
    {
      id: "owner",
      type: "transfer_call",
      transfer_destination: { type: "predefined", number: "+14155550100", extension: "7", note: "kept" },
    },
  ],
};

const ASSISTANT = {
  name: "Desk",
  firstMessage: "Hello.",
  transcriber: { provider: "gladia", language: "en", note: "kept" },
  model: {
    provider: "openai",
    model: "gpt-4o",
    tools: [
      { type: "transferCall", destinations: [{ type: "number", number: "+14155550100", message: "One moment." }] },
    ],
  },
};

/** Imports a document, changes the graph, and returns the document that is emitted. */
function edited(document: unknown, change: (graph: AgentGraph) => AgentGraph) {
  const { graph, format } = importAgent(JSON.stringify(document));
  const { config, losses } = emit(parseGraph(JSON.parse(JSON.stringify(change(graph)))), format);
  return { config: isRecord(config) ? config : {}, losses: losses.map(({ code, path }) => [code, path.join(".")]) };
}

const said =
  (settings: SourceMetadata) =>
  (graph: AgentGraph): AgentGraph => ({ ...graph, source_metadata: { ...graph.source_metadata, ...settings } });

const sentTo =
  (transfer_to: string) =>
  (graph: AgentGraph): AgentGraph => {
    const nodes = Object.entries(graph.nodes).map(([id, node]) => [
      id,
      node.node_type === "transfer" ? { ...node, transfer_to } : node,
    ]);
    return { ...graph, nodes: Object.fromEntries(nodes) };
  };

test("language and voice of an imported agent of Retell can be edited", () => {
  const document = { agent_name: "Desk", voice_id: "11labs-Myra", language: "en-US", conversationFlow: FLOW };
  const { config, losses } = edited(document, said(SPEECH));
  assert.deepEqual(config, { ...document, voice_id: "11labs-Adrian", language: "de-DE" });
  assert.deepEqual(losses, []);
});

test("name, language and voice are losses if a flow or an LLM was imported without its agent", () => {
  for (const document of [FLOW, { general_prompt: "Help.", llm_id: "llm_1" }]) {
    const { config, losses } = edited(document, said({ ...SPEECH, name: "Desk" }));
    assert.deepEqual(config, document);
    assert.deepEqual(losses, [
      ["agent", "source_metadata.name"],
      ["agent", "source_metadata.retell.agent"],
    ]);
  }
});

test("the destination of an imported transfer can be edited", () => {
  const retell = edited(FLOW, sentTo("+14155550199")).config;
  assert.deepEqual(retell, {
    ...FLOW,
    nodes: [{ ...FLOW.nodes[0], transfer_destination: { type: "predefined", number: "+14155550199", note: "kept" } }],
  });
  for (const [to, destination] of [
    ["+14155550199", { type: "number", number: "+14155550199" }],
    ["{{desk}}", { type: "number", number: "{{desk}}", numberE164CheckEnabled: false }],
    ["sip:desk@acme.io", { type: "sip", sipUri: "sip:desk@acme.io" }],
  ] as const) {
    const model = recordAt(edited(ASSISTANT, sentTo(to)).config, "model");
    const destinations = [{ ...destination, message: "One moment." }];
    assert.deepEqual(model.tools, [{ type: "transferCall", destinations }]);
  }
});

test("the destination of an imported workflow's transfer can be edited", () => {
  const start = { name: "hi", type: "conversation", prompt: "Greet.", isStart: true };
  for (const end of [
    { name: "owner", type: "tool", tool: { type: "transferCall", destinations: [] } },
    { name: "owner", type: "transfer", destination: { type: "number", number: "+14155550100", message: "Bye." } },
  ]) {
    const document = { name: "Desk", nodes: [start, end], edges: [{ from: "hi", to: "owner" }] };
    const { config } = edited(document, sentTo("+14155550199"));
    assert.ok(JSON.stringify(config).includes('"number":"+14155550199"'));
    assert.equal(JSON.stringify(config).includes("+14155550100"), false);
  }
});

test("name, language and voice of an imported assistant, squad and workflow of Vapi can be edited", () => {
  const { config } = edited(ASSISTANT, said({ ...SPEECH, name: "Night desk" }));
  const transcriber = { ...ASSISTANT.transcriber, language: "de" };
  assert.deepEqual(config, { ...ASSISTANT, name: "Night desk", transcriber, voice: SPEECH.voice?.vapi });

  const overrides = { transcriber: { provider: "deepgram", language: "de" }, voice: SPEECH.voice?.vapi };
  const squad: JsonObject = { name: "Desk", members: [{ assistant: ASSISTANT }] };
  assert.deepEqual(edited(squad, said(SPEECH)).config, { ...squad, membersOverrides: overrides });

  const node = { name: "hi", type: "conversation", prompt: "Greet.", isStart: true };
  const workflow: JsonObject = { name: "Desk", nodes: [node], edges: [] };
  assert.deepEqual(edited(workflow, said(SPEECH)).config, { ...workflow, ...overrides });
});

test("an edited version of a flow is not written into the agent around it", () => {
  const document = { agent_name: "Desk", conversationFlow: { ...FLOW, version: 1 } };
  const { config } = edited(document, (graph) => {
    const { retell } = graph.source_metadata;
    return said({ retell: { ...(isRecord(retell) ? retell : {}), version: 2 } })(graph);
  });
  assert.deepEqual(config, { ...document, conversationFlow: { ...FLOW, version: 2 } });
});
