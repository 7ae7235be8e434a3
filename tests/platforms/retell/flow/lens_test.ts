import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { type AgentGraph, parseGraph, withoutOriginal } from "../../../../src/graph/mod.ts";
import { sameJson } from "../../../../src/values/mod.ts";
import { fc } from "../../../properties.ts";
import { documents } from "./documents.ts";

const read = (document: unknown): AgentGraph => importAgent(document, { format: "retell" }).graph;

const saved = (graph: AgentGraph): AgentGraph => parseGraph(JSON.parse(JSON.stringify(graph)));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function emitted(graph: AgentGraph): unknown {
  return plain(emit(graph, "retell").config);
}

const RUNS = Number(process.env.RUNS ?? 120);

test("emit() returns every imported document unchanged", () => {
  fc.assert(
    fc.property(documents(), (document) => {
      const before = plain(document);
      const graph = saved(read(before));
      assert.deepEqual(emitted(graph), before);
      assert.deepEqual(emit(graph, "retell").losses, []);
    }),
    { numRuns: RUNS },
  );
});

test("importing an emitted document returns its graph", () => {
  fc.assert(
    fc.property(documents(), (document) => {
      const graph = saved(read(plain(document)));
      assert.ok(sameJson(withoutOriginal(saved(read(emitted(graph)))), withoutOriginal(graph)));
    }),
    { numRuns: RUNS },
  );
});
