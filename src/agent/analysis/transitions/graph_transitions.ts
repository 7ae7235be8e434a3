import type { AgentGraph, Transition } from "../../../document/graph/mod.ts";
import { conditionText } from "../facts/mod.ts";
import type { Goal } from "../paths/mod.ts";

/** A transition, the entry of a global node, or a go-back: everything that can move a call to another node. */
export interface GraphTransition {
  /** `transition`: of a node; `global`: the entry of a global node; `go-back`: from a global node to where the call was. */
  readonly kind: "transition" | "global" | "go-back";
  /** The node that is left; for a global entry, the global node. */
  readonly node: string;
  /** Index among the node's transitions, or among its go-back conditions; 0 for a global entry. */
  readonly index: number;
  /** The node that is entered; absent for a go-back. */
  readonly to?: string;
  /** Name in lists: `ask -> find: Caller gives a number`. */
  readonly name: string;
}

/** Every way that a graph declares, in the order of the document. */
export function graphTransitions(graph: AgentGraph): readonly GraphTransition[] {
  return Object.entries(graph.nodes).flatMap(([id, node]): readonly GraphTransition[] => {
    const { global_node_setting: setting, transitions } = node;
    return [
      ...transitions.map((transition, index): GraphTransition => {
        const to = transition.target_node_id;
        return { kind: "transition", node: id, index, to, name: `${id} -> ${to}${labelOf(transition)}` };
      }),
      ...(setting
        ? [{ kind: "global", node: id, index: 0, to: id, name: `into ${id}${suffix(setting.condition)}` } as const]
        : []),
      ...(setting?.go_back_conditions ?? []).map(({ condition }, index): GraphTransition => {
        const text = condition.type === "equation" ? conditionText(condition) : condition.value;
        return { kind: "go-back", node: id, index, name: `back from ${id}${suffix(text)}` };
      }),
    ];
  });
}

/** The goal of a path that takes a transition. */
export function goalOf({ kind, node, index }: GraphTransition): Goal {
  if (kind === "transition") return { from: node, transition: index };
  return kind === "global" ? { global: node } : { goBackFrom: node, condition: index };
}

/** A key for sets and maps. */
export function graphTransitionKey({ kind, node, index }: Pick<GraphTransition, "kind" | "node" | "index">): string {
  return JSON.stringify([kind, node, index]);
}

function labelOf({ condition, timing }: Transition): string {
  if (condition.type === "llm_prompt") return suffix(condition.value);
  if (condition.type === "equation") return suffix(conditionText(condition));
  if (condition.type === "always") return timing === "else" ? ": else" : "";
  return suffix([condition.value || "the tool", condition.outcome ?? "answers"].join(" "));
}

/** Maximum length of a condition in a name, in characters. */
const LONGEST = 60;

function suffix(text: string): string {
  const words = text.replace(/\s+/g, " ").trim();
  if (words === "") return "";
  return `: ${words.length > LONGEST ? `${words.slice(0, LONGEST).trimEnd()}…` : words}`;
}
