import { PlatformError } from "../../src/errors.ts";
import { type AgentGraph, type AgentNode, isRecord, type JsonObject, omit, own } from "../../src/graph/mod.ts";
import type { EmitOptions, Emitted } from "../platform.ts";
import {
  closeEnvelope,
  createDirectory,
  type Directory,
  dropAt,
  getAt,
  idsOf,
  type MemberKept,
  memberKept,
  modelOf,
  nameMembers,
  nameOf,
  readIndex,
  recordOr,
  setAt,
  withModel,
  writeMember,
  writeOpening,
  writeShared,
} from "../vapi/mod.ts";

/** A node that came from a squad and goes back into its member. */
interface Native {
  readonly node: AgentNode;
  readonly kept: MemberKept;
}

/** Writes a graph as a squad: one that came from a squad into that squad, any other anew. */
export function emitSquadGraph(graph: AgentGraph, options: EmitOptions = {}): Emitted<unknown> {
  const kept = graph.source_metadata.vapi;
  if (!isRecord(kept) || kept.kind !== "squad") return emitAnew(graph, options);
  const natives = nativesOf(graph);
  const targets = new Set(
    natives.flatMap(({ node }) => node.transitions.map((transition) => transition.target_node_id)),
  );
  const named = nameMembers(natives, (id) => targets.has(id));
  const directory = createDirectory(
    natives.map(({ node }, index) => {
      const home = named[index] ?? {};
      return { node_id: node.id, ids: idsOf(home), name: nameOf(home) };
    }),
  );
  const before = natives[0] && modelOf(named[0] ?? {});
  const homes = natives.map(({ node, kept: member }, index) => {
    const written = writeMember(node, named[index] ?? {}, member, directory);
    const opened =
      node.id === graph.entry_node_id ? writeOpening(written, graph.source_metadata, member.all.message_at) : written;
    return withDefaultModel(opened, graph.default_model, before);
  });
  const globals = natives.map(({ node }) => node).filter((node) => node.global_node_setting);
  const members = homes.map((home, index) =>
    bundledAt(natives[index], kept) === undefined ? home : omit(home, ["assistant"]),
  );
  const squad = { ...withShared(graph, recordOr(kept.squad), kept, globals, directory), members };
  return { config: closeEnvelope(withBundle(kept, natives, homes), squad), losses: [] };
}

/** In the order of the squad they came from, with the entry node in front: a squad starts with its first member. */
function nativesOf(graph: AgentGraph): readonly Native[] {
  const natives = Object.values(graph.nodes).flatMap((node): Native[] => {
    const kept = memberKept(node);
    return kept ? [{ node, kept }] : [];
  });
  const rank = ({ node, kept }: Native) => (node.id === graph.entry_node_id ? -1 : kept.place);
  return natives.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

/** The graph's model is the first member's: an edit reaches every member that had the same. */
function withDefaultModel(home: JsonObject, wanted: string | null | undefined, before: string | undefined): JsonObject {
  if (!wanted || wanted === before || modelOf(home) !== before) return home;
  return withModel(home, wanted);
}

function withShared(
  graph: AgentGraph,
  squad: JsonObject,
  kept: JsonObject,
  globals: readonly AgentNode[],
  directory: Directory,
): JsonObject {
  const key =
    !isRecord(squad.membersOverrides) && isRecord(squad.memberOverrides) ? "memberOverrides" : "membersOverrides";
  const overrides = isRecord(squad[key]) ? squad[key] : {};
  const shared = writeShared(overrides, kept.shared, globals, directory);
  const defaults = graph.source_metadata.default_dynamic_variables;
  const written = defaults ? setAt(shared, ["variableValues"], defaults) : dropAt(shared, ["variableValues"]);
  return isRecord(squad[key]) || Object.keys(written).length > 0 ? { ...squad, [key]: written } : squad;
}

/** The number of a member's assistant in the list beside the squad, if it has one and the list is there. */
function bundledAt(native: Native | undefined, kept: JsonObject): number | undefined {
  const index = readIndex(native?.kept.all.bundled);
  const list = getAt(kept.around, ["assistants"]);
  return index !== undefined && Array.isArray(list) && index < list.length ? index : undefined;
}

/** Puts the members' assistants back into the list beside the squad; those of members that are gone go with them. */
function withBundle(kept: JsonObject, natives: readonly Native[], homes: readonly JsonObject[]): JsonObject {
  const list = getAt(kept.around, ["assistants"]);
  if (!Array.isArray(list) || !Array.isArray(kept.bundled)) return kept;
  const claimed = new Set<unknown>(kept.bundled);
  const written = new Map(
    natives.flatMap((native, index) => {
      const at = bundledAt(native, kept);
      return at === undefined ? [] : [[at, own(homes[index] ?? {}, "assistant")] as const];
    }),
  );
  const assistants = list.flatMap((item: unknown, index) => {
    if (written.has(index)) return [written.get(index)];
    return claimed.has(index) ? [] : [item];
  });
  return setAt(kept, ["around", "assistants"], assistants);
}

/** Graphs that did not come from Vapi. */
function emitAnew(graph: AgentGraph, _options: EmitOptions): Emitted<unknown> {
  throw new PlatformError(`Cannot emit Vapi squad: the graph came from "${graph.source_type}"`, {
    code: "format-not-emitted",
    hint: "Emit a graph that was imported from Vapi",
  });
}
