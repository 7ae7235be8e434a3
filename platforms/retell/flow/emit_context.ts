import type { AgentGraph } from "../../../src/graph/mod.ts";
import type { JsonObject } from "../../../src/values/mod.ts";
import type { Loss } from "../../platform.ts";
import { bodyKeys } from "../shared/mod.ts";
import { ToolRegistry } from "./flow_tools.ts";
import type { Fold } from "./fold_components.ts";
import { EdgeIds, idsIn } from "./ids.ts";
import { layout, type Position } from "./layout.ts";

/** What emitting the parts of one graph shares. */
export interface EmitContext {
  readonly graph: AgentGraph;
  /** Whether the graph was not imported from a flow: what is not Retell's is then put in Retell's terms. */
  readonly foreign: boolean;
  /** Says what Retell cannot hold. */
  readonly lose: (loss: Loss) => void;
  readonly tools: ToolRegistry;
  readonly edgeIds: EdgeIds;
  /** Computed when first asked for: documents that were imported have their own. */
  readonly positionOf: (id: string) => Position;
}

/**
 * Everything that starts empty when a graph is emitted.
 *
 * @param imported The graph as it was imported, without its components; absent for a graph from elsewhere.
 */
export function createContext(
  graph: AgentGraph,
  lose: (loss: Loss) => void,
  takenIds: Iterable<string> = idsIn(Object.values(graph.nodes)),
  own: JsonObject = bodyKeys(graph),
  imported?: AgentGraph,
): EmitContext {
  let positions: ReadonlyMap<string, Position> | undefined;
  return {
    graph,
    foreign: graph.source_type !== "retell",
    lose,
    tools: new ToolRegistry(graph, own, imported),
    edgeIds: new EdgeIds(takenIds),
    positionOf: (id) => {
      positions ??= layout(graph);
      return positions.get(id) ?? { x: 0, y: 0 };
    },
  };
}

/** The context of a component: tools and positions of its own; what it loses is told by the ids of the whole graph. */
export function partContext(
  { id, part }: Fold,
  ownPart: JsonObject,
  { lose, edgeIds, foreign }: EmitContext,
  imported?: AgentGraph,
): EmitContext {
  const inWhole = (found: Loss): Loss => ({
    ...found,
    path: found.path.map((key, at) => (found.path[0] === "nodes" && at === 1 ? `${id}/${key}` : key)),
  });
  return { ...createContext(part, (found) => lose(inWhole(found)), [], ownPart, imported), edgeIds, foreign };
}
