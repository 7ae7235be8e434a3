import { own, repeated, sameJson } from "../../src/base/values/mod.ts";
import { equationProblem, isKnownPlaceholder, placeholdersIn, rightOf } from "../../src/document/expressions/mod.ts";
import {
  type AgentNode,
  type EquationClause,
  type GlobalNodeSetting,
  isUnary,
  type Metadata,
  type ToolDefinition,
  type Transition,
  type TransitionCondition,
  type VariableExtraction,
} from "../../src/document/graph/mod.ts";
import { compileNode } from "../compile/mod.ts";
import { type DocumentFields, missingFields, withDocument } from "../document_fields.ts";
import { type Clauses, conditionOf, type Edge, type EdgeOptions, type ReadyCondition, to, when } from "../edges.ts";
import type { DefinedNode, LooseOptions, NodeKind } from "../nodes.ts";
import { PLATFORM_OPTIONS, typedFields } from "../typed_fields.ts";
import { type Constants, compiles, type Declared, isDeclaredTool, isTypedText, wordsFor } from "./declarations.ts";
import { array, type Code, call, name, object, type Property, stringCode, valueCode } from "./print_code.ts";

/** A node as the builder receives it, and its code. */
export interface EjectedNode {
  readonly node: DefinedNode;
  readonly kind: NodeKind;
  /** The arguments of the builder's method. */
  readonly args: readonly Code[];
}

/** Writes a node with the method of its kind. What options cannot express is in `document`. */
export function ejectNode(node: AgentNode, context: EjectContext): EjectedNode {
  const words = wordsFor(node);
  const global = ejectGlobal(node.global_node_setting, context);
  const kind = kindOf(node, global !== undefined, context);
  const speaks = kind === "conversation" || kind === "global";
  const count = node.transitions.length;
  const edges =
    kind === "end"
      ? []
      : node.transitions.map((transition, index) =>
          ejectEdge(transition, { speaks, isLast: count > 1 && index === count - 1, words }, context),
        );
  const says = compiles(node.state_prompt, context);
  const isText = node.instruction_type === "static_text" && kind !== "extract" && kind !== "logic";
  const platforms = platformSettings("node", node.metadata);
  const options: LooseOptions = {
    ...(!says
      ? {}
      : isText
        ? { text: node.state_prompt }
        : node.state_prompt === ""
          ? {}
          : { prompt: node.state_prompt }),
    ...toolOptions(node, kind, context),
    ...(kind === "extract" ? { fills: fillsOf(node, context) } : {}),
    ...(kind === "transfer" && isTarget(node.transfer_to, context) ? { to: node.transfer_to } : {}),
    ...(global && kind === "global" ? global.options : {}),
    ...(global && kind !== "global" ? { global: global.options } : {}),
    ...platforms,
  };
  const bare: DefinedNode = { id: node.id, kind, options, edges: edges.map(({ edge }) => edge) };
  const { variables, tools } = context;
  const known = new Map([...variables, ...context.fillable]);
  const compiled = compileNode(bare, { flow: "", tools, variables: known, issues: [] });
  const transitions = bare.edges.map((edge) => withDocument(edge.transition, edge.document));
  const document = missingFields({ ...compiled, transitions }, node);
  const isWhole = Object.keys(document).length === 0;
  const entries = [
    ...(kind === "global" && global ? global.entries : []),
    ...speechCodes(options, words, context),
    ...optionCodes({ ...pick(options, ["tool", "tools", "fills", "to"]) }, words, context),
    ...(kind !== "global" && global ? [{ key: "global", value: object(global.entries) }] : []),
    ...nextCodes(edges.map(({ code }) => code)),
    ...optionCodes({ ...platforms, ...(isWhole ? {} : { document }) }, words, context),
  ];
  return {
    node: isWhole ? bare : { ...bare, options: { ...options, document } },
    kind,
    args: [stringCode(node.id), object(entries, edges.length > 0)],
  };
}

function kindOf(node: AgentNode, isGlobal: boolean, { tools }: EjectContext): NodeKind {
  const [tool] = node.tools;
  if (node.node_type === "function" && !(tool && isDeclaredTool(tool, tools))) return "logic"; // it calls no declared tool
  return node.node_type === "conversation" && isGlobal ? "global" : node.node_type;
}

function toolOptions(node: AgentNode, kind: NodeKind, { tools }: EjectContext): LooseOptions {
  const [first] = node.tools;
  if (kind === "function") return first ? { tool: first.name } : {};
  const names = node.tools.map((tool) => tool.name);
  const isPlain = node.tools.every((tool) => isDeclaredTool(tool, tools)) && [...repeated(names)].length === 0;
  const takes = kind === "conversation" || kind === "global";
  return takes && isPlain && names.length > 0 ? { tools: names } : {};
}

function fillsOf({ variables_to_extract: variables }: AgentNode, { fillable }: EjectContext): readonly string[] {
  const names = variables.map((variable) => variable.name);
  const isPlain = variables.every((variable) => sameJson(fillable.get(variable.name), variable));
  return isPlain && [...repeated(names)].length === 0 ? names : [];
}

/** The same rule as in the type TransferTarget and in `compile()`. */
function isTarget(to: string | null | undefined, context: EjectContext): to is string {
  if (typeof to !== "string" || !/^(?:\+[1-9]\d{6,14}|sips?:[^\s@]*@?[^\s@]+|\{\{[^{}]+\}\})$/.test(to)) return false;
  return compiles(to, context) && isTypedText(to, context);
}

function speechCodes(options: LooseOptions, words: string, context: EjectContext): readonly Property[] {
  const { text, prompt } = options;
  if (text !== undefined) return [{ key: "text", value: context.constants.text(text, words, "Text", context) }];
  if (prompt === undefined) return [];
  return [{ key: "prompt", value: context.constants.text(prompt, words, "Prompt", context) }];
}

function nextCodes(edges: readonly Code[]): readonly Property[] {
  if (edges.length === 0) return [];
  const used = ["to", "when", "otherwise"].filter((word) => edges.some((edge) => calls(edge, word)));
  return [{ key: "next", value: { kind: "arrow", params: `({ ${used.join(", ")} })`, body: array(edges) } }];
}

function calls(code: Code, callee: string): boolean {
  if (code.kind === "chain") return calls(code.head, callee);
  if (code.kind !== "call") return false;
  return code.callee === callee || code.args.some((arg) => calls(arg, callee));
}

function pick(options: LooseOptions, keys: readonly string[]): object {
  return Object.fromEntries(keys.flatMap((key) => Object.entries(options).filter(([each]) => each === key)));
}

interface EjectedGlobal {
  readonly options: { readonly when: string; readonly goBack?: unknown };
  readonly entries: readonly Property[];
}

/** Entry and go-back conditions; `undefined` if `compile()` would reject them. */
function ejectGlobal(setting: GlobalNodeSetting | null | undefined, context: EjectContext): EjectedGlobal | undefined {
  if (!setting || !compiles(setting.condition, context)) return undefined;
  const entry = { key: "when", value: stringCode(setting.condition) };
  const backs = setting.go_back_conditions.map(({ condition }) => {
    if (condition.type === "llm_prompt" && compiles(condition.value, context)) {
      return { made: condition.value, code: stringCode(condition.value), isText: true };
    }
    const equation = (condition.equations ?? []).length === 1 ? ejectEquation(condition, context.variables) : undefined;
    return equation && { made: equation.condition, code: equation.code, isText: false };
  });
  const plain = backs.flatMap((back) => (back ? [back] : []));
  const compiled = plain.map(({ made }, index) => ({ id: `back_${index}`, condition: conditionOf(made) }));
  if (plain.length === 0 || !sameJson(compiled, setting.go_back_conditions)) {
    return { options: { when: setting.condition }, entries: [entry] };
  }
  const list = array(plain.map(({ code }) => code));
  const [only] = plain;
  const value: Code = !plain.every(({ isText }) => isText)
    ? { kind: "arrow", params: "({ when })", body: list }
    : only && plain.length === 1
      ? only.code
      : list;
  const made = plain.map((each) => each.made);
  return { options: { when: setting.condition, goBack: made }, entries: [entry, { key: "goBack", value }] };
}

/** An edge, and the code that creates it. */
export interface EjectedEdge {
  readonly edge: Edge<string>;
  readonly code: Code;
}

/** Settings of the platforms that flows have options for. */
export function platformSettings(
  at: "flow" | "node" | "edge" | "tool",
  metadata: Metadata | null | undefined,
): { readonly [platform: string]: object } {
  const platforms = Object.keys(PLATFORM_OPTIONS).map((platform) => {
    const given: unknown = own(metadata ?? {}, platform);
    return [platform, typedFields(platform, at, given)] as const;
  });
  return Object.fromEntries(platforms.filter(([, fields]) => Object.keys(fields).length > 0));
}

/**
 * Writes a transition with `to` or `otherwise`.
 *
 * @param words The source node, from which constants are named.
 * @param isLast Whether it is the last of several transitions.
 */
function ejectEdge(
  transition: Transition,
  { speaks, isLast, words }: { readonly speaks: boolean; readonly isLast: boolean; readonly words: string },
  context: EjectContext,
): EjectedEdge {
  const { target_node_id: target, condition } = transition;
  const equation = ejectEquation(condition, context.variables);
  const isText = condition.type === "llm_prompt" && compiles(condition.value, context);
  const given = isText ? condition.value : equation?.condition;
  const options: EdgeOptions = {
    ...(transition.timing ? { timing: transition.timing } : {}),
    ...(condition.type === "tool_call" && condition.outcome ? { outcome: condition.outcome } : {}),
    ...(typeof transition.description === "string" ? { description: transition.description } : {}),
    ...platformSettings("edge", transition.metadata),
  };
  const { edge, document, used } = withMissing(target, given, options, transition);
  const isRaw = document !== undefined && "condition" in document;
  const code = isRaw || given === undefined ? undefined : isText ? stringCode(condition.value) : equation?.code;
  const isElse =
    !isRaw && condition.type === "always" && (speaks ? used.timing === "else" : isLast && used.timing === undefined);
  const { timing, ...others } = used;
  const shown = { ...(isElse || timing === undefined ? {} : { timing }), ...others, ...(document ? { document } : {}) };
  const fields = optionCodes(shown, words, context);
  const args = [stringCode(target), ...(code ? [code] : []), ...(fields.length > 0 ? [object(fields)] : [])];
  return { edge, code: call(isElse ? "otherwise" : "to", ...args) };
}

/** The edge, with a `document` option for what its options cannot express. A condition there replaces the given one. */
function withMissing(
  target: string,
  given: string | ReadyCondition | undefined,
  options: EdgeOptions,
  transition: Transition,
): { readonly edge: Edge<string>; readonly document?: DocumentFields; readonly used: EdgeOptions } {
  const made = given === undefined ? to(target, options) : to(target, given, options);
  const document = missingFields(made.transition, transition);
  if (Object.keys(document).length === 0) return { edge: made, used: options };
  if (!("condition" in document)) return { edge: { ...made, document }, document, used: options };
  const { outcome: _, ...used } = options;
  const bare = to(target, used);
  const all = missingFields(bare.transition, transition);
  return { edge: { ...bare, document: all }, document: all, used };
}

/** Options as properties; long values are constants. */
export function optionCodes(options: object, words: string, { constants }: EjectContext): readonly Property[] {
  return Object.entries(options).map(([key, value]: [string, unknown]) => ({
    key,
    value:
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? constants.fields({ ...value }, words, ["metadata", "source_metadata"])
        : constants.value(value, `${words} ${key}`),
  }));
}

/** An equation of `when`, and the code that creates it. */
export interface EjectedEquation {
  readonly condition: Clauses;
  readonly code: Code;
}

const OPERATORS: { readonly [type: string]: readonly string[] } = {
  string: ["==", "!=", "contains", "not_contains", "exists", "not_exist"],
  number: ["==", "!=", ">", ">=", "<", "<=", "exists", "not_exist"],
  boolean: ["==", "!=", "exists", "not_exist"],
  enum: ["==", "!=", "exists", "not_exist"],
};

/**
 * A condition as code with `when`; `undefined` if the compiler would reject it.
 *
 * @param kinds Types of the declared variables in the code.
 */
function ejectEquation(
  condition: TransitionCondition,
  variables: ReadonlyMap<string, VariableExtraction>,
): EjectedEquation | undefined {
  const clauses = condition.equations ?? [];
  const [first, ...others] = clauses;
  if (condition.type !== "equation" || !first || !clauses.every((clause) => fits(clause, variables))) return undefined;
  const join = condition.logical_operator === "or" ? "or" : "and";
  const argsOf = (clause: EquationClause) => valuesOf(clause, variables);
  let made = when(first.left, first.operator, ...argsOf(first));
  for (const clause of others) made = made[join](clause.left, clause.operator, ...argsOf(clause));
  if (!sameJson(made.condition(), condition)) return undefined;
  const head = call("when", ...argCodes(first, variables));
  const calls = others.map((clause) => ({ name: join, args: argCodes(clause, variables) }));
  return { condition: made, code: calls.length === 0 ? head : { kind: "chain", head, calls } };
}

function fits(clause: EquationClause, variables: ReadonlyMap<string, VariableExtraction>): boolean {
  const { left, operator, right } = clause;
  const variable = variables.get(left);
  if (!variable || !OPERATORS[variable.type]?.includes(operator)) return false;
  if (equationProblem(clause, variables)) return false;
  if (isUnary(operator)) return right === undefined;
  if (referenceOf(clause, variables) !== undefined) return true;
  if (!placeholdersIn(rightOf(clause).text).every((name) => isKnownPlaceholder(name, variables))) return false;
  if (variable.type === "enum") return typeof right === "string" && (variable.choices ?? []).includes(right);
  return typeof right === variable.type;
}

/** The declared variable that a right side stands for. */
function referenceOf(clause: EquationClause, variables: ReadonlyMap<string, VariableExtraction>): string | undefined {
  const { text, variable } = rightOf(clause);
  return variable !== undefined && variables.has(variable) && text === `{{${variable}}}` ? variable : undefined;
}

function valuesOf(clause: EquationClause, variables: ReadonlyMap<string, VariableExtraction>) {
  if (isUnary(clause.operator)) return [];
  const variable = referenceOf(clause, variables);
  return [variable === undefined ? clause.right : { variable }];
}

function argCodes(clause: EquationClause, variables: ReadonlyMap<string, VariableExtraction>): readonly Code[] {
  const values = valuesOf(clause, variables).map((value) =>
    typeof value === "object" && value !== null
      ? object([{ key: "variable", value: stringCode(rightOf(clause).variable ?? "") }])
      : value === undefined
        ? name("undefined")
        : valueCode(value),
  );
  return [stringCode(clause.left), stringCode(clause.operator), ...values];
}

/** The context in which the nodes of a graph are written. */
export interface EjectContext extends Declared {
  /** All variables that texts and equations can refer to. */
  readonly variables: ReadonlyMap<string, VariableExtraction>;
  /** The variables that are declared as extractions. */
  readonly fillable: ReadonlyMap<string, VariableExtraction>;
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  readonly constants: Constants;
}
