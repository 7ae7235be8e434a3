import assert from "node:assert/strict";
import { withoutOriginal } from "../../platforms/lens/mod.ts";
import type { Emitted } from "../../platforms/platform.ts";
import { type AgentGraph, type AgentNode, fingerprint, parseGraph } from "../../src/graph/mod.ts";
import { isRecord, valueAt } from "../../src/values/mod.ts";
import { renamed, structuralEdits, withNode } from "./structural_edits.ts";

/** The part of a registry of formats that the laws are about. */
export interface Lens {
  readonly read: (text: string) => AgentGraph;
  readonly write: (graph: AgentGraph) => Emitted<unknown>;
  /** Keys that identify items of lists, as in the format's `shape`. */
  readonly keys: readonly string[];
  /** Whether a node's edges and tools are free to come, go and move. Absent: those of each conversation node are. */
  readonly isFree?: (node: AgentNode, graph: AgentGraph) => boolean;
  /** What of a structure the format can hold, where it cannot hold all of it, such as the order of nodes. */
  readonly held?: (structure: Structure) => Structure;
}

/** A text without a change comes back to the letter, also when its graph was saved in between. */
export function returnsTexts({ read, write }: Lens, text: string): void {
  const graph = read(text);
  assert.equal(write(graph).text, text);
  assert.equal(write(saved(graph)).text, text);
  assert.deepEqual(write(graph).losses, []);
}

/** However a text is spelled, with keys that nobody knows in every object, it comes back to the letter. */
export function returnsSpellings(lens: Lens, text: string): void {
  const document: unknown = JSON.parse(text);
  for (const [indent, line] of [
    [undefined, "\n"],
    [3, "\r\n"],
    ["\t", "\n"],
  ] as const)
    returnsTexts(lens, JSON.stringify(withUnknownKeys(document), null, indent).replaceAll("\n", line));
}

/** A changed prompt changes the lines that hold it, and reads back as the changed graph with everything else as it was. */
export function changesItsLines({ read, write }: Lens, text: string): number {
  const document: unknown = JSON.parse(text);
  const spelled = JSON.stringify(withUnknownKeys(document), null, 1);
  const graph = saved(read(spelled));
  let count = 0;
  for (const node of Object.values(graph.nodes)) {
    if (node.state_prompt === "") continue;
    const edited = withNode(graph, { ...node, state_prompt: `${node.state_prompt} Be brief.` });
    const after = write(edited).text;
    const words = JSON.stringify(node.state_prompt).slice(1, -1);
    const lines = spelled.split("\n").filter((line) => line.includes(words)).length;
    assert.ok(changedLines(spelled, after) <= lines, `${node.id}: ${changedLines(spelled, after)} of ${lines}`);
    assert.equal(meaning(read(after)), meaning(edited), node.id);
    count++;
  }
  return count;
}

/** Nodes whose ids change keep what nobody knows of them, and read back under their new ids. */
export function keepsRenamedNodes({ read, write }: Lens, text: string): void {
  const spelled = JSON.stringify(withUnknownKeys(JSON.parse(text)), null, 1);
  const graph = saved(read(spelled));
  for (const id of Object.keys(graph.nodes)) {
    const edited = renamed(graph, id, `${id}_renamed`);
    const after = write(edited).text;
    assert.equal(meaning(read(after)), meaning(edited), id);
    assert.equal(unknownKeys(after), unknownKeys(spelled), id);
  }
}

function saved(graph: AgentGraph): AgentGraph {
  return parseGraph(JSON.parse(JSON.stringify(graph)));
}

function meaning(graph: AgentGraph): string {
  return fingerprint(withoutOriginal(graph));
}

/** Lines of which there are more in one text than in the other, commas at their ends aside. */
function changedLines(before: string, after: string): number {
  const left = before.split("\n").map((line) => line.replace(/,$/, ""));
  let more = 0;
  for (const line of after.split("\n").map((each) => each.replace(/,$/, ""))) {
    const at = left.indexOf(line);
    if (at < 0) more++;
    else left.splice(at, 1);
  }
  return Math.max(more, left.length);
}

const UNKNOWN = "x_unknown";

/** The document with a key of no meaning in each of its objects, also with a number that JavaScript rounds. */
function withUnknownKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownKeys);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withUnknownKeys(item)] as const);
  return Object.fromEntries([...entries, [UNKNOWN, { kept: [1, null] }]]);
}

function unknownKeys(text: string): number {
  return text.split(`"${UNKNOWN}"`).length;
}

/** What a call can show of a graph. */
export interface Structure {
  readonly entry: string;
  /** Ids of the nodes that talk, but for the entry node. */
  readonly order: readonly string[];
  readonly nodes: readonly AgentNode[];
}

/**
 * Renamed, added, deleted, reordered and retargeted nodes, edges and tools are written and read back as they are in the
 * graph. Objects that the change does not take out keep what nobody knows of them, no reference is left to what is gone,
 * and no item is there twice. Changes that the format reports as losses are left out.
 *
 * @param most How many changes to make.
 * @returns How many were made.
 */
export function keepsStructure(lens: Lens, text: string, most: number, seed = 0): number {
  const { read, write, isFree = () => true, held = (structure) => structure } = lens;
  const document = numbered(JSON.parse(text));
  const graph = saved(read(JSON.stringify(document, null, 1)));
  const before = inspect(document, lens);
  let made = 0;
  for (const { what, graph: changed, gone } of structuralEdits(graph, isFree, seed)) {
    if (made >= most) break;
    const written = write(changed);
    if (written.losses.length > 0) continue;
    assert.deepEqual(held(structureOf(read(written.text))), held(structureOf(changed)), what);
    const after = inspect(JSON.parse(written.text), lens);
    // an object that is lost together with the one around it is not counted again
    const lost = [...before.objects].filter(([number, { around, names }]) => {
      const isGone = (each: number | undefined) => each !== undefined && !after.objects.has(each);
      return isGone(number) && !isGone(around) && !names.some((name) => gone.includes(name));
    });
    const edges = Math.max(0, edgesOf(graph) - edgesOf(changed));
    // an edge may have an example beside it
    assert.ok(
      lost.length <= edges * 2,
      `${what}: objects with keys that nobody knows are lost: ${JSON.stringify(lost)}`,
    );
    const twice = after.doubled.filter((each) => !before.doubled.includes(each) && !toolsTwice(changed).includes(each));
    assert.deepEqual(twice, [], what);
    const ids = Object.keys(graph.nodes);
    const loose = dangling(before, before, ids);
    assert.deepEqual(
      dangling(before, after, ids).filter((each) => !loose.includes(each)),
      [],
      what,
    );
    made++;
  }
  return made;
}

function edgesOf({ nodes }: AgentGraph): number {
  return Object.values(nodes).reduce((sum, { transitions }) => sum + transitions.length, 0);
}

/** Names that a node of the graph itself gives to two of its tools. */
function toolsTwice({ nodes }: AgentGraph): readonly string[] {
  return Object.values(nodes).flatMap(({ tools }) => {
    const names = tools.map(({ name }) => name);
    return names.filter((name, index) => names.indexOf(name) !== index);
  });
}

/** Ends stand behind the nodes that talk in some formats, and the entry node in front of all. */
function structureOf({ entry_node_id: entry, nodes }: AgentGraph): Structure {
  const plain = Object.values(nodes).map((node) => ({
    ...node,
    metadata: {},
    tools: node.tools.map((tool) => ({ ...tool, metadata: {} })),
    transitions: node.transitions.map((edge) => ({ ...edge, metadata: {} })),
    global_node_setting: node.global_node_setting && { ...node.global_node_setting, metadata: {} },
  }));
  const talking = Object.values(nodes).filter(({ id, node_type: type }) => type === "conversation" && id !== entry);
  return JSON.parse(
    JSON.stringify({
      entry,
      order: talking.map(({ id }) => id),
      nodes: plain.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    }),
  );
}

/** Keys of objects whose keys are names that somebody has chosen. */
const MAPS = ["nodes", "snippets", "default_dynamic_variables", "response_variables", "properties"];

/** The document with a number of its own in each object. */
function numbered(value: unknown): unknown {
  let count = 0;
  const number = (inner: unknown, at = ""): unknown => {
    if (Array.isArray(inner)) return inner.map((each) => number(each));
    if (!isRecord(inner)) return inner;
    const own = MAPS.includes(at) ? [] : [[UNKNOWN, ++count] as const];
    return Object.fromEntries([
      ...Object.entries(inner).map(([key, each]) => [key, number(each, key)] as const),
      ...own,
    ]);
  };
  return number(value);
}

/** What a document shows of the objects that it was made of. */
interface Inspected {
  /** Objects by their numbers, with the object around them and the names of the items that they are in. */
  readonly objects: ReadonlyMap<number, { readonly around?: number; readonly names: readonly string[] }>;
  /** What stands twice: objects, and identities within a list. */
  readonly doubled: readonly string[];
  /** Names that items go by. */
  readonly identities: ReadonlySet<unknown>;
  /** Other texts, by their keys. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
}

/** Keys whose values name the object that they stand in, or are what a variable is compared with. */
const NAMES = ["id", "name", "label", "right"];
const IDENTITIES = ["id", "name", "function.name", "assistant.name"];

function inspect(document: unknown, { keys }: Lens): Inspected {
  const objects = new Map<number, { readonly around?: number; readonly names: readonly string[] }>();
  const doubled: string[] = [];
  const identities = new Set<unknown>();
  const texts = new Map<string, string[]>();
  const walk = (value: unknown, names: readonly string[], around?: number): void => {
    if (Array.isArray(value)) {
      for (const key of IDENTITIES.filter((each) => keys.includes(each))) {
        const own = value.map((item) => valueAt(item, key)).filter((item) => typeof item === "string");
        doubled.push(...own.filter((item, index) => own.indexOf(item) !== index));
      }
      for (const item of value) walk(item, names, around);
    }
    if (!isRecord(value)) return;
    const own = keys.map((key) => valueAt(value, key)).filter((item) => typeof item === "string");
    for (const key of IDENTITIES) identities.add(valueAt(value, key));
    const number = typeof value[UNKNOWN] === "number" ? value[UNKNOWN] : undefined;
    if (number !== undefined) {
      if (objects.has(number)) doubled.push(`object ${number}`);
      objects.set(number, { ...(around === undefined ? {} : { around }), names: [...names, ...own] });
    }
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === "string") texts.set(key, [...(texts.get(key) ?? []), inner]);
      walk(inner, [...names, ...own], number ?? around);
    }
  };
  walk(document, []);
  return { objects, doubled, identities, texts };
}

/** Texts under keys that name nodes wherever they stand in the original, and that name no item any more. */
function dangling(before: Inspected, after: Inspected, ids: readonly string[]): readonly string[] {
  return [...after.texts].flatMap(([key, texts]) => {
    const found = before.texts.get(key) ?? [];
    const isReference = found.filter((each) => ids.includes(each)).length * 2 > found.length;
    if (!isReference || NAMES.includes(key)) return [];
    return texts.filter((each) => ids.includes(each) && !after.identities.has(each)).map((each) => `${key} ${each}`);
  });
}
