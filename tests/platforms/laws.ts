import assert from "node:assert/strict";
import type { Emitted } from "../../platforms/platform.ts";
import { parseDocument } from "../../src/base/documents/mod.ts";
import { isRecord } from "../../src/base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  fingerprint,
  parseGraph,
  withoutOriginal,
} from "../../src/document/graph/mod.ts";
import { renamed, withNode } from "./structural_edits.ts";

/** The functions of a registry of formats that the laws test. */
export interface Lens {
  readonly read: (text: string) => AgentGraph;
  readonly write: (graph: AgentGraph) => Emitted<unknown>;
  /** Keys that identify items of lists, as in the format's `shape`. */
  readonly keys: readonly string[];
  /** Whether a node's edges and tools can be added, removed and moved. Default: those of conversation nodes. */
  readonly isFree?: (node: AgentNode, graph: AgentGraph) => boolean;
  /** Whether the order of nodes means something in the document. Default: yes. */
  readonly hasNodeOrder?: boolean;
}

/** An unedited document is emitted verbatim, also if its graph was saved and loaded in between. */
export function returnsTexts({ read, write }: Lens, text: string): void {
  const graph = read(text);
  assert.equal(write(graph).text, text);
  assert.equal(write(saved(graph)).text, text);
  assert.deepEqual(write(graph).losses, []);
}

/** A document with any layout and unknown keys in every object is emitted verbatim. */
export function returnsSpellings(lens: Lens, text: string): void {
  for (const [indent, line] of [
    [undefined, "\n"],
    [3, "\r\n"],
    ["\t", "\n"],
  ] as const)
    returnsTexts(lens, spelled(text, indent).replaceAll("\n", line));
}

/**
 * A changed prompt changes only its own lines, and importing the result gives the changed graph.
 *
 * @param most Maximum number of prompts. Default: all.
 * @returns Number of prompts that were changed.
 */
export function changesItsLines({ read, write }: Lens, text: string, most = Number.POSITIVE_INFINITY): number {
  const before = spelled(text, 1);
  const graph = saved(read(before));
  let count = 0;
  for (const node of Object.values(graph.nodes)) {
    if (node.state_prompt === "" || count >= most) continue;
    const edited = withNode(graph, { ...node, state_prompt: `${node.state_prompt} Be brief.` });
    const after = write(edited).text;
    const words = JSON.stringify(node.state_prompt).slice(1, -1);
    const lines = before.split("\n").filter((line) => line.includes(words)).length;
    assert.ok(changedLines(before, after) <= lines, `${node.id}: ${changedLines(before, after)} of ${lines}`);
    assert.equal(meaning(read(after)), meaning(edited), node.id);
    count++;
  }
  return count;
}

/** Renamed nodes keep their unknown keys, and are imported under their new ids. */
export function keepsRenamedNodes({ read, write }: Lens, text: string): void {
  const before = spelled(text, 1);
  const graph = saved(read(before));
  for (const id of Object.keys(graph.nodes)) {
    const edited = renamed(graph, id, `${id}_renamed`);
    const after = write(edited).text;
    assert.equal(meaning(read(after)), meaning(edited), id);
    assert.equal(unknownKeys(after), unknownKeys(before), id);
  }
}

/** Saves and loads a graph. */
export function saved(graph: AgentGraph): AgentGraph {
  return parseGraph(JSON.parse(JSON.stringify(graph)));
}

function meaning(graph: AgentGraph): string {
  return fingerprint(withoutOriginal(graph));
}

/** Returns lines that occur more often in one text than in the other, ignoring commas at their ends. */
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

/** The unknown key that the laws add to each object. */
export const UNKNOWN = "x_unknown";

/** Writes a document with an unknown key in each object, which has a number that JavaScript rounds. */
function spelled(text: string, indent: string | number | undefined): string {
  return JSON.stringify(withUnknownKeys(parseDocument(text, "Cannot read").value), null, indent).replaceAll(
    `"${ROUNDED}"`,
    ROUNDED,
  );
}

const ROUNDED = "12345678901234567890.50";

function withUnknownKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownKeys);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withUnknownKeys(item)] as const);
  return Object.fromEntries([...entries, [UNKNOWN, { kept: [ROUNDED, null] }]]);
}

function unknownKeys(text: string): number {
  return text.split(`"${UNKNOWN}"`).length;
}
