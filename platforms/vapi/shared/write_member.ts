import type { AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { createDirectory, type Directory, idsOf, NODE_HINT, nameOf, nodeIds } from "./directory.ts";
import { joinGuide } from "./guide.ts";
import { getAt, isText, readPath, setAt } from "./json_path.ts";
import { writePrompt } from "./prompt.ts";
import { writeLists } from "./write_lists.ts";

/** What importing left with a node, when the node came from Vapi and can still be one member. */
export interface MemberKept {
  readonly home: JsonObject;
  readonly place: number;
  /** All that was kept, for what the format adds to it. */
  readonly all: JsonObject;
}

/** What was kept with a node; `undefined` for a node that came from elsewhere or is no conversation any more. */
export function memberKept(node: AgentNode): MemberKept | undefined {
  const all = node.metadata.vapi;
  if (!isRecord(all) || !isRecord(all.home) || node.node_type !== "conversation") return undefined;
  return { home: all.home, place: typeof all.place === "number" ? all.place : Number.POSITIVE_INFINITY, all };
}

/** A name that is given can take another member's number away; members of one name are few. */
const MAX_PASSES = 4;

/**
 * Gives members their names: a node whose id was its assistant's name still is, whatever it was renamed to. Where a
 * member would be read back under another id, or could not be named by a handoff, it gets the node's.
 *
 * @param members In the order in which they are written.
 * @param isTarget Whether a handoff leads to a node.
 */
export function nameMembers(
  members: readonly { readonly node: AgentNode; readonly kept: MemberKept }[],
  isTarget: (nodeId: string) => boolean,
): readonly JsonObject[] {
  let homes = members.map(({ node, kept }) => {
    const at = readPath(kept.all.name_at);
    const home = at ? setAt(kept.home, at, node.id) : kept.home;
    return kept.all.hinted === true ? setAt(home, NODE_HINT, node.id) : home;
  });
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const read = nodeIds(homes);
    if (homes.every((_, index) => read[index] === members[index]?.node.id)) break;
    homes = homes.map((home, index) => {
      const id = members[index]?.node.id;
      return id === undefined || read[index] === id ? home : setAt(home, namingPath(home), id);
    });
  }
  const found = createDirectory(
    homes.map((home, index) => ({ node_id: members[index]?.node.id ?? "", ids: idsOf(home), name: nameOf(home) })),
  );
  return homes.map((home, index) => {
    const id = members[index]?.node.id;
    if (id === undefined || !isTarget(id) || found.resolve(found.refTo(id, {})) === id) return home;
    return setAt(home, [nameOwner(home), "name"], id);
  });
}

/** Writes a node back into its member, whose name it already has. */
export function writeMember(
  node: Pick<AgentNode, "tools" | "transitions" | "state_prompt">,
  home: JsonObject,
  kept: MemberKept,
  directory: Directory,
): JsonObject {
  const listed = writeLists(node, home, kept.all.lists, directory);
  const prompt = joinGuide(node.state_prompt, kept.all.guide, listed);
  return writePrompt(listed, prompt, kept.all.prompt_at);
}

function namingPath(home: JsonObject): readonly string[] {
  return isText(getAt(home, NODE_HINT)) ? NODE_HINT : [nameOwner(home), "name"];
}

/** Whose name counts: the override's, when it has one. */
function nameOwner(home: JsonObject): string {
  const overridden = isText(getAt(home, ["assistantOverrides", "name"]));
  return isRecord(home.assistant) && !overridden ? "assistant" : "assistantOverrides";
}
