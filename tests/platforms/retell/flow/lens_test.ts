import assert from "node:assert/strict";
import { test } from "node:test";
import { importRetell } from "../../../../platforms/retell/flow/import.ts";
import { retell } from "../../../../platforms/retell/flow/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/graph/mod.ts";
import { sameJson } from "../../../../src/values/mod.ts";
import { fc } from "../../../properties.ts";
import { documents } from "./documents.ts";

const saved = (graph: AgentGraph): AgentGraph => parseGraph(JSON.parse(JSON.stringify(graph)));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function emitted(graph: AgentGraph): unknown {
  return plain(retell.emitGraph?.(graph).config);
}

const RUNS = Number(process.env.RUNS ?? 120);

test("emit gives back every document that was imported", () => {
  fc.assert(
    fc.property(documents(), (document) => {
      const before = plain(document);
      const graph = saved(importRetell(before));
      assert.deepEqual(emitted(graph), before);
      assert.deepEqual(retell.emitGraph?.(graph).losses, []);
    }),
    { numRuns: RUNS },
  );
});

test("import gives back the graph of every document, emitted", () => {
  fc.assert(
    fc.property(documents(), (document) => {
      const graph = saved(importRetell(plain(document)));
      assert.ok(sameJson(saved(importRetell(emitted(graph))), graph));
    }),
    { numRuns: RUNS },
  );
});
