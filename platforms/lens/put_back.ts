import { editText, listMaps, parseDocument, unlistMaps } from "../../src/base/documents/mod.ts";
import { type Path, PlatformError } from "../../src/base/errors.ts";
import { getAt, isRecord, matchItems, replaceAt, sameJson, valueOfKey } from "../../src/base/values/mod.ts";
import { type AgentGraph, ORIGINAL, originalOf, withoutOriginal } from "../../src/document/graph/mod.ts";
import { type DocumentShape, merge } from "./merge.ts";

/** The parts of a loss that {@link putBack} compares. The lens does not import the type of the platforms' losses. */
interface Lost {
  readonly code: string;
  readonly path: Path;
}

/** A file beside a document. */
export interface EmittedFile {
  /** Relative to the document's folder, with `/` between its parts: `tools/orders.py`. */
  readonly path: string;
  readonly text: string;
}

/** Output of a format's emitter, before it is merged into the original. */
interface Plain<Loss extends Lost> {
  readonly config: unknown;
  readonly files?: readonly EmittedFile[];
  readonly losses: readonly Loss[];
}

/** Importer and emitter of a format. */
export interface Direction<Loss extends Lost> {
  readonly name: string;
  readonly shape: DocumentShape;
  readonly read: (document: unknown) => AgentGraph;
  /** @param imported The graph before any edits, if it has an original document. */
  readonly write: (graph: AgentGraph, imported?: AgentGraph) => Plain<Loss>;
}

/** An emitted document with its text for a file. */
export interface Written<Loss extends Lost> extends Plain<Loss> {
  readonly text: string;
}

/**
 * Emits a graph into the document that it was imported from: `merge(original, base, mine)`, where `base` is what the
 * emitter writes for the imported graph and `mine` what it writes for the current one. Losses of the imported graph are
 * not reported, because the original keeps those parts.
 *
 * @returns `undefined` if the graph was not imported in this format.
 * @throws {PlatformError} `damaged-original` if the original was edited and cannot be read any more.
 */
export function putBack<Loss extends Lost>(
  graph: AgentGraph,
  { name, shape, read, write }: Direction<Loss>,
): Written<Loss> | undefined {
  const original = originalOf(graph);
  if (original?.format !== name) return undefined;
  const { document, notation, imported, base } = readBack(original.text, { read, write });
  const mine = write(withoutOriginal(graph), imported);
  const listed = (value: unknown) => listMaps(value, shape.maps);
  const opened = listed(document);
  const [before, now] = [listed(plainJson(base.config)), listed(plainJson(mine.config))];
  const renamed = renamedItems(before, now, shape);
  const wanted = followRenamed(now, renamed);
  const put = (into: unknown, base: unknown, as: DocumentShape): unknown => {
    const root = shape.root?.(into) ?? [];
    if (!shape.open) return replaceAt(into, root, merge(getAt(into, root), base, wanted, as));
    const { body, close } = shape.open(into);
    const merged = merge(body, base, wanted, as);
    return merged === body ? into : close(merged);
  };
  let merged = followRenamed(put(opened, before, shape), renamed);
  if (!sameJson(before, wanted)) {
    // a default may now resolve to another value: the start node, for example, defaults to the first node
    const again = listed(
      plainJson(written(shape.maps ? unlistMaps(merged) : merged, imported, { read, write })?.config),
    );
    if (again !== undefined && !sameJson(again, wanted)) merged = put(merged, again, { ...shape, defaults: [] });
  }
  const config = merged === opened ? document : shape.maps ? unlistMaps(merged) : merged;
  const known = new Set(base.losses.map(placeOf));
  const losses = mine.losses.filter((loss) => !known.has(placeOf(loss)));
  const text = config === document ? original.text : editText(original, notation, config, shape);
  return { ...mine, config, text, losses };
}

function readBack<Loss extends Lost>(text: string, { read, write }: Pick<Direction<Loss>, "read" | "write">) {
  try {
    const { value: document, notation } = parseDocument(text, "Cannot read it");
    const imported = read(document);
    return { document, notation, imported, base: write(imported, imported) };
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

/** Imports a merged document and emits it again, as the edited graph was; `undefined` if it cannot be imported. */
function written<Loss extends Lost>(
  config: unknown,
  imported: AgentGraph,
  { read, write }: Pick<Direction<Loss>, "read" | "write">,
) {
  try {
    return write(read(config), imported);
  } catch {
    return undefined;
  }
}

function placeOf({ code, path }: Lost): string {
  return JSON.stringify([code, path]);
}

/** Converts a value to plain JSON: without `undefined`, and with `null` for numbers such as `NaN`. */
function plainJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** New names by old names, for each key that refers to items. Old names that another item now has are left out. */
export type RenamedItems = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Finds the items whose names differ between `base` and `mine`, for each key that refers to items. */
export function renamedItems(
  base: unknown,
  mine: unknown,
  { keys, kindOf, references = {} }: DocumentShape,
): RenamedItems {
  const found = Object.entries(references).map(([key, naming]) => ({
    key,
    nameOf: (item: unknown) => nameOf(item, typeof naming === "string" ? [naming] : naming),
    renamed: new Map<string, string>(),
    taken: new Set<string | undefined>(),
  }));
  const compare = (before: unknown, after: unknown): void => {
    if (isRecord(before) && isRecord(after)) for (const key of Object.keys(after)) compare(before[key], after[key]);
    if (!Array.isArray(before) || !Array.isArray(after)) return;
    for (const [index, match] of matchItems(before, after, keys, kindOf).entries()) {
      for (const { nameOf, renamed, taken } of found) {
        const now = nameOf(after[index]);
        taken.add(now);
        const old = match === undefined ? undefined : nameOf(before[match]);
        if (old !== undefined && now !== undefined && old !== now) renamed.set(old, now);
      }
      if (match !== undefined) compare(before[match], after[index]);
    }
  };
  if (found.length > 0 && !sameJson(base, mine)) compare(base, mine);
  return new Map(
    found.map(({ key, renamed, taken }) => [key, new Map([...renamed].filter(([old]) => !taken.has(old)))]),
  );
}

/** Returns the name of a list item: the first non-empty text under one of the keys. */
function nameOf(item: unknown, keys: readonly string[]): string | undefined {
  const names = keys.map((key) => valueOfKey(item, key));
  return names.find((name): name is string => typeof name === "string" && name !== "");
}

/** Updates all references to renamed items in a document, including those that the graph does not model. */
export function followRenamed(document: unknown, renamed: RenamedItems): unknown {
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const name = typeof inner === "string" ? renamed.get(key)?.get(inner) : undefined;
        return [key, name ?? follow(inner)];
      }),
    );
  };
  return [...renamed.values()].some((names) => names.size > 0) ? follow(document) : document;
}
