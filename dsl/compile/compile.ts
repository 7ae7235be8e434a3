import { FlowError, type Issue, type Path, throwIssues } from "../../src/base/errors.ts";
import { didYouMean, shown } from "../../src/base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  attachDefinition,
  type GlobalNodeSetting,
  parseGraph,
  type ToolDefinition,
  type VariableExtraction,
} from "../../src/document/graph/mod.ts";
import { takeCodeReferences } from "../../src/document/secrets/mod.ts";
import { isReady, type ReadyCondition, when } from "../condition.ts";
import { withDocument } from "../document_fields.ts";
import { conditionOf } from "../edges.ts";
import type { FlowDefinition } from "../flow_graph.ts";
import type { DefinedNode, LooseOptions } from "../nodes.ts";
import { platformFields } from "../platform_fields.ts";
import type { AnyTool } from "../tools/mod.ts";
import type { Variable, VariableKind, Variables } from "../variables.ts";
import { flowIssues } from "./check_flow.ts";
import { checkedFlow } from "./checked_flow.ts";
import type { FlowHead } from "./flow_head.ts";

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
