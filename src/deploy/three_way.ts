import { type DocumentShape, merge } from "../../platforms/mod.ts";
import type { Path } from "../errors.ts";
import { isRecord, type JsonObject, matchItems, sameJson } from "../values/mod.ts";

/** The versions of one resource's body. */
export interface Versions {
  /** As it is on the platform now. */
  readonly remote: JsonObject;
  /** As it was emitted when it was last applied. */
  readonly sent: JsonObject;
  /** As the platform returned it after that. */
  readonly answered: JsonObject;
  /** As it is emitted now. */
  readonly mine: JsonObject;
}

/** A place that code and dashboard have both changed, to different values. */
export interface Difference {
  readonly path: Path;
  readonly local: unknown;
  readonly remote: unknown;
}

/** Code and dashboard brought together. */
export interface Merged {
  /** With the code's value where both have changed the same place. */
  readonly body: JsonObject;
  /** With the dashboard's value there. */
  readonly theirs: JsonObject;
  /** Those places. */
  readonly conflicts: readonly Difference[];
  /** The code's changes alone: the body if nobody had changed anything on the platform. */
  readonly local: JsonObject;
}

/** Brings what changed in code into what is on the platform. What changed in the dashboard alone stays. */
export function mergeThreeWays({ remote, sent, answered, mine }: Versions, shape: DocumentShape): Merged {
  const body = mergeBodies(remote, sent, mine, shape);
  const local = mergeBodies(answered, sent, mine, shape);
  // with the dashboard's changes applied last, its values win: the two differ exactly where both have changed
  const theirs = mergeBodies(local, answered, remote, shape);
  return { body, local, theirs, conflicts: differences(body, theirs, shape) };
}

/** Makes in `original` what changed from `base` to `mine`. */
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
