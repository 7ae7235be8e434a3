import { bareName, placeholdersIn, rootName } from "../../../document/expressions/mod.ts";
import { type AgentGraph, workQuestion } from "../../../document/graph/mod.ts";
import { allTexts, componentsOf, conditionsOf, knownVariables } from "../facts/mod.ts";
import { type Handoff, isHandoff } from "./manifest.ts";

/** Variables that each part, or one that it can hand over to, reads. */
export function variablesOfParts(
  parts: readonly { readonly name: string; readonly graph: AgentGraph }[],
  handoffs: readonly Handoff[],
  whole: AgentGraph,
): ReadonlyMap<string, readonly string[]> {
  const known = new Set(knownVariables(whole).keys());
  const needs = new Map(parts.map(({ name, graph }) => [name, readBy(graph)]));
  const showsAll = new Set(parts.filter(({ graph }) => showsEveryVariable(graph)).map(({ name }) => name));
  const next = new Map(parts.map(({ name }) => [name, [] as string[]]));
  for (const { from, to } of handoffs) next.get(from)?.push(to);
  const found = new Map<string, readonly string[]>();
  // parts that hand over to each other need the same variables; those that only receive calls come last
  for (const members of componentsOf(next).toReversed()) {
    const all = new Set(members.some((name) => showsAll.has(name)) ? known : []);
    for (const name of members) for (const variable of needs.get(name) ?? []) all.add(variable);
    for (const other of new Set(members.flatMap((name) => next.get(name) ?? [])))
      for (const variable of found.get(other) ?? []) all.add(variable);
    const list = [...all].toSorted();
    for (const name of members) found.set(name, list);
  }
  return found;
}

/** A node that asks the model for a tool's arguments shows it every variable. */
function showsEveryVariable(graph: AgentGraph): boolean {
  return Object.values(graph.nodes).some((node) => workQuestion(node) === "arguments");
}

function readBy(graph: AgentGraph): Set<string> {
  const read = new Set<string>();
  const nodes = Object.values(graph.nodes).filter((node) => !isHandoff(node));
  for (const node of nodes) {
    for (const text of allTexts(node)) for (const name of placeholdersIn(text)) read.add(rootName(name));
    for (const [, { equations }] of conditionsOf(node.id, node))
      for (const { left } of equations ?? []) read.add(bareName(left));
  }
  for (const text of [...Object.values(graph.snippets), graph.source_metadata.general_prompt ?? ""])
    for (const name of placeholdersIn(text)) read.add(rootName(name));
  return read;
}
