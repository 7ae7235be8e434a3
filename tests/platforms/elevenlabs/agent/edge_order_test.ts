import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord, recordAt } from "../../../../src/base/values/mod.ts";
import { type AgentNode, parseGraph } from "../../../../src/document/graph/mod.ts";

const position = { x: 0, y: 0 };
const llm = (condition: string) => ({ type: "llm", condition });

/** A way back that the node's `edge_order` does not list. */
const AGENT = JSON.stringify({
  conversation_config: { agent: { prompt: { prompt: "Be kind." } } },
  workflow: {
    nodes: {
      start_node: { type: "start", position, edge_order: ["begin"] },
      ask: { type: "override_agent", label: "ask", position, additional_prompt: "Ask.", edge_order: ["on"] },
      tell: { type: "override_agent", label: "tell", position, additional_prompt: "Tell.", edge_order: ["over"] },
      bye: { type: "end", position, edge_order: [] },
    },
    edges: {
      begin: { source: "start_node", target: "ask", forward_condition: { type: "unconditional" } },
      on: { source: "ask", target: "tell", forward_condition: llm("answered"), backward_condition: llm("again") },
      over: { source: "tell", target: "bye", forward_condition: llm("done") },
    },
  },
});

/** The order of the edges of `tell`, after a change of the node in the graph. */
function orderAfter(change: (node: AgentNode) => AgentNode): unknown {
  const { graph } = importAgent(AGENT);
  const edited = parseGraph({ ...graph, nodes: { ...graph.nodes, tell: change(graph.nodes.tell ?? assert.fail()) } });
  const { config } = emit(edited, "elevenlabs");
  const nodes = recordAt(recordAt(isRecord(config) ? config : {}, "workflow"), "nodes");
  return recordAt(nodes, "tell").edge_order;
}

test("a way back outside of edge_order is read last, and listed when it comes before others", () => {
  const { graph } = importAgent(AGENT);
  assert.deepEqual(
    graph.nodes.tell?.transitions.map(({ target_node_id: to }) => to),
    ["bye", "ask"],
  );
  assert.equal(emit(graph, "elevenlabs").text, AGENT);
  assert.deepEqual(
    orderAfter((node) => ({ ...node, state_prompt: "Tell it." })),
    ["over"],
  );
  assert.deepEqual(
    orderAfter((node) => ({ ...node, transitions: [...node.transitions].reverse() })),
    ["on", "over"],
  );
});
