import type { Path } from "../../base/errors.ts";
import { editJson, isRecord, parsedJson } from "../../base/values/mod.ts";
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
  const document = parsedJson(written.replace(/^\uFEFF/, "")); // invalid after manual edits: searched as one text
  if (!isRecord(original) || document === undefined) return { graph, close: (changed) => changed };
  const { format, text } = original;
  const opened = { format, text: "", document };
  return {
    graph: { ...graph, source_metadata: { ...source, [ORIGINAL]: opened } },
    close: (changed) => {
      const now = changed.source_metadata[ORIGINAL];
      const value = isRecord(now) && Object.hasOwn(now, "document") ? now.document : document;
      return {
        ...changed,
        source_metadata: { ...changed.source_metadata, [ORIGINAL]: { format, text: editJson(text, value) } },
      };
    },
  };
}

/** Whether a path leads into the original document of an imported graph. */
export function isInOriginal([first, second]: Path): boolean {
  return first === "source_metadata" && second === ORIGINAL;
}
