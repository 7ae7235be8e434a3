import { replaceSnippets } from "../../../../document/expressions/mod.ts";
import type { AgentGraph } from "../../../../document/graph/mod.ts";
import { mapConditions, mapPrompts, renameVariable, replaceNodes } from "../../edit/mod.ts";
import { type ChangeKind, changeOf, type GraphChange, shortQuote } from "../change_kinds.ts";
import { type RenamedNames, renamedSnippets, renamedTools, renamedVariables } from "../matching/mod.ts";
import { type OtherPlace, otherChanges } from "./other_changes.ts";

/** The changes of the platform options of an object. */
export function metadataChanges(before: unknown, after: unknown, place: OtherPlace): readonly GraphChange[] {
  return otherChanges(before ?? {}, after ?? {}, { ...place, kind: "platform-changed" });
}

/** A graph with its later names, and one change per renamed item. */
export interface Renamed {
  readonly graph: AgentGraph;
  readonly changes: readonly GraphChange[];
}

const STEPS: readonly {
  readonly kind: ChangeKind;
  readonly word: string;
  readonly find: (before: AgentGraph, after: AgentGraph) => RenamedNames;
  readonly apply: (graph: AgentGraph, from: string, to: string) => AgentGraph;
}[] = [
  { kind: "snippet-renamed", word: "Snippet", find: renamedSnippets, apply: renameSnippet },
  { kind: "tool-renamed", word: "Tool", find: renamedTools, apply: renameTool },
  { kind: "variable-renamed", word: "Variable", find: renamedVariables, apply: renameVariable },
];

/**
 * Renames snippets, tools and variables of the earlier version to their later names, wherever they are used.
 *
 * @param before With the node ids of the later version.
 */
export function followNames(before: AgentGraph, after: AgentGraph): Renamed {
  let renamed = before;
  const changes: GraphChange[] = [];
  for (const { kind, word, find, apply } of STEPS)
    for (const [from, to] of find(renamed, after)) {
      const earlier = renamed;
      renamed = apply(earlier, from, to);
      const message = `${word} ${shortQuote(from)} is now called ${shortQuote(to)}`;
      changes.push(changeOf({ kind, ...placeOf(earlier, renamed), before: from, after: to, message }));
    }
  return { graph: renamed, changes };
}

/** The nodes that use a name, and the first of them as the place of the change. */
function placeOf(before: AgentGraph, after: AgentGraph): Pick<GraphChange, "path" | "nodes"> {
  const nodes = Object.keys(after.nodes).filter((id) => !isSame(before.nodes[id], after.nodes[id]));
  const [first] = nodes;
  const path = first === undefined ? [] : ["nodes", first];
  return isSame(before.source_metadata, after.source_metadata) ? { path, nodes } : { path };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function renameTool(graph: AgentGraph, from: string, to: string): AgentGraph {
  const nameOf = (name: string) => (name === from ? to : name);
  const renamed = replaceNodes(graph, (node) => [
    { ...node, tools: node.tools.map((tool) => ({ ...tool, name: nameOf(tool.name) })) },
  ]);
  return mapConditions(renamed, (condition) =>
    condition.type === "tool_call" ? { ...condition, value: nameOf(condition.value) } : condition,
  );
}

function renameSnippet(graph: AgentGraph, from: string, to: string): AgentGraph {
  const rename = (text: string) => replaceSnippets(text, (name) => (name === from ? `{%${to}%}` : undefined));
  const prompts = mapPrompts(graph, rename);
  const renamed = mapConditions(prompts, (condition) =>
    condition.type === "llm_prompt" ? { ...condition, value: rename(condition.value) } : condition,
  );
  const snippets = Object.entries(graph.snippets).map(([name, text]) => [name === from ? to : name, text] as const);
  return { ...renamed, snippets: Object.fromEntries(snippets) };
}
