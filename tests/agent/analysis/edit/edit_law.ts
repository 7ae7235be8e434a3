import { expandSnippets, lower } from "../../../../platforms/lower/mod.ts";
import { emit, type FormatName, formats, importAgent } from "../../../../platforms/mod.ts";
import { check } from "../../../../src/agent/check/mod.ts";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import { canonicalJson, isRecord } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, type AgentNode, contentOf } from "../../../../src/document/graph/mod.ts";
import { seeded } from "../../../platforms/mutate.ts";
import { type RandomEdit, randomEdit, VERBS } from "./random_edits.ts";

/** Names used by random edits. */
const MARK = /zq\d+x/;

/** An agent, a target format, and a sequence of edits. */
export interface EditCase {
  readonly graph: AgentGraph;
  /** Format of the document that the agent came from. */
  readonly format: FormatName | undefined;
  readonly target: FormatName;
  readonly edits: readonly RandomEdit[];
}

/** A sequence of random edits that begins with a given verb if it is applicable. */
export function randomEdits(graph: AgentGraph, steps: number, seed: number): readonly RandomEdit[] {
  const random = seeded(seed);
  const edits: RandomEdit[] = [];
  for (let step = 0; step < steps; step++) {
    const verb = VERBS[step === 0 ? seed % VERBS.length : Math.floor(random() * VERBS.length)] ?? "renameNode";
    const made = randomEdit(edits.at(-1)?.graph ?? graph, verb, step, random);
    if (made) edits.push(made);
  }
  return edits;
}

/**
 * The problem with an edited graph in a format: it is not emitted, it does not read back unchanged, something else has
 * changed in the document, or `check()` finds new errors.
 *
 * @returns `undefined` if the format cannot represent the graph, edited or not.
 */
export function faultsOf({ graph, format, target, edits }: EditCase): readonly string[] | undefined {
  const changed = edits.at(-1)?.graph ?? graph;
  const unchanged = emitted(graph, target);
  if (unchanged === undefined) return undefined;
  const { text, losses } = emit(changed, target);
  const undo = (each: string) => edits.reduceRight((undone, edit) => edit.undo(undone), each);
  const isMoved = edits.some(({ verb }) => verb === "retarget" || verb === "splitNode");
  const isHeld = losses.every(({ code }) => code.startsWith("snippet"));
  if (target === format && !isHeld) return undefined;
  const faults: string[] = [];
  const read = (from: string) => importAgent(from, { format: target }).graph;
  if (target === format) {
    const back = read(text);
    const lowered = target === "graph" ? changed : lower(changed, [expandSnippets]).graph;
    const written = withNameOf(back, readable(lowered), lowered.entry_node_id);
    if (canonicalJson(readable(back)) !== canonicalJson(written))
      faults.push(`read back: ${firstDifference(written, readable(back))}`);
  }
  // a document of one prompt has no name for its node
  const isNamed = target === "retell-llm" && edits.some(({ what }) => what.startsWith("renameNode(main,"));
  if (!isMoved && !isNamed && isRead(target)) {
    // other formats cut names and write them into sentences: for those, the graph that is read back is compared
    const plain = (leaf: string) => plainText(leaf, target !== format);
    const shown = (of: string) => leavesOf(target === format ? parsed(of) : readable(read(of)));
    const before = shown(unchanged.text).map(plain);
    const after = shown(text).map((leaf) => ({ isMarked: MARK.test(leaf), plain: plain(undo(leaf)) }));
    const lost = without(
      before,
      after.map((each) => each.plain),
    );
    // an edge id that a document gives twice becomes unique where one of the nodes is renamed
    const gone = lost.filter((each) => before.indexOf(each) === before.lastIndexOf(each));
    const marked = new Set(after.flatMap((each) => (each.isMarked ? [each.plain] : [])));
    const added = without(
      after.map((each) => each.plain),
      before,
    ).filter((each) => !marked.has(each));
    if (gone.length + added.length > 0)
      faults.push(
        `changed: ${[...gone.slice(0, 3).map((each) => `- ${each}`), ...added.slice(0, 3).map((each) => `+ ${each}`)].join("\n")}`,
      );
  }
  const errors = without(errorsOf(changed, target).map(undo), errorsOf(graph, target));
  if (errors.length > 0) faults.push(`errors: ${errors.slice(0, 3).join("; ")}`);
  return faults;
}

function emitted(graph: AgentGraph, target: FormatName) {
  try {
    return emit(graph, target);
  } catch (error) {
    if (isCallweaveError(error) && error.code === "format-not-emitted") return undefined;
    throw error;
  }
}

function errorsOf(graph: AgentGraph, target: FormatName): readonly string[] {
  return check(graph, { target }).flatMap(({ severity, code, message }) =>
    severity === "error" ? [`${code}: ${message}`] : [],
  );
}

/** A document of one prompt is read back with a node called "main", whatever name the node had. */
function withNameOf({ nodes, entry_node_id: entry }: AgentGraph, written: unknown, name: string): unknown {
  if (entry !== "main" || Object.hasOwn(nodes, name)) return written;
  return JSON.parse(JSON.stringify(written).replaceAll(JSON.stringify(name), JSON.stringify(entry)));
}

/** The parts of a graph that affect calls. Nodes that a workflow's import inserts are named after their neighbours. */
function readable(graph: AgentGraph): unknown {
  const nodes = Object.values(graph.nodes);
  const isBetween = ({ id }: AgentNode) => id.includes(" > ");
  const names = new Map(
    nodes.filter(isBetween).map((node) => {
      const from = nodes.find(({ transitions }) => transitions.some((edge) => edge.target_node_id === node.id));
      return [node.id, from && `${from.id} > ${node.transitions[0]?.target_node_id}`] as const;
    }),
  );
  const nameOf = (id: string) => names.get(id) ?? id;
  const plainNodes = nodes
    .filter((node) => !isBetween(node) || names.get(node.id) !== undefined)
    .map((node) => ({
      ...node,
      id: nameOf(node.id),
      metadata: {},
      tools: node.tools.map((tool) => ({ ...tool, metadata: {} })),
      transitions: node.transitions.map((edge) => ({
        ...edge,
        target_node_id: nameOf(edge.target_node_id),
        metadata: {},
      })),
      global_node_setting: node.global_node_setting && { ...node.global_node_setting, metadata: {} },
    }));
  const { retell: _retell, vapi: _vapi, voicetest: _voicetest, ...source } = graph.source_metadata;
  return contentOf({
    ...graph,
    source_metadata: source,
    nodes: Object.fromEntries(plainNodes.map((node) => [node.id, node])),
  });
}

/** Every value of a document except lists and objects, with the keys that lead to it. */
function leavesOf(document: unknown): readonly string[] {
  const leaves: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`);
    else if (isRecord(value)) for (const [key, item] of Object.entries(value)) visit(item, `${path}.${key}`);
    else leaves.push(`${path} = ${String(value)}`);
  };
  visit(document, "");
  return leaves;
}

function parsed(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ""));
}

function isRead(target: FormatName): boolean {
  return formats().some(({ name, imports }) => name === target && imports);
}

/** Letters and digits, or only those of ASCII: formats write an id into names that allow fewer characters. */
function plainText(leaf: string, isAscii: boolean): string {
  return leaf.toLowerCase().replace(isAscii ? /[^a-z0-9]+/g : /[^\p{L}\p{N}]+/gu, "");
}

/** The multiset difference of two lists. */
function without(all: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const each of others) counts.set(each, (counts.get(each) ?? 0) + 1);
  return all.filter((each) => {
    const count = counts.get(each) ?? 0;
    counts.set(each, count - 1);
    return count <= 0;
  });
}

function firstDifference(one: unknown, other: unknown, path = "$"): string {
  if (isRecord(one) && isRecord(other))
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
      if (canonicalJson(one[key] ?? null) !== canonicalJson(other[key] ?? null))
        return firstDifference(one[key], other[key], `${path}.${key}`);
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    for (const [index, item] of one.entries())
      if (canonicalJson(item) !== canonicalJson(other[index]))
        return firstDifference(item, other[index], `${path}.${index}`);
  return `${path}: ${JSON.stringify(one)?.slice(0, 200)} -> ${JSON.stringify(other)?.slice(0, 200)}`;
}
