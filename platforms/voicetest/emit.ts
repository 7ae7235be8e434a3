import { type AgentGraph, parseGraph } from "../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, own, sameJson } from "../../src/values/mod.ts";
import type { PlainEmitted } from "../platform.ts";
import { type Filled, isFilled, takenOut } from "./filled.ts";

/**
 * Emits a graph as an AgentGraph document. Keys that the import filled in are removed again, unless that would change
 * the meaning. There are no losses.
 */
export function emitVoicetest(graph: AgentGraph): PlainEmitted<JsonObject> {
  const filled = own(graph.source_metadata, "voicetest");
  if (!isFilled(filled)) return { config: { ...graph }, losses: [] };
  const rest = omit(graph.source_metadata, ["voicetest"]);
  const source_metadata = Object.hasOwn(filled, "own") ? { ...rest, voicetest: filled.own } : rest;
  return { config: leaveOut({ ...graph, source_metadata }, filled), losses: [] };
}

function leaveOut(document: JsonObject, filled: Filled): JsonObject {
  const again = readAgain(takenOut(document, filled, () => true));
  if (!again) return document; // invalid after edits: emitted in full
  return takenOut(document, filled, (place) => sameJson(valueAt(document, place), valueAt(again, place)));
}

/** Parses a document without the filled-in keys; `undefined` if it is not valid. */
function readAgain(lean: JsonObject): AgentGraph | undefined {
  try {
    return parseGraph(lean);
  } catch {
    return undefined;
  }
}

function valueAt(value: unknown, place: Filled["absent"][number]): unknown {
  let current = value;
  for (const key of place) {
    if (Array.isArray(current)) current = typeof key === "number" ? current[key] : undefined;
    else current = isRecord(current) ? own(current, String(key)) : undefined;
  }
  return current;
}
