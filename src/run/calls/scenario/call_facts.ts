import { isRecord, type JsonObject, own } from "../../../base/values/mod.ts";
import { statedFacts } from "../../../call/judges/mod.ts";
import { type EntityKind, findEntity } from "../../../call/models/mod.ts";
import { textOf } from "../../../document/expressions/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { Call } from "../../../document/transcript/mod.ts";
import type { CallerLine } from "../caller_lines.ts";
import type { CallFact } from "./types.ts";

/** Kinds of values that are recognized by their form, besides e-mail addresses, numbers and codes. */
const KINDS: readonly EntityKind[] = ["name", "date", "time"];
const GERMAN_NAME =
  /\b(?:[Mm]ein Name ist|[Ii]ch hei(?:ß|ss)e|[Hh]ier (?:ist|spricht))\s+(\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*){0,3})/u;

/** Facts that the caller stated: values of extracted variables that occur in their words, and values with a known form. */
export function callFacts(extracted: JsonObject, lines: readonly CallerLine[]): readonly CallFact[] {
  const facts: CallFact[] = [];
  const add = (name: string, value: string) => {
    const folded = value.toLowerCase();
    if (!facts.some((fact) => fact.value.toLowerCase().includes(folded))) facts.push({ name, value });
  };
  const said = lines
    .map((line) => line.said)
    .join("\n")
    .toLowerCase();
  for (const [name, value] of Object.entries(extracted)) {
    const text = textOf(value)?.trim() ?? "";
    if (text !== "" && typeof value !== "boolean" && said.includes(text.toLowerCase())) add(name, text);
  }
  for (const line of lines) {
    for (const { kind, text } of statedFacts(line.said)) add(kind, text);
    for (const kind of KINDS) {
      const found = findEntity(line.said, kind);
      if (found !== undefined) add(kind, found);
    }
    const german = GERMAN_NAME.exec(line.said)?.[1];
    if (german !== undefined) add("name", german);
  }
  return facts;
}

/**
 * The variables that the agent filled during the call, with their last values. If an imported call does not name
 * them, those that the graph extracts.
 */
export function extractedValues(call: Call, graph: AgentGraph | undefined): JsonObject {
  const declared =
    graph && new Set(Object.values(graph.nodes).flatMap((node) => node.variables_to_extract.map(({ name }) => name)));
  const recorded = call.transcript.flatMap(({ metadata }) =>
    metadata.kind === "extraction" && isRecord(metadata.variables) ? Object.keys(metadata.variables) : [],
  );
  const imported = recorded.length === 0 && call.provenance ? [...(declared ?? [])] : [];
  const names = [...new Set([...recorded, ...imported])].filter((name) => declared?.has(name) ?? true);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = own(call.variables, name);
      return value === undefined || value === null ? [] : [[name, value] as const];
    }),
  );
}
