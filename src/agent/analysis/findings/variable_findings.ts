import type { Path } from "../../../base/errors.ts";
import { isRecord, own } from "../../../base/values/mod.ts";
import {
  bareName,
  placeholderContents,
  placeholderName,
  placeholdersIn,
  rightOf,
  rootName,
  snippetsIn,
} from "../../../document/expressions/mod.ts";
import { type AgentGraph, type AgentNode, definitionOf, type Finding, isUnary } from "../../../document/graph/mod.ts";
import { allTexts, conditionsOf, textsOf, variableFlow, variablesSetBy } from "../facts/mod.ts";

/** Findings for variables that are read too early or never, and for snippets that are not used or not expanded. */
export function variableFindings(graph: AgentGraph): Finding[] {
  return [...readTooEarly(graph), ...neverRead(graph), ...nestedSnippets(graph), ...unusedSnippets(graph)];
}

/** Variables that nodes fill, and that no default gives a value. */
function filledVariables(graph: AgentGraph): readonly string[] {
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  const names = new Set(Object.values(graph.nodes).flatMap(variablesSetBy));
  return [...names].filter((name) => !Object.hasOwn(defaults, name));
}

function readTooEarly(graph: AgentGraph): readonly Finding[] {
  const variables = filledVariables(graph);
  if (variables.length === 0) return [];
  const filled = new Set(variables);
  const flow = variableFlow(graph, variables);
  return Object.entries(graph.nodes).flatMap(([id, node]) => {
    const found = (path: Path, names: readonly string[], isSet: (id: string, name: string) => boolean) =>
      [...new Set(names)]
        .filter((name) => filled.has(name) && !isSet(id, name))
        .map((name) => tooEarly(path, name, id));
    return [
      ...found(["nodes", id, "state_prompt"], readIn(node.state_prompt, graph), flow.before),
      ...conditionsOf(id, node).flatMap(([path, { type, value, equations }]) => {
        if (type === "llm_prompt") return found(path, readIn(value, graph), flow.after);
        const compared = (equations ?? []).filter(({ operator }) => !isUnary(operator));
        return found(
          path,
          compared.flatMap((clause) => [bareName(clause.left), ...placeholdersIn(rightOf(clause).text)]),
          flow.after,
        );
      }),
    ];
  });
}

/** Variables that a text reads, in its snippets too. */
function readIn(text: string, graph: AgentGraph): readonly string[] {
  if (!text.includes("{")) return [];
  return [text, ...snippetsIn(text).map((name) => own(graph.snippets, name) ?? "")].flatMap(placeholdersIn);
}

function tooEarly(path: Path, name: string, id: string): Finding {
  const message = `node "${id}" reads "${name}" before any path can have set it`;
  const hint = `Move the node behind one that sets "${name}", or give "${name}" to every call`;
  return { code: "unset-variable", severity: "warning", path, message, hint };
}

/**
 * Variables that are set but never read. A node that asks the model for a tool's arguments passes it every variable, so
 * it counts as reading them all.
 */
function neverRead(graph: AgentGraph): readonly Finding[] {
  const nodes = Object.entries(graph.nodes);
  if (nodes.some(([, node]) => asksForArguments(node))) return [];
  const read = new Set<string>();
  for (const text of allTexts([graph.source_metadata, graph.snippets, graph.nodes])) {
    if (!text.includes("{{")) continue;
    // a variable of the graph may have the name of a platform's own, such as `day`
    for (const content of placeholderContents(text)) {
      const name = placeholderName(content);
      read.add(name).add(rootName(name));
    }
  }
  for (const [id, node] of nodes)
    for (const [, { equations }] of conditionsOf(id, node))
      for (const { left } of equations ?? []) read.add(bareName(left));
  const seen = new Set(read);
  const declared = new Set((definitionOf(graph)?.variables ?? []).map(({ name }) => name));
  return nodes.flatMap(([id, { variables_to_extract: variables }]) =>
    variables.flatMap(({ name }, index): Finding[] => {
      if (seen.has(name)) return [];
      seen.add(name);
      const message = `"${name}" is set${declared.has(name) ? "" : ` at node "${id}"`} and never read`;
      const hint = "Use it in a prompt or an equation, or remove it; keep it if scenarios or reports read it";
      const path = ["nodes", id, "variables_to_extract", index];
      return [{ code: "unused-variable", severity: "info", path, message, hint }];
    }),
  );
}

function asksForArguments({ node_type: type, tools }: AgentNode): boolean {
  const properties = tools[0]?.parameters?.properties;
  return type === "function" && isRecord(properties) && Object.keys(properties).length > 0;
}

function nestedSnippets(graph: AgentGraph): readonly Finding[] {
  return Object.entries(graph.snippets).flatMap(([name, text]) =>
    snippetsIn(text)
      .filter((inner) => Object.hasOwn(graph.snippets, inner))
      .map((inner): Finding => {
        const message = `snippet "${name}" contains {%${inner}%}, which is not expanded within a snippet`;
        const hint = `Write the text of "${inner}" into it`;
        return { code: "nested-snippet", severity: "warning", path: ["snippets", name], message, hint };
      }),
  );
}

function unusedSnippets(graph: AgentGraph): readonly Finding[] {
  const used = new Set<string>();
  for (const [, text] of textsOf(graph)) if (text.includes("{%")) for (const name of snippetsIn(text)) used.add(name);
  for (const text of allTexts(graph.nodes))
    if (text.includes("{%")) for (const name of snippetsIn(text)) used.add(name);
  return Object.keys(graph.snippets).flatMap((name): Finding[] => {
    if (used.has(name)) return [];
    const message = `no text uses snippet "${name}"`;
    return [
      { code: "unused-snippet", severity: "info", path: ["snippets", name], message, hint: "Use it or remove it" },
    ];
  });
}
