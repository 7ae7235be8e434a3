import { isRecord, type JsonObject, own } from "../../src/values/mod.ts";

/** Keys and indexes from the document down. */
type Place = readonly (string | number)[];

/**
 * What reading a document filled in, by place: keys that were not there, and keys that were `null`. It is kept in the
 * graph as `source_metadata.voicetest`; what the document itself has under that name is then in `own`.
 */
export interface Filled {
  readonly absent: readonly Place[];
  readonly null: readonly Place[];
  readonly own?: unknown;
}

/** The places where a document says nothing and the graph read from it something, or the other way round. */
export function filledIn(document: unknown, graph: unknown): Filled {
  const absent: Place[] = [];
  const nulls: Place[] = [];
  const compare = (before: unknown, after: unknown, at: Place): void => {
    if (Array.isArray(before) && Array.isArray(after)) {
      for (const [index, item] of before.entries()) compare(item, after[index], [...at, index]);
    } else if (isRecord(before) && isRecord(after)) {
      for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
        const [was, is] = [own(before, key), own(after, key)];
        if (was === undefined && is !== undefined) absent.push([...at, key]);
        else if (was === null && is !== null) nulls.push([...at, key]);
        else compare(was, is, [...at, key]);
      }
    }
  };
  compare(document, graph, []);
  return { absent, null: nulls };
}

/** Whether a value is what {@link filledIn} gives, and not something of the document's own. */
export function isFilled(value: unknown): value is Filled {
  return isRecord(value) && arePlaces(value.absent) && arePlaces(value.null);
}

function arePlaces(value: unknown): value is Filled["absent"] {
  return (
    Array.isArray(value) &&
    value.every(
      (place) => Array.isArray(place) && place.every((key) => typeof key === "string" || typeof key === "number"),
    )
  );
}

/** Whether a key at a place goes back to what it was. */
type Wanted = (place: Place) => boolean;

/** A copy of a graph in which the places that are wanted are absent, or `null`, again; the others are as they are. */
export function takenOut(graph: JsonObject, filled: Filled, wanted: Wanted): JsonObject {
  const root = createBranch();
  for (const kind of ["absent", "null"] as const)
    for (const place of filled[kind]) if (wanted(place)) branchAt(root, place).kind = kind;
  return cut(graph, root);
}

/** A tree of places, so that one walk changes them all. Maps, as keys can be any text. */
interface Branch {
  kind: "absent" | "null" | undefined;
  readonly children: Map<string | number, Branch>;
}

function createBranch(): Branch {
  return { kind: undefined, children: new Map() };
}

function branchAt(root: Branch, place: Place): Branch {
  let branch = root;
  for (const key of place) {
    const next = branch.children.get(key) ?? createBranch();
    branch.children.set(key, next);
    branch = next;
  }
  return branch;
}

function cut(value: JsonObject, branch: Branch): JsonObject {
  const kept = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const child = branch.children.get(key);
    if (child?.kind === "absent") return [];
    return [[key, child?.kind === "null" ? null : cutAny(item, child)]];
  });
  // A null that the graph has no key for: the key is dropped where the graph is read.
  const gone = [...branch.children].flatMap(([key, child]): [string, unknown][] =>
    child.kind === "null" && typeof key === "string" && !Object.hasOwn(value, key) ? [[key, null]] : [],
  );
  return Object.fromEntries([...kept, ...gone]);
}

function cutAny(value: unknown, branch: Branch | undefined): unknown {
  if (!branch || branch.children.size === 0) return value;
  if (Array.isArray(value)) return value.map((item, index) => cutAny(item, branch.children.get(index)));
  return isRecord(value) ? cut(value, branch) : value;
}
