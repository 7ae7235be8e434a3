import { replaceSnippets } from "../../../src/expressions/mod.ts";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import { type JsonObject, own as ownOf } from "../../../src/values/mod.ts";
import type { Loss } from "../../platform.ts";
import { bodyKeys } from "../shared/mod.ts";
import { ToolRegistry } from "./flow_tools.ts";
import type { Fold } from "./fold_components.ts";
import { EdgeIds, idsIn } from "./ids.ts";
import { layout, type Position } from "./layout.ts";
import { loss } from "./losses.ts";

/** What emitting the parts of one graph shares. */
export interface EmitContext {
  readonly graph: AgentGraph;
  /** Whether the graph was not imported from a flow: what is not Retell's is then put in Retell's terms. */
  readonly foreign: boolean;
  /** Says what Retell cannot hold. */
  readonly lose: (loss: Loss) => void;
  readonly tools: ToolRegistry;
  readonly edgeIds: EdgeIds;
  /** A text with its snippets put in place. */
  readonly expand: (text: string) => string;
  /** Names of the snippets that were put in place so far. */
  readonly expanded: ReadonlySet<string>;
  /** Computed when first asked for: documents that were imported have their own. */
  readonly positionOf: (id: string) => Position;
}

/** Everything that starts empty when a graph is emitted. */
export function createContext(
  graph: AgentGraph,
  lose: (loss: Loss) => void,
  takenIds: Iterable<string> = idsIn(Object.values(graph.nodes)),
  own: JsonObject = bodyKeys(graph),
): EmitContext {
  const told = new Set<string>();
  const tell = (name: string) => {
    if (!told.has(name)) lose(loss("snippet", ["snippets", name], `"${name}"`));
    told.add(name);
  };
  let positions: ReadonlyMap<string, Position> | undefined;
  return {
    graph,
    foreign: graph.source_type !== "retell",
    lose,
    tools: new ToolRegistry(graph, own),
    edgeIds: new EdgeIds(takenIds),
    expand: (text) => expandSnippets(text, graph.snippets, tell),
    expanded: told,
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
  { lose, edgeIds, expand, expanded, foreign }: EmitContext,
): EmitContext {
  const inWhole = (found: Loss): Loss => ({
    ...found,
    path: found.path.map((key, at) => (found.path[0] === "nodes" && at === 1 ? `${id}/${key}` : key)),
  });
  return { ...createContext(part, (found) => lose(inWhole(found)), [], ownPart), edgeIds, expand, expanded, foreign };
}

/** A text with its snippets; `tell` is called with the name of each. */
function expandSnippets(text: string, snippets: AgentGraph["snippets"], tell: (name: string) => void): string {
  return replaceSnippets(text, (name) => {
    const snippet = ownOf(snippets, name);
    if (snippet !== undefined) tell(name);
    return snippet;
  });
}
