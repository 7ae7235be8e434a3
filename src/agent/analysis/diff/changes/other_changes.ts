import type { Path } from "../../../../base/errors.ts";
import { isRecord, own } from "../../../../base/values/mod.ts";
import { type ChangeKind, changeOf, type GraphChange, type NewChange, shownValue, textParts } from "../change_kinds.ts";
import { isNothing, isSame } from "../matching/mod.ts";

/** Where to report differences that have no comparison of their own. */
export interface OtherPlace {
  readonly path: Path;
  readonly more?: Pick<NewChange, "node" | "transition" | "nodes">;
  /** Default: `other-changed`. */
  readonly kind?: ChangeKind;
}

/** Keys under which platforms store positions for their editors. */
const LAYOUT = new Set(["display_position", "begin_tag_display_position", "position"]);
/** Minimum length of texts that are compared word by word. */
const LONG_TEXT = 40;

/** Every difference of two JSON values, by path: values that are new, gone or changed. */
export function otherChanges(before: unknown, after: unknown, place: OtherPlace): readonly GraphChange[] {
  const found: GraphChange[] = [];
  compare(before, after, place, found);
  return found;
}

function compare(before: unknown, after: unknown, place: OtherPlace, found: GraphChange[]): void {
  if (isSame(before, after)) return;
  const inside = (key: string | number): OtherPlace => ({ ...place, path: [...place.path, key] });
  const isLayout = LAYOUT.has(String(place.path.at(-1)));
  if (!isLayout && isRecord(before) && isRecord(after) && !isNothing(before) && !isNothing(after)) {
    for (const key of new Set([...Object.keys(after), ...Object.keys(before)]))
      compare(own(before, key), own(after, key), inside(key), found);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length > 0 && after.length > 0) {
    compareLists(before, after, inside, found);
    return;
  }
  found.push(leafChange(before, after, place, isLayout));
}

/**
 * Skips the equal items at both ends of two lists. If the same number of items is left, they are compared in pairs;
 * else they are reported as removed and added.
 */
function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  inside: (key: number) => OtherPlace,
  found: GraphChange[],
): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  const isEqual = (left: number, right: number) => isSame([before[left]], [after[right]]);
  while (start < shorter && isEqual(start, start)) start++;
  let end = 0;
  while (end < shorter - start && isEqual(before.length - 1 - end, after.length - 1 - end)) end++;
  const [left, right] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  if (left.length === right.length) {
    for (const [index, item] of right.entries()) compareItem(left[index], item, inside(start + index), found);
    return;
  }
  for (const [index, item] of left.entries()) found.push(leafChange(item, undefined, inside(start + index), false));
  for (const [index, item] of right.entries()) found.push(leafChange(undefined, item, inside(start + index), false));
}

/** In a list, `null` and an empty object are items. */
function compareItem(before: unknown, after: unknown, place: OtherPlace, found: GraphChange[]): void {
  const count = found.length;
  compare(before, after, place, found);
  if (found.length === count && !isSame([before], [after])) found.push(leafChange(before, after, place, false));
}

function leafChange(before: unknown, after: unknown, place: OtherPlace, isLayout: boolean): GraphChange {
  const { path, more, kind = "other-changed" } = place;
  const [isNew, isGone] = [isNothing(before), isNothing(after)];
  const name = path.join(".");
  const states = isNew
    ? `is new: ${shownValue(after)}`
    : isGone
      ? `is gone, was ${shownValue(before)}`
      : `is ${shownValue(after)} instead of ${shownValue(before)}`;
  const isLong = typeof before === "string" && typeof after === "string" && before.length + after.length > LONG_TEXT;
  return changeOf({
    ...more,
    kind: isLayout ? "layout-changed" : kind,
    path,
    ...(isNew ? {} : { before }),
    ...(isGone ? {} : { after }),
    message: isLayout ? `Position on the canvas changed: ${name}` : `${name} ${states}`,
    ...(isLong ? { words: textParts(before, after) } : {}),
  });
}
