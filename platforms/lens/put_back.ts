import { type Path, PlatformError } from "../../src/base/errors.ts";
import { editDocument, getAt, replaceAt, sameJson } from "../../src/base/values/mod.ts";
import { type AgentGraph, ORIGINAL, originalOf, withoutOriginal } from "../../src/document/graph/mod.ts";
import { type DocumentShape, merge } from "./merge.ts";
import { followRenamed, renamedItems } from "./references.ts";

/** The parts of a loss that {@link putBack} compares. The lens does not import the type of the platforms' losses. */
interface Lost {
  readonly code: string;
  readonly path: Path;
}

/** Output of a format's emitter, before it is merged into the original. */
interface Plain<Loss extends Lost> {
  readonly config: unknown;
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
    // a default may now resolve to another value: the start node, for example, defaults to the first node
    const again = plainJson(written(config, read, write)?.config);
    if (again !== undefined && !sameJson(again, wanted)) config = put(config, again, { ...shape, defaults: [] });
  }
  const known = new Set(base.losses.map(placeOf));
  const losses = mine.losses.filter((loss) => !known.has(placeOf(loss)));
  return { config, text: config === document ? original.text : editDocument(original, config, shape), losses };
}

function readBack<Loss extends Lost>(text: string, { read, write }: Pick<Direction<Loss>, "read" | "write">) {
  try {
    const document: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    const imported = read(document);
    return { document, imported, base: write(imported, imported) };
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

/** Imports a merged document and emits it again; `undefined` if it cannot be imported. */
function written<Loss extends Lost>(config: unknown, read: Direction<Loss>["read"], write: Direction<Loss>["write"]) {
  try {
    const graph = read(config);
    return write(graph, graph);
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
