import { getAt, isRecord, type JsonObject, recordAt, repeated, setAt } from "../../../src/base/values/mod.ts";
import type { AgentNode } from "../../../src/document/graph/mod.ts";
import { createDirectory, type Directory, idsOf, memberIds, NODE_HINT, nameOf, placeOf, writeId } from "./directory.ts";
import { readLists, writeLists } from "./lists.ts";
import { readPrompt, writePrompt } from "./prompt.ts";
import { isText } from "./texts.ts";

/**
 * Reads a member (or an assistant, as `{ assistant }`) as a conversation node. The node keeps Vapi's JSON under
 * `metadata.vapi.home`, with blanks for values of the graph.
 */
export function readMember(id: string, home: JsonObject, directory: Directory): AgentNode {
  const prompt = readPrompt(home);
  const { tools, transitions, rest } = readLists(prompt.rest, directory);
  return {
    id,
    node_type: "conversation",
    state_prompt: prompt.text,
    tools,
    transitions,
    variables_to_extract: [],
    metadata: { vapi: { home: rest } },
  };
}

/** Returns the JSON of the member that a conversation node was read from. */
export function homeOf({ node_type: type, metadata }: AgentNode): JsonObject | undefined {
  const { home } = recordAt(metadata, "vapi");
  return isRecord(home) && type === "conversation" ? home : undefined;
}

/** A node and the member that it is written to. */
export interface Native {
  readonly node: AgentNode;
  readonly home: JsonObject;
}

/**
 * Names the members of a squad. A member gets its node's id as its name if it would get another id when imported, or if
 * a handoff could not refer to it. Members that share a saved assistant get the name in their overrides.
 *
 * @param members In the order in which they are written.
 * @param isTarget Whether a handoff leads to the node.
 */
export function nameMembers(members: readonly Native[], isTarget: (nodeId: string) => boolean): readonly JsonObject[] {
  const ids = memberIds();
  const shared = repeated(members.flatMap(({ home }) => [...new Set(idsOf(home))]));
  const placeIn = (home: JsonObject) =>
    idsOf(home).some((id) => shared.has(id)) ? ["assistantOverrides", "name"] : namePlace(home);
  const homes = members.map(({ node: { id }, home }) =>
    writeId(home, id, ids, (each) => setAt(each, isText(getAt(each, NODE_HINT)) ? NODE_HINT : placeIn(each), id)),
  );
  const found = createDirectory(
    homes.map((home, index) => ({ node_id: members[index]?.node.id ?? "", ids: idsOf(home), name: nameOf(home) })),
  );
  return homes.map((home, index) => {
    const id = members[index]?.node.id;
    if (id === undefined || !isTarget(id) || found.resolve(found.refTo(id, {})) === id) return home;
    return setAt(home, placeIn(home), id);
  });
}

/** Writes a node into its member, which must already have its name. */
export function writeMember(
  node: Pick<AgentNode, "tools" | "transitions" | "state_prompt">,
  home: JsonObject,
  directory: Directory,
): JsonObject {
  return writePrompt(writeLists(node, home, directory), node.state_prompt);
}

const namePlace = (home: JsonObject) => placeOf(home, "name");
