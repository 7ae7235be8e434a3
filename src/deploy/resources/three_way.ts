import { type DocumentShape, merge } from "../../../platforms/mod.ts";
import type { Path } from "../../base/errors.ts";
import { isRecord, type JsonObject, matchItems, sameJson } from "../../base/values/mod.ts";

/** The versions of one resource's body. */
export interface Versions {
  /** As on the platform now. */
  readonly remote: JsonObject;
  /** As emitted at the last apply. */
  readonly sent: JsonObject;
  /** As the platform returned it then. */
  readonly answered: JsonObject;
  /** As emitted now. */
  readonly mine: JsonObject;
}

/** A place with different values in the code (`local`) and on the platform (`remote`). */
export interface Difference {
  readonly path: Path;
  readonly local: unknown;
  readonly remote: unknown;
}

/** The merge of code and dashboard. */
export interface Merged {
  /** The merge with the code's value in conflicts. */
  readonly body: JsonObject;
  /** The merge with the dashboard's value in conflicts. */
  readonly theirs: JsonObject;
  /** Places that both the code and the dashboard have changed, to different values. */
  readonly conflicts: readonly Difference[];
  /** The code's changes alone, without changes of the dashboard. */
  readonly local: JsonObject;
}

/** Merges the changes of the code into the platform's state. Changes made only in the dashboard stay. */
export function mergeThreeWays({ remote, sent, answered, mine }: Versions, shape: DocumentShape): Merged {
  const body = mergeBodies(remote, sent, mine, shape);
  const local = mergeBodies(answered, sent, mine, shape);
  // if the dashboard's changes are applied last, its values win: the two results differ exactly in the conflicts
  const theirs = mergeBodies(local, answered, remote, shape);
  return { body, local, theirs, conflicts: differences(body, theirs, shape) };
}

/** Applies to `original` the changes from `base` to `mine`. */
export function mergeBodies(
  original: JsonObject,
  base: JsonObject,
  mine: JsonObject,
  shape: DocumentShape,
): JsonObject {
  const merged = merge(original, base, mine, shape);
  return isRecord(merged) ? merged : mine;
}

/** Places at which two bodies differ. */
export function differences(
  local: unknown,
  remote: unknown,
  shape: DocumentShape,
  path: Path = [],
): readonly Difference[] {
  if (sameJson(local, remote)) return [];
  if (isRecord(local) && isRecord(remote))
    return [...new Set([...Object.keys(local), ...Object.keys(remote)])].flatMap((key) =>
      differences(local[key], remote[key], shape, [...path, key]),
    );
  if (!Array.isArray(local) || !Array.isArray(remote) || local.length !== remote.length)
    return [{ path, local, remote }];
  const pairs = matchItems(remote, local, shape.keys, shape.kindOf);
  if (pairs.some((pair, index) => pair !== index)) return [{ path, local, remote }];
  return local.flatMap((item: unknown, index) => differences(item, remote[index], shape, [...path, index]));
}
