import assert from "node:assert/strict";
import { test } from "node:test";
import { createPseudonymizer, isRecordedCall, readCalls } from "../../../../api/calls.ts";
import { makeItems, makeOrdinary } from "../../../../bench/redaction/generate.ts";
import { SENTENCES } from "../../../../bench/redaction/sentences.ts";
import * as fc from "../../../fast_check.ts";

const { text, value, call } = await createPseudonymizer({ key: "a key for tests" });
const LOCALES = { en_US: "en", en_GB: "en", de: "de", fr: "fr", es: "es" } as const;
const lines = (["en_US", "en_GB", "de", "fr", "es"] as const).flatMap((locale) => [
  ...makeItems(locale, 30, 3, SENTENCES[LOCALES[locale]]).map((item) => item.text),
  ...makeOrdinary(locale, 30, 3, SENTENCES[LOCALES[locale]]),
]);
const line = fc.constantFrom(...lines);
const piece = fc.oneof(
  { weight: 5, arbitrary: line },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.json() },
  { weight: 2, arbitrary: line.map((said) => said.slice(0, said.length / 2)) },
  { weight: 2, arbitrary: line.map((said) => JSON.stringify({ client_name: said, note: JSON.stringify({ said }) })) },
);
const said = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 5 }), fc.constantFrom(" ", "\n", ", "))
  .map(([pieces, between]) => pieces.join(between));

test("replacing twice is replacing once, in texts of all languages with JSON and parts of both", () => {
  fc.assert(
    fc.property(said, (given) => {
      const once = text(given);
      assert.equal(text(once), once);
    }),
    { numRuns: 100 },
  );
});

test("a text is replaced until nothing changes: without the words that were replaced, others look like names", () => {
  const cut = '{"iban":"AL54846375 null []';
  const once = text(cut);
  assert.notEqual(once, cut);
  assert.equal(text(once), once);
});

test("replacing twice is replacing once, in calls and in JSON values", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(said, { minLength: 2, maxLength: 8 }), async (turns) => {
      const messages = turns.map((content, index) => ({ role: index % 2 === 0 ? "assistant" : "user", content }));
      const once = value({ turns, customer: { name: turns[0] } });
      assert.deepEqual(value(once), once);
      for await (const read of readCalls(JSON.stringify({ messages }), { format: "openai" })) {
        if (!isRecordedCall(read)) continue;
        const redacted = call(read);
        assert.deepEqual(call(redacted), redacted);
      }
    }),
    { numRuns: 40 },
  );
});

test("JSON stays JSON with as many values, and other texts around it stay where they are", () => {
  const shapeOf = (given: unknown): unknown =>
    Array.isArray(given)
      ? given.map(shapeOf)
      : typeof given === "object" && given !== null
        ? Object.values(given).map(shapeOf)
        : given === null || typeof given === "boolean";
  const key = fc.constantFrom("client_name", "phone", "dob", "address", "note", "ip", "count");
  const document = fc.dictionary(key, fc.oneof(line, fc.integer(), fc.jsonValue({ maxDepth: 1 }), fc.array(line)));
  fc.assert(
    fc.property(document, (given) => {
      const json = JSON.stringify(given, null, 1);
      assert.deepEqual(shapeOf(JSON.parse(text(json))), shapeOf(JSON.parse(json)));
      const found = /^look\((.*)\) done$/s.exec(text(`look(${json}) done`))?.[1];
      assert.deepEqual(shapeOf(JSON.parse(found ?? "")), shapeOf(JSON.parse(json)));
    }),
    { numRuns: 100 },
  );
});
