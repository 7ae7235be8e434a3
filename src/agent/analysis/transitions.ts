import { isRecord, own } from "../../base/values/mod.ts";
import { bareName, clauseText, textOf } from "../../document/expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  type EquationClause,
  type Finding,
  type GoBackCondition,
  hasOutcome,
  type Transition,
  type TransitionCondition,
} from "../../document/graph/mod.ts";
import type { EvaluatedEquation, Message, RecordedMove } from "../../document/transcript/mod.ts";
import { conditionText } from "./facts/mod.ts";
import { checkGraph } from "./findings/mod.ts";
import type { CallPath, Goal } from "./paths/mod.ts";

/** The equations that a record names as evaluated; `undefined` when it names none. */
export function recordedEquations({ metadata }: MoveRecord): readonly EvaluatedEquation[] | undefined {
  if (!Array.isArray(metadata.equations)) return undefined;
  return metadata.equations.filter(isRecord).flatMap(({ transition, go_back, clauses }): EvaluatedEquation[] => {
    const values = Array.isArray(clauses) ? clauses.map(Boolean) : [];
    if (typeof transition === "number") return [{ transition, clauses: values }];
    return typeof go_back === "number" ? [{ go_back, clauses: values }] : [];
  });
}

/**
 * Deduces the values of equations from records of older versions, which did not name the equations: the one that was
 * taken is true, and those before it are false; all of a node are false where the model or an `else` decided. For a
 * condition with several clauses this gives the value of each only if they are all the same.
 */
export function deducedEquations(
  graph: AgentGraph,
  { node_id: id, metadata }: MoveRecord,
  ways: readonly RecordedMove[],
): readonly EvaluatedEquation[] {
  const because = metadata.kind === "transition" ? String(metadata.because ?? "") : undefined;
  const [way] = ways;
  if (because !== undefined && !metadata.decision && (isAfterSpeech(because) || !way)) return [];
  const node = own(graph.nodes, id);
  const transitions = [...(node?.transitions ?? []).entries()].filter(([, each]) => each.condition.type === "equation");
  const backs = [...(node?.global_node_setting?.go_back_conditions ?? []).entries()];
  const isFree = because !== undefined && !metadata.decision && typeOf(because) !== "always";
  const last = isFree && way && "transition" in way ? way.transition : Number.POSITIVE_INFINITY;
  const lastBack = isFree && way && "go_back" in way ? way.go_back : -1;
  return [
    ...transitions
      .filter(([index]) => index <= last)
      .flatMap(([index, { condition }]) =>
        clausesOf(condition, index === last).map((clauses) => ({ transition: index, clauses })),
      ),
    ...backs
      .filter(([index, { condition }]) => condition.type === "equation" && index <= lastBack)
      .flatMap(([index, { condition }]) =>
        clausesOf(condition, index === lastBack).map((clauses) => ({ go_back: index, clauses })),
      ),
  ];
}

/** The values of clauses that follow from the value of their condition; none where several values are possible. */
function clausesOf({ equations, logical_operator }: TransitionCondition, holds: boolean): readonly boolean[][] {
  const count = equations?.length ?? 0;
  return count === 1 || holds === (logical_operator !== "or") ? [Array.from({ length: count }, () => holds)] : [];
}

export type TransitionKeys = ReadonlySet<string>;

/** The fields of a call that show which transitions it took. */
export interface TakenPath {
  readonly nodesVisited: readonly string[];
  readonly transcript?: readonly Pick<Message, "node_id" | "metadata">[];
}

/** The transitions that a path takes. */
export function keysOfPath(graph: AgentGraph, { steps }: CallPath): TransitionKeys {
  return new Set(
    steps.flatMap((step) => {
      if (step.kind !== "move") return [];
      const { from, to, by, transition, goBack } = step;
      if (by === "global") return [graphTransitionKey({ kind: "global", node: to, index: 0 })];
      if (by === "model") return keysTo(graph, from, to, "llm_prompt");
      if (transition !== undefined) return [transitionKey(from, transition)];
      const isOffered = goBack !== undefined && backsOf(graph, from)[goBack]?.condition.type === "llm_prompt";
      return isOffered || goBack === undefined ? goBackKeys(graph, from, "llm_prompt") : [goBackKey(from, goBack)];
    }),
  );
}

/**
 * The transitions that a call took, by the records in its transcript; without a transcript, by the nodes that it
 * visited.
 */
export function keysOfCall(graph: AgentGraph, { nodesVisited, transcript }: TakenPath): TransitionKeys {
  const records = (transcript ?? []).filter(({ metadata }) => metadata.kind === "transition");
  return records.length > 0
    ? new Set(records.flatMap((record) => keysOfRecord(graph, record)))
    : keysOfVisits(graph, nodesVisited);
}

/**
 * The transitions between nodes that are visited one after the other. Every transition between two nodes counts,
 * because the nodes do not show which of them it was.
 */
export function keysOfVisits(graph: AgentGraph, visited: readonly string[]): TransitionKeys {
  return new Set(
    visited.slice(1).flatMap((to, index) => {
      const from = visited[index] ?? "";
      const node = own(graph.nodes, from);
      const isEntered = node?.node_type === "conversation" && own(graph.nodes, to)?.global_node_setting;
      return [
        ...keysTo(graph, from, to),
        ...(isEntered ? [graphTransitionKey({ kind: "global", node: to, index: 0 })] : []),
        ...(visited.slice(0, index).includes(to) ? goBackKeys(graph, from) : []),
      ];
    }),
  );
}

function keysOfRecord(graph: AgentGraph, record: MoveRecord): readonly string[] {
  const { node_id: from, metadata } = record;
  return (recordedWays(record) ?? deducedWays(graph, record)).map((way) => {
    if ("transition" in way) return transitionKey(from, way.transition);
    return "go_back" in way
      ? goBackKey(from, way.go_back)
      : graphTransitionKey({ kind: "global", node: String(metadata.to), index: 0 });
  });
}

function keysTo(graph: AgentGraph, from: string, to: string, type?: string): readonly string[] {
  return [...(own(graph.nodes, from)?.transitions ?? []).entries()].flatMap(([index, transition]) => {
    if (transition.target_node_id !== to || (type !== undefined && transition.condition.type !== type)) return [];
    return [transitionKey(from, index)];
  });
}

function goBackKeys(graph: AgentGraph, from: string, type?: string): readonly string[] {
  return [...backsOf(graph, from).entries()].flatMap(([index, { condition }]) =>
    type === undefined || condition.type === type ? [goBackKey(from, index)] : [],
  );
}

function backsOf({ nodes }: AgentGraph, id: string): readonly GoBackCondition[] {
  return own(nodes, id)?.global_node_setting?.go_back_conditions ?? [];
}

function goBackKey(node: string, index: number): string {
  return graphTransitionKey({ kind: "go-back", node, index });
}

function transitionKey(node: string, index: number): string {
  return graphTransitionKey({ kind: "transition", node, index });
}

/** The record of a move or of a decision. */
export type MoveRecord = Pick<Message, "node_id" | "metadata">;

/**
 * The ways that the record of a move names.
 *
 * @returns `undefined` for a record of a version that did not name them.
 */
export function recordedWays({ metadata: { ways } }: MoveRecord): readonly RecordedMove[] | undefined {
  if (!Array.isArray(ways)) return undefined;
  return ways.filter(isRecord).flatMap(({ transition, go_back, global }): RecordedMove[] => {
    if (typeof transition === "number") return [{ transition }];
    if (typeof go_back === "number") return [{ go_back }];
    return global === true ? [{ global }] : [];
  });
}

/**
 * Deduces the transitions that a move took from the nodes and the reason in its record; none if several are possible. If
 * the model chose, all offered conditions that lead to the node count.
 */
export function deducedWays(graph: AgentGraph, { metadata }: MoveRecord): readonly RecordedMove[] {
  const { kind, from, to, because, decision } = metadata;
  const node = typeof from === "string" ? own(graph.nodes, from) : undefined;
  if (kind !== "transition" || !node || typeof to !== "string") return [];
  const reason = String(because ?? "");
  const direct = [...node.transitions.entries()].flatMap(([index, each]) =>
    each.target_node_id === to ? [{ index, each }] : [],
  );
  const backs = [...(node.global_node_setting?.go_back_conditions ?? []).entries()];
  if (decision) {
    const picked = direct.filter(({ each }) => each.condition.type === "llm_prompt");
    if (picked.length > 0) return picked.map(({ index }) => ({ transition: index }));
    if (own(graph.nodes, to)?.global_node_setting) return [{ global: true }];
    return backs.flatMap(([index, { condition }]) => (condition.type === "llm_prompt" ? [{ go_back: index }] : []));
  }
  const type = typeOf(reason);
  const ways = direct.filter(({ each }) => fits(node, each, type, reason));
  const [only] = ways;
  if (only) return ways.length === 1 || type === "always" ? [{ transition: only.index }] : [];
  const holding = type === "equation" ? backs.filter(([, back]) => isBackOf(back, reason)) : [];
  return holding.length === 1 ? holding.map(([index]) => ({ go_back: index })) : [];
}

const AFTER_SPEECH = "always, after speech";
const ELSE = "no other condition is met";

/** The type of a condition by the reason that the engine records. */
function typeOf(because: string): "equation" | "tool_call" | "always" {
  if (["always", AFTER_SPEECH, ELSE].includes(because)) return "always";
  return /^(?:a tool was called|the tool (?:succeeded|failed)|the transfer failed)$/.test(because)
    ? "tool_call"
    : "equation";
}

/** Whether a move was made after the agent had spoken, or by a failed transfer, when no equation is evaluated. */
function isAfterSpeech(because: string): boolean {
  return [AFTER_SPEECH, "a tool was called", "the transfer failed"].includes(because);
}

function fits(node: AgentNode, transition: Transition, type: TransitionCondition["type"], because: string): boolean {
  const { condition, timing } = transition;
  if (condition.type !== type) return false;
  if (type === "equation") return isTextOf(condition, because);
  if (type === "always" && node.node_type === "conversation") return (timing === "else") === (because === ELSE);
  if (because === "the tool succeeded") return hasOutcome(condition, "succeeded");
  return because !== "the tool failed" || hasOutcome(condition, "failed");
}

function isBackOf({ condition }: GoBackCondition, because: string): boolean {
  return condition.type === "equation" && isTextOf(condition, because);
}

/** Whether a text describes an equation condition, as `equationText()` does: `age < limit (age = "7", limit = "18")`. */
function isTextOf({ equations, logical_operator }: TransitionCondition, text: string): boolean {
  if (!equations || equations.length === 0) return false;
  const joint = logical_operator === "or" ? " or " : " and ";
  let rest = text;
  for (const [index, clause] of equations.entries()) {
    const before = index === 0 ? "" : joint;
    const found = writtenForms(clause).find((form) => rest.startsWith(before + form));
    if (found === undefined) return false;
    rest = rest.slice(before.length + found.length);
  }
  return /^(?:$|,| \()/.test(rest);
}

/** A clause with its literal, or with the name of the variable on its right side; the longest form first. */
function writtenForms(clause: EquationClause): readonly string[] {
  const withName = `${bareName(clause.left)} ${clause.operator} ${bareName(textOf(clause.right) ?? "")}`.trimEnd();
  return [clauseText(clause), withName].sort((a, b) => b.length - a.length);
}

/** A transition that no call takes. */
export interface UnreachableTransition {
  readonly transition: GraphTransition;
  readonly reason: string;
  /** What `check` reports about it; absent where no finding is about this transition. */
  readonly finding?: Finding;
}

/** Findings that explain why a transition is never taken, the strongest reason first. */
const EXPLAINS: readonly string[] = [
  ...["unknown-target", "unreachable-node", "island", "end-with-edges", "function-without-tool"],
  ...["equation-mismatch", "unknown-choice", "right-names-variable", "never-true", "unreadable-number"],
  ...["shadowed-transition", "endless-loop", "undeclared-variable", "unset-variable", "unknown-variable"],
];

/** Explains transitions that no path takes, with the findings of `check`. */
export function explainUnreachable(
  graph: AgentGraph,
  transitions: readonly GraphTransition[],
  isReached: (node: string) => boolean,
): readonly UnreachableTransition[] {
  if (transitions.length === 0) return [];
  const findings = checkGraph(graph)
    .filter(({ code }) => EXPLAINS.includes(code))
    .sort((a, b) => EXPLAINS.indexOf(a.code) - EXPLAINS.indexOf(b.code));
  return transitions.map((transition) => {
    const { kind, node, to } = transition;
    const isLeft = kind === "global" || isReached(node);
    const finding = findings.find((each) => (isLeft ? isAbout(each, transition) : isAboutNode(each, node)));
    if (finding) return { transition, reason: finding.message, finding };
    if (!isLeft) return { transition, reason: `no call reaches node "${node}"` };
    if (to !== undefined && !own(graph.nodes, to)) return { transition, reason: `node "${to}" does not exist` };
    if (kind === "global")
      return {
        transition,
        reason: "every node that offers it has its own transition to the same node, or no call reaches such a node",
      };
    return { transition, reason: "no values of the variables and no answers of a model make a call take it" };
  });
}

function isAboutNode({ path }: Finding, node: string): boolean {
  return path.length === 2 && path[0] === "nodes" && path[1] === node;
}

function isAbout(finding: Finding, { kind, node, index }: GraphTransition): boolean {
  const { path, code } = finding;
  if (isAboutNode(finding, node)) return code === "end-with-edges" || code === "function-without-tool";
  if (path[0] !== "nodes" || path[1] !== node) return false;
  if (kind === "transition") return path[2] === "transitions" && path[3] === index;
  const isGlobal = path[2] === "global_node_setting";
  return isGlobal && (kind === "global" ? path.length <= 4 : path[4] === index);
}

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
