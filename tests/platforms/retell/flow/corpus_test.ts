import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { conversation } from "../../../../src/call/engine/mod.ts";
import { offline } from "../../../../src/call/models/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import { someOf } from "../../../fast_check.ts";
import { differences } from "./differences.ts";
import { hotelExport } from "./every_node.ts";

const CORPUS = ["retell", "voicetest/retell", "negative"].map(
  (name) => new URL(`../../../../../shared/corpus/${name}/`, import.meta.url),
);
const LINES = ["Hello, I want to book a room", "My name is Ada, 555 0100", "Yes please", "No, that is all", "Bye"];

/** Third-party flows by name, if they are available. */
function flows(): [name: string, text: string][] {
  return CORPUS.flatMap((folder) => {
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder).filter((name) => name.endsWith(".json") && name !== "sample_tests.json");
    return names.map((name): [string, string] => [name, readFileSync(new URL(name, folder), "utf8")]);
  });
}

/** Mocks every tool, so that no request is made. */
function mocksOf(graph: AgentGraph) {
  const names = new Set(Object.values(graph.nodes).flatMap((node) => node.tools.map((tool) => tool.name)));
  return [...names].map((tool_name) => ({
    tool_name,
    input_match_rule: { type: "any" as const },
    output: '{"status":"ok"}',
    result: true,
  }));
}

test("third-party flows are emitted unchanged, also if their graph was saved in between", (t) => {
  const found = flows();
  if (found.length === 0) return t.skip("../shared is not here");
  for (const [name, text] of someOf(found)) {
    const { graph, format } = importAgent(text);
    const saved = parseGraph(JSON.parse(JSON.stringify(graph)));
    const { config, losses } = emit(saved, format);
    const before = JSON.parse(text.replace(/^\uFEFF/, ""));
    assert.deepEqual([name, differences(before, JSON.parse(JSON.stringify(config))), losses], [name, [], []]);
  }
});

test("third-party flows, and one with every type of node, can be simulated", async (t) => {
  const found = flows();
  if (found.length === 0) t.diagnostic("../shared is not here: own flow only");
  const model = offline();
  for (const [name, text] of [["hotel", JSON.stringify(hotelExport)], ...someOf(found)]) {
    const { graph } = importAgent(text);
    const call = conversation(graph, { models: { agent: model }, mocks: mocksOf(graph) });
    await call.open();
    for (const line of LINES) if (!call.ended) await call.hear(line);
    assert.equal(call.nodesVisited[0], graph.entry_node_id, name);
    assert.notEqual(call.endReason, "failed", name);
  }
});
