import type { AgentGraph, AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, own } from "../../../src/values/mod.ts";
import type { EmitOptions, PlainEmitted } from "../../platform.ts";
import { emitSquad } from "../compile/mod.ts";
import {
  closeEnvelope,
  createDirectory,
  type Directory,
  getAt,
  idsOf,
  type JsonPath,
  lowerCalls,
  type MemberKept,
  type MemberName,
  memberKept,
  modelOf,
  nameMembers,
  nameOf,
  ownPrompt,
  readIndex,
  recordOr,
  setAt,
  withModel,
  withRawTools,
  writeMember,
  writeOpening,
  writeShared,
} from "../shared/mod.ts";

import { type Added, type Extra, emitAdded, isPlain, isPlainGlobal } from "./added.ts";
import { withFreeNames } from "./extra_names.ts";

/** A node that came from a squad and goes back into its member. */
interface Native {
  readonly node: AgentNode;
  readonly kept: MemberKept;
}

/**
 * Writes a graph as a squad: one that came from a squad into that squad, any other anew. Of what was added to a squad the
 * plain parts (members' prompts, tools, handoffs) go into its own members; the rest is emitted as for any other graph.
 */
export function emitSquadGraph(document: AgentGraph, options: EmitOptions = {}): PlainEmitted<unknown> {
  const graph = lowerCalls(document);
  const kept = graph.source_metadata.vapi;
  const natives = isRecord(kept) && kept.kind === "squad" ? nativesOf(graph) : [];
  if (!isRecord(kept) || natives.length === 0) return emitSquad(withRawTools(graph), options);

  const isNative = new Set(natives.map(({ node }) => node.id));
  const added = emitAdded(graph, isNative);
  const isAdded = new Set(added?.members.map(({ node_id: id }) => id));
  const plain = natives.map((native) => plainPart(native, (id) => isNative.has(id) || isAdded.has(id)));
  const globals = natives.map(({ node }) => node).filter(isPlainGlobal);
  const targets = new Set([
    ...plain.flatMap(({ node }) => node.transitions.map((transition) => transition.target_node_id)),
    ...globals.map(({ id }) => id),
  ]);
  const named = nameMembers(plain, (id) => targets.has(id) || added !== undefined);
  const directory = createDirectory([
    ...plain.map(({ node }, index) => memberName(node.id, named[index] ?? {})),
    ...(added?.members ?? []).map(({ node_id, name }) => ({ node_id, ids: [], name })),
  ]);
  const before = modelOf(named[0] ?? {});
  const homes = plain.map(({ node, kept: member }, index) => {
    const extra = withFreeNames(added?.extras.get(node.id), node, member.all.lists);
    const parts = [ownPrompt(graph, node.state_prompt), extra?.guide ?? ""].filter((text) => text !== "");
    const prompt = extra?.spoken?.prompt ?? parts.join("\n\n");
    const written = writeMember({ ...node, state_prompt: prompt }, named[index] ?? {}, member, directory);
    const isEntry = node.id === graph.entry_node_id && !extra?.spoken;
    const opened = isEntry ? writeOpening(written, graph.source_metadata, member.all.message_at) : written;
    return withExtra(withDefaultModel(opened, graph.default_model, before), extra, added, directory);
  });
  const own = homes.map((home, index) =>
    bundledAt(natives[index], kept) === undefined ? home : omit(home, ["assistant"]),
  );
  const others = (added?.members ?? []).map(({ node_id: id, member }) => ({
    id,
    member: withResolved(member, added, directory),
  }));
  const isFirst = ({ id }: { readonly id: string }) => id === graph.entry_node_id;
  const members = [
    ...others.filter(isFirst).map(({ member }) => member),
    ...own,
    ...others.filter((item) => !isFirst(item)).map(({ member }) => member),
  ];
  const squad = { ...withShared(graph, recordOr(kept.squad), kept, globals, directory), members };
  return { config: closeEnvelope(withBundle(kept, natives, homes), squad), losses: added?.losses ?? [] };
}

/** A member with the transitions that are its own to write. */
function plainPart({ node, kept }: Native, isMember: (id: string) => boolean): Native {
  const transitions = node.transitions.filter((transition) => isPlain(transition, isMember));
  return { node: { ...node, transitions }, kept };
}

function memberName(nodeId: string, home: JsonObject): MemberName {
  return { node_id: nodeId, ids: idsOf(home), name: nameOf(home) };
}

/** Adds the tools for what is no plain handoff to a member, behind its own. */
function withExtra(
  home: JsonObject,
  extra: Extra | undefined,
  added: Added | undefined,
  directory: Directory,
): JsonObject {
  const owner = isRecord(home.assistant) ? "assistant" : "assistantOverrides";
  const opening = Object.entries(extra?.spoken?.opening ?? {});
  let written = opening.reduce((result, [key, value]) => setAt(result, [owner, key], value), home);
  const append = (path: JsonPath, items: readonly unknown[]) => {
    const list = getAt(written, path);
    if (items.length > 0) written = setAt(written, path, [...(Array.isArray(list) ? list : []), ...items]);
  };
  const tools = (extra?.tools ?? []).map((tool) => resolved(tool, added, directory));
  append(["assistantOverrides", "tools:append"], tools);
  append([owner, "model", "toolIds"], extra?.toolIds ?? []);
  return written;
}

/** An emitted member whose handoffs name the squad's own members as the squad does. */
function withResolved(member: JsonObject, added: Added | undefined, directory: Directory): JsonObject {
  const path: JsonPath = ["assistantOverrides", "tools:append"];
  const tools = getAt(member, path);
  if (!Array.isArray(tools)) return member;
  return setAt(
    member,
    path,
    tools.filter(isRecord).map((tool) => resolved(tool, added, directory)),
  );
}

function resolved(tool: JsonObject, added: Added | undefined, directory: Directory): JsonObject {
  const { destinations } = tool;
  if (tool.type !== "handoff" || !Array.isArray(destinations)) return tool;
  const named = destinations.map((destination: unknown) => {
    if (!isRecord(destination) || typeof destination.assistantName !== "string") return destination;
    const target = added?.nodeOfName.get(destination.assistantName);
    if (target === undefined) return destination;
    const ref = directory.refTo(target, { assistantName: destination.assistantName });
    return { ...omit(destination, ["assistantName"]), ...ref };
  });
  return { ...tool, destinations: named };
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
  const { default_dynamic_variables: defaults, name } = graph.source_metadata;
  const written = defaults ? setAt(shared, ["variableValues"], defaults) : shared;
  const named = name && name !== squad.name ? { ...squad, name } : squad;
  return isRecord(squad[key]) || Object.keys(written).length > 0 ? { ...named, [key]: written } : named;
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
