import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { eject } from "../../../dsl/mod.ts";
import { emit, importAgent } from "../../../platforms/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { fc } from "../../properties.ts";
import { graphs } from "./_graphs.ts";
import { compiledAgain, documentOf, moduleFolder } from "./_load.ts";
import { sharedAgents } from "./_shared.ts";

test("eject() of random graphs with hostile texts, ids and keys compiles to the same document", async () => {
  const { path, remove } = moduleFolder();
  let count = 0;
  try {
    await fc.assert(
      fc.asyncProperty(graphs, async (graph) => {
        count++;
        const compiled = await compiledAgain(graph, join(path, String(count)));
        assert.deepEqual(documentOf(compiled), documentOf(graph));
        const nodes: object = Reflect.get(Object(compiled), "nodes");
        assert.deepEqual(Object.keys(nodes), Object.keys(graph.nodes));
      }),
      { numRuns: 500 },
    );
  } finally {
    remove();
  }
});

test("eject() of every shared agent compiles to the same document, and emits the imported text", async (t) => {
  const agents = sharedAgents();
  if (agents.length === 0) {
    t.skip("no shared agents here");
    return;
  }
  assert.ok(agents.length > 50, `${agents.length} agents`);
  const { path, remove } = moduleFolder();
  try {
    const step = Math.round(agents.length / fc.sampled(agents.length));
    for (const [index, { name, graph, text, format }] of agents.entries()) {
      if (index % step !== 0) continue;
      const compiled = await compiledAgain(graph, join(path, String(index)));
      assert.deepEqual(documentOf(compiled), documentOf(graph), name);
      if (format !== "graph") assert.equal(emit(compiled as AgentGraph, format).text, text, name); // compared above
    }
  } finally {
    remove();
  }
});

test("eject() reports a node whose id is blank", () => {
  const graph = importAgent({ entry_node_id: " ", nodes: { " ": {} } }, { format: "graph" }).graph;
  assert.throws(() => eject(graph), { code: "empty-name" });
});

test("eject() explains the line without which an agent would get the name of the flow", () => {
  const { graph } = importAgent({ nodes: [{ id: "bye", type: "end" }], start_node_id: "bye" }, { format: "retell" });
  const [flow] = eject(graph, { name: "export" });
  assert.match(flow?.text ?? "", /\/\/ The agent has no name of its own\. Remove this line, .*\n\s+name: undefined,\n/);
});
