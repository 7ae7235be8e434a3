import { GraphError } from "../../../base/errors.ts";
import { checkOptions, oneLine, own } from "../../../base/values/mod.ts";
import { type AgentGraph, fingerprint, toGraph } from "../../../document/graph/mod.ts";
import { conditionText, wholeClauseText } from "../facts/mod.ts";
import {
  type CallPath,
  type EvaluatedClause,
  type Goal,
  type PathAnswer,
  type PathStep,
  pathFinder,
} from "../paths/mod.ts";
import { conditionsTo } from "../play/mod.ts";
import { explainUnreachable, type GraphTransition } from "../transitions.ts";
import type { Coverage, CoverageItem } from "./coverage_marks.ts";
import { COVERAGE_RULE, differentGraph } from "./merge_coverage.ts";
import { targetKey } from "./targets.ts";

/**
 * An item that no call has exercised: with a shortest path that covers it, the reason why no call can, or the reason
 * why neither was found.
 */
export type UncoveredItem =
  | {
      readonly kind: "found";
      readonly item: CoverageItem;
      readonly path: CallPath;
      /** The path in words, one sentence a step. */
      readonly words: readonly string[];
    }
  | { readonly kind: "none" | "unknown"; readonly item: CoverageItem; readonly reason: string };

/** Limit of states to search when the shortest path contradicts itself; takes some seconds. */
const MOST_STATES = 300_000;

const ACTION = "Cannot find paths to uncovered items";

/**
 * Finds a shortest path to each uncovered item, or proves that no call can reach it. `playPath()` makes a scenario
 * of a path, which covers the item if the model and the caller follow it.
 *
 * @returns In the order of the items.
 * @throws {GraphError} `not-a-graph`, `invalid-option`; `different-graph` when the coverage is of another graph.
 */
export function uncovered(source: AgentGraph, coverage: Coverage): readonly UncoveredItem[] {
  const graph = toGraph(source, ACTION);
  checkOptions({ coverage: coverage ?? null }, { coverage: COVERAGE_RULE }, GraphError, ACTION);
  if (coverage.graphFingerprint !== fingerprint(graph)) throw differentGraph(ACTION);
  const open = coverage.items.filter(({ calls }) => calls === 0);
  const finder = pathFinder(graph, { mostStates: MOST_STATES });
  const answers = open.map((item) => ({ item, answer: firstFound(goalsOf(graph, item).map(finder.find)) }));
  const missing = answers.flatMap(({ item, answer }) => (answer.kind === "none" ? [item] : []));
  const reasons = reasonsOf(graph, missing, (node) => finder.find({ node }).kind !== "none");
  return answers.map(({ item, answer }): UncoveredItem => {
    if (answer.kind === "none") return { kind: "none", item, reason: reasons.get(item) ?? "no call gets there" };
    if (answer.kind === "unknown") return { kind: "unknown", item, reason: answer.reason };
    const path = item.kind === "choice" ? withChoice(answer.path, item) : answer.path;
    const words = pathWords(graph, { ...path, steps: stepsTo(path, item) });
    return {
      kind: "found",
      item,
      path,
      words: item.kind === "clause" ? [...words, clauseSentence(graph, item)] : words,
    };
  });
}

/** Goals of paths that exercise an item; reaching one of them is enough. */
function goalsOf({ nodes }: AgentGraph, item: CoverageItem): readonly Goal[] {
  const { kind, node } = item;
  switch (kind) {
    case "node":
      return [{ node }];
    case "transition":
      return [{ from: node, transition: item.index }];
    case "go-back":
      return [{ goBackFrom: node, condition: item.index }];
    case "clause": {
      const { of, index, clause, isTrue } = item;
      return [{ evaluates: { node, of, index, clause, isTrue } }];
    }
    case "choice":
      return [{ extracts: node }];
    case "global": {
      // if a node has its own transition to the global node, the model's pick counts as that transition
      const ways = Object.entries(nodes).flatMap(([from, { node_type: type, transitions }]) =>
        [...transitions.entries()].flatMap(([transition, { target_node_id: to, condition }]) =>
          type === "conversation" && from !== node && to === node && condition.type === "llm_prompt"
            ? [{ from, transition }]
            : [],
        ),
      );
      return [{ global: node }, ...ways];
    }
  }
}

function firstFound(answers: readonly PathAnswer[]): PathAnswer {
  return (
    answers.find(({ kind }) => kind === "found") ?? answers.find(({ kind }) => kind === "unknown") ?? { kind: "none" }
  );
}

/** The steps of a path up to the one that covers the item; the rest of the turn follows from it. */
function stepsTo({ steps }: CallPath, item: CoverageItem): CallPath["steps"] {
  const { kind, node } = item;
  const at = steps.findIndex((step) => {
    if (step.kind === "open") return kind === "node" && step.node === node;
    if (step.kind !== "move") return false;
    if (kind === "node" || kind === "global") return step.to === node;
    return step.from === node && (kind === "transition" ? step.to === item.to : kind === "go-back" && step.by === kind);
  });
  return at < 0 ? steps : steps.slice(0, at + 1);
}

/** The path up to the first extraction at a node, which finds the choice. */
function withChoice(path: CallPath, { node, variable, choice }: Extract<CoverageItem, { kind: "choice" }>): CallPath {
  const at = path.steps.findIndex((step) => step.kind === "extract" && step.node === node);
  const last = path.steps[at];
  if (last?.kind !== "extract") return path;
  const values = Object.fromEntries([...Object.entries(last.values), [variable, choice]]);
  return { ...path, steps: [...path.steps.slice(0, at), { ...last, values }] };
}

/** Why no call exercises these items. */
function reasonsOf(
  graph: AgentGraph,
  items: readonly CoverageItem[],
  isReached: (node: string) => boolean,
): ReadonlyMap<CoverageItem, string> {
  const transitions = new Map<GraphTransition, CoverageItem>();
  for (const item of items) {
    const { kind, node, name } = item;
    if (kind === "transition") transitions.set({ kind, node, index: item.index, to: item.to, name }, item);
    if (kind === "go-back") transitions.set({ kind, node, index: item.index, name }, item);
    if (kind === "global") transitions.set({ kind, node, index: 0, to: node, name }, item);
  }
  const keys = new Set(items.map(targetKey));
  const reasonOf = (item: CoverageItem): string => {
    if (!isReached(item.node)) return `no call reaches node "${item.node}"`;
    if (item.kind !== "clause") return "no call gets there";
    const isNever = keys.has(targetKey({ ...item, isTrue: !item.isTrue }));
    return isNever ? "no call evaluates it" : `it is ${!item.isTrue} in every call that evaluates it`;
  };
  const reasons = new Map(items.map((item) => [item, reasonOf(item)]));
  for (const { transition, reason } of explainUnreachable(graph, [...transitions.keys()], isReached)) {
    const item = transitions.get(transition);
    if (item) reasons.set(item, reason);
  }
  return reasons;
}

/** Describes a path, one sentence per step: what the caller says, what is extracted, where the call goes. */
export function pathWords(graph: AgentGraph, { variables, steps }: CallPath): readonly string[] {
  const given = Object.entries(variables).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const start = `The call starts at ${graph.entry_node_id}${given.length > 0 ? ` with ${given.join(", ")}` : ""}`;
  return [start, ...steps.flatMap((step, index) => sentencesOf(graph, step, steps[index + 1]))];
}

/** The last sentence of a path whose goal is the value of a clause. */
export function clauseSentence(graph: AgentGraph, { node: id, of, index, clause, isTrue }: EvaluatedClause): string {
  const node = own(graph.nodes, id);
  const condition =
    of === "transition"
      ? node?.transitions[index]?.condition
      : node?.global_node_setting?.go_back_conditions[index]?.condition;
  const equation = condition?.equations?.[clause];
  return `There ${equation ? wholeClauseText(equation) : "the equation"} is ${isTrue}`;
}

function sentencesOf(graph: AgentGraph, step: PathStep, next: PathStep | undefined): readonly string[] {
  switch (step.kind) {
    case "hear":
      return next?.kind === "decide" ? [] : [`The caller speaks at ${step.node}`];
    case "decide":
      return [decisionWords(graph, step)];
    case "extract":
      return [extractionWords(step)];
    case "tool":
      return [toolWords(step)];
    case "move":
      return moveWords(graph, step);
    default:
      return [];
  }
}

function decisionWords(graph: AgentGraph, { node: id, target }: Extract<PathStep, { kind: "decide" }>): string {
  const node = own(graph.nodes, id);
  if (target === undefined || !node) return `At ${id} the model picks no transition`;
  const [condition = ""] = conditionsTo(graph, node, target);
  return condition.trim() === ""
    ? `At ${id} the model picks ${target}`
    : `At ${id} this is true: "${oneLine(condition)}", so the model picks ${target}`;
}

function extractionWords({ node, values }: Extract<PathStep, { kind: "extract" }>): string {
  const found = Object.entries(values).map(([name, value]) =>
    value === null ? `no ${name}` : `${name} = ${JSON.stringify(value)}`,
  );
  return found.length === 0 ? `${node} extracts any values` : `${node} extracts ${found.join(", ")}`;
}

function toolWords({ node, tool, outcome, variables }: Extract<PathStep, { kind: "tool" }>): string {
  const set = Object.entries(variables).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const end = outcome === "failed" ? "fails" : "succeeds";
  return `Tool ${tool} ${end} at ${node}${set.length > 0 ? ` and sets ${set.join(", ")}` : ""}`;
}

function moveWords(graph: AgentGraph, step: Extract<PathStep, { kind: "move" }>): readonly string[] {
  const { from, to, by, transition, goBack } = step;
  const node = own(graph.nodes, from);
  switch (by) {
    case "model":
    case "global":
      return []; // the sentence of the decision names the target
    case "equation": {
      const condition = transition === undefined ? undefined : node?.transitions[transition]?.condition;
      return [`${condition ? conditionText(condition) : "An equation"} leads to ${to}`];
    }
    case "go-back": {
      const back = goBack === undefined ? undefined : node?.global_node_setting?.go_back_conditions[goBack];
      return back?.condition.type === "equation" ? [`${conditionText(back.condition)} leads back to ${to}`] : [];
    }
    case "transfer-failed":
      return [`The transfer at ${from} fails, which leads to ${to}`];
    default:
      return [`The call continues at ${to}`];
  }
}
