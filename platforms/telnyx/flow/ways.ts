import type { Path } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject, own } from "../../../src/base/values/mod.ts";
import { clauseWords, textOf } from "../../../src/document/expressions/mod.ts";
import { type AgentNode, isSilent, type TransitionCondition } from "../../../src/document/graph/mod.ts";
import { type LoweredGraph, type LoweredNode, type LoweredTransition, transitionPath } from "../../lower/mod.ts";
import type { Lose } from "../shared/mod.ts";
import { keptCondition } from "./edges.ts";
import { allOf, type Expression, isFilled, writeEquation } from "./expressions.ts";

/** When an edge is taken. */
export type Way =
  | { readonly kind: "llm"; readonly prompt: string }
  | { readonly kind: "expression"; readonly expression: Expression | JsonObject }
  | { readonly kind: "always" };

/** A path from a node to the next one that Telnyx has, through nodes that it has not. */
export interface PathOut {
  readonly way: Way;
  readonly first: LoweredTransition;
  readonly last: LoweredTransition;
  readonly path: Path;
}

/** Most paths out of a node. */
const MOST = 64;

type Step = readonly [node: LoweredNode, index: number];

/**
 * Whether Telnyx has no node for a node, so that its transitions are moved to those that lead to it.
 */
export function isFolded({ node_type: type, tools, variables_to_extract: variables }: AgentNode): boolean {
  if (type === "function") return tools.length === 0;
  return type === "logic" || (type === "extract" && variables.length === 0);
}

/** What the paths out of nodes are found with. */
export interface WaysContext {
  readonly graph: LoweredGraph;
  readonly native: boolean;
  readonly lose: Lose;
  /** Paths of the transitions that are on a path out of some node. */
  readonly followed: Set<string>;
}

/** Reports the transitions of folded nodes that no path comes to. */
export function loseUnfollowed({ graph, lose, followed }: WaysContext): void {
  for (const node of Object.values(graph.nodes).filter(isFolded))
    for (const [index, { target_node_id: target }] of node.transitions.entries())
      if (!followed.has(JSON.stringify(transitionPath(node, index))))
        lose("no-edge", transitionPath(node, index), target);
}

/** Returns the paths out of a node in the order in which Telnyx tries them. */
export function pathsOut(node: LoweredNode, { graph, native, lose, followed }: WaysContext): readonly PathOut[] {
  const found: PathOut[] = [];
  const follow = (at: LoweredNode, steps: readonly Step[]): void => {
    const isFirst = steps.length === 0;
    for (const index of native && isFirst ? at.transitions.keys() : ordered(at)) {
      const transition = at.transitions[index];
      const path: readonly Step[] = [...steps, [at, index]];
      const target = transition && own(graph.nodes, transition.target_node_id);
      if (!transition || !target) continue;
      followed.add(JSON.stringify(transitionPath(at, index)));
      const isAgain = steps.some(([{ id }]) => id === target.id) && isFolded(target);
      if (found.length >= MOST || isAgain) {
        lose("too-many-ways", transitionPath(at, index), target.id);
        continue;
      }
      if (isFolded(target) && target.id !== graph.entry_node_id) {
        if (target.transitions.every(({ condition: { type } }) => type !== "always"))
          lose("logic-fallback", ["nodes", target.id, "transitions"]);
        const before = found.length;
        follow(target, path);
        if (found.length === before) lose("no-edge", transitionPath(at, index), target.id);
        continue;
      }
      const way = wayOf(path, lose);
      const first = path[0]?.[0].transitions[path[0][1]] ?? transition;
      if (way) found.push({ way, first, last: transition, path: transitionPath(...(path[0] ?? [at, index])) });
    }
  };
  follow(node, []);
  return found;
}

/** Calls take what needs no model first, then what the model picks, then what is always taken. */
function ordered(node: LoweredNode): readonly number[] {
  const rank = ({ condition: { type }, timing }: LoweredTransition) => {
    if (type === "always") return isSilent(node) || timing === "else" ? 4 : 1;
    if (type === "tool_call") return isSilent(node) ? 2 : 0;
    return type === "equation" ? 2 : 3;
  };
  const all = node.transitions.map((transition, index) => ({ index, rank: rank(transition) }));
  return all.toSorted((a, b) => a.rank - b.rank || a.index - b.index).map(({ index }) => index);
}

/** The condition of a path: all conditions on it. */
function wayOf(steps: readonly Step[], lose: Lose): Way | undefined {
  const ways = steps.map((step) => stepWay(step, lose));
  if (ways.some((way) => way === undefined)) return undefined;
  const held = ways.flatMap((way) => (way && way.kind !== "always" ? [way] : []));
  const [only, ...others] = held;
  if (!only) return { kind: "always" };
  if (others.length === 0) return only;
  const expressions = held.flatMap((way) => (way.kind === "expression" ? [way.expression] : []));
  if (expressions.length === held.length) return { kind: "expression", expression: allOf(expressions) };
  const [start] = steps;
  const prompt = steps.flatMap(([node, index]) => wordsOf(node, index)).join("; and: ");
  if (start) lose("mixed-condition", transitionPath(...start), prompt);
  return { kind: "llm", prompt };
}

function stepWay([node, index]: Step, lose: Lose): Way | undefined {
  const transition = node.transitions[index];
  if (!transition) return undefined;
  const { condition } = transition;
  const path = transitionPath(node, index);
  if (condition.type === "always") return { kind: "always" };
  const expression = keptCondition(transition)?.expression;
  if (isRecord(expression)) return { kind: "expression", expression };
  if (condition.type === "llm_prompt") return { kind: "llm", prompt: condition.value };
  if (condition.type === "equation") return { kind: "expression", expression: writeEquation(condition, path, lose) };
  return outcomeWay(node, condition, path, lose);
}

/** A tool's outcome: by a variable that the tool stores, or else in words. A tool node goes on in any case. */
function outcomeWay(node: AgentNode, { value, outcome }: TransitionCondition, path: Path, lose: Lose): Way | undefined {
  const prompt = toolWords(value, outcome);
  const [tool] = node.tools;
  const [variable] = Object.keys(tool?.response_variables ?? {});
  const isOther = isSilent(node) && value !== "" && value !== tool?.name;
  const isUnknown = isSilent(node) && outcome === "failed" && variable === undefined;
  lose(isOther ? "no-edge" : isUnknown ? "failed-condition" : "tool-condition", path, prompt);
  if (isOther || isUnknown) return undefined;
  if (!isSilent(node)) return { kind: "llm", prompt };
  if (!outcome || variable === undefined) return { kind: "always" };
  return { kind: "expression", expression: isFilled(variable, outcome === "succeeded") };
}

function toolWords(name: string, outcome: TransitionCondition["outcome"]): string {
  const tool = name === "" ? "A tool" : `The tool "${name}"`;
  return `${tool} was called${outcome ? ` and ${outcome}` : ""}`;
}

/** A condition in words; none if it always holds. */
function wordsOf(node: LoweredNode, index: number): readonly string[] {
  const condition = node.transitions[index]?.condition;
  if (!condition || condition.type === "always") return [];
  if (condition.type === "llm_prompt") return [condition.value];
  if (condition.type === "tool_call") return [toolWords(condition.value, condition.outcome)];
  const clauses = (condition.equations ?? []).map(({ left, operator, right }) =>
    clauseWords(`{{${left}}}`, operator, `"${textOf(right) ?? ""}"`),
  );
  return [clauses.join(condition.logical_operator === "or" ? " or " : " and ")];
}
