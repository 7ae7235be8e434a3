import { expandSnippets, lower } from "../../../../platforms/lower/mod.ts";
import { emit, type Loss } from "../../../../platforms/mod.ts";
import { isRecord, own, recordAt, records } from "../../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import { bothCalls, extracted, sameVisits, testVisits } from "../../visits.ts";
import { FlowCall } from "./_call.ts";

/** Losses after which a call may take another way. */
const OTHER_WAYS = [
  ...["mixed-condition", "tool-condition", "failed-condition", "operator", "operand", "too-many-ways"],
  ...["no-edge", "edge-taken", "no-default", "logic-fallback", "function-without-tool", "function-tools", "go-back"],
];

/** Holds a call of the engine against one of the flow. */
async function compare(given: AgentGraph, seed: number) {
  const { config, losses } = emit(given, "telnyx");
  const { graph, origins } = extracted(lower(given, [expandSnippets]).graph, given.source_type !== "telnyx");
  const calls = await bothCalls(graph, seed, (...script) => new FlowCall(config, ...script));
  const flow = recordAt(isRecord(config) ? config : {}, "conversation_flow");
  const ids = new Set(records(flow.nodes).map(({ id }) => id));
  const isThere = (id: string) => Object.hasOwn(graph.nodes, id) && (ids.size === 0 || ids.has(id));
  const isOther = otherNodes(graph, origins, losses);
  return sameVisits({ ...calls, seed, isThere, isOther });
}

/** Whether a call may take another way at a node or behind it, by the losses. */
function otherNodes(
  { nodes }: AgentGraph,
  origins: ReadonlyMap<string, string>,
  losses: readonly Loss[],
): (id: string) => boolean {
  const isOther = ({ code, path }: Loss) => {
    const node = own(nodes, String(path[1]));
    const transitions = node?.transitions ?? [];
    // a function that the caller of the API answers stores nothing
    if (code === "tool-detail") return path.at(-1) === "response_variables" && node?.node_type === "function";
    // an edge that is always true stands before others that a call may take
    if (code === "timing") return transitions.length > 1;
    // a variable that is not set is nothing in expressions, so that only its absence cannot be asked for
    const operators = transitions.flatMap(({ condition }) => condition.equations ?? []).map((each) => each.operator);
    return code === "exists" ? operators.includes("not_exist") : OTHER_WAYS.includes(code);
  };
  const lost = new Set(losses.filter(isOther).map(({ path }) => String(path[1])));
  return (id) => lost.has(id) || lost.has(origins.get(id) ?? id) || !own(nodes, id);
}

/** A graph without what Telnyx does otherwise, so that calls are compared to their end. */
function exactPart(graph: AgentGraph): AgentGraph {
  const nodes = Object.values(graph.nodes).map((node) => {
    const asks = node.node_type === "conversation";
    const transitions = node.transitions
      .filter(({ condition: { type }, target_node_id: to, timing }) => {
        if (asks && type === "always") return timing === "else";
        // words and an equation behind them would be one condition
        const isMixed = type === "llm_prompt" && (!asks || own(graph.nodes, to)?.node_type === "logic");
        return type !== "tool_call" && !isMixed;
      })
      .map((each) => {
        const equations = each.condition.equations?.map((clause) =>
          clause.operator === "not_exist" ? { ...clause, operator: "exists" as const } : clause,
        );
        return equations ? { ...each, condition: { ...each.condition, equations } } : each;
      });
    const setting = node.global_node_setting && { ...node.global_node_setting, go_back_conditions: [] };
    return [node.id, { ...node, transitions, ...(setting ? { global_node_setting: setting } : {}) }] as const;
  });
  return { ...graph, nodes: Object.fromEntries(nodes) };
}

testVisits({ flows: "flows", compare, exactPart });
