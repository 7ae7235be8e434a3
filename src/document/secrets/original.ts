import { editText, type ParsedDocument, parseDocument } from "../../base/documents/mod.ts";
import type { Path } from "../../base/errors.ts";
import { isRecord } from "../../base/values/mod.ts";
import { type AgentGraph, ORIGINAL } from "../graph/mod.ts";

/** A graph whose original document is parsed, so that its texts are searched too. */
export interface OpenedGraph {
  readonly graph: AgentGraph;
  /** Serializes the document of the given graph. */
  readonly close: (graph: AgentGraph) => AgentGraph;
}

/** Parses the original document that an imported graph keeps as text; see {@link isInOriginal}. */
export function openOriginal(graph: AgentGraph): OpenedGraph {
  const source = graph.source_metadata;
  const original = isRecord(source) ? source[ORIGINAL] : undefined;
  const written = isRecord(original) && typeof original.text === "string" ? original.text : "";
  const parsed = parsedText(written);
  if (!isRecord(original) || parsed === undefined) return { graph, close: (changed) => changed };
  const { format } = original;
  const { value: document, notation } = parsed;
  const opened = { format, text: "", document };
  return {
    graph: { ...graph, source_metadata: { ...source, [ORIGINAL]: opened } },
    close: (changed) => {
      const now = changed.source_metadata[ORIGINAL];
      const value = isRecord(now) && Object.hasOwn(now, "document") ? now.document : document;
      return {
        ...changed,
        source_metadata: {
          ...changed.source_metadata,
          [ORIGINAL]: { format, text: editText({ text: written }, notation, value) },
        },
      };
    },
  };
}

/** Parses a text; `undefined` for one that was edited and is not valid any more. It is then searched as one text. */
function parsedText(text: string): ParsedDocument | undefined {
  try {
    return parseDocument(text, "Cannot read the original document");
  } catch {
    return undefined;
  }
}

/** Whether a path leads into the original document of an imported graph. */
export function isInOriginal([first, second]: Path): boolean {
  return first === "source_metadata" && second === ORIGINAL;
}
