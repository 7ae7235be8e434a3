import { freeName, getAt, isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import { isText } from "./prompt.ts";

/** Ids and name by which handoffs refer to a squad member. */
export interface MemberName {
  readonly node_id: string;
  readonly ids: readonly string[];
  readonly name?: string | undefined;
}

/** Reference of a destination to its assistant. Dashboards write both keys. */
export interface AssistantRef {
  readonly assistantId?: string;
  readonly assistantName?: string;
}

/** Resolves references between the members of a squad. */
export interface Directory {
  /** Returns the node of a reference; `undefined` if its assistant is not in the document. */
  readonly resolve: (ref: AssistantRef) => string | undefined;
  /** Returns a reference to the member of a node, with the same keys as an earlier reference if possible. */
  readonly refTo: (nodeId: string, like: AssistantRef) => AssistantRef;
}

/** Returns the reference of a destination. */
export function refOf(destination: JsonObject): AssistantRef {
  const { assistantId, assistantName } = destination;
  return { ...(isText(assistantId) ? { assistantId } : {}), ...(isText(assistantName) ? { assistantName } : {}) };
}

/** Place of the node's id in emitted members. Vapi's names are too short for some ids. */
export const NODE_HINT = ["assistant", "metadata", "callweave", "node"] as const;

/** Returns the place of a setting: in the overrides if they set it or there is no assistant, else in the assistant. */
export function placeOf(home: JsonObject, ...path: readonly string[]): readonly string[] {
  const overriding = ["assistantOverrides", ...path];
  const isOverridden = typeof getAt(home, overriding) === "string" || !isRecord(home.assistant);
  return isOverridden ? overriding : ["assistant", ...path];
}

/** Returns the name of a member's assistant. An override takes precedence. */
export function nameOf(home: JsonObject): string | undefined {
  const names = [getAt(home, ["assistantOverrides", "name"]), getAt(home, ["assistant", "name"])];
  return names.find(isText);
}

/** Returns the ids of a member's assistant. */
export function idsOf(home: JsonObject): readonly string[] {
  return [home.assistantId, getAt(home, ["assistant", "id"])].filter(isText);
}

/** Creates the directory of a squad. Like Vapi, it looks up ids first; the first member of a name counts. */
export function createDirectory(members: readonly MemberName[]): Directory {
  const byId = new Map<string, string>();
  const byName = new Map<string, string>();
  const byNode = new Map(members.map((member) => [member.node_id, member]));
  for (const { node_id: nodeId, ids, name } of members) {
    for (const id of ids) if (!byId.has(id)) byId.set(id, nodeId);
    if (name !== undefined && !byName.has(name)) byName.set(name, nodeId);
  }
  const resolve = ({ assistantId, assistantName }: AssistantRef) =>
    (assistantId === undefined ? undefined : byId.get(assistantId)) ??
    (assistantName === undefined ? undefined : byName.get(assistantName));
  const refTo = (nodeId: string, like: AssistantRef): AssistantRef => {
    const member = byNode.get(nodeId);
    const id = member?.ids.find((candidate) => byId.get(candidate) === nodeId);
    const name = member?.name !== undefined && byName.get(member.name) === nodeId ? member.name : undefined;
    const wanted: AssistantRef = {
      ...(like.assistantId !== undefined && id !== undefined ? { assistantId: id } : {}),
      ...(like.assistantName !== undefined && name !== undefined ? { assistantName: name } : {}),
    };
    if (Object.keys(wanted).length > 0) return wanted;
    if (name !== undefined) return { assistantName: name };
    return id === undefined ? { assistantName: nodeId } : { assistantId: id };
  };
  return { resolve, refTo };
}

/** Returns the node ids of members, in the same order. */
export function nodeIds(homes: readonly JsonObject[]): readonly string[] {
  const ids = memberIds();
  return homes.map((home) => readId(home, ids));
}

/** Assigns ids to the items of a document, in order. */
export interface IdReader<Item> {
  /** Returns the id that the next item gets. */
  readonly next: (item: Item) => string;
  readonly take: (item: Item, id: string) => void;
}

/** Assigns the next item its id. */
export function readId<Item>(item: Item, ids: IdReader<Item>): string {
  const id = ids.next(item);
  ids.take(item, id);
  return id;
}

/** Returns an item that gets the given id when it is imported. It is renamed if its current name leads to another id. */
export function writeId<Item>(item: Item, id: string, ids: IdReader<Item>, rename: (item: Item) => Item): Item {
  const written = ids.next(item) === id ? item : rename(item);
  ids.take(written, id);
  return written;
}

/**
 * Assigns ids to squad members: the id in the metadata that Callweave wrote, else the assistant's name, else its id,
 * else the member's index. Duplicate ids get a number.
 */
export function memberIds(): IdReader<JsonObject> {
  const taken = new Set<string>();
  return {
    next: (home) => {
      const hint = getAt(home, NODE_HINT);
      return freeName(
        (isText(hint) ? hint : nameOf(home)) ?? idsOf(home)[0] ?? `member_${taken.size + 1}`,
        (each) => taken.has(each),
        { joint: "_" },
      );
    },
    take: (_, id) => taken.add(id),
  };
}
