import type { Path } from "../../src/base/errors.ts";
import { Names } from "../../src/base/values/mod.ts";
import { clauseVariables } from "../../src/document/expressions/mod.ts";
import type { Loss } from "../platform.ts";
import { type LoweredGraph, type LoweredNode, type LoweredTransition, transitionPath } from "./pass.ts";

/** A graph in which only extract nodes extract variables. */
export interface ExtractedBehind {
  readonly graph: LoweredGraph;
  /** Ids of the nodes that extracted variables, by the id of each extract node that does it now. */
  readonly origins: ReadonlyMap<string, string>;
  /** Paths of the variables that were moved. */
  readonly moved: readonly Path[];
}

/**
 * Moves the variables of conversation nodes to extract nodes behind them, for platforms where a conversation extracts
 * nothing: an extract node stands before each target, so that the values are there when the next node speaks. If a
 * transition of the node itself compares them, one extract node has all of its transitions, and leads back if none fires.
 *
 * @param isForeign Whether the graph is not one of the platform, whose nodes stay as they are.
 */
export function extractBehind(graph: LoweredGraph, isForeign = true): ExtractedBehind {
  if (!isForeign) return { graph, origins: new Map(), moved: [] };
  const names = new Names(Object.keys(graph.nodes), { joint: "_" });
  const origins = new Map<string, string>();
  const nodes = Object.values(graph.nodes).flatMap((node): readonly LoweredNode[] => {
    if (node.node_type !== "conversation" || node.variables_to_extract.length === 0) return [node];
    const isOne = canReturn(node) && (comparesOwn(node) || node.transitions.length === 0);
    const made = isOne ? withOneBehind(node, names) : withEachBehind(node, names);
    for (const { id } of made.slice(1)) origins.set(id, node.id);
    return made;
  });
  const moved = [...new Set(origins.values())].map((id) => ["nodes", id, "variables_to_extract"]);
  return { graph: { ...graph, nodes: Object.fromEntries(nodes.map((node) => [node.id, node])) }, origins, moved };
}

const ALWAYS = { type: "always", value: "" } as const;

/** Whether a node moves on without an answer, from which nothing can be extracted. */
const isAtOnce = ({ condition, timing }: LoweredTransition) =>
  condition.type === "always" && timing === "skip_response";

/** Whether a call may come back to a node after each answer: one with a fixed text would repeat it. */
function canReturn({ instruction_type: kind, global_node_setting: setting, transitions }: LoweredNode): boolean {
  return kind !== "static_text" && !setting?.go_back_conditions.length && !transitions.some(isAtOnce);
}

function comparesOwn({ transitions, variables_to_extract: variables }: LoweredNode): boolean {
  const own = new Set(variables.map(({ name }) => name));
  const compared = transitions.flatMap(({ condition }) => (condition.equations ?? []).flatMap(clauseVariables));
  return compared.some((name) => own.has(name));
}

function extractNode(node: LoweredNode, id: string, transitions: readonly LoweredTransition[]): LoweredNode {
  return {
    ...{ id, node_type: "extract", state_prompt: "", tools: [], metadata: {}, transitions },
    variables_to_extract: node.variables_to_extract,
  };
}

function withEachBehind(node: LoweredNode, names: Names): readonly LoweredNode[] {
  const behind = new Map<string, LoweredNode>();
  const transitions = node.transitions.map((transition, index): LoweredTransition => {
    const { target_node_id: target } = transition;
    if (isAtOnce(transition)) return transition;
    const onward = { target_node_id: target, condition: ALWAYS, madeFrom: ["nodes", node.id, "variables_to_extract"] };
    const extract = behind.get(target) ?? extractNode(node, names.take(`${node.id}_extract`), [onward]);
    behind.set(target, extract);
    return { ...transition, target_node_id: extract.id, madeFrom: transitionPath(node, index) };
  });
  if (behind.size === 0) return [node];
  return [{ ...node, transitions, variables_to_extract: [] }, ...behind.values()];
}

/** The outcome of a tool is known at the node alone. */
function withOneBehind(node: LoweredNode, names: Names): readonly LoweredNode[] {
  const all = node.transitions.map((transition, index): LoweredTransition => {
    return { ...transition, madeFrom: transitionPath(node, index) };
  });
  const stays = all.filter(({ condition }) => condition.type === "tool_call");
  const moved = all.filter((each) => !stays.includes(each)).map(({ timing: _, ...each }) => each);
  const madeFrom = ["nodes", node.id, "variables_to_extract"];
  const back = moved.some(({ condition }) => condition.type === "always")
    ? []
    : [{ target_node_id: node.id, condition: ALWAYS, madeFrom }];
  const extract = extractNode(node, names.take(`${node.id}_extract`), [...moved, ...back]);
  // not before a global node had its chance
  const last: LoweredTransition = { target_node_id: extract.id, condition: ALWAYS, timing: "else", madeFrom };
  const transitions = [...stays, last];
  return [{ ...node, transitions, variables_to_extract: [] }, extract];
}

/** The losses of nodes that were made, at the nodes that they were made of, each once. */
export function lossesAtOrigins(losses: readonly Loss[], origins: ReadonlyMap<string, string>): readonly Loss[] {
  const all = losses.map((loss): Loss => {
    const [first, id, ...rest] = loss.path;
    const origin = first === "nodes" ? origins.get(String(id)) : undefined;
    return origin === undefined ? loss : { ...loss, path: ["nodes", origin, ...rest] };
  });
  return [...new Map(all.map((loss) => [JSON.stringify(loss), loss])).values()];
}
