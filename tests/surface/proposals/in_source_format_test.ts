import assert from "node:assert/strict";
import { test } from "node:test";
import { importAgent } from "../../../platforms/mod.ts";
import { formatGraph } from "../../../src/document/graph/mod.ts";
import { inSourceFormat } from "../../../src/surface/proposals/mod.ts";
import { hotel } from "../studio/page/_hotel.ts";

/** A document with another prompt of a node. */
function changed(text: string, node: string): string {
  const { graph } = importAgent(text, { format: "graph" });
  const old = graph.nodes[node];
  assert.ok(old);
  const nodes = { ...graph.nodes, [node]: { ...old, state_prompt: "Ask for the plate." } };
  return inSourceFormat({ ...graph, nodes }, { format: "graph", text });
}

test("inSourceFormat() changes the one text of a document, whatever its order and layout", () => {
  const prompt = JSON.stringify(hotel.nodes.parking_ask?.state_prompt);
  const sparse = '{"nodes":{"a":{"state_prompt":"Greet."},\n\n"b":{"state_prompt":"Bye."}},  "entry_node_id":"a"}';
  for (const text of [formatGraph(hotel), `${JSON.stringify(hotel, null, "\t")}\r\n`])
    assert.equal(changed(text, "parking_ask"), text.replace(prompt, '"Ask for the plate."'));
  assert.equal(changed(sparse, "b"), sparse.replace("Bye.", "Ask for the plate."));
});
