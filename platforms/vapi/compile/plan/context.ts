import { canonicalJson, groupBy, own } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, type AgentNode, checkEntry } from "../../../../src/document/graph/mod.ts";
import {
  contractChains,
  expandSnippets,
  foldLogic,
  guardGoBacks,
  isAlways,
  isSilent,
  type Lowered,
  lower,
  multiplyGlobals,
  type PlatformGuards,
  promoteBusy,
  type Route,
} from "../../../lower/mod.ts";
import { destinationsFor } from "../../shared/mod.ts";
import { LossList, memberNames } from "../common/mod.ts";
import { hasSameSettings } from "../settings/mod.ts";
import { clausesOf, nameVariables, reportGiven, type TextContext } from "../text/mod.ts";
import { isTracked, Markers, toolOfNode } from "./outcomes.ts";
import { hasDestination, isPlainTerminal, ownTerminals, TERMINALS } from "./terminals.ts";

/** The nodes that become members, and the routes between them. */
export interface Plan {
  /** Ids of the members, the entry node first. */
  readonly members: readonly string[];
  /** Names of the members, by their ids. */
  readonly names: ReadonlyMap<string, string>;
  readonly routes: ReadonlyMap<string, readonly Route[]>;
  /** Ids of nodes that were merged into a member, by the member's id. */
  readonly merged: ReadonlyMap<string, readonly string[]>;
  /** Whether a node is silent and leads to no member, so that a call would stop there. */
  readonly isDeadEnd: (id: string) => boolean;
}

/** State of emitting one document. */
export interface EmitContext extends TextContext {
  readonly plan: Plan;
  /** The graph with snippets expanded, before chains are merged. */
  readonly expanded: AgentGraph;
  /** Whether chains are merged. */
  readonly contract: boolean;
  readonly markers: Markers;
}

/**
 * Lowers a graph and plans its members for one emission.
 *
 * @throws {GraphError} `unknown-entry`: assistants and squads need an entry node.
 */
export function createContext(graph: AgentGraph, options: Pick<EmitContext, "isAssistant" | "contract">): EmitContext {
  checkEntry(graph, "Cannot emit graph");
  const losses = new LossList();
  const variables = nameVariables(graph);
  const markers = new Markers(variables);
  for (const node of Object.values(graph.nodes)) {
    const tool = toolOfNode(node);
    if (isTracked(tool)) markers.answered(node, tool.name);
  }
  const { graph: expanded } = lower(graph, [expandSnippets]);
  const lowered = lower(expanded, [
    ...(options.contract ? [contractChains((node, next) => hasSameSettings(graph, node, next))] : []),
    multiplyGlobals,
    guardGoBacks((id) => markers.origin(id)),
  ]);
  for (const loss of lowered.losses) losses.add(loss.code, loss.path, loss);
  const plan = planGraph(lowered, graph, markers);
  for (const [name, emitted] of variables.names)
    if (name !== emitted) losses.add("variable-renamed", ["variables", name], name, emitted);
  for (const name of clausesOf(graph).flatMap(({ names }) => names))
    if (!variables.names.has(name)) reportGiven(name, graph, losses);
  return { graph: lowered.graph, source: graph, expanded, losses, variables, markers, plan, ...options };
}

/**
 * Divides a graph into members and routes. Conversation nodes, the entry node and global nodes are members. Routes pass
 * through `logic`, `extract` and `function` nodes. `end` and `transfer` nodes are tools of the members that lead to
 * them, or members if such tools would be ambiguous.
 *
 * @param source The original graph.
 */
function planGraph({ graph, merged }: Lowered, source: AgentGraph, state: PlatformGuards): Plan {
  const globals = Object.values(source.nodes).filter((node) => node.global_node_setting);
  const promoted = new Set([graph.entry_node_id, ...globals.map(({ id }) => id)]);
  promoteBusy(graph, promoted);
  promoteShared(graph, promoted);
  const isMember = (id: string) => promoted.has(id) || own(graph.nodes, id)?.node_type === "conversation";
  const folded = foldLogic(graph, isMember, state);
  const ids = Object.keys(graph.nodes);
  const routes = new Map(ids.filter(isMember).map((id) => [id, folded.routes(id)]));
  for (const id of ambiguousEnds(graph, routes)) {
    promoted.add(id);
    routes.set(id, folded.routes(id));
  }
  const members = [graph.entry_node_id, ...ids.filter((id) => id !== graph.entry_node_id && isMember(id))];
  const dead = new Map<string, boolean>();
  const isDeadEnd = (id: string): boolean => {
    const node = own(graph.nodes, id);
    const isPassed = node !== undefined && isSilent(node) && !isMember(id);
    const found = dead.get(id) ?? (isPassed && node.transitions.every((next) => isDeadEnd(next.target_node_id)));
    dead.set(id, found);
    return found;
  };
  return { members, names: memberNames(members), routes, merged, isDeadEnd };
}

/** Returns the nodes that a member executes: its own, and the silent ones on its routes. */
export function workOf(id: string, { graph, expanded, plan }: EmitContext): readonly AgentNode[] {
  const rest = plan.merged.get(id);
  const steps = rest ? [id, ...rest].flatMap((each) => own(expanded.nodes, each) ?? []) : (own(graph.nodes, id) ?? []);
  const passed = new Set((plan.routes.get(id) ?? []).flatMap(({ through }) => through));
  return [...new Set([steps, [...passed].flatMap((each) => own(graph.nodes, each) ?? [])].flat())];
}

/** Variables that mark a member's work as done. A handoff back resets them, because a second lookup may fail. */
export function markersOf(id: string, context: EmitContext): readonly string[] {
  return [...new Set(workOf(id, context).flatMap((node) => context.markers.done(node)))];
}

/**
 * Promotes function nodes to members if another node of the same member has the same tool. A member has each tool once,
 * so one call would open the transitions of both nodes. At a member of its own, the call counts only for the function
 * node.
 */
function promoteShared(graph: AgentGraph, promoted: Set<string>): void {
  const members = Object.values(graph.nodes).filter(
    ({ id, node_type }) => promoted.has(id) || node_type === "conversation",
  );
  for (let member = members.pop(); member; member = members.pop()) {
    for (let node = sharing(graph, member, promoted); node; node = sharing(graph, member, promoted)) {
      promoted.add(node.id);
      members.push(node);
    }
  }
}

/** Returns the first function node of a member that shares its tool with another node of the member. */
function sharing(graph: AgentGraph, member: AgentNode, promoted: ReadonlySet<string>): AgentNode | undefined {
  const reached = new Set([member]);
  for (const node of reached)
    for (const { target_node_id: target } of node.transitions) {
      const next = own(graph.nodes, target);
      if (next && isSilent(next) && !promoted.has(target)) reached.add(next);
    }
  const taken = new Set(
    [...reached].flatMap((node) => node.tools.slice(toolOfNode(node) ? 1 : 0)).map((tool) => canonicalJson(tool)),
  );
  for (const node of reached) {
    const tool = toolOfNode(node);
    if (!isTracked(tool)) continue;
    const key = canonicalJson(tool);
    if (taken.has(key) && node !== member) return node;
    taken.add(key);
  }
  return undefined;
}

/**
 * Returns ends and transfers that cannot share one tool of a member. First: several ends, or an end and a tool of the
 * member's own, that differ in a guard, in static text, or in whether they have a destination. Second: ends with
 * several routes under different guards, because the tool would be accepted on one route if another one is open.
 */
function ambiguousEnds(graph: AgentGraph, routes: ReadonlyMap<string, readonly Route[]>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [id, list] of routes) {
    const work = new Set([id, ...list.flatMap(({ through }) => through)]);
    const nodes = [...work].flatMap((each) => own(graph.nodes, each) ?? []);
    for (const [type, kind] of TERMINALS) {
      const ends = list.filter(
        ({ target }) => target !== id && own(graph.nodes, target)?.node_type === type && !routes.has(target),
      );
      const targets = [...new Set(ends.map(({ target }) => target))].flatMap((each) => own(graph.nodes, each) ?? []);
      const mine = ownTerminals(nodes, kind);
      const isOpen = ends.every(({ guard }) => isAlways(guard));
      const leads = [...targets.map((each) => destinationsFor(each).length > 0), ...mine.map(hasDestination)];
      const canShare =
        isOpen &&
        mine.every(isPlainTerminal) &&
        targets.every(({ instruction_type }) => instruction_type !== "static_text") &&
        (type === "end" || new Set(leads).size === 1);
      const isAmbiguous = (!isOpen && hasRivals(ends)) || (targets.length + mine.length > 1 && !canShare);
      for (const target of isAmbiguous ? targets : []) found.add(target.id);
    }
  }
  return found;
}

/** Whether the model chooses between routes with different guards. */
function hasRivals(routes: readonly Route[]): boolean {
  // a route without a choice is taken by its guard alone
  const chosen = groupBy(routes, ({ choices }) => (choices.length > 0 ? canonicalJson(choices) : undefined));
  const guards = [...chosen.values()].map((each) => new Set(each.map(({ guard }) => canonicalJson(guard))));
  return new Set(guards.map((each) => JSON.stringify([...each].sort()))).size > 1;
}
