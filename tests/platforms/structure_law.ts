import assert from "node:assert/strict";
import { parseDocument } from "../../src/base/documents/mod.ts";
import { isRecord, own, valueOfKey } from "../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode } from "../../src/document/graph/mod.ts";
import { type Lens, saved, UNKNOWN } from "./laws.ts";
import { structuralEdits } from "./structural_edits.ts";

/** The parts of a graph that affect calls. */
interface Structure {
  readonly entry: string;
  /** Ids of the conversation nodes except the entry node. */
  readonly order: readonly string[];
  readonly nodes: readonly AgentNode[];
}

/** Separators in ids that contain ids of other nodes: nodes of a component, extract nodes of an edge. */
const JOINTS = ["/", " > ", "_to_"];

/** Whether a node has no parts, and is no part of another: its edges and tools can be added, removed and moved. */
export function isFreeNode({ id, transitions }: AgentNode, graph: AgentGraph): boolean {
  const isPart = (each: string) => JOINTS.some((joint) => each.startsWith(id + joint) || each.endsWith(joint + id));
  const leadsOut = transitions.every(({ target_node_id: to }) => !/\/| > /.test(to));
  return !Object.keys(graph.nodes).some(isPart) && !/\/| > /.test(id) && leadsOut;
}

/**
 * Renamed, added, deleted, reordered and retargeted nodes, edges and tools are the same after emitting and importing.
 * Remaining objects keep their unknown keys, no reference to a removed item is left, and no item is duplicated. Changes
 * that the format reports as losses are skipped.
 *
 * @param most Maximum number of changes.
 * @returns Number of changes that were checked.
 */
export function keepsStructure(lens: Lens, text: string, most: number, seed = 0): number {
  const { read, write, isFree = () => true, hasNodeOrder = true } = lens;
  const partsOf = (each: AgentGraph) => ({ ...structureOf(each), ...(hasNodeOrder ? {} : { order: [] }) });
  const document = numbered(parseDocument(text, "Cannot read").value);
  const graph = saved(read(JSON.stringify(document, null, 1)));
  const before = inspect(document, lens);
  // an empty text is not a reference
  const ids = new Set(Object.keys(graph.nodes).filter((id) => id !== ""));
  const loose = dangling(before, before, ids);
  let made = 0;
  for (const { what, graph: changed, gone, renamed } of structuralEdits(graph, isFree, seed)) {
    if (made >= most) break;
    const written = write(changed);
    if (written.losses.length > 0) continue;
    assert.deepEqual(partsOf(read(written.text)), partsOf(changed), what);
    const after = inspect(JSON.parse(written.text), lens);
    const fewer = Math.max(0, edgesOf(graph) - edgesOf(changed));
    const targets = fewer > 0 ? lostTargets(graph, changed) : [];
    // an object that is lost together with its parent is not counted again
    const lost = [...before.objects].filter(([number, { around, names, texts, alone }]) => {
      const isGone = (each: number | undefined) => each !== undefined && !after.objects.has(each);
      // a removed edge takes along its examples in other lists
      const isOfEdge = targets.some((target) => texts.includes(target));
      // an object that is only a name is another one under another name
      const isOther = renamed !== undefined && alone === renamed;
      const isNamed = [...names, ...texts].some((each) => gone.some((name) => name === each));
      return isGone(number) && !isGone(around) && !isNamed && !isOfEdge && !isOther;
    });
    // what refers to a lost object is lost with it: the edge to a helper node of a removed edge
    const helpers = lost.flatMap(([, { own }]) => own);
    const alone = lost.filter(
      ([, { own, texts }]) => !helpers.some((name) => !own.includes(name) && texts.includes(name)),
    );
    assert.ok(alone.length <= fewer, `${what}: objects with keys that nobody knows are lost: ${JSON.stringify(lost)}`);
    const twice = after.doubled.filter((each) => !before.doubled.includes(each) && !toolsTwice(changed).includes(each));
    assert.deepEqual(twice, [], what);
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

/** Returns the targets of the edges that a change removes. */
function lostTargets(before: AgentGraph, after: AgentGraph): readonly string[] {
  return Object.values(before.nodes).flatMap(({ id, transitions }) => {
    const left = own(after.nodes, id)?.transitions.map(({ target_node_id: target }) => target) ?? [];
    return transitions.flatMap(({ target_node_id: target }) => {
      const at = left.indexOf(target);
      if (at < 0) return [target];
      left.splice(at, 1);
      return [];
    });
  });
}

/** Returns names that two tools of one node share in the graph. */
function toolsTwice({ nodes }: AgentGraph): readonly string[] {
  return Object.values(nodes).flatMap(({ tools }) => {
    const names = tools.map(({ name }) => name);
    return names.filter((name, index) => names.indexOf(name) !== index);
  });
}

/** Ignores the position of the entry node and of ends: some formats write the entry node first and ends last. */
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

/** Keys of objects with user-defined keys. */
const MAPS = ["nodes", "snippets", "default_dynamic_variables", "response_variables", "properties"];

/** Adds a unique number to each object of a document. */
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

interface InspectedObject {
  /** Number of its parent. */
  readonly around?: number;
  /** Its own names, and those of the items that contain it. */
  readonly names: readonly string[];
  readonly own: readonly string[];
  /** Its own texts. */
  readonly texts: readonly unknown[];
  /** Its name, if that is all it has. */
  readonly alone?: string | undefined;
}

/** Objects, identities and references in a document. */
interface Inspected {
  /** Objects by their numbers. */
  readonly objects: ReadonlyMap<number, InspectedObject>;
  /** Duplicates: objects, and identities within a list. */
  readonly doubled: readonly string[];
  /** Names of list items. */
  readonly identities: ReadonlySet<unknown>;
  /** Other texts by key. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
}

/** Keys that name their own object, or contain a variable or the value that it is compared with. */
const NAMES = ["id", "name", "label", "left", "right", "field", "value"];
const IDENTITIES = ["id", "name", "function.name", "assistant.name"];

function inspect(document: unknown, { keys }: Lens): Inspected {
  const objects = new Map<number, InspectedObject>();
  const doubled: string[] = [];
  const identities = new Set<unknown>();
  const texts = new Map<string, string[]>();
  const walk = (value: unknown, names: readonly string[], around?: number): void => {
    if (Array.isArray(value)) {
      for (const key of IDENTITIES.filter((each) => keys.includes(each))) {
        const own = value.map((item) => valueOfKey(item, key)).filter((item) => typeof item === "string");
        doubled.push(...own.filter((item, index) => own.indexOf(item) !== index));
      }
      for (const item of value) walk(item, names, around);
    }
    if (!isRecord(value)) return;
    const own = keys.map((key) => valueOfKey(value, key)).filter((item) => typeof item === "string");
    for (const key of IDENTITIES) identities.add(valueOfKey(value, key));
    const number = typeof value[UNKNOWN] === "number" ? value[UNKNOWN] : undefined;
    if (number !== undefined) {
      if (objects.has(number)) doubled.push(`object ${number}`);
      const [all, texts] = [[...names, ...own], Object.values(value)];
      const alone = texts.length === 2 ? own[0] : undefined;
      objects.set(number, { ...(around === undefined ? {} : { around }), names: all, own, texts, alone });
    }
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === "string") texts.set(key, [...(texts.get(key) ?? []), inner]);
      // nodes may be a map from ids
      const isMap = key === "nodes" && isRecord(inner);
      for (const [id, each] of isMap ? Object.entries(inner) : []) {
        identities.add(id);
        walk(each, [...names, ...own, id], number ?? around);
      }
      if (!isMap) walk(inner, [...names, ...own], number ?? around);
    }
  };
  walk(document, []);
  return { objects, doubled, identities, texts };
}

/** Returns references to items that no longer exist: texts under keys that mostly contain ids in the original. */
function dangling(before: Inspected, after: Inspected, ids: ReadonlySet<string>): readonly string[] {
  return [...after.texts].flatMap(([key, texts]) => {
    const found = before.texts.get(key) ?? [];
    const isReference = found.filter((each) => ids.has(each)).length * 2 > found.length;
    if (!isReference || NAMES.includes(key)) return [];
    return texts.filter((each) => ids.has(each) && !after.identities.has(each)).map((each) => `${key} ${each}`);
  });
}
