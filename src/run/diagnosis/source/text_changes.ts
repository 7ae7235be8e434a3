import type { Path } from "../../../base/errors.ts";
import { isRecord, own, replaceAt } from "../../../base/values/mod.ts";
import { type AgentGraph, contentOf } from "../../../document/graph/mod.ts";

/** A text of a graph, and its replacement in another version. */
export interface TextChange {
  readonly before: string;
  readonly after: string;
  /** Its paths in the graph; several if tools of several nodes are the same. */
  readonly paths: readonly Path[];
}

/** The differences of two versions of a graph. */
export interface TextChanges {
  readonly texts: readonly TextChange[];
  /** Paths of differences that are not texts, such as an added transition. */
  readonly others: readonly Path[];
}

/** Finds the texts in which two versions of a graph differ. */
export function textChanges(before: AgentGraph, after: AgentGraph): TextChanges {
  const found = new Map<string, { before: string; after: string; paths: Path[] }>();
  const others: Path[] = [];
  const compare = (from: unknown, to: unknown, path: Path): void => {
    if (typeof from === "string" && typeof to === "string") {
      if (from === to) return;
      const key = JSON.stringify([from, to]);
      const known = found.get(key);
      if (known) known.paths.push(path);
      else found.set(key, { before: from, after: to, paths: [path] });
    } else if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
      for (const [index, item] of from.entries()) compare(item, to[index], [...path, index]);
    } else if (isRecord(from) && isRecord(to)) {
      for (const key of new Set([...Object.keys(from), ...Object.keys(to)]))
        compare(own(from, key), own(to, key), [...path, key]);
    } else if (from !== to) others.push(path);
  };
  compare(contentOf(before), contentOf(after), []);
  return { texts: [...found.values()], others };
}

/** The graph with one text changed. */
export function withText(graph: AgentGraph, { after, paths }: TextChange): unknown {
  return paths.reduce<unknown>((changed, path) => replaceAt(changed, path, after), contentOf(graph));
}
