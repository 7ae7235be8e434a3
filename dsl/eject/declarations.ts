import { isRecord, own, sameJson } from "../../src/base/values/mod.ts";
import { bareName, placeholdersIn, rightOf, rootName } from "../../src/document/expressions/mod.ts";
import type {
  AgentGraph,
  AgentNode,
  ToolDefinition,
  TransitionCondition,
  VariableExtraction,
} from "../../src/document/graph/mod.ts";
import { variableExtraction } from "../compile/mod.ts";
import { missingFields } from "../document_fields.ts";
import { boolean, choice, number, type TextVariable, text, type Variable, type VariableKind } from "../variables.ts";
import { compiles } from "./texts.ts";

/** A declared variable, and its code. */
export interface DeclaredVariable {
  readonly variable: Variable<VariableKind, unknown> | TextVariable;
  readonly extraction: VariableExtraction;
}

/** Default description of variables without one. */
const GIVEN = "Given at the start of the call";

/** The variables that a flow must declare for its texts and equations: extracted ones first. */
export function declaredVariables(
  graph: AgentGraph,
  tools: ReadonlyMap<string, ToolDefinition>,
): ReadonlyMap<string, DeclaredVariable> {
  const nodes = Object.values(graph.nodes);
  const extracted = new Map<string, VariableExtraction>();
  for (const variable of nodes.flatMap((node) => node.variables_to_extract))
    if (isName(variable.name) && !extracted.has(variable.name)) extracted.set(variable.name, variable);
  const defaults = isRecord(graph.source_metadata.default_dynamic_variables)
    ? graph.source_metadata.default_dynamic_variables
    : {};
  const filled = new Set([...tools.values()].flatMap((tool) => Object.keys(tool.response_variables ?? {})));
  const named = [...Object.keys(defaults), ...textsOf(graph).flatMap(rootsIn), ...nodes.flatMap(comparedBy)];
  const names = new Set([...extracted.keys(), ...named.filter((name) => isName(name) && !filled.has(name))]);
  return new Map([...names].map((name) => [name, declare(name, own(defaults, name), extracted.get(name))]));
}

/** The tools that a flow can declare; if several have the same name, the first. */
export function declaredTools(graph: AgentGraph): ReadonlyMap<string, ToolDefinition> {
  const tools = new Map<string, ToolDefinition>();
  for (const tool of Object.values(graph.nodes).flatMap((node) => node.tools))
    if (tool.name.trim() !== "" && !tools.has(tool.name)) tools.set(tool.name, tool);
  return tools;
}

/** The snippets that a flow can declare: their texts name only variables, and snippets of this list. */
export function declaredSnippets(
  { snippets }: AgentGraph,
  variables: { readonly has: (name: string) => boolean },
): readonly string[] {
  let names: readonly string[] = Object.keys(snippets);
  for (;;) {
    const declared = { variables, snippets: names };
    const kept = names.filter((name) => compiles(own(snippets, name) ?? "", declared));
    if (kept.length === names.length) return names;
    names = kept;
  }
}

function declare(name: string, given: unknown, extraction: VariableExtraction | undefined): DeclaredVariable {
  const wanted = extraction ?? { name, description: GIVEN, type: typeOf(given) };
  const bare = variableOf(wanted, given, {});
  const document = missingFields(variableExtraction(name, bare), wanted);
  const variable = Object.keys(document).length === 0 ? bare : variableOf(wanted, given, { document });
  return { variable, extraction: wanted };
}

function typeOf(given: unknown): string {
  return typeof given === "number" || typeof given === "boolean" ? typeof given : "string";
}

function variableOf({ description, type, choices }: VariableExtraction, given: unknown, options: object) {
  if (type === "number")
    return number(description, typeof given === "number" ? { ...options, default: given } : options);
  if (type === "boolean")
    return boolean(description, typeof given === "boolean" ? { ...options, default: given } : options);
  const value = typeof given === "string" ? { default: given } : {};
  const values = choices ?? [];
  const isChoice =
    values.length > 0 && new Set(values).size === values.length && values.every((each) => each.trim() !== "");
  if (type !== "enum" || !isChoice) return text(description, { ...options, ...value });
  return choice(
    description,
    values,
    typeof given === "string" && values.includes(given) ? { ...options, default: given } : options,
  );
}

/** References to environment variables are not variables. */
function isName(name: string): boolean {
  return name.trim() !== "" && !name.startsWith("env:");
}

function rootsIn(text: string): readonly string[] {
  return placeholdersIn(text).map((name) => rootName(name).trim());
}

/** All texts that `compile()` checks. */
function textsOf(graph: AgentGraph): readonly string[] {
  const { general_prompt: prompt, begin_message: opening } = graph.source_metadata;
  const nodes = Object.values(graph.nodes).flatMap((node) => [
    node.state_prompt,
    node.transfer_to ?? "",
    ...conditionsOf(node).flatMap(({ value, equations }) => [
      value,
      ...(equations ?? []).map((each) => rightOf(each).text),
    ]),
    node.global_node_setting?.condition ?? "",
  ]);
  return [prompt ?? "", opening ?? "", ...Object.values(graph.snippets), ...nodes];
}

function comparedBy(node: AgentNode): readonly string[] {
  return conditionsOf(node).flatMap(({ equations }) => (equations ?? []).map(({ left }) => bareName(left)));
}

function conditionsOf({ transitions, global_node_setting: setting }: AgentNode): readonly TransitionCondition[] {
  const all = [...transitions, ...(setting?.go_back_conditions ?? [])];
  return all.map(({ condition }) => condition);
}

/** Whether a node's tool equals the declared one. */
export function isDeclaredTool(tool: ToolDefinition, tools: ReadonlyMap<string, ToolDefinition>): boolean {
  const declared = tools.get(tool.name);
  return declared !== undefined && sameJson(declared, tool);
}
