import type { Path } from "../../src/base/errors.ts";
import { Names, own, slug } from "../../src/base/values/mod.ts";
import { clauseVariables, mapExpandedTexts, replaceSnippets } from "../../src/document/expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  type EquationClause,
  isSilent,
  type ToolDefinition,
  type Transition,
  type TransitionCondition,
} from "../../src/document/graph/mod.ts";
import type { Loss } from "../platform.ts";

/**
 * Returns the variables that a call needs to continue after extract nodes: an equation of a silent node compares them,
 * and the node has no fallback. All others are optional, because a missing value is better than an invented one.
 */
export function variablesAfterExtraction(group: readonly AgentNode[], graph: AgentGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const open = group.filter(({ node_type }) => node_type === "extract");
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node.id)) continue;
    seen.add(node.id);
    const hasFallback = node.transitions.some(isFallback);
    for (const { condition, target_node_id: target } of node.transitions) {
      if (!hasFallback) for (const name of (condition.equations ?? []).flatMap(clauseVariables)) found.add(name);
      const next = own(graph.nodes, target);
      if (next && isSilent(next)) open.push(next);
    }
  }
  return found;
}

/** Whether a transition of a silent node can be taken without the value of a variable. */
function isFallback({ condition }: Transition): boolean {
  if (condition.type !== "equation") return true;
  return (condition.equations ?? []).some(({ operator }) => operator === "not_exist");
}

/** A path from one kept node to the next, through silent nodes. */
export interface Route {
  /** Id of the last node: a kept node, or an `end` or `transfer` node. */
  readonly target: string;
  /** Condition on variables. */
  readonly guard: Guard;
  /** Conditions that the model decides, in order. */
  readonly texts: readonly string[];
  /** Ids of the silent nodes, in order. */
  readonly through: readonly string[];
  /** Whether the route is taken without asking the model. */
  readonly forced: boolean;
  /** Whether the target waits for the caller before it speaks, because the source has just spoken. */
  readonly waits: boolean;
  /** Path of its first transition in the original graph. */
  readonly path: Path;
  /** Variables that its last transition sets. */
  readonly sets: { readonly [variable: string]: string };
  /** Present if the route goes back from a global node. */
  readonly back?: WayBack;
  /** Its transitions, in order. */
  readonly hops: readonly string[];
  /** The transitions that the model chooses. */
  readonly choices: readonly string[];
}

/** Returns the path of a transition in the original graph. */
export function transitionPath({ id, transitions }: LoweredNode, index: number): Path {
  return transitions[index]?.madeFrom ?? ["nodes", id, "transitions", index];
}

/** Maximum number of routes through a silent node; a node with more is kept. */
const MAX_ROUTES = 32;

/** Adds the silent nodes that close a cycle, or that too many routes pass through, to `promoted`. */
export function promoteBusy(graph: AgentGraph, promoted: Set<string>): void {
  const counts = new Map<string, number>();
  const open = new Set<string>();
  // iterative, because a chain of silent nodes may be as long as the graph
  for (const start of Object.keys(graph.nodes)) {
    const stack = [start];
    while (stack.length > 0) {
      const id = stack.at(-1) ?? "";
      const node = own(graph.nodes, id);
      if (!node || counts.has(id)) {
        open.delete(id);
        stack.pop();
        continue;
      }
      const targets = isSilent(node) ? node.transitions.map(({ target_node_id }) => target_node_id) : [];
      const waiting = targets.filter((target) => !counts.has(target));
      if (!open.has(id) && waiting.length > 0) {
        open.add(id);
        for (const target of waiting) {
          if (open.has(target)) promoted.add(target);
          else stack.push(target);
        }
        continue;
      }
      const count = targets.reduce((sum, target) => sum + (promoted.has(target) ? 1 : (counts.get(target) ?? 1)), 0);
      if (isSilent(node) && count > MAX_ROUTES) promoted.add(id);
      counts.set(id, isSilent(node) && !promoted.has(id) ? Math.max(1, count) : 1);
      open.delete(id);
      stack.pop();
    }
  }
}

/** Condition on variables. `is` compares a variable with a literal, never with another variable. */
export type Guard =
  | { readonly kind: "clause"; readonly clause: EquationClause }
  | { readonly kind: "is"; readonly variable: string; readonly value: string }
  | { readonly kind: "all" | "any"; readonly guards: readonly Guard[] }
  | { readonly kind: "not"; readonly guard: Guard };

/** The guard that always holds. */
export const ALWAYS: Guard = { kind: "all", guards: [] };

/** Requires all guards. Nested `all` guards are flattened. */
export function all(guards: readonly Guard[]): Guard {
  const flat = guards.flatMap((guard) => (guard.kind === "all" ? guard.guards : [guard]));
  return flat.length === 1 && flat[0] ? flat[0] : { kind: "all", guards: flat };
}

/** Requires any of the guards. */
export function any(guards: readonly Guard[]): Guard {
  if (guards.some(isAlways)) return ALWAYS;
  return guards.length === 1 && guards[0] ? guards[0] : { kind: "any", guards };
}

/** Requires that no guard holds; {@link ALWAYS} for an empty list. */
export function none(guards: readonly Guard[]): Guard {
  return guards.length === 0 ? ALWAYS : { kind: "not", guard: any(guards) };
}

/** Whether a guard has nothing to check. */
export function isAlways(guard: Guard): boolean {
  return guard.kind === "all" && guard.guards.length === 0;
}

/** Converts an equation condition. Without clauses, it never holds. */
export function equationGuard(condition: TransitionCondition): Guard {
  const clauses = (condition.equations ?? []).map((clause): Guard => ({ kind: "clause", clause }));
  if (clauses.length === 0) return { kind: "any", guards: [] };
  return condition.logical_operator === "or" ? any(clauses) : all(clauses);
}

/** A tool with a new name. */
export interface RenamedTool {
  readonly path: Path;
  readonly from: string;
  readonly to: string;
}

/** Names that a target accepts for tools: letters, digits, `_` and `-`. */
export interface ToolNaming {
  /** Returns the longest name of a tool; `undefined` for a tool whose name is not its own, such as that of a server. */
  readonly limitOf: (tool: ToolDefinition) => number | undefined;
  /** Whether a name stays, valid or not. */
  readonly isKept?: (name: string) => boolean;
  /** Whether two tools of a node may have one name. */
  readonly allowsTwins?: boolean;
}

/**
 * Gives every tool a name that the target accepts. Equal names stay equal, unless one node has both; different names
 * stay different. Conditions on a tool's outcome, and quoted names in prompts, get the new name.
 */
export function nameTools(graph: AgentGraph, { limitOf, isKept = () => false, allowsTwins = false }: ToolNaming) {
  const limits = new Map<string, number>();
  for (const tool of Object.values(graph.nodes).flatMap(({ tools }) => tools)) {
    const limit = limitOf(tool);
    if (limit !== undefined) limits.set(tool.name, Math.min(limit, limits.get(tool.name) ?? limit));
  }
  const isValid = (name: string, limit: number) => /^[a-zA-Z0-9_-]+$/.test(name) && name.length <= limit;
  const wrong = [...limits].filter(([name, limit]) => !isKept(name) && !isValid(name, limit));
  const pool = new Names([...limits.keys()], { joint: "_" });
  const names = new Map(wrong.map(([name, limit]) => [name, pool.take(toolSlug(name), limit)]));
  const renamed: RenamedTool[] = [];
  const nodes = Object.entries(graph.nodes).map(([id, node]) => {
    const taken = new Set<string>();
    const tools = node.tools.map((tool, index) => {
      const limit = limitOf(tool);
      if (limit === undefined) return tool;
      const wanted = names.get(tool.name) ?? tool.name;
      const to = taken.has(wanted) && !allowsTwins ? pool.take(wanted, limit) : wanted;
      taken.add(to);
      if (to === tool.name) return tool;
      renamed.push({ path: ["nodes", id, "tools", index], from: tool.name, to });
      return { ...tool, name: to };
    });
    const transitions = node.transitions.map((each) => ({ ...each, condition: inCondition(each.condition) }));
    return [id, { ...node, tools, transitions }] as const;
  });
  if (renamed.length === 0) return { graph, renamed };
  return { graph: inTexts({ ...graph, nodes: Object.fromEntries(nodes) }, names), renamed };

  function inCondition(condition: TransitionCondition): TransitionCondition {
    const to = condition.type === "tool_call" ? names.get(condition.value) : undefined;
    return to === undefined ? condition : { ...condition, value: to };
  }
}

/** Converts a text to a tool's name, without accents; `tool` if nothing is left of it. */
export const toolSlug = (text: string) => slug(text.normalize("NFKD").replace(/\p{M}+/gu, "")) || "tool";

/** Replaces quoted names of tools in what models read. Fixed texts are spoken as they are. */
function inTexts(graph: AgentGraph, names: ReadonlyMap<string, string>): AgentGraph {
  if (names.size === 0) return graph;
  const change = (text: string) =>
    text.replace(/(["'`])([^"'`\n]{1,200})\1/g, (whole, mark: string, name: string) => {
      const to = names.get(name);
      return to === undefined ? whole : `${mark}${to}${mark}`;
    });
  return mapExpandedTexts(graph, (text, [, id, key, last]) => {
    const isSpoken = id === "begin_message" || own(graph.nodes, String(id))?.instruction_type === "static_text";
    return (isSpoken && key !== "tools") || last === "url" ? text : change(text);
  });
}

/** A graph between passes. Every AgentGraph is one. */
export interface LoweredGraph extends AgentGraph {
  readonly nodes: { readonly [id: string]: LoweredNode };
}

/** A node with lowered transitions. */
export interface LoweredNode extends AgentNode {
  readonly transitions: readonly LoweredTransition[];
}

/** A transition with fields that an AgentGraph does not model. */
export interface LoweredTransition extends Transition {
  /** Variables that the transition sets. */
  readonly sets?: { readonly [variable: string]: string };
  /** Present if the transition goes back from a global node. */
  readonly back?: WayBack;
  /** Path of its source in the original graph. */
  readonly madeFrom?: Path;
}

/** A return from a global node to one of the nodes that lead to it. */
export interface WayBack {
  /** The id of the go-back condition. */
  readonly id: string;
  /** Variable that stores the id of the node that the call came from. */
  readonly variable: string;
  /** Id of the target; the transition is open while the variable has this value. */
  readonly origin: string;
}

/** A place where conversations of the lowered graph differ. */
export interface LoweringLoss extends Loss {
  readonly code: "nested-global-return";
}

/** Result of passes. */
export interface Lowered {
  readonly graph: LoweredGraph;
  readonly losses: readonly LoweringLoss[];
  /** Ids of merged nodes in order, by the id of the node that contains them. */
  readonly merged: ReadonlyMap<string, readonly string[]>;
}

/** A transformation that keeps the conversations of a graph, except for the reported losses. */
export interface Pass {
  readonly name: string;
  readonly run: (graph: LoweredGraph) => Partial<Lowered> & Pick<Lowered, "graph">;
}

/** Runs passes in order. */
export function lower(graph: LoweredGraph, passes: readonly Pass[]): Lowered {
  const start: Lowered = { graph, losses: [], merged: new Map() };
  return passes.reduce((before, pass) => {
    const { graph: after, losses = [], merged = [] } = pass.run(before.graph);
    return { graph: after, losses: [...before.losses, ...losses], merged: new Map([...before.merged, ...merged]) };
  }, start);
}

/** Applies a function to each node. */
export function mapLoweredNodes(graph: LoweredGraph, change: (node: LoweredNode) => LoweredNode): LoweredGraph {
  const nodes = Object.entries(graph.nodes).map(([id, node]) => [id, change(node)] as const);
  return { ...graph, nodes: Object.fromEntries(nodes) };
}

/** Replaces the graph's snippets in a text, in one pass. Unknown tags stay. */
export function expandSnippetsIn(text: string, { snippets }: Pick<AgentGraph, "snippets">): string {
  return replaceSnippets(text, (name) => own(snippets, name));
}

/** Replaces snippets in prompts, conditions and the opening, as calls do. */
export const expandSnippets: Pass = {
  name: "expand-snippets",
  run: (graph) => ({ graph: { ...mapExpandedTexts(graph, (text) => expandSnippetsIn(text, graph)), snippets: {} } }),
};
