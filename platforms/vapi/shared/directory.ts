import { getAt, isRecord, type JsonObject, type JsonPath } from "../../../src/values/mod.ts";
import { freeName } from "./names.ts";
import { isText } from "./texts.ts";

/** How handoffs can name a member of a squad. */
export interface MemberName {
  readonly node_id: string;
  readonly ids: readonly string[];
  readonly name?: string | undefined;
}

/** How a destination names its assistant; dashboards write both keys. */
export interface AssistantRef {
  readonly assistantId?: string;
  readonly assistantName?: string;
}

/** The members of a squad, as its handoffs find them. */
export interface Directory {
  /** The node that a destination leads to; `undefined` when its assistant is not in the document. */
  readonly resolve: (ref: AssistantRef) => string | undefined;
  /** A way to name a node's member, with the keys of an earlier one where the member has them. */
  readonly refTo: (nodeId: string, like: AssistantRef) => AssistantRef;
}

/** The keys of a destination that name its assistant. */
export function refOf(destination: JsonObject): AssistantRef {
  const { assistantId, assistantName } = destination;
  return { ...(isText(assistantId) ? { assistantId } : {}), ...(isText(assistantName) ? { assistantName } : {}) };
}

/** Where squads that Callweave emitted keep the id of the node that a member was: names are short, ids are not. */
export const NODE_HINT = ["assistant", "metadata", "callweave", "node"] as const;

/** Where a member has a setting: in its overrides if they have a text for it or stand alone, else in its assistant. */
export function placeOf(home: JsonObject, ...path: readonly string[]): JsonPath {
  const overriding = ["assistantOverrides", ...path];
  const isOverridden = typeof getAt(home, overriding) === "string" || !isRecord(home.assistant);
  return isOverridden ? overriding : ["assistant", ...path];
}

/** What an assistant of a member is called, with the member's own override first. */
export function nameOf(home: JsonObject): string | undefined {
  const names = [getAt(home, ["assistantOverrides", "name"]), getAt(home, ["assistant", "name"])];
  return names.find(isText);
}

/** The ids under which a member's assistant is known. */
export function idsOf(home: JsonObject): readonly string[] {
  return [home.assistantId, getAt(home, ["assistant", "id"])].filter(isText);
}

/** Makes handoffs findable. Vapi looks an id up first and a name after it; the first member of a name wins. */
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

/** The ids of members' nodes, in the order in which they are read. */
export function nodeIds(homes: readonly JsonObject[]): readonly string[] {
  const ids = memberIds();
  return homes.map((home) => readId(home, ids));
}

/** How items of a document get their ids, one after the other. */
export interface IdReader<Item> {
  /** The id that the next item is read under. */
  readonly next: (item: Item) => string;
  readonly take: (item: Item, id: string) => void;
}

/** Reads the next item's id. */
export function readId<Item>(item: Item, ids: IdReader<Item>): string {
  const id = ids.next(item);
  ids.take(item, id);
  return id;
}

/** Writes the next item so that it is read under an id: under another name, if its own leads to another id. */
export function writeId<Item>(item: Item, id: string, ids: IdReader<Item>, rename: (item: Item) => Item): Item {
  const written = ids.next(item) === id ? item : rename(item);
  ids.take(written, id);
  return written;
}

/**
 * Ids of a squad's members: the one that Callweave wrote down, else the assistant's name, else its id, else its place. A
 * second member of the same name gets a number.
 */
export function memberIds(): IdReader<JsonObject> {
  const taken = new Set<string>();
  return {
    next: (home) => {
      const hint = getAt(home, NODE_HINT);
      return freeName((isText(hint) ? hint : nameOf(home)) ?? idsOf(home)[0] ?? `member_${taken.size + 1}`, taken);
    },
    take: (_, id) => taken.add(id),
  };
}
