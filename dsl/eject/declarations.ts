import { isRecord, type JsonObject, own, sameJson } from "../../src/base/values/mod.ts";
import {
  bareName,
  isKnownPlaceholder,
  isPlatformVariable,
  placeholdersIn,
  rightOf,
  rootName,
  snippetsIn,
} from "../../src/document/expressions/mod.ts";
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
import type { CodeNames } from "./names.ts";
import {
  type Code,
  name,
  object,
  type Property,
  propertyKey,
  stringCode,
  templateCode,
  valueCode,
} from "./print_code.ts";

/** Prefixes of generated identifiers. */
const UUID = /^([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-/i;

/** Words from which a node is named in code: its id, or the name that a platform displays if the id is generated. */
export function wordsFor({ id, metadata }: AgentNode): string {
  const [, start] = UUID.exec(id) ?? [];
  if (start === undefined && !/\d{5,}/.test(id)) return id;
  const names = Object.values(metadata).flatMap((fields) => (isRecord(fields) ? [fields.name] : []));
  const shown = names.find((name): name is string => typeof name === "string" && /[a-z]/i.test(name));
  return shown ?? (start === undefined ? id : `step ${start}`);
}

/** A constant of an ejected module. */
export interface Constant {
  readonly name: string;
  readonly code: Code;
  /** Declared as a `string`, because the text contains braces that only calls understand. */
  readonly isString?: boolean;
}

/** Texts with more lines than this are moved to the module of prompts. */
const MANY_LINES = 10;
/** Single-line texts and platform values with more characters than this are moved to another module. */
const MANY_CHARACTERS = 500;

/** Writes texts and values as code; long ones become constants in modules beside the flow. */
export class Constants {
  readonly prompts: Constant[] = [];
  readonly settings: Constant[] = [];
  readonly #names: CodeNames;

  constructor(names: CodeNames) {
    this.#names = names;
  }

  /** @param words Name of the text's owner, from which the constant is named. */
  text(text: string, words: string, suffix: string, declared: Declared): Code {
    const isTyped = isTypedText(text, declared);
    const lines = text.split("\n").length;
    const code = lines > 1 && text.trim() !== "" ? templateCode(text) : stringCode(text);
    if (isTyped && lines <= MANY_LINES && text.length <= MANY_CHARACTERS * (lines > 1 ? 3 : 1)) return code;
    const constant = this.#names.constant(words, suffix);
    this.prompts.push({ name: constant, code, ...(isTyped ? {} : { isString: true }) });
    return name(constant);
  }

  /** An object of fields; `deep` names the keys whose own fields are written individually. */
  fields(fields: JsonObject, words: string, deep: readonly string[] = []): Code {
    return object(
      Object.entries(fields).map(
        ([key, value]): Property => ({
          key: propertyKey(key),
          value:
            deep.includes(key) && isRecord(value) ? this.fields(value, words) : this.value(value, `${words} ${key}`),
        }),
      ),
    );
  }

  value(value: unknown, words: string): Code {
    if (value === undefined || JSON.stringify(value).length <= MANY_CHARACTERS) return valueCode(value);
    const constant = this.#names.constant(words, "Settings");
    this.settings.push({ name: constant, code: valueCode(value) });
    return name(constant);
  }
}

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

/** The declared names that texts can refer to. */
export interface Declared {
  readonly variables: { readonly has: (name: string) => boolean };
  readonly snippets: readonly string[];
}

/** Whether `compile()` accepts a text: everything that it names is declared. */
export function compiles(text: string, { variables, snippets }: Declared): boolean {
  return (
    placeholdersIn(text).every((name) => isKnownPlaceholder(name, variables)) &&
    snippetsIn(text).every((name) => snippets.includes(name))
  );
}

/** Whether the compiler accepts a text as a literal: `TextWith` parses braces differently from calls. */
export function isTypedText(text: string, { variables, snippets }: Declared): boolean {
  const isKnown = (name: string) => variables.has(name) || isPlatformVariable(name);
  const parts = bracedParts(text);
  const names = parts.flatMap((part) => [...between(part, "{{", "}}")]);
  const tags = parts.flatMap((part) => [...between(part, "{%", "%}")]);
  if (names.length + tags.length > 300) return false; // the compiler stops at 1,000 steps
  return (
    names.every((name) => isKnown(name) || isKnown(rootOf(name)) || /^["']/.test(rootOf(name))) &&
    tags.every((name) => snippets.includes(name) || snippets.includes(trimmed(name)))
  );
}

/** The parts of a text that the type `TextWith` reads: three pairs of braces, and all from the fourth opening brace on. */
function bracedParts(text: string): readonly string[] {
  const parts: string[] = [];
  let start = text.indexOf("{");
  while (start >= 0 && parts.length < 3) {
    const end = text.indexOf("}", start);
    if (end < 0) return parts;
    parts.push(`${text.slice(start, end)}}}`);
    start = text.indexOf("{", end);
  }
  const rest = start < 0 ? "" : text.slice(start);
  return [...parts, rest.includes("}") ? rest : `${rest}}}`];
}

function* between(text: string, open: string, close: string): Generator<string> {
  for (let start = text.indexOf(open); start >= 0; ) {
    const end = text.indexOf(close, start + open.length);
    if (end < 0) return;
    yield text.slice(start + open.length, end);
    start = text.indexOf(open, end + close.length);
  }
}

/** The same rule as the type `Root`. */
function rootOf(name: string): string {
  const bare = trimmed(name.split("|")[0] ?? "");
  return bare.includes(".") ? (bare.split(".")[0] ?? "") : bare;
}

/** Trims spaces only, like the type `Trim`. */
function trimmed(text: string): string {
  return text.replace(/^ +| +$/g, "");
}
