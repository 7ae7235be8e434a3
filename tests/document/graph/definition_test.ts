import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agentName,
  attachDefinition,
  DEFINITION,
  definitionOf,
  fingerprint,
  parseGraph,
  toolImplementations,
} from "../../../src/document/graph/mod.ts";

const read = (source_metadata: object) => parseGraph({ nodes: { a: {} }, entry_node_id: "a", source_metadata });
const definition = { name: "desk", variables: [], tools: { find: () => 1 } };

test("a definition stays with its graph, but not in JSON, copies and comparisons", () => {
  const graph = attachDefinition(read({}), definition);
  assert.equal(definitionOf(graph), definition);
  assert.equal(toolImplementations(graph), definition.tools);
  assert.equal(DEFINITION, Symbol.for("callweave.definition"));
  assert.deepEqual(graph, read({}));
  assert.equal(JSON.stringify(graph), JSON.stringify(read({})));
  assert.equal(definitionOf({ ...graph }), undefined);
  assert.deepEqual(toolImplementations({ ...graph }), {});
});

test("agentName() is the flow's name in code, else the document's", () => {
  assert.equal(agentName(attachDefinition(read({ name: "Front desk" }), definition)), "desk");
  assert.equal(agentName(read({ name: "Front desk" })), "Front desk");
  assert.equal(agentName(read({ name: "" })), undefined);
  assert.equal(agentName(read({})), undefined);
});

test("fingerprint() ignores the document that a graph was imported from", () => {
  const original = { format: "retell", text: "{}" };
  assert.equal(fingerprint(read({ name: "x", original })), fingerprint(read({ name: "x" })));
  assert.notEqual(fingerprint(read({ name: "x", original })), fingerprint(read({ name: "y", original })));
});

test("fingerprint() treats null, undefined and empty values as missing, but not 0, false and list items", () => {
  const of = (value: unknown) => fingerprint(read({ value }));
  for (const absent of [null, undefined, [], {}, { inner: [] }, { inner: null }])
    assert.equal(of(absent), of(undefined));
  for (const [one, other] of [
    [0, undefined],
    [false, undefined],
    ["", undefined],
    [[null, 1], [1]],
    [[{}, 1], [1]],
    [[{ a: null, b: 1 }], [{ a: 2, b: 1 }]],
  ])
    assert.notEqual(of(one), of(other));
  assert.equal(of([{ a: null, b: 1 }]), of([{ b: 1 }]));
  assert.notEqual(of(["x"]), of({ 0: "x" }));
});
