import { own } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, type AgentNode, checkEntry } from "../../../../src/document/graph/mod.ts";
import {
  contractChains,
  expandSnippets,
  foldLogic,
  guardGoBacks,
  isSilent,
  type Lowered,
  lower,
  multiplyGlobals,
  type PlatformGuards,
  promoteBusy,
  type Route,
} from "../../../lower/mod.ts";
import { LossList, memberNames } from "../common/mod.ts";
import { hasSameSettings } from "../settings/mod.ts";
import { clausesOf, nameVariables, reportGiven, type TextContext } from "../text/mod.ts";
import { isTracked, Markers, toolOfNode } from "./outcomes.ts";
import { ambiguousEnds, promoteShared } from "./promoted.ts";

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
