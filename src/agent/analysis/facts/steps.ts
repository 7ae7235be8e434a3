import type { Path } from "../../../base/errors.ts";
import { getAt, isRecord, own, quotedList } from "../../../base/values/mod.ts";
import { clausesText, clauseText, expandedTexts } from "../../../document/expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  type EquationClause,
  goesOnAtOnce,
  isSilent,
  isTerminal,
  type Transition,
  type TransitionCondition,
  wayAfterFailedTransfer,
  waysAfterSpeech,
} from "../../../document/graph/mod.ts";
import { PLATFORM_DATA, PLATFORM_NAMES } from "../../../document/platforms/mod.ts";

/** Ids in quotes, the first five by name: `"a", "b" and 3 more`. */
export function listedIds(ids: readonly string[]): string {
  return quotedList(ids, 5);
}

/** The transitions of a node that the engine decides by equations, with their indexes. */
export function equationTransitions({ transitions }: AgentNode) {
  return [...transitions.entries()].filter(
    ([, { condition }]) => condition.type === "equation" && (condition.equations ?? []).length > 0,
  );
}

/** Every condition of a node with its path: transitions, global entry and go-back conditions. */
export function conditionsOf(id: string, node: AgentNode): readonly (readonly [Path, TransitionCondition])[] {
  const { global_node_setting: setting } = node;
  const at = ["nodes", id, "global_node_setting"];
  return [
    ...node.transitions.map(
      ({ condition }, index) => [["nodes", id, "transitions", index, "condition"], condition] as const,
    ),
    ...(setting ? [[at, { type: "llm_prompt", value: setting.condition }] as const] : []),
    ...(setting?.go_back_conditions ?? []).map(
      ({ condition }, index) => [[...at, "go_back_conditions", index, "condition"], condition] as const,
    ),
  ];
}

/** Every text that a call expands, and the snippets, which it expands them with. */
export function textsOf(graph: AgentGraph): readonly (readonly [Path, string])[] {
  const snippets = Object.entries(graph.snippets).map(([name, text]) => [["snippets", name], text] as const);
  return [...snippets, ...expandedTexts(graph)];
}

/** Every text in a document, metadata and tools included; the document that it was imported from is left out. */
export function* allTexts(value: unknown): Iterable<string> {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") yield next;
    else if (typeof next === "object" && next !== null)
      for (const [key, part] of Object.entries(next)) if (key !== "original") open.push(part);
  }
}

/** Formats an equation with its whole value, for findings and coverage. */
export function wholeClauseText(clause: EquationClause): string {
  return clauseText(clause, JSON.stringify);
}

/** Formats an equation condition with whole values: `balance < 0 and vip == "true"`. */
export function conditionText(condition: TransitionCondition): string {
  return clausesText(condition, JSON.stringify);
}

/** Formats variables with their values: `age = "7", plan not set`. */
export function valuesText(names: Iterable<string>, values: ReadonlyMap<string, string>): string {
  return [...names]
    .map((name) => {
      const text = values.get(name);
      return text === undefined ? `${name} not set` : `${name} = ${JSON.stringify(text)}`;
    })
    .join(", ");
}

/**
 * The transitions that continue a turn from a node without the caller being heard: all of a silent node; after speech,
 * those that skip the response or end the call at once.
 */
export function stepsInTurn(graph: AgentGraph, node: AgentNode): readonly Transition[] {
  if (node.node_type === "end") return [];
  if (node.node_type === "transfer") return [wayAfterFailedTransfer(node) ?? []].flat();
  if (isSilent(node)) return node.transitions;
  const { withoutModel: free, otherwise } = waysAfterSpeech(node);
  return otherwise && goesOn(graph, node, otherwise) ? [...free, otherwise] : free;
}

/** Whether a turn continues at the target of a transition: a conversation node reached after speech waits for the caller. */
export function goesOn(graph: AgentGraph, node: AgentNode, transition: Transition): boolean {
  if (node.node_type !== "conversation" || transition.timing === "skip_response") return true;
  const target = own(graph.nodes, transition.target_node_id);
  return target !== undefined && goesOnAtOnce(transition, target);
}

/** Whether a node is only a reference to an assistant that is saved at its platform, with a prompt and tools of its own. */
export function isElsewhere({ metadata }: AgentNode): boolean {
  return PLATFORM_NAMES.some((name) => {
    const { ids, unless } = PLATFORM_DATA[name].keys.savedNode;
    const settings = metadata[name];
    return (
      ids.some((path) => typeof getAt(settings, path) === "string") &&
      !unless.some((path) => isRecord(getAt(settings, path)))
    );
  });
}

/** The nodes that calls can reach. A node whose content is elsewhere may lead to every other. */
export function reachedIn(graph: AgentGraph): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [graph.entry_node_id, ...globalIds(graph)];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = own(graph.nodes, id);
    if (!node || reached.has(id)) continue;
    if (isElsewhere(node)) return new Set(Object.keys(graph.nodes));
    reached.add(id);
    for (const { target_node_id: target } of node.transitions) open.push(target);
  }
  return reached;
}

/** Whether a node can end the call: by its type, or with one of its tools. */
export function canEndCall(node: AgentNode): boolean {
  if (isTerminal(node) || isElsewhere(node)) return true;
  return node.tools.some((tool) => tool.type !== "custom" && /end|transfer|handoff|swap/i.test(tool.type ?? ""));
}

/** Ids of the nodes that can be entered from every conversation node. */
export function globalIds(graph: AgentGraph): readonly string[] {
  return Object.entries(graph.nodes).flatMap(([id, node]) => (node.global_node_setting ? [id] : []));
}
