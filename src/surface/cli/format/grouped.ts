import type { Path } from "../../../base/errors.ts";
import { type Style, styleFor } from "../../../base/values/mod.ts";
import type { StreamInfo, Terminal } from "../io/mod.ts";

/** A finding or loss at a place in a document. */
export interface PlacedItem {
  readonly code: string;
  readonly path: Path;
  readonly message: string;
  readonly instead?: string;
}

/** All items with the same code. */
export interface Group<Item extends PlacedItem> {
  readonly code: string;
  readonly items: readonly [Item, ...Item[]];
  /** The message, if all have the same. */
  readonly message: string | undefined;
}

/** The style of a list: lines are wrapped on a terminal, and left whole in logs and pipes, where people search them. */
export function listStyle(stream: StreamInfo, env: Terminal["env"]): Style {
  const style = styleFor(stream, env);
  return stream.isTTY ? style : { ...style, width: Number.POSITIVE_INFINITY };
}

/** Maximum number of places to name on one line, and of lines for places with their own messages. */
const MOST_PLACES = 3;
const MOST_LINES = 5;

/** Groups by code, in the order of first appearance. */
export function groupByCode<Item extends PlacedItem>(items: readonly Item[]): readonly Group<Item>[] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(item.code);
    if (group) group.push(item);
    else groups.set(item.code, [item]);
  }
  return [...groups].map(([code, group]) => ({
    code,
    items: group,
    message: sharedBy(group, ({ message }) => message),
  }));
}

/** The value that all items of a group share, if any. */
export function sharedBy<Item, Value>(items: readonly Item[], read: (item: Item) => Value): Value | undefined {
  const values = new Set(items.map(read));
  return values.size === 1 ? [...values][0] : undefined;
}

/**
 * The locations of a group's items: the first ones on one line, or a line per location with its message.
 *
 * @param all Writes every location on its own line.
 */
export function placeLines<Item extends PlacedItem>({ items, message }: Group<Item>, all: boolean): readonly string[] {
  const instead = sharedBy(items, (item) => item.instead);
  const lineOf = (item: Item) => {
    const own = instead === undefined && item.instead !== undefined && all ? `emitted: ${item.instead}` : "";
    const texts = [message === undefined ? item.message : "", own].filter(Boolean);
    return `at ${[nameOf(item.path), ...texts].join(": ")}`;
  };
  if (all || message === undefined) {
    const shown = all ? items : items.slice(0, MOST_LINES);
    return [...shown.map(lineOf), ...more(items.length - shown.length)];
  }
  const shown = items.slice(0, MOST_PLACES).map(({ path }) => nameOf(path));
  const rest = more(items.length - shown.length);
  return [`at ${[shown.join(", "), ...rest].join(" ")}`];
}

function more(count: number): readonly string[] {
  return count > 0 ? [`and ${count} more`] : [];
}

function nameOf(path: Path): string {
  return path.join(".") || "the graph";
}
