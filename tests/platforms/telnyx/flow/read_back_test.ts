import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../src/document/graph/mod.ts";
import * as fc from "../../../fast_check.ts";
import { graphs } from "../../retell/flow/graphs.ts";
import { schemaGraphs } from "../../schema_graphs.ts";

/** Losses of parts that are not compared here, or that change only when an edge is taken. */
const ELSEWHERE = [
  ...["foreign-settings", "snippet", "snippet-unused", "unknown-model", "language", "voice", "overridden"],
  ...[
    "tool-type",
    "tool-url",
    "tool-name",
    "tool-detail",
    "tool-merged",
    "tool-renamed",
    "destination",
    "begin-message",
  ],
  ...["destination-missing", "transition-description", "else", "timing", "go-back", "exists", "operand", "operator"],
];

/** What calls read of a node, in any order of its transitions. */
function outline({ node_type: type, state_prompt: prompt, transitions, tools }: AgentNode): string {
  const ways = transitions.map(({ target_node_id: to, condition }) =>
    JSON.stringify([to, condition.type, condition.type === "llm_prompt" ? condition.value : ""]),
  );
  return JSON.stringify([type, prompt, ways.sort(), tools.length]);
}

/** Compares the nodes that no loss is about. Returns their number. */
function comparedNodes(given: AgentGraph): number {
  // a global node is an edge of every other node
  const plain = Object.values(given.nodes).map((node) => [node.id, { ...node, global_node_setting: null }] as const);
  const graph: AgentGraph = { ...given, nodes: Object.fromEntries(plain) };
  const { text, losses } = emit(graph, "telnyx");
  const { graph: back } = importAgent(text, { format: "telnyx" });
  const serious = losses.filter(({ code }) => !ELSEWHERE.includes(code));
  const lost = new Set(serious.map(({ path }) => path[1]));
  const isWhole = ({ id, transitions }: AgentNode) =>
    !lost.has(id) && transitions.every(({ target_node_id: to }) => !lost.has(to) || Object.hasOwn(back.nodes, to));
  const nodes = Object.values(graph.nodes).filter(isWhole);
  assert.equal(back.entry_node_id, graph.entry_node_id);
  for (const node of nodes) {
    const found = back.nodes[node.id];
    const hasSnippet = /\{%/.test(JSON.stringify(node));
    // a function that ends the call is an end
    const isEnding = node.node_type === "function" && found?.node_type !== "function" && node.transitions.length === 0;
    if (hasSnippet || node.id === "__proto__" || isEnding) continue;
    assert.ok(found && Object.hasOwn(back.nodes, node.id), `${node.id} is gone`);
    const isTerminal = node.node_type === "end" || node.node_type === "transfer";
    if (isTerminal) assert.equal(found.node_type, node.node_type);
    else assert.equal(outline(found), outline(node), node.id);
  }
  return nodes.length;
}

for (const [name, all] of [
  ["of flows", graphs()],
  ["of the schema", schemaGraphs()],
] as const)
  test(`nodes without a loss read back as they were, in generated graphs ${name}`, () => {
    let compared = 0;
    fc.assert(
      fc.property(all, (graph) => {
        compared += comparedNodes(graph);
      }),
      { numRuns: 500, endOnFailure: true },
    );
    assert.ok(compared > 20, `${compared} nodes`);
  });
