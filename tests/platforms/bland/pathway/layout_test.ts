import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord, omit, records } from "../../../../src/base/values/mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";
import { withNode } from "../../structural_edits.ts";

const topic = (right: string) => ({
  ...{ type: "equation", value: "" },
  equations: [{ left: "topic", operator: "==", right }],
});
const words = (value: string) => ({ type: "llm_prompt", value });
const always = { type: "always", value: "" };
const talk = (id: string, ...transitions: readonly (readonly [string, object])[]) => ({
  ...{ id, node_type: "conversation", state_prompt: `At ${id}.`, tools: [], variables_to_extract: [], metadata: {} },
  transitions: transitions.map(([target_node_id, condition]) => ({ target_node_id, condition })),
});

/** Nodes with equations, which pathways have in nodes beside them. */
const GRAPH = parseGraph({
  entry_node_id: "ask",
  nodes: {
    ask: talk("ask", ["tell", topic("fares")], ["help", words("Caller is lost")]),
    tell: talk("tell", ["more", topic("trains")], ["more", words("Caller wants more")]),
    help: talk("help", ["ask", always]),
    more: talk("more", ["help", topic("help")], ["ask", words("Caller asks again")]),
  },
});

/** The pathway of the graph: as it is, with every node in a place of its own, and with nodes that have none. */
function pathway(place: (index: number) => object | undefined): string {
  const { config } = emit(GRAPH, "bland");
  assert.ok(isRecord(config));
  const nodes = records(config.nodes).map((node, index) => ({ ...omit(node, ["position"]), ...place(index) }));
  return JSON.stringify({ ...config, nodes });
}

const PATHWAYS = {
  "positions of its own": pathway((index) => ({ position: { x: 31 * index, y: 1000 - 7 * index } })),
  "no positions": pathway(() => undefined),
  "positions from emit()": emit(GRAPH, "bland").text,
};

/** Places of the nodes, by id. */
function placesOf(config: unknown): unknown {
  assert.ok(isRecord(config));
  return records(config.nodes).map(({ id, position }) => [id, position]);
}

for (const [title, text] of Object.entries(PATHWAYS))
  test(`an edge that leads elsewhere moves no node of a pathway with ${title}`, () => {
    const { graph } = importAgent(text);
    const before = placesOf(emit(graph, "bland").config);
    let count = 0;
    for (const node of Object.values(graph.nodes))
      for (const index of node.transitions.keys())
        for (const target of ["ask", "tell", "help", "more"]) {
          const transitions = node.transitions.map((each, place) =>
            place === index ? { ...each, target_node_id: target } : each,
          );
          const { config } = emit(withNode(graph, { ...node, transitions }), "bland");
          assert.deepEqual(placesOf(config), before, `${index} of ${node.id} to ${target}`);
          count++;
        }
    assert.ok(count > 20, `${count} edits`);
  });
