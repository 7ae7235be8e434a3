import assert from "node:assert/strict";
import type { Emitted } from "../../platforms/platform.ts";
import { type AgentGraph, type AgentNode, fingerprint, parseGraph, withoutOriginal } from "../../src/graph/mod.ts";
import { isRecord } from "../../src/values/mod.ts";
import { renamed, withNode } from "./structural_edits.ts";

/** The part of a registry of formats that the laws are about. */
export interface Lens {
  readonly read: (text: string) => AgentGraph;
  readonly write: (graph: AgentGraph) => Emitted<unknown>;
  /** Keys that identify items of lists, as in the format's `shape`. */
  readonly keys: readonly string[];
  /** Whether a node's edges and tools are free to come, go and move. Absent: those of each conversation node are. */
  readonly isFree?: (node: AgentNode, graph: AgentGraph) => boolean;
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

/** The graph as it is after being saved and loaded. */
export function saved(graph: AgentGraph): AgentGraph {
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

/** The key of no meaning that the laws put into each object. */
export const UNKNOWN = "x_unknown";

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
