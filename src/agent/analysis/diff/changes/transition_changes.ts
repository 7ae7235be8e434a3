import type { Path } from "../../../../base/errors.ts";
import { omit } from "../../../../base/values/mod.ts";
import type { AgentNode, Transition, TransitionCondition } from "../../../../document/graph/mod.ts";
import { clauseKey, equationTail, implies } from "../affected_scenarios.ts";
import {
  changeOf,
  conditionPhrase,
  edge,
  type GraphChange,
  type NewChange,
  shortQuote,
  textParts,
  transitionPhrase,
} from "../change_kinds.ts";
import { isReordered, isSame, pairTransitions, unpaired } from "../matching/mod.ts";
import { otherChanges } from "./other_changes.ts";
import { metadataChanges } from "./rename_changes.ts";

/** The two versions of a node, and how changes of it name it. */
export interface NodePair {
  /** With the later names of its targets. */
  readonly before: AgentNode;
  readonly after: AgentNode;
  readonly earlierId: string;
  readonly id: string;
  /** Ids of the node in both versions. */
  readonly nodes: readonly string[];
}

const KNOWN = ["target_node_id", "condition", "description", "timing", "metadata"];

/** The changes of the transitions of a node. */
export function transitionChanges(pair: NodePair): readonly GraphChange[] {
  const { before, after, earlierId, id, nodes } = pair;
  const [earlier, later] = [before.transitions, after.transitions];
  if (isSame(earlier, later)) return [];
  const pairs = pairTransitions(earlier, later);
  const leads = (list: readonly Transition[], to: string) => list.some((each) => each.target_node_id === to);
  const removed = unpaired(earlier.length, pairs).flatMap((index): GraphChange[] => {
    const transition = earlier[index];
    if (!transition) return [];
    const { target_node_id: to } = transition;
    const words = transitionPhrase(transition);
    return [
      changeOf({
        kind: "transition-removed",
        path: ["nodes", earlierId, "transitions", index],
        node: earlierId,
        transition: index,
        before: transition,
        nodes,
        message: leads(later, to)
          ? `${edge(id, to)} no longer ${words}`
          : `Transition ${edge(id, to)} ${words} is gone`,
      }),
    ];
  });
  const others = later.flatMap((transition, index): readonly GraphChange[] => {
    const path = ["nodes", id, "transitions", index];
    const match = pairs[index];
    const old = match === undefined ? undefined : earlier[match];
    if (old) return oneTransition(old, transition, { path, node: id, transition: index, nodes });
    const { target_node_id: to } = transition;
    const words = transitionPhrase(transition);
    const message = leads(earlier, to)
      ? `${edge(id, to)} now also ${words}`
      : `New transition ${edge(id, to)} ${words}`;
    return [
      changeOf({ kind: "transition-added", path, node: id, transition: index, after: transition, nodes, message }),
    ];
  });
  return [...removed, ...others, ...orderChange(pair, pairs)];
}

type TransitionChangePlace = Required<Pick<NewChange, "path" | "node" | "transition" | "nodes">>;

function oneTransition(
  before: Transition,
  after: Transition,
  { path, ...more }: TransitionChangePlace,
): readonly GraphChange[] {
  if (isSame(before, after)) return [];
  const { target_node_id: to } = after;
  const subject = `Transition ${edge(more.node, to)}`;
  const change = (kind: NewChange["kind"], key: "target_node_id" | "description" | "timing", message: string) =>
    changeOf({ kind, path: [...path, key], ...more, before: before[key], after: after[key], message });
  const found: GraphChange[] = [];
  if (before.target_node_id !== to) {
    const words = `Transition of ${shortQuote(more.node)} ${transitionPhrase(after)}`;
    found.push(
      change(
        "transition-retargeted",
        "target_node_id",
        `${words} goes to ${shortQuote(to)} instead of ${shortQuote(before.target_node_id)}`,
      ),
    );
  }
  found.push(...conditionChanges(before.condition, after.condition, { path: [...path, "condition"], subject, more }));
  if (!isSame(before.description, after.description)) {
    const [old, now] = [before.description ?? "", after.description ?? ""];
    const message = `${subject} has another description: ${shortQuote(now)} instead of ${shortQuote(old)}`;
    found.push({ ...change("transition-changed", "description", message), words: textParts(old, now) });
  }
  if (!isSame(before.timing, after.timing)) {
    const [old, now] = [before.timing ?? "after_speech", after.timing ?? "after_speech"];
    found.push(
      old === now || after.condition.type !== "always"
        ? change("rewritten", "timing", `${subject} has another timing, which does not change when it is taken`)
        : change("transition-changed", "timing", `${subject} is taken ${TIMING[now]} instead of ${TIMING[old]}`),
    );
  }
  found.push(...metadataChanges(before.metadata, after.metadata, { path: [...path, "metadata"], more }));
  const extra = { path, more };
  found.push(...otherChanges(omit({ ...before }, KNOWN), omit({ ...after }, KNOWN), extra));
  return found;
}

const TIMING = {
  after_speech: "after the node has spoken",
  skip_response: "at once, without waiting for the caller",
  else: "when no other transition is taken",
} as const;

function orderChange(pair: NodePair, pairs: readonly (number | undefined)[]): readonly GraphChange[] {
  if (!isReordered(pairs)) return [];
  const { before, after, id, nodes } = pair;
  // LLM conditions are offered to the model together; all others are tried in order
  const tried = pairs.filter((_, index) => after.transitions[index]?.condition.type !== "llm_prompt");
  const matters = isReordered(tried);
  const order = (node: AgentNode) => node.transitions.map(({ target_node_id: to }) => to);
  const what = matters ? "are tried in another order" : "are offered in another order";
  return [
    changeOf({
      kind: matters ? "transitions-reordered" : "options-reordered",
      path: ["nodes", id, "transitions"],
      node: id,
      nodes,
      before: order(before),
      after: order(after),
      message: `Transitions of ${shortQuote(id)} ${what}: ${moved(order(after))} instead of ${moved(order(before))}`,
    }),
  ];
}

function moved(targets: readonly string[]): string {
  const most = 6;
  const left = targets.length - most;
  return [...targets.slice(0, most), ...(left > 0 ? [`${left} more`] : [])].join(", ");
}

/** The owner of a condition. */
export interface ConditionPlace {
  readonly path: Path;
  /** As the beginning of a sentence: `Transition "greet" → "pay"`. */
  readonly subject: string;
  readonly more: Pick<NewChange, "node" | "transition" | "nodes">;
}

const KNOWN_CONDITION_KEYS = ["type", "value", "equations", "logical_operator", "outcome"];

export function conditionChanges(
  before: TransitionCondition,
  after: TransitionCondition,
  { path, subject, more }: ConditionPlace,
): readonly GraphChange[] {
  if (isSame(before, after)) return [];
  const change = (kind: NewChange["kind"], message: string, rest: Partial<NewChange> = {}) => [
    changeOf({ kind, path, ...more, before, after, message: `${subject} ${message}`, ...rest }),
  ];
  const extra = otherChanges(omit({ ...before }, KNOWN_CONDITION_KEYS), omit({ ...after }, KNOWN_CONDITION_KEYS), {
    path,
    more,
  });
  if (isSame(omit({ ...before }, extraKeys(before)), omit({ ...after }, extraKeys(after)))) return extra;
  const words = `${conditionPhrase(after)} instead of ${conditionPhrase(before)}`;
  if (before.type !== after.type) return [...change("condition-changed", `is taken ${words}`), ...extra];
  const known = ((): readonly GraphChange[] => {
    switch (after.type) {
      case "llm_prompt":
        return before.value === after.value
          ? change("rewritten", "has other equations or outcomes, which an LLM condition does not use")
          : change("condition-reworded", `asks ${shortQuote(after.value)} instead of ${shortQuote(before.value)}`, {
              words: textParts(before.value, after.value),
            });
      case "equation":
        return equationChange(before, after, change);
      case "tool_call":
        return before.value === after.value && isSame(before.outcome, after.outcome)
          ? change("rewritten", "has other equations, which a tool outcome does not use")
          : change("condition-changed", `is taken ${words}`);
      case "always":
        return change("rewritten", "has another text, which a transition without condition does not use");
    }
  })();
  return [...known, ...extra];
}

function extraKeys(condition: TransitionCondition): readonly string[] {
  return Object.keys(condition).filter((key) => !KNOWN_CONDITION_KEYS.includes(key));
}

function equationChange(
  before: TransitionCondition,
  after: TransitionCondition,
  change: (kind: NewChange["kind"], message: string) => readonly GraphChange[],
): readonly GraphChange[] {
  const [wider, narrower] = [implies(before, after), implies(after, before)];
  if (wider && narrower) {
    const isTextAlone = isSame(before.equations?.map(clauseKey), after.equations?.map(clauseKey));
    return change("rewritten", `has the same equations, ${isTextAlone ? "with another spelling" : "in another form"}`);
  }
  const tail = equationTail(before, after);
  if (wider) return change("equation-wider", tail);
  return change(narrower ? "equation-narrower" : "equation-changed", tail);
}
