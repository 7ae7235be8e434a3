import assert from "node:assert/strict";
import { test } from "node:test";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import {
  emitAssistant,
  emitSquad,
  recogniseAssistant,
  recogniseSquad,
} from "../../../../platforms/vapi/compile/mod.ts";
import { fingerprint } from "../../../../src/document/graph/mod.ts";
import { fc } from "../../../properties.ts";
import { graphs } from "./generate.ts";
import { json } from "./graphs.ts";

test("recogniseSquad() returns every graph that was emitted", () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const found = recogniseSquad(json(emitSquad(graph).config)).graph;
      assert.ok(found);
      assert.equal(fingerprint(found), fingerprint(graph));
    }),
    { numRuns: 150 },
  );
});

test("recogniseAssistant() returns every graph that was emitted", () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const found = recogniseAssistant(json(emitAssistant(graph).config)).graph;
      assert.ok(found);
      assert.equal(fingerprint(found), fingerprint(graph));
    }),
    { numRuns: 100 },
  );
});

test("recogniseSquad() returns no graph for a squad that contradicts its metadata", () => {
  const squad = json(emitSquad(helpDesk).config);
  const edited = JSON.parse(JSON.stringify(squad).replace("screw the bulb in again", "change the bulb"));
  assert.ok(recogniseSquad(squad).graph);
  assert.equal(recogniseSquad({ ...squad, name: "another" }).graph, undefined);
  assert.ok(recogniseSquad(edited).graph, "a prompt stands only where it is spoken");
  const dropped = JSON.parse(JSON.stringify(squad).replaceAll('"$.arrives"', "7"));
  assert.equal(recogniseSquad(dropped).graph, undefined);
  assert.equal(
    recogniseSquad({ members: [{ assistant: { metadata: { callweave: { nodes: [1], graph: {} } } } }] }).graph,
    undefined,
  );
});

test("the help desk is the same after it was emitted as a squad and imported", () => {
  const { config, losses } = emit(helpDesk, "vapi-squad");
  const { graph } = importAgent(JSON.stringify(config));
  assert.equal(fingerprint(graph), fingerprint(helpDesk));
  const dropped = losses.filter(({ kind }) => kind === "dropped");
  assert.deepEqual(dropped, []);
});
