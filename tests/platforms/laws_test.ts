import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { emit, type Format, type FormatName, formatNamed, formats, importAgent } from "../../platforms/mod.ts";
import { createRegistry } from "../../platforms/registry/registry.ts";
import { parseGraph } from "../../src/document/graph/mod.ts";
import { someOf } from "../fast_check.ts";
import { changesItsLines, keepsRenamedNodes, type Lens, returnsSpellings, returnsTexts } from "./laws.ts";
import { OUTLINE } from "./outline_format.ts";
import { exampleGraphs } from "./sdk_literals.ts";
import { keepsStructure } from "./structure_law.ts";

const graphs = await exampleGraphs();
const workflow = readFileSync(new URL("../../examples/vapi-migration/workflow.json", import.meta.url), "utf8");

/** Formats that keep imported documents, with example documents for each. */
const kept = formats().filter(({ name }) => formatNamed(name).shape !== undefined);

function documents(name: FormatName): readonly string[] {
  if (name === "vapi-workflow") return [workflow];
  return graphs.map((graph) => emit(graph, name).text);
}

function lensOf(name: FormatName): Lens {
  return {
    read: (text) => importAgent(text, { format: name }).graph,
    write: (graph) => emit(graph, name),
    keys: formatNamed(name).shape?.keys ?? [],
  };
}

for (const { name } of kept) {
  test(`${name}: documents are detected by their keys`, () => {
    for (const text of documents(name)) assert.equal(importAgent(text).format, name);
  });
  test(`${name}: documents are emitted byte for byte as imported`, () => {
    for (const text of someOf(documents(name))) returnsTexts(lensOf(name), text);
  });
  test(`${name}: documents with unknown keys are emitted byte for byte, in any layout`, () => {
    for (const text of someOf(documents(name))) returnsSpellings(lensOf(name), text);
  });
  test(`${name}: a changed prompt changes only its own lines`, () => {
    const changes = someOf(documents(name)).map((text) => changesItsLines(lensOf(name), text));
    assert.ok(changes.every((count) => count > 0));
  });
}

const TRIP = `{"steps": [
  {"step": "ask", "says": "Ask where to.", "next": [{"when": "Caller names a city", "step": "book"}, {"step": "bye", "when": "No trip"}]},
  {"step": "book", "says": "Ask for the day.", "next": [{"when": "Caller names a day", "step": "bye"}]},
  {"step": "bye", "says": "Say goodbye."}
]}`;

test("a new platform is one entry in the list, and the laws hold without further code", () => {
  const list: readonly Format[] = [OUTLINE];
  const registry = createRegistry(list);
  const lens: Lens = {
    read: (text) => registry.importAgent(text).graph,
    write: (graph) => registry.emit(graph, "outline"),
    keys: OUTLINE.shape?.keys ?? [],
  };
  returnsTexts(lens, TRIP);
  returnsSpellings(lens, TRIP);
  assert.equal(changesItsLines(lens, TRIP), 3);
  keepsRenamedNodes(lens, TRIP);
  assert.ok(keepsStructure(lens, TRIP, 20) >= 5);
});

test("a new platform emits graphs of any origin and reports losses", () => {
  const registry = createRegistry([OUTLINE]);
  const graph = parseGraph({
    entry_node_id: "a",
    nodes: { a: { state_prompt: "Hi.", tools: [{ name: "find", description: "" }], transitions: [] } },
  });
  const { config, losses } = registry.emit(graph, "outline");
  assert.deepEqual(config, { first: "a", steps: [{ step: "a", says: "Hi.", next: [] }] });
  assert.deepEqual(
    losses.map(({ path }) => path),
    [["nodes", "a", "tools", 0]],
  );
});
