import assert from "node:assert/strict";
import { test } from "node:test";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { emitAssistant, emitSquad } from "../../../../platforms/vapi/compile/mod.ts";
import { fc } from "../../../properties.ts";
import { graphs } from "./generate.ts";
import { json } from "./graphs.ts";
import { corpus, hasShared, validators, WITHOUT_SHARED } from "./vapi_schema.ts";

/** Compiled once, before the tests, so that it does not count towards their timeouts. */
const schemas = hasShared ? validators() : undefined;
const NATIVE = ["vapi-squad", "vapi-assistant"];

test("graphs from code are valid by Vapi's published schemas, without unknown keys", (t) => {
  if (!schemas) return t.skip(WITHOUT_SHARED);
  const { squad, assistant } = schemas;
  assert.ok(squad(json(emitSquad(helpDesk).config)), JSON.stringify(squad.errors?.at(-1)));
  assert.ok(squad(json(emitSquad(helpDesk, { contract: true }).config)), JSON.stringify(squad.errors?.at(-1)));
  assert.ok(assistant(json(emitAssistant(helpDesk).config)), JSON.stringify(assistant.errors?.at(-1)));
  assert.equal(squad({ members: [{ assistant: { nonsense: 1 } }] }), false, "the check tells a foreign key");
});

test("generated graphs are valid by Vapi's published schemas", (t) => {
  if (!schemas) return t.skip(WITHOUT_SHARED);
  const { squad, assistant } = schemas;
  fc.assert(
    fc.property(graphs, fc.boolean(), (graph, contract) => {
      assert.ok(squad(json(emitSquad(graph, { contract }).config)), JSON.stringify(squad.errors?.at(-1)));
      assert.ok(assistant(json(emitAssistant(graph, { contract }).config)), JSON.stringify(assistant.errors?.at(-1)));
    }),
    { numRuns: 100 },
  );
});

for (const folder of ["retell", "vapi", "voicetest/retell", "voicetest/graphs"])
  test(`published files of ${folder} are valid by Vapi's published schemas when emitted`, (t) => {
    if (!schemas) return t.skip(WITHOUT_SHARED);
    const { squad, assistant } = schemas;
    const files = fc.someOf(corpus(folder, NATIVE));
    for (const { name, graph } of files) {
      assert.ok(squad(json(emitSquad(graph).config)), `${name} as squad: ${JSON.stringify(squad.errors?.at(-1))}`);
      const alone = assistant(json(emitAssistant(graph).config));
      assert.ok(alone, `${name} as assistant: ${JSON.stringify(assistant.errors?.at(-1))}`);
    }
    t.diagnostic(`${files.length} files`);
  });
