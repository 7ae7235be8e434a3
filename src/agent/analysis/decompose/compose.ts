import { type ErrorCode, GraphError, type Path } from "../../../base/errors.ts";
import { canonicalJson, isRecord, omit, own } from "../../../base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  attachDefinition,
  definitionOf,
  ORIGINAL,
  toGraph,
  withOriginal,
  withoutOriginal,
} from "../../../document/graph/mod.ts";
import { type Decomposition, isHandoff, isManifest } from "./manifest.ts";

/** Settings that each part has of its own. */
const OWN_SETTINGS = ["name", "begin_message", "start_speaker", ORIGINAL];

/**
 * Joins the parts of a graph, with the edits that were made to them. Without edits, the result equals the graph that
 * {@link decompose} split. Transfer nodes that stand for another part are replaced by that part's nodes.
 *
 * @throws {GraphError} `not-a-graph`; `missing-part` for a part that the manifest names and `parts` lacks;
 * `different-copies` for a shared node,
 *   a snippet or a setting of the agent that parts have in several versions; `duplicate-node`, `unknown-target`.
 */
export function compose(decomposition: Decomposition): AgentGraph {
  const action = "Cannot compose a graph";
  const { manifest, parts } = { ...decomposition };
  if (!isManifest(manifest) || !isRecord(parts)) {
    throw failed("wrong-type", "it is not a decomposition", [], "Pass what decompose() returns");
  }
  const named = manifest.parts.map(({ name, shared }) => {
    const graph = own(parts, name);
    if (graph === undefined) throw missing(name);
    return { name, shared, graph: toGraph(graph, action) };
  });
  const main = named.find(({ name }) => name === manifest.main)?.graph;
  if (!main) throw missing(manifest.main);
  const nodes = new Map<string, AgentNode>();
  const snippets = new Map<string, string>();
  const homes = new Map<string, string>();
  for (const { name, shared, graph } of named) {
    for (const [id, node] of Object.entries(graph.nodes)) {
      if (isHandoff(node)) continue;
      const before = nodes.get(id);
      if (before && !shared.includes(id)) throw doubled(id, homes.get(id) ?? "", name);
      if (before && canonicalJson(before) !== canonicalJson(node))
        throw different(`node "${id}"`, ["nodes", id], homes.get(id) ?? "", name);
      if (!before) nodes.set(id, node);
      if (!homes.has(id)) homes.set(id, name);
    }
    for (const [key, text] of Object.entries(graph.snippets)) {
      const before = snippets.get(key);
      if (before !== undefined && before !== text)
        throw different(`snippet "${key}"`, ["snippets", key], manifest.main, name);
      snippets.set(key, text);
    }
    const settings = (of: AgentGraph) =>
      canonicalJson([omit(of.source_metadata, OWN_SETTINGS), of.default_model ?? null]);
    if (settings(graph) !== settings(main))
      throw different("a setting of the agent", ["source_metadata"], manifest.main, name);
  }
  for (const { graph } of named)
    for (const [id, node] of Object.entries(graph.nodes))
      if (isHandoff(node) && !nodes.has(id))
        throw failed(
          "unknown-target",
          `no part has node "${id}"`,
          ["nodes", id],
          "Keep the node that a handoff leads to",
        );
  const { original } = manifest;
  const whole: AgentGraph = {
    ...(original ? withOriginal(main, original) : withoutOriginal(main)),
    nodes: Object.fromEntries(ordered(nodes, manifest.order)),
    snippets: Object.fromEntries(ordered(snippets, manifest.snippets)),
  };
  const definition = definitionOf(main);
  return definition ? attachDefinition(whole, definition) : whole;
}

/** Sorts entries into a given order; new ones come last. */
function ordered<Value>(entries: ReadonlyMap<string, Value>, order: readonly string[]): readonly [string, Value][] {
  const places = new Map(order.map((key, index) => [key, index]));
  const placeOf = (key: string) => places.get(key) ?? order.length;
  return [...entries].toSorted(([a], [b]) => placeOf(a) - placeOf(b));
}

function missing(name: string): GraphError {
  return failed("missing-part", `part "${name}" is not there`, ["parts", name], "Pass all parts of the manifest");
}

function different(what: string, path: Path, one: string, other: string): GraphError {
  const state = `${what} differs between parts "${one}" and "${other}"`;
  return failed("different-copies", state, path, "Make the same change in both parts");
}

function doubled(id: string, one: string, other: string): GraphError {
  const state = `parts "${one}" and "${other}" both have a node "${id}"`;
  return failed("duplicate-node", state, ["nodes", id], "Rename one of them");
}

function failed(code: ErrorCode, state: string, path: Path, hint: string): GraphError {
  return new GraphError(`Cannot compose a graph: ${state}`, { code, path, hint });
}
