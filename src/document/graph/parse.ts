import * as v from "valibot";
import { GraphError, type Issue, type Path, throwIssues } from "../../base/errors.ts";
import {
  COMPILE_FIRST,
  didYouMean,
  isFlow,
  isRecord,
  isRecords,
  isTooDeep,
  isTypoOf,
  type JsonObject,
  jsonText,
  MAX_DEPTH,
  omit,
  own,
  shown,
} from "../../base/values/mod.ts";
import { inferNodeType } from "./nodes.ts";
import { GraphHeadDocument, NodeDocument, type NodeInput, PlainObject } from "./schema.ts";
import type { AgentGraph, AgentNode, GlobalNodeSetting, OriginalDocument, TransitionCondition } from "./types.ts";

type ConditionInput = NonNullable<NodeInput["transitions"]>[number]["condition"];

/**
 * Parses an AgentGraph document. Missing lists and maps become empty, a missing `node_type` is inferred, and unknown
 * keys are kept.
 *
 * @param value Parsed JSON.
 * @throws {GraphError} `not-a-graph`, `too-deep`, `wrong-type`, `missing-key`, `id-mismatch`, `unknown-entry`,
 *   `unknown-target`; `issues` lists every problem.
 */
export function parseGraph(value: unknown): AgentGraph {
  if (!isRecord(value) || !isRecord(value.nodes)) {
    throw new GraphError(
      `Cannot read agent graph: ${isRecord(value) ? 'it has no "nodes" object' : "it is not an object"}`,
      {
        code: "not-a-graph",
        path: isRecord(value) ? ["nodes"] : [],
        hint: isFlow(value) ? COMPILE_FIRST : 'Pass an object with "nodes" (id to node) and "entry_node_id"',
      },
    );
  }
  if (isTooDeep(value)) {
    throw new GraphError(`Cannot read agent graph: it nests deeper than ${MAX_DEPTH} levels`, {
      code: "too-deep",
      hint: "Flatten the document",
    });
  }
  const { nodes: rawNodes, snippets: rawSnippets, ...rawHead } = value;
  const issues: Issue[] = [];
  const head = read(GraphHeadDocument, rawHead, [], issues);
  const nodes = Object.entries(rawNodes).map(([id, node]) => [id, readNode(id, node, issues)] as const);
  const snippets = readSnippets(rawSnippets, issues);
  throwIssues(GraphError, "Cannot read agent graph", issues);
  if (!head) throw new TypeError("unreachable: a document without issues has a head");

  const graph: AgentGraph = {
    ...head,
    nodes: Object.fromEntries(nodes.flatMap(([id, node]) => (node ? [[id, completeNode(id, node)]] : []))),
    source_type: head.source_type ?? "custom",
    source_metadata: head.source_metadata ?? {},
    snippets,
  };
  throwIssues(GraphError, "Cannot read agent graph", referenceIssues(graph));
  return graph;
}

/** Finds an unknown entry node and unknown targets. */
export function referenceIssues(graph: AgentGraph): Issue[] {
  const ids = Object.keys(graph.nodes);
  const issues: Issue[] = [];
  if (!Object.hasOwn(graph.nodes, graph.entry_node_id)) {
    issues.push({
      code: "unknown-entry",
      path: ["entry_node_id"],
      message: `entry node "${graph.entry_node_id}" is not in "nodes"`,
      hint: didYouMean(graph.entry_node_id, ids, 'Set "entry_node_id" to the id of a node'),
    });
  }
  for (const [id, node] of Object.entries(graph.nodes))
    for (const [index, { target_node_id: target }] of node.transitions.entries())
      if (!Object.hasOwn(graph.nodes, target)) {
        issues.push({
          code: "unknown-target",
          path: ["nodes", id, "transitions", index, "target_node_id"],
          message: `transition ${index} of "${id}" goes to "${target}", which is not in "nodes"`,
          hint: didYouMean(target, ids, "Add the node or change the target"),
        });
      }
  return issues;
}

/**
 * Validates a graph argument of any type. Parses a document with missing keys.
 *
 * A complete graph is returned as it is, after checking only its shape.
 *
 * @param action Start of the message: "Cannot run scenarios".
 * @throws {GraphError} `not-a-graph` for other values, such as a flow that is not compiled; for a document with errors,
 *   those of `parseGraph`.
 */
export function toGraph(value: unknown, action: string): AgentGraph {
  if (isGraph(value)) return value;
  if (!isFlow(value) && isRecord(value) && isRecord(value.nodes)) return parseGraph(value);
  throw new GraphError(`${action}: the graph is ${shown(value)}`, {
    code: "not-a-graph",
    hint: isFlow(value) ? COMPILE_FIRST : "Pass a compiled flow, or the graph of parseGraph() or importAgent()",
  });
}

/**
 * Checks that the entry node exists.
 *
 * @param action Start of the message: "Cannot start a call".
 * @throws {GraphError} `unknown-entry`.
 */
export function checkEntry(graph: AgentGraph, action: string): void {
  if (own(graph.nodes, graph.entry_node_id)) return;
  const issues = referenceIssues(graph).filter(({ code }) => code === "unknown-entry");
  throwIssues(GraphError, action, issues);
}

/** Whether a value has the complete shape of a graph. Checks every node, tool and transition. */
function isGraph(value: unknown): value is AgentGraph {
  return (
    isRecord(value) &&
    isRecord(value.nodes) &&
    hasTexts(value, "entry_node_id", "source_type") &&
    isRecord(value.source_metadata) &&
    isRecord(value.snippets) &&
    Object.values(value.nodes).every(isNode)
  );
}

function isNode(node: unknown): boolean {
  return (
    isRecord(node) &&
    hasTexts(node, "id", "node_type", "state_prompt") &&
    isRecords(node.tools, (tool) => hasTexts(tool, "name", "description")) &&
    isRecords(node.variables_to_extract, (variable) => hasTexts(variable, "name", "description", "type")) &&
    isRecords(node.transitions, (edge) => hasTexts(edge, "target_node_id") && isCondition(edge.condition)) &&
    (!node.global_node_setting || isGlobalSetting(node.global_node_setting)) &&
    isRecord(node.metadata)
  );
}

function isGlobalSetting(setting: unknown): boolean {
  if (!isRecord(setting) || !hasTexts(setting, "condition")) return false;
  return isRecords(setting.go_back_conditions, (back) => hasTexts(back, "id") && isCondition(back.condition));
}

function isCondition(condition: unknown): boolean {
  if (!isRecord(condition) || !hasTexts(condition, "type", "value")) return false;
  return isRecords(condition.equations ?? [], (clause) => hasTexts(clause, "left", "operator"));
}

function hasTexts(record: JsonObject, ...keys: readonly string[]): boolean {
  return keys.every((key) => typeof record[key] === "string");
}

/** Returns the value if it matches the schema, else adds issues and returns `undefined`. */
function read<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  at: Path,
  issues: Issue[],
): v.InferInput<Schema> | undefined {
  if (v.is(schema, value)) return value; // not the parsed copy, which lacks keys such as "constructor"
  for (const issue of v.safeParse(schema, value).issues ?? []) issues.push(describe(issue, at));
  return undefined;
}

/** Returns the hint for a missing key. A similar key may be a typo of it. */
function hintForMissing(issue: v.BaseIssue<unknown>, path: Path): string {
  const key = String(path.at(-1));
  const parent: unknown = issue.path?.at(-1)?.input;
  const slip = Object.keys(isRecord(parent) ? parent : {}).find((each) => isTypoOf(key, each));
  return slip === undefined ? `Add "${key}"` : `Rename "${slip}" to "${key}"`;
}

function describe(issue: v.BaseIssue<unknown>, at: Path): Issue {
  const keys = (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));
  const path = [...at, ...keys];
  const place = path.join(".");
  if (issue.received === "undefined") {
    return { code: "missing-key", path, message: `"${place}" is missing`, hint: hintForMissing(issue, path) };
  }
  const expected = issue.expected ?? "another value";
  return {
    code: "wrong-type",
    path,
    message: `"${place}" should be ${expected} but is ${issue.received}`,
    hint: `Change it to ${expected}`,
  };
}

function readNode(id: string, value: unknown, issues: Issue[]): NodeInput | undefined {
  const node = read(NodeDocument, value, ["nodes", id], issues);
  if (typeof node?.id === "string" && node.id !== id) {
    issues.push({
      code: "id-mismatch",
      path: ["nodes", id, "id"],
      message: `node "${id}" has the id "${node.id}"`,
      hint: "Make the id the same as its key in nodes",
    });
  }
  return node;
}

function readSnippets(value: unknown, issues: Issue[]): { readonly [name: string]: string } {
  const entries = Object.entries(read(v.nullish(PlainObject), value, ["snippets"], issues) ?? {});
  return Object.fromEntries(
    entries.map(([name, text]) => [name, read(v.string(), text, ["snippets", name], issues) ?? ""]),
  );
}

function completeNode(id: string, node: NodeInput): AgentNode {
  const lists = {
    tools: (node.tools ?? []).map((tool) => ({ ...tool, description: tool.description ?? "" })),
    transitions: (node.transitions ?? []).map((transition) => ({
      ...transition,
      condition: completeCondition(transition.condition),
    })),
    variables_to_extract: (node.variables_to_extract ?? []).map((variable) => ({
      ...variable,
      description: variable.description ?? "",
      type: variable.type ?? "string",
    })),
  };
  const { global_node_setting: setting, ...rest } = node;
  return {
    ...rest,
    ...lists,
    id,
    node_type: node.node_type ?? inferNodeType(lists),
    state_prompt: node.state_prompt ?? "",
    ...(setting ? { global_node_setting: completeGlobal(setting) } : {}),
    metadata: node.metadata ?? {},
  };
}

function completeCondition(condition: ConditionInput): TransitionCondition {
  return { ...condition, value: condition.value ?? "" };
}

function completeGlobal(setting: NonNullable<NodeInput["global_node_setting"]>): GlobalNodeSetting {
  return {
    ...setting,
    condition: setting.condition ?? "",
    go_back_conditions: (setting.go_back_conditions ?? []).map((back, index) => ({
      ...back,
      id: back.id ?? `back_${index}`,
      condition: completeCondition(back.condition),
    })),
  };
}

/**
 * Formats a graph as a `*.callweave.json` file: two spaces of indentation, keys in their order, a final line break.
 *
 * @param schema Path of the JSON Schema for editors, if the document does not name one.
 */
export function formatGraph(graph: AgentGraph, schema?: string): string {
  const named = schema === undefined || Object.hasOwn(graph, "$schema") ? graph : { $schema: schema, ...graph };
  return jsonText(named);
}

/** Says whether a path names a graph's own document: `*.callweave.json`, or `*.vt.json`, as other tools call it. */
export function isGraphFile(path: string): boolean {
  return /\.(?:callweave|vt)\.json$/.test(path);
}

/** Key of `source_metadata` for the document that a graph was imported from. */
export const ORIGINAL = "original";

/** Attaches the imported document to a graph; `emit()` writes changes of the graph into it. */
export function withOriginal(graph: AgentGraph, original: OriginalDocument): AgentGraph {
  return { ...graph, source_metadata: { ...graph.source_metadata, [ORIGINAL]: original } };
}

/** Returns the graph without its imported document. Accepts values that are not graphs, such as an unparsed document. */
export function withoutOriginal(graph: AgentGraph): AgentGraph {
  const { source_metadata: source } = graph;
  if (!isRecord(source) || !Object.hasOwn(source, ORIGINAL)) return graph;
  return { ...graph, source_metadata: omit(source, [ORIGINAL]) };
}

/** Returns the imported document; `undefined` for a graph from code, or if the document was removed or damaged. */
export function originalOf({ source_metadata: source }: AgentGraph): OriginalDocument | undefined {
  const { [ORIGINAL]: original } = source;
  return isOriginal(original) ? original : undefined;
}

function isOriginal(value: unknown): value is OriginalDocument {
  return isRecord(value) && typeof value.format === "string" && typeof value.text === "string";
}
