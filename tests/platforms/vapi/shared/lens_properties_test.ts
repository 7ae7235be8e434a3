import assert from "node:assert/strict";
import { test } from "node:test";
import { vapiAssistant } from "../../../../platforms/vapi/assistant/mod.ts";
import { vapiSquad } from "../../../../platforms/vapi/squad/mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";
import { fc } from "../../../properties.ts";
import { edits, modelled } from "./edit.ts";
import { assistant, squad } from "./generate.ts";
import { emitted, imported, plain } from "./lens.ts";

/** Timeout for generated documents, which take long on a busy machine. */
const SLOW = { timeout: 120_000 };

test("emit() returns every imported squad unchanged", SLOW, () => {
  fc.assert(
    fc.property(squad, (document) => {
      const { config, losses } = emitted(vapiSquad, imported(vapiSquad, document));
      assert.deepEqual(plain(config), plain(document));
      assert.deepEqual(losses, []);
    }),
    { numRuns: 200 },
  );
});

test("emit() returns every imported assistant unchanged", SLOW, () => {
  fc.assert(
    fc.property(assistant, (document) => {
      assert.deepEqual(plain(emitted(vapiAssistant, imported(vapiAssistant, document)).config), plain(document));
    }),
    { numRuns: 200 },
  );
});

test("importing an edited and emitted squad returns the edited graph", SLOW, () => {
  fc.assert(
    fc.property(squad, fc.array(edits, { maxLength: 4 }), (document, changes) => {
      const graph = changes.reduce(
        (edited, change) => parseGraph(plain(change(edited))),
        imported(vapiSquad, document),
      );
      const { config, losses } = emitted(vapiSquad, graph);
      assert.deepEqual(losses, []);
      assert.deepEqual(modelled(imported(vapiSquad, config)), modelled(graph));
    }),
    { numRuns: 200 },
  );
});
