import { type Path, PlatformError } from "../../src/errors.ts";
import { type AgentGraph, ORIGINAL, originalOf, withoutOriginal } from "../../src/graph/mod.ts";
import { editJson, getAt, replaceAt, sameJson } from "../../src/values/mod.ts";
import { type DocumentShape, merge } from "./merge.ts";
import { followRenamed, renamedItems } from "./references.ts";

/** What emitting could not write: its code, and where it is in the graph. */
interface Lost {
  readonly code: string;
  readonly path: Path;
}

/** What a format emits on its own. */
interface Plain<Loss extends Lost> {
  readonly config: unknown;
  readonly losses: readonly Loss[];
}

/** One format's two directions, as {@link putBack} needs them. */
export interface Direction<Loss extends Lost> {
  readonly name: string;
  readonly shape: DocumentShape;
  readonly read: (document: unknown) => AgentGraph;
  /**
   * Writes a document that knows nothing of an original.
   *
   * @param imported The graph as it was read from its original, where there is one.
   */
  readonly write: (graph: AgentGraph, imported?: AgentGraph) => Plain<Loss>;
}

/** A document as a value and as the text of a file. */
export interface Written<Loss extends Lost> {
  readonly config: unknown;
  readonly text: string;
  readonly losses: readonly Loss[];
}

/**
 * Writes a graph into the document that it was imported from: `merge(original, base, mine)`, where `base` is what emitting
 * the imported original gives and `mine` what emitting the graph gives. Only what changed between the two is changed.
 *
 * What emitting the imported original loses is no loss here: the original keeps it.
 *
 * @returns `undefined` where the graph did not come from this format.
 * @throws {PlatformError} `damaged-original` where somebody changed the original so that it cannot be read.
 */
export function putBack<Loss extends Lost>(
  graph: AgentGraph,
  { name, shape, read, write }: Direction<Loss>,
): Written<Loss> | undefined {
  const original = originalOf(graph);
  if (original?.format !== name) return undefined;
  const { document, imported, base } = readBack(original.text, { read, write });
  const mine = write(withoutOriginal(graph), imported);
  const [before, now] = [plainJson(base.config), plainJson(mine.config)];
  const renamed = renamedItems(before, now, shape);
  const wanted = followRenamed(now, renamed);
  const put = (into: unknown, base: unknown, as: DocumentShape): unknown => {
    const root = shape.root?.(into) ?? [];
    if (!shape.open) return replaceAt(into, root, merge(getAt(into, root), base, wanted, as));
    const { body, close } = shape.open(into);
    const merged = merge(body, base, wanted, as);
    return merged === body ? into : close(merged);
  };
  let config = followRenamed(put(document, before, shape), renamed);
  if (!sameJson(before, wanted)) {
    // what the original left to a default may have another one now, such as the first node as the one that calls start at
    const again = plainJson(written(config, read, write)?.config);
    if (again !== undefined && !sameJson(again, wanted)) config = put(config, again, { ...shape, defaults: [] });
  }
  const known = new Set(base.losses.map(placeOf));
  const losses = mine.losses.filter((loss) => !known.has(placeOf(loss)));
  return { config, text: editJson(original.text, config, shape), losses };
}

function readBack<Loss extends Lost>(text: string, { read, write }: Pick<Direction<Loss>, "read" | "write">) {
  try {
    const document: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    const imported = read(document);
    return { document, imported, base: write(imported) };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PlatformError(`Cannot emit graph: the document that it was imported from cannot be read (${why})`, {
      code: "damaged-original",
      path: ["source_metadata", ORIGINAL],
      hint: `Import the agent again, or remove "${ORIGINAL}" to emit the graph alone`,
      cause,
    });
  }
}

/** What emitting a merged document gives; nothing for one that cannot be read, which is emitted as it is. */
function written<Loss extends Lost>(config: unknown, read: Direction<Loss>["read"], write: Direction<Loss>["write"]) {
  try {
    return write(read(config));
  } catch {
    return undefined;
  }
}

function placeOf({ code, path }: Lost): string {
  return JSON.stringify([code, path]);
}

/** The value as JSON holds it: without `undefined`, with `null` for numbers that JSON has no text for. */
function plainJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
