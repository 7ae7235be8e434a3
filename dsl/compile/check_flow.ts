import type { Issue, Path } from "../../src/base/errors.ts";
import { didYouMean, own, repeated, shown } from "../../src/base/values/mod.ts";
import {
  bareName,
  equationProblem,
  isKnownPlaceholder,
  isPlatformVariable,
  placeholdersIn,
  rightOf,
  snippetsIn,
} from "../../src/document/expressions/mod.ts";
import type { AgentGraph, TransitionCondition, VariableExtraction } from "../../src/document/graph/mod.ts";
import { plainReferences } from "../../src/document/secrets/mod.ts";
import type { DefinedNode } from "../nodes.ts";
import type { FlowHead } from "./flow_head.ts";

/** Repeats the compiler's checks at run time, for flows that TypeScript did not check. */
export function flowIssues(
  head: FlowHead,
  nodes: readonly DefinedNode[],
  graph: AgentGraph,
  variables: ReadonlyMap<string, VariableExtraction>,
): readonly Issue[] {
  return [
    ...declarationIssues(head, nodes),
    ...targetIssues(head, nodes),
    ...textIssues(head, nodes, graph, variables),
    ...nodes.flatMap((node) => equationIssues(head, node, graph, variables)),
  ];
}

function declarationIssues(head: FlowHead, nodes: readonly DefinedNode[]): Issue[] {
  const issues: Issue[] = [];
  if (nodes.length === 0) {
    issues.push({ code: "empty-flow", path: [head.name], message: "it has no nodes", hint: "Add a node" });
  }
  for (const id of repeated(nodes.map((node) => node.id))) {
    const message = `node "${id}" is declared twice`;
    issues.push({ code: "duplicate-node", path: [head.name, id], message, hint: "Give each node its own id" });
  }
  for (const name of repeated((head.tools ?? []).map((tool) => tool.name))) {
    const message = `tool "${name}" is declared twice`;
    issues.push({ code: "duplicate-tool", path: [head.name, "tools"], message, hint: "Give each tool its own name" });
  }
  for (const { id, options } of nodes) {
    if (options.prompt === undefined || options.text === undefined) continue;
    const message = `node "${id}" has a prompt and a text`;
    const hint = "Keep the text (spoken word for word) or the prompt (instructions for the model)";
    issues.push({ code: "prompt-and-text", path: [head.name, id], message, hint });
  }
  for (const { id, kind, edges } of nodes) {
    if (kind !== "end" || edges.length === 0) continue;
    const hint = "Make it a conversation, or remove its transitions";
    issues.push({ code: "end-with-edges", path: [head.name, id], message: `end node "${id}" has transitions`, hint });
  }
  return issues;
}

function targetIssues(head: FlowHead, nodes: readonly DefinedNode[]): Issue[] {
  const ids = new Set(nodes.map((node) => node.id));
  const edges = nodes.flatMap(({ id, edges }) =>
    edges.map(({ target }, index) => ({ target, path: [id, "transitions", index], from: `the transition of "${id}"` })),
  );
  const start = head.start === undefined ? [] : [{ target: head.start, path: ["start"], from: "start" }];
  return [...start, ...edges].flatMap(({ target, path, from }): Issue[] => {
    if (ids.has(target)) return [];
    const message = `node "${target}" is not declared`;
    const hint = didYouMean(target, ids, `Declare node "${target}" or change ${from}`);
    return [{ code: "unknown-node", path: [head.name, ...path], message, hint }];
  });
}

function textIssues(
  head: FlowHead,
  nodes: readonly DefinedNode[],
  graph: AgentGraph,
  variables: ReadonlyMap<string, VariableExtraction>,
): Issue[] {
  const snippets = Object.keys(head.snippets ?? {});
  const texts: readonly (readonly [Path, string | undefined])[] = [
    [["prompt"], head.prompt],
    [["beginMessage"], head.beginMessage],
    ...Object.entries(head.snippets ?? {}).map(([name, text]) => [["snippets", name], text] as const),
    ...nodes.flatMap((node) => [
      [[node.id, "prompt"], node.options.prompt] as const,
      [[node.id, "text"], node.options.text] as const,
      [[node.id, "to"], node.options.to] as const,
      ...conditionsOf(graph, node).map(([at, { value }]) => [[node.id, ...at], value] as const),
    ]),
  ];
  return texts.flatMap(([at, text = ""]): Issue[] => {
    const path = [head.name, ...at];
    const { text: plain, names } = plainReferences(text);
    const fromCode = new Set(names.map((name) => `env:${name}`));
    const unknown = placeholdersIn(plain).filter((name) => !fromCode.has(name) && !isKnownPlaceholder(name, variables));
    const missing = snippetsIn(text).filter((name) => !snippets.includes(name));
    return [
      ...unknown.map((name): Issue => {
        const hint = didYouMean(name, variables.keys(), `Declare "${name}" in variables`);
        return { code: "unknown-variable", path, message: `{{${name}}} is not declared in variables`, hint };
      }),
      ...missing.map((name): Issue => {
        const hint = didYouMean(name, snippets, `Declare "${name}" in snippets`);
        return { code: "unknown-snippet", path, message: `{%${name}%} is not declared in snippets`, hint };
      }),
    ];
  });
}

function equationIssues(
  head: FlowHead,
  node: DefinedNode,
  graph: AgentGraph,
  variables: ReadonlyMap<string, VariableExtraction>,
): Issue[] {
  const { id } = node;
  return conditionsOf(graph, node).flatMap(([at, { equations }]) =>
    (equations ?? []).flatMap((clause): Issue[] => {
      const path = [head.name, id, ...at];
      const { left: side, operator }: { readonly left: unknown; readonly operator: unknown } = clause;
      if (typeof side !== "string" || typeof operator !== "string") {
        const message = `an equation of "${id}" has ${shown(side)} on the left and the operator ${shown(operator)}`;
        return [{ code: "equation-mismatch", path, message, hint: 'Write when("variable", "==", value)' }];
      }
      const left = bareName(side);
      if (!variables.has(left) && !isPlatformVariable(left)) {
        return [undeclared(left, path, variables)];
      }
      const unknown = placeholdersIn(rightOf(clause).text).filter((name) => !isKnownPlaceholder(name, variables));
      const problem = equationProblem(clause, variables);
      return [...unknown.map((name) => undeclared(name, path, variables)), ...(problem ? [{ ...problem, path }] : [])];
    }),
  );
}

function undeclared(name: string, path: Path, variables: ReadonlyMap<string, VariableExtraction>): Issue {
  const hint = didYouMean(name, variables.keys(), `Declare "${name}" in variables`);
  return { code: "unknown-variable", path, message: `variable "${name}" is not declared`, hint };
}

/** Conditions of a node as written. The graph would have only one of two nodes with the same id. */
function conditionsOf(
  graph: AgentGraph,
  { id, edges }: DefinedNode,
): readonly (readonly [Path, TransitionCondition])[] {
  const setting = own(graph.nodes, id)?.global_node_setting;
  return [
    ...edges.map(({ transition }, index) => [["transitions", index], transition.condition] as const),
    ...(setting ? [[["global", "when"], { type: "llm_prompt", value: setting.condition }] as const] : []),
    ...(setting?.go_back_conditions ?? []).map(
      ({ condition }, index) => [["global", "goBack", index], condition] as const,
    ),
  ];
}
