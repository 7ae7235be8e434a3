import assert from "node:assert/strict";
import { test } from "node:test";
import { createPseudonymizer } from "../../../../api/calls.ts";
import { MEASURED, measure } from "../../../../bench/redaction/measure.ts";
import { SENTENCES } from "../../../../bench/redaction/sentences.ts";
import { RUNS_SLOW_CASES, sampled, someOf } from "../../../fast_check.ts";
import { HELD_OUT } from "./_held_out_sentences.ts";

const pseudonymizer = createPseudonymizer({ key: "a key for tests" });
/** Enough for each sentence of a kind; other runtimes run the same code on fewer. */
const SIZE = { items: Math.max(40, sampled(60)), ordinary: Math.max(60, sampled(120)) };

test("the other sentences are not those of the bench", () => {
  const textsOf = (sets: typeof SENTENCES) =>
    Object.values(sets).flatMap(({ personal, ordinary }) => [...Object.values(personal).flat(), ...ordinary]);
  const known = new Set(textsOf(SENTENCES));
  assert.deepEqual(
    textsOf(HELD_OUT).filter((sentence) => known.has(sentence)),
    [],
  );
});

// the bench `redaction`, whose small form `npm test` runs, measures the same on its own sentences
for (const locale of RUNS_SLOW_CASES ? MEASURED : someOf(MEASURED))
  test(`at least 95 % of each kind of personal data and at most 1 % of ordinary sentences change in ${locale}`, async () => {
    const { found, touched, left, changed } = measure(locale, await pseudonymizer, HELD_OUT, { ...SIZE, seed: 20 });
    const low = Object.entries(found).filter(([, share]) => share < 95);
    assert.deepEqual(
      low.map(([kind, share]) => [kind, share, left.filter((item) => item.kind === kind).map(({ text }) => text)]),
      [],
    );
    assert.ok(touched <= 1, `${touched} %: ${changed.join(" | ")}`);
  });
