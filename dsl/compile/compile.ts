import { FlowError, type Issue, type Path, throwIssues } from "../../src/base/errors.ts";
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
import {
  type AgentGraph,
  type AgentNode,
  attachDefinition,
  type GlobalNodeSetting,
  parseGraph,
  type ToolDefinition,
  type TransitionCondition,
  type VariableExtraction,
} from "../../src/document/graph/mod.ts";
import { plainReferences, takeCodeReferences } from "../../src/document/secrets/mod.ts";
import { withDocument } from "../document_fields.ts";
import { conditionOf, isReady, type ReadyCondition, when } from "../edges.ts";
import type { FlowDefinition } from "../flow_graph.ts";
import type { DefinedNode, LooseOptions } from "../nodes.ts";
import type { AnyTool } from "../tools.ts";
import { platformFields } from "../typed_fields.ts";
import type { Variable, VariableKind, Variables } from "../variables.ts";
import { checkedFlow } from "./checked_flow.ts";
import type { FlowHead } from "./variable_issues.ts";

/**
 * Compiles a flow to its document.
 *
 * @throws {FlowError} Lists every problem in `issues`.
 */
export function compileFlow(written: FlowHead, writtenNodes: readonly DefinedNode[]): AgentGraph {
  const { head, nodes, issues: wrong } = checkedFlow(written, writtenNodes);
  const issues: Issue[] = [...wrong];
  const tools = new Map((head.tools ?? []).map((tool) => [tool.name, tool.definition]));
  const declared = Object.entries(head.variables ?? {}).map(([name, each]) => variableExtraction(name, each));
  const filled = (head.tools ?? []).flatMap((each) => Object.keys(each.responseVariables));
  const variables = new Map(
    [...filled.map((name): VariableExtraction => ({ name, description: "", type: "string" })), ...declared].map(
      (each) => [each.name, each],
    ),
  );
  const context: Context = { flow: head.name, tools, variables, issues };
  const compiled = nodes.map((node) => [node.id, compileNode(node, context)] as const);
  const document: AgentGraph = {
    nodes: Object.fromEntries(compiled),
    entry_node_id: head.start ?? nodes[0]?.id ?? "",
    source_type: "custom",
    source_metadata: sourceMetadata(head),
    snippets: { ...head.snippets },
    ...(head.model === undefined ? {} : { default_model: head.model }),
  };
  issues.push(...flowIssues(head, nodes, document, variables));
  throwIssues(FlowError, `Cannot compile flow "${head.name}"`, issues);
  const executes = (head.tools ?? []).flatMap(({ name, execute }) => (execute ? [[name, execute] as const] : []));
  const { graph, references } = takeCodeReferences(completed(document, head, nodes));
  return attachDefinition(graph, {
    name: head.name,
    variables: [...variables.values()],
    tools: Object.fromEntries(executes),
    declared: head.variables ?? {},
    toolNames: [...tools.keys()],
    ...(references.length > 0 ? { references } : {}),
  } satisfies FlowDefinition<Variables, AnyTool>);
}

/**
 * The document with the fields of the `document` options.
 *
 * @throws {GraphError} If the result is not a valid document.
 */
function completed(document: AgentGraph, head: FlowHead, nodes: readonly DefinedNode[]): AgentGraph {
  const has = ({ options, edges }: DefinedNode) => options.document || edges.some((edge) => edge.document);
  if (!head.document && !nodes.some(has)) return document;
  const changed = nodes.map((node): readonly [string, AgentNode] => {
    const compiled = document.nodes[node.id];
    if (!compiled) throw new TypeError("every node is compiled");
    const transitions = node.edges.map((edge) => withDocument(edge.transition, edge.document));
    return [node.id, withDocument({ ...compiled, transitions }, node.options.document)];
  });
  const whole = withDocument({ ...document, nodes: Object.fromEntries(changed) }, head.document);
  parseGraph(whole);
  return whole;
}

/** The declarations that nodes are compiled with. */
export interface Context {
  readonly flow: string;
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  readonly variables: ReadonlyMap<string, VariableExtraction>;
  readonly issues: Issue[];
}

/** Creates the document of a node, without its `document` options. */
export function compileNode({ id, kind, options, edges }: DefinedNode, context: Context): AgentNode {
  const { flow, issues, tools, variables } = context;
  const toolNames = [...(options.tool === undefined ? [] : [options.tool]), ...(options.tools ?? [])];
  const global = kind === "global" ? options : options.global;
  const find = <Found>(known: ReadonlyMap<string, Found>, code: "unknown-tool" | "unknown-variable", name: string) => {
    const found = known.get(name);
    if (found !== undefined) return [found];
    const what = code === "unknown-tool" ? "tool" : "variable";
    const message = `node "${id}" names ${what} "${name}", which is not declared`;
    const hint = didYouMean(name, known.keys(), `Declare it in the flow's ${what}s`);
    issues.push({ code, path: [flow, id], message, hint });
    return [];
  };
  return {
    id,
    node_type: kind === "global" ? "conversation" : kind,
    state_prompt: options.text ?? options.prompt ?? "",
    ...(options.text === undefined ? {} : { instruction_type: "static_text" }),
    tools: toolNames.flatMap((name) => find(tools, "unknown-tool", name)),
    transitions: edges.map(({ transition }) => transition),
    variables_to_extract: (options.fills ?? []).flatMap((name) => find(variables, "unknown-variable", name)),
    ...(global ? { global_node_setting: globalSetting(global, [flow, id], issues) } : {}),
    ...(options.to === undefined ? {} : { transfer_to: options.to }),
    metadata: platformFields(options),
  };
}

function globalSetting(options: Pick<LooseOptions, "when" | "goBack">, at: Path, issues: Issue[]): GlobalNodeSetting {
  const { goBack = [] } = options;
  const given: unknown = typeof goBack === "function" ? goBack({ when }) : goBack;
  const all: readonly unknown[] = Array.isArray(given) ? given : [given];
  const conditions = all.filter((each, index): each is string | ReadyCondition => {
    if (typeof each === "string" || isReady(each)) return true;
    const hint = 'Write a condition in words, or when("variable", "==", value)';
    const path = [...at, "goBack", index];
    issues.push({ code: "wrong-type", path, message: `condition ${index} of goBack is ${shown(each)}`, hint });
    return false;
  });
  return {
    condition: options.when ?? "",
    go_back_conditions: conditions.map((each, index) => ({ id: `back_${index}`, condition: conditionOf(each) })),
  };
}

function sourceMetadata(head: FlowHead): AgentGraph["source_metadata"] {
  const defaults = Object.entries(head.variables ?? {}).flatMap(([name, variable]) =>
    variable.default === undefined ? [] : [[name, variable.default] as const],
  );
  return {
    name: head.name,
    ...(head.prompt === undefined ? {} : { general_prompt: head.prompt }),
    ...(head.beginMessage === undefined ? {} : { begin_message: head.beginMessage }),
    ...(head.startSpeaker === undefined ? {} : { start_speaker: head.startSpeaker }),
    ...(defaults.length === 0 ? {} : { default_dynamic_variables: Object.fromEntries(defaults) }),
    ...(head.language === undefined ? {} : { language: head.language }),
    ...(head.voice === undefined ? {} : { voice: { ...head.voice } }),
    ...platformFields(head),
  };
}

/** The extraction of a declared variable. */
export function variableExtraction(name: string, variable: Variable<VariableKind, unknown>): VariableExtraction {
  const { description, type } = variable;
  const choices = type === "enum" ? { choices: variable.choices.map(String) } : {};
  return withDocument({ name, description, type, ...choices }, variable.document);
}

/** Repeats the compiler's checks at run time, for flows that TypeScript did not check. */
function flowIssues(
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
