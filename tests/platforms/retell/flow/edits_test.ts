import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { ownKeys } from "../../../../platforms/retell/shared/mod.ts";
import { type AgentGraph, type AgentNode, parseGraph, type Transition } from "../../../../src/document/graph/mod.ts";
import { fc } from "../../../properties.ts";
import { differences, meaning } from "./differences.ts";
import { documents } from "./documents.ts";

const read = (document: unknown): AgentGraph => importAgent(document, { format: "retell" }).graph;

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const emitted = (graph: AgentGraph): unknown => plain(emit(graph, "retell").config);
const MARK = " (edited)";

interface Edit {
  readonly what: string;
  readonly graph: AgentGraph;
}

function withNode(graph: AgentGraph, node: AgentNode): AgentGraph {
  return { ...graph, nodes: Object.fromEntries([...Object.entries(graph.nodes), [node.id, node]]) };
}

function withTransition(graph: AgentGraph, node: AgentNode, index: number, transition: Transition): AgentGraph {
  return withNode(graph, { ...node, transitions: node.transitions.with(index, transition) });
}

/** Generates an edit for each prompt, condition, right side and target. */
function* edits(graph: AgentGraph): Generator<Edit> {
  for (const node of Object.values(graph.nodes)) {
    if (isShared(graph, node)) continue;
    const inComponent = ownKeys(node).component !== undefined;
    const silentEnd = inComponent && node.node_type === "logic";
    if (node.state_prompt !== "" && !silentEnd)
      yield {
        what: `prompt of ${node.id}`,
        graph: withNode(graph, { ...node, state_prompt: `${node.state_prompt}${MARK}` }),
      };
    for (const [index, transition] of node.transitions.entries()) {
      const { condition } = transition;
      const what = `${index} of ${node.id}`;
      const put = (changed: Transition) => withTransition(graph, node, index, changed);
      if (condition.type === "llm_prompt") {
        const value = `${condition.value}${MARK}`;
        yield { what: `condition ${what}`, graph: put({ ...transition, condition: { ...condition, value } }) };
      }
      const [first, ...others] = condition.equations ?? [];
      if (first && typeof first.right === "string" && first.left !== "") {
        const equations = [{ ...first, right: `${first.right}edited` }, ...others];
        yield { what: `equation ${what}`, graph: put({ ...transition, condition: { ...condition, equations } }) };
      }
      const other = Object.keys(graph.nodes).find((id) => id !== transition.target_node_id && !id.includes("/"));
      if (other !== undefined && !inComponent)
        yield { what: `target ${what}`, graph: put({ ...transition, target_node_id: other }) };
    }
  }
}

/** Whether a node belongs to a component with several component nodes. Editing it copies the component. */
function isShared(graph: AgentGraph, { id }: AgentNode): boolean {
  const owner = Object.values(graph.nodes).find((node) => id.startsWith(`${node.id}/`));
  const partOf = (node: AgentNode) => ownKeys(node).component !== undefined && ownKeys(node).component_id;
  return owner !== undefined && Object.values(graph.nodes).filter((node) => partOf(node) === partOf(owner)).length > 1;
}

test("one edit of the graph is one change of the document, and is imported again", () => {
  let made = 0;
  fc.assert(
    fc.property(documents(), (document) => {
      const graph = parseGraph(plain(read(plain(document))));
      const before = emitted(graph);
      for (const edit of edits(graph)) {
        const after = emitted(edit.graph);
        assert.equal(differences(before, after).length, 1, `${edit.what}: ${differences(before, after).join(", ")}`);
        assert.deepEqual(meaning(read(after)), meaning(edit.graph), edit.what);
        made++;
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 30) },
  );
  assert.ok(made > fc.sampled(150), `${made} edits`);
});
