import { expandSnippets, lower } from "../../../../platforms/lower/mod.ts";
import { emit } from "../../../../platforms/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import { bothCalls, sameVisits, testVisits } from "../../visits.ts";
import { PathwayCall } from "./_call.ts";

/** Losses after which a call may take another way. */
const OTHER_WAYS = [
  ...["no-edge", "edge-taken", "tool-condition", "function-without-tool", "equation-words", "outcome-first"],
  ...["transition-timing", "function-tools", "variable-type", "parameters"],
];

/** What both know: our calls extract at extract nodes alone, and globals have tests of their own. */
function comparable(graph: AgentGraph): AgentGraph {
  const { graph: bare } = lower(graph, [expandSnippets]);
  const nodes = Object.values(bare.nodes).map((node) => [
    node.id,
    {
      ...node,
      global_node_setting: null,
      ...(node.node_type === "conversation" ? { variables_to_extract: [] } : {}),
    },
  ]);
  return parseGraph(JSON.parse(JSON.stringify({ ...bare, nodes: Object.fromEntries(nodes) })));
}

/** Holds a call of the engine against one of the pathway. */
async function compare(given: AgentGraph, seed: number) {
  const graph = comparable(given);
  const { config, losses } = emit(graph, "bland");
  const calls = await bothCalls(graph, seed, (...script) => new PathwayCall(config, graph, ...script));
  const isOther = new Set(losses.flatMap(({ code, path }) => (OTHER_WAYS.includes(code) ? [String(path[1])] : [])));
  return sameVisits({
    ...{ ...calls, seed },
    isThere: (id) => Object.hasOwn(graph.nodes, id),
    isOther: (id) => isOther.has(id),
  });
}

testVisits({ flows: "pathways", compare });
