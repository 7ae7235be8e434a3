import { isRecord, type JsonObject, own } from "../../src/values/mod.ts";

/** Keys and indexes from the document's root. */
type Place = readonly (string | number)[];

/**
 * Paths of keys that the import filled in: missing ones, and ones that were `null`. Kept in the graph under
 * `source_metadata.voicetest`; the document's own value of that key is in `own`.
 */
export interface Filled {
  readonly absent: readonly Place[];
  readonly null: readonly Place[];
  readonly own?: unknown;
}

/** Returns the paths at which document and parsed graph differ because a key is missing or null. */
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

/** Whether a value is the result of {@link filledIn}, as opposed to the document's own data. */
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

/** Whether to restore the key at a path. */
type Wanted = (place: Place) => boolean;

/** Copies a graph with the selected paths missing or `null` again. */
export function takenOut(graph: JsonObject, filled: Filled, wanted: Wanted): JsonObject {
  const root = createBranch();
  for (const kind of ["absent", "null"] as const)
    for (const place of filled[kind]) if (wanted(place)) branchAt(root, place).kind = kind;
  return cut(graph, root);
}

/** A tree of paths, so that one walk changes them all. Uses maps, because keys can be any text. */
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
  // a null key that the graph does not have was dropped on import
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
