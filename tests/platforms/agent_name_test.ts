import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, flow, importAgent } from "../../mod.ts";
import { isRecord } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";

const shop = flow("bicycle shop", { prompt: "You answer the phone of a shop." })
  .conversation("greet", { prompt: "Greet the caller.", next: ({ to }) => [to("bye", "Caller says goodbye")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();

const renamed = (graph: AgentGraph, name: string): AgentGraph => ({
  ...graph,
  source_metadata: { ...graph.source_metadata, name },
});

function field(config: unknown, key: string): unknown {
  return isRecord(config) ? config[key] : undefined;
}

const PLACES = {
  retell: "agent_name",
  "retell-llm": "agent_name",
  "vapi-squad": "name",
  "vapi-assistant": "name",
} as const;

for (const [format, key] of Object.entries(PLACES)) {
  test(`emit() writes the flow's name as ${key} of ${format}, and importAgent() reads it`, () => {
    const { config } = emit(shop, format);
    assert.equal(field(config, key), "bicycle shop");
    assert.equal(importAgent(JSON.stringify(config)).graph.source_metadata.name, "bicycle shop");
  });
}

test("emit() writes the flow's name into the graph's own document", () => {
  const { config } = emit(shop, "graph");
  assert.equal(importAgent(JSON.stringify(config)).graph.source_metadata.name, "bicycle shop");
});

test("an imported agent keeps its name on another platform, and can be renamed in its own format", () => {
  const squad = {
    name: "Lamps",
    members: [{ assistant: { name: "greet", model: { provider: "openai", model: "gpt-4.1" } } }],
  };
  const fromVapi = importAgent(squad).graph;
  assert.equal(field(emit(fromVapi, "retell").config, "agent_name"), "Lamps");
  assert.deepEqual(emit(fromVapi, "vapi-squad").config, squad);
  assert.deepEqual(emit(renamed(fromVapi, "Chairs"), "vapi-squad").config, { ...squad, name: "Chairs" });

  const fromRetell = importAgent(JSON.stringify(emit(shop, "retell").config)).graph;
  assert.equal(field(emit(fromRetell, "vapi-squad").config, "name"), "bicycle shop");
  assert.equal(field(emit(renamed(fromRetell, "Chairs"), "retell").config, "agent_name"), "Chairs");
});
