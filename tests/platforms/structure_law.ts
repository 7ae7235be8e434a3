import assert from "node:assert/strict";
import type { AgentGraph, AgentNode } from "../../src/graph/mod.ts";
import { isRecord, valueAt } from "../../src/values/mod.ts";
import { type Lens, saved, UNKNOWN } from "./laws.ts";
import { structuralEdits } from "./structural_edits.ts";

/** What a call can show of a graph. */
interface Structure {
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
  const { read, write, isFree = () => true } = lens;
  const document = numbered(JSON.parse(text));
  const graph = saved(read(JSON.stringify(document, null, 1)));
  const before = inspect(document, lens);
  let made = 0;
  for (const { what, graph: changed, gone } of structuralEdits(graph, isFree, seed)) {
    if (made >= most) break;
    const written = write(changed);
    if (written.losses.length > 0) continue;
    assert.deepEqual(structureOf(read(written.text)), structureOf(changed), what);
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
