import type { AgentGraph, AgentNode, TransitionCondition } from "../../../document/graph/mod.ts";
import { wholeClauseText } from "../facts/mod.ts";
import { graphTransitions } from "../transitions.ts";

/** The kinds of items that coverage counts. */
export const COVERAGE_KINDS = ["node", "transition", "clause", "global", "go-back", "choice"] as const;

/**
 * What coverage counts: `node` (visited), `transition` (taken), `clause` of an equation (seen true, and seen false),
 * `global` (a global node entered by its condition), `go-back` (taken), `choice` of a variable (extracted).
 */
export type CoverageKind = (typeof COVERAGE_KINDS)[number];

/** One thing that a call can exercise. */
export type CoverageTarget =
  | { readonly kind: "node"; readonly node: string }
  /** `index`: of the node's transitions. */
  | { readonly kind: "transition"; readonly node: string; readonly index: number; readonly to: string }
  /** `of`, `index`: the transition or go-back condition of the node; `clause`: the index of its equation. */
  | {
      readonly kind: "clause";
      readonly node: string;
      readonly of: "transition" | "go-back";
      readonly index: number;
      readonly clause: number;
      readonly isTrue: boolean;
    }
  | { readonly kind: "global"; readonly node: string }
  /** `index`: of the node's go-back conditions. */
  | { readonly kind: "go-back"; readonly node: string; readonly index: number }
  | { readonly kind: "choice"; readonly node: string; readonly variable: string; readonly choice: string };

/** A target with its name in lists. */
export type NamedTarget = CoverageTarget & {
  /** Name in lists: `ask -> find: Caller gives a number`. */
  readonly name: string;
};

/** Everything that calls of a graph can exercise: nodes in the order of the document, each with what belongs to it. */
export function coverageTargets(graph: AgentGraph): readonly NamedTarget[] {
  const byNode = new Map<string, NamedTarget[]>();
  for (const { kind, node, index, to = "", name } of graphTransitions(graph)) {
    const target: NamedTarget =
      kind === "transition"
        ? { kind, node, index, to, name }
        : kind === "global"
          ? { kind, node, name }
          : { kind, node, index, name };
    byNode.set(node, [...(byNode.get(node) ?? []), target]);
  }
  const all = Object.entries(graph.nodes).flatMap(([id, node]): readonly NamedTarget[] => [
    { kind: "node", node: id, name: id },
    ...(byNode.get(id) ?? []),
    ...clausesOf(id, node),
    ...choicesOf(id, node),
  ]);
  return [...new Map(all.map((target) => [targetKey(target), target])).values()];
}

function clausesOf(id: string, { transitions, global_node_setting: setting }: AgentNode): readonly NamedTarget[] {
  const backs = setting?.go_back_conditions ?? [];
  return [
    ...transitions.flatMap(({ condition, target_node_id: to }, index) =>
      clausesIn(condition, { node: id, of: "transition", index }, `${id} -> ${to}`),
    ),
    ...backs.flatMap(({ condition }, index) =>
      clausesIn(condition, { node: id, of: "go-back", index }, `back from ${id}`),
    ),
  ];
}

function clausesIn(
  { type, equations }: TransitionCondition,
  at: { readonly node: string; readonly of: "transition" | "go-back"; readonly index: number },
  name: string,
): readonly NamedTarget[] {
  if (type !== "equation") return [];
  return (equations ?? []).flatMap((equation, clause) =>
    [true, false].map((isTrue): NamedTarget => {
      return { kind: "clause", ...at, clause, isTrue, name: `${name}: ${wholeClauseText(equation)} is ${isTrue}` };
    }),
  );
}

/** The choices that an extract node can find. */
function choicesOf(id: string, { node_type: type, variables_to_extract: variables }: AgentNode) {
  if (type !== "extract") return [];
  return variables.flatMap(({ name: variable, choices }) =>
    (choices ?? []).map((choice): NamedTarget => {
      const name = `${id}: ${variable} = ${JSON.stringify(choice)}`;
      return { kind: "choice", node: id, variable, choice, name };
    }),
  );
}

/** A key for sets and maps. */
export function targetKey(target: CoverageTarget): string {
  const { kind, node } = target;
  switch (kind) {
    case "transition":
    case "go-back":
      return JSON.stringify([kind, node, target.index]);
    case "clause":
      return JSON.stringify([kind, node, target.of, target.index, target.clause, target.isTrue]);
    case "choice":
      return JSON.stringify([kind, node, target.variable, target.choice]);
    default:
      return JSON.stringify([kind, node]);
  }
}
