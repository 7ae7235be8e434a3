import { isRecord } from "../../../base/values/mod.ts";
import {
  bareName,
  placeholderName,
  snippetsIn,
  tagsIn,
  writtenPlaceholders,
} from "../../../document/expressions/mod.ts";
import { type AgentGraph, type EquationClause, ORIGINAL, type ToolDefinition } from "../../../document/graph/mod.ts";
import { PLATFORM_DATA, PLATFORM_NAMES, type VariableKeys } from "../../../document/platforms/mod.ts";
import { mapConditions, mapSettings, replaceNodes } from "./map_graph.ts";

/** Keys of settings whose value is a node's id, at the platforms and in exports of other tools. */
const NODE_KEYS: ReadonlySet<string> = new Set([
  ...PLATFORM_NAMES.flatMap((name) => PLATFORM_DATA[name].keys.nodeIds),
  ...["next_node_id", "starting_node_id"],
]);

/** The graph with another id of a node: in transitions, the entry, and settings of platforms that name it. */
export function renameNode(graph: AgentGraph, from: string, to: string): AgentGraph {
  const nameOf = (id: string) => (id === from ? to : id);
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow);
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([key, inner]) => {
      return [key, inner === from && NODE_KEYS.has(key) ? to : follow(inner)] as const;
    });
    return Object.fromEntries(entries);
  };
  const changed = replaceNodes(mapSettings(graph, follow), (node) => {
    const transitions = node.transitions.map((edge) => ({ ...edge, target_node_id: nameOf(edge.target_node_id) }));
    return [{ ...node, id: nameOf(node.id), transitions }];
  });
  return { ...changed, entry_node_id: nameOf(graph.entry_node_id) };
}

/** The graph with a variable under another name: texts, equations, extractions, tools, defaults and settings of platforms. */
export function renameVariable(graph: AgentGraph, from: string, to: string): AgentGraph {
  const nameOf = (name: string) => (name === from ? to : name);
  const side = (value: string) => (bareName(value) === from ? value.replace(from, () => to) : value);
  // placeholders in right sides are renamed as those of all texts; a right side without them is a literal
  const clause = (each: EquationClause): EquationClause => ({ ...each, left: side(each.left) });
  const tool = (each: ToolDefinition): ToolDefinition =>
    each.response_variables ? { ...each, response_variables: renamedKeys(each.response_variables, nameOf) } : each;
  const { default_dynamic_variables: defaults } = graph.source_metadata;
  const placed = renameInTexts(graph, from, to);
  const set = mapSettings(placed, (settings) => renameInSettings(settings, from, to));
  const compared = mapConditions(set, (condition) =>
    condition.equations ? { ...condition, equations: condition.equations.map(clause) } : condition,
  );
  const filled = replaceNodes(compared, (node) => [
    {
      ...node,
      tools: node.tools.map(tool),
      variables_to_extract: node.variables_to_extract.map((each) => ({ ...each, name: nameOf(each.name) })),
    },
  ]);
  if (!defaults) return filled;
  const renamed = renamedKeys(placed.source_metadata.default_dynamic_variables ?? {}, nameOf);
  return { ...filled, source_metadata: { ...filled.source_metadata, default_dynamic_variables: renamed } };
}

function renamedKeys<Value>(record: { readonly [key: string]: Value }, nameOf: (key: string) => string) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [nameOf(key), value]));
}

/** A placeholder, or a tag: `{{ name }}`, `{% if name == "x" %}`. */
const MARK = /\{\{[^{}]*\}\}|\{%[^{}%]*%\}/g;
/** Quoted texts, names with the dot, pipe or bracket around them, anything else. */
const TOKEN = /"[^"]*"|'[^']*'|(?:[.|]\s*)?[\p{L}_][\p{L}\p{N}_-]*(?:\s*:)?/gu;
/** Keys whose values are ids; a placeholder in one is a part of a name. */
const IDS: ReadonlySet<string> = new Set(["id", "target_node_id", "entry_node_id"]);

/** The value with a variable renamed in the placeholders and Liquid tags of all texts, settings of platforms included. */
function renameInTexts<Value>(value: Value, from: string, to: string): Value {
  const rename = (text: string) => (text.includes("{") ? renameInText(text, from, to) : text);
  const visit = (item: unknown): unknown => {
    if (typeof item === "string") return rename(item);
    if (Array.isArray(item)) return item.map(visit);
    if (!isRecord(item)) return item;
    const entries = Object.entries(item).map(([key, part]) => {
      return [key, key === ORIGINAL || IDS.has(key) ? part : visit(part)] as const;
    });
    return Object.fromEntries(entries);
  };
  return visit(value) as Value; // texts are replaced by texts
}

function renameInText(text: string, from: string, to: string): string {
  return text.replace(MARK, (mark) => {
    if (!mark.includes(from) || snippetsIn(mark).length > 0) return mark;
    const inner = mark.slice(2, -2);
    return mark.slice(0, 2) + renameInExpression(inner, from, to) + mark.slice(-2);
  });
}

/** A name is `plan`, or `customer.plan` where the whole path is one variable's name. */
function renameInExpression(inner: string, from: string, to: string): string {
  const name = placeholderName(inner);
  if (name === from) return inner.replace(from, () => to);
  // only the root of a path names a variable; a filter follows a pipe, and its argument's name precedes a colon
  return inner.replace(TOKEN, (token) => (token === from ? to : token));
}

/**
 * Where a text occurs in a prompt, from left to right. Occurrences that begin or end inside a placeholder or a tag are
 * left out, because replacing them would change which variable or snippet is meant.
 */
export function occurrencesOf(text: string, prompt: string): readonly number[] {
  const found: number[] = [];
  if (text === "" || !prompt.includes(text)) return found;
  const marks = markedRanges(prompt);
  const cuts = (at: number) => marks.some(([start, end]) => at > start && at < end);
  for (let at = prompt.indexOf(text); at >= 0; ) {
    const isWhole = !cuts(at) && !cuts(at + text.length);
    if (isWhole) found.push(at);
    at = prompt.indexOf(text, isWhole ? at + text.length : at + 1);
  }
  return found;
}

/** The prompt with each occurrence of a text replaced; those within placeholders and tags stay. */
export function replaceOccurrences(prompt: string, text: string, by: string): string {
  const places = occurrencesOf(text, prompt);
  let end = 0;
  const parts = places.map((at) => {
    const before = prompt.slice(end, at);
    end = at + text.length;
    return before + by;
  });
  return parts.join("") + prompt.slice(end);
}

/** Start and end of each placeholder and tag. */
function markedRanges(prompt: string): readonly (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = [];
  for (const marks of [writtenPlaceholders(prompt), tagsIn(prompt)]) {
    let from = 0;
    for (const mark of marks) {
      const start = prompt.indexOf(mark, from);
      from = start + mark.length;
      ranges.push([start, from]);
    }
  }
  return ranges;
}

/** Keys of the platforms for variables, with those of exports of other tools. */
function keysOf(kind: keyof VariableKeys, ...others: readonly string[]): ReadonlySet<string> {
  return new Set([...PLATFORM_NAMES.flatMap((name) => PLATFORM_DATA[name].keys.variables[kind]), ...others]);
}

/** Settings whose keys are names of variables. */
const MAPS = keysOf("maps", "dynamic_variables");
/** Settings that say which variables are filled: lists of items with a name, or JSON schemas. */
const FILLED = keysOf("filled");
/** Keys of an item that name its variable. */
const NAMES = keysOf("names", "left_side", "variable_name");
/** Lists whose items name a variable, at any depth. */
const LISTS = keysOf("lists");

/**
 * A platform's settings with a variable renamed where they name it without braces: in extraction plans, in equations that
 * the graph does not model, and as keys of values, defaults and response variables.
 */
function renameInSettings(settings: unknown, from: string, to: string): unknown {
  const nameOf = (name: string) => (name === from ? to : name);
  const keys = (value: unknown): unknown =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [nameOf(key), each])) : value;
  const item = (value: unknown): unknown => {
    if (value === from) return to;
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([key, each]) => [key, NAMES.has(key) && each === from ? to : each]);
    return Object.fromEntries(entries);
  };
  const filled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(item);
    if (!isRecord(value)) return value;
    const { required } = value;
    return {
      ...value,
      ...("properties" in value ? { properties: keys(value.properties) } : {}),
      ...(Array.isArray(required) ? { required: required.map((name) => (name === from ? to : name)) } : {}),
      ...("schema" in value ? { schema: filled(value.schema) } : {}),
    };
  };
  const visit = (value: unknown, key = ""): unknown => {
    if (Array.isArray(value)) {
      const items = value.map((each) => visit(each));
      return LISTS.has(key) || FILLED.has(key) ? items.map(item) : items;
    }
    if (!isRecord(value)) return value;
    const inner = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, visit(each, name)]));
    return MAPS.has(key) ? keys(inner) : FILLED.has(key) ? filled(inner) : inner;
  };
  return visit(settings);
}
