import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import * as fc from "../../../fast_check.ts";
import { changesItsLines, type Lens, returnsSpellings, returnsTexts } from "../../laws.ts";
import { keepsStructure } from "../../structure_law.ts";
import { assistants, DESK } from "./_documents.ts";

const lens: Lens = {
  read: (text) => importAgent(text, { format: "telnyx" }).graph,
  write: (graph) => emit(graph, "telnyx"),
  keys: ["id", "webhook.name", "function.name", "name"],
};

test("import and emit give the same text for generated assistants", () => {
  fc.assert(
    fc.property(assistants, (document) => returnsTexts(lens, JSON.stringify(document, null, 1))),
    { numRuns: 500 },
  );
});

test("import and emit keep unknown keys of generated assistants, in any layout", () => {
  fc.assert(
    fc.property(assistants, (document) => returnsSpellings(lens, JSON.stringify(document))),
    { numRuns: 100 },
  );
});

test("a changed prompt of a flow changes its own lines", () => {
  assert.equal(changesItsLines(lens, JSON.stringify(DESK, null, 2)), 3);
});

test("renamed, added, deleted, reordered and retargeted parts of generated assistants read back", {
  timeout: 120_000,
}, () => {
  let made = 0;
  let seed = 0;
  fc.assert(
    // a node that has some of the assistant's tools has copies of them, with all of their keys; where some nodes append
    // to the assistant's instructions, the last other node changes how the graph has them
    fc.property(assistants, fc.constantFrom("append", "replace"), (document, mode) => {
      const { conversation_flow: flow } = document;
      const nodes = flow.nodes.map((node: object) => ({ ...node, instructions_mode: mode }));
      const edges = flow.edges?.filter(({ target }: { target: { node_id?: string } }) => target.node_id !== "nowhere");
      const whole = { ...document, tools: null, tool_ids: null, conversation_flow: { ...flow, nodes, edges } };
      // the edits of the law know no ids that objects inherit
      const text = JSON.stringify(whole).replaceAll(/"(?=__proto__|toString|constructor)/g, `"x`);
      made += keepsStructure(lens, text, 6, seed++);
    }),
    { numRuns: 200, endOnFailure: true },
  );
  assert.ok(made > 20, `${made} changes`);
});
