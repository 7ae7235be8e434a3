import assert from "node:assert/strict";
import { test } from "node:test";
import { type ComparedResult, compareRuns } from "../../../api/statistics.ts";
import { seeded } from "../../base/statistics/_random.ts";
import { sampled } from "../../fast_check.ts";
import { recordOf, runOf, trials } from "./_runs.ts";

const OTHERS = Array.from({ length: 19 }, (_, index) => `other ${index + 1}`);
const steady = OTHERS.flatMap((name) => trials(name, 38, 2));

test("compareRuns() names the scenario that fell from 36 to 24 of 40 among 20, in words", () => {
  const base = runOf("1", [...trials("books", 36, 4), ...steady]);
  const head = runOf("2", [...steady, ...trials("books", 24, 16)]);
  const { worse, better, scenarios, summary } = compareRuns(base, head);
  assert.deepEqual([worse, better], [["books"], []]);
  const books = scenarios.find(({ scenario }) => scenario === "books");
  assert.equal(
    books?.reason,
    "the pass rate fell from 36/40 to 24/40: more than noise (p = 0.0038, corrected for 20 scenarios)",
  );
  assert.equal(books?.difference?.value.toFixed(4), "-0.3000");
  assert.ok(books?.difference && books.difference.low < -0.3 && books.difference.high < 0);
  assert.equal(scenarios[0]?.reason, "the pass rate is the same: 38/40");
  assert.equal(summary, "1 scenario got worse, 20 scenarios compared");
});

test("compareRuns() mirrors: what got worse in one direction got better in the other", () => {
  const one = runOf("1", [...trials("books", 36, 4), ...steady]);
  const other = runOf("2", [...trials("books", 24, 16), ...steady]);
  assert.deepEqual(compareRuns(other, one).better, ["books"]);
});

test("compareRuns() does not call a small difference changed, and says that alone it might be", () => {
  const results = (passes: number) =>
    runOf("1", [...trials("books", passes, 10 - passes), ...OTHERS.flatMap((name) => trials(name, 6, 4))]);
  const { worse, scenarios, summary } = compareRuns(results(9), results(3));
  assert.deepEqual(worse, []);
  assert.equal(
    scenarios[0]?.reason,
    "the pass rate fell from 9/10 to 3/10: no more than noise (p = 0.51, corrected for 20 scenarios; 0.02 alone)",
  );
  assert.equal(summary, "no difference in 20 scenarios is more than noise");
});

test("compareRuns() names scenarios of one run only, and those without a trial that passed or failed", () => {
  const broken: ComparedResult[] = [
    { scenario: "books", status: "error" },
    { scenario: "books", status: "invalid" },
  ];
  const base = runOf("1", [...trials("books", 3, 1), ...trials("old", 1, 0)]);
  const comparison = compareRuns(base, runOf("2", [...broken, ...trials("new", 1, 0)]));
  const { onlyInBase, onlyInHead, untested, scenarios, summary } = comparison;
  assert.deepEqual(
    { onlyInBase, onlyInHead, untested },
    { onlyInBase: ["old"], onlyInHead: ["new"], untested: ["books"] },
  );
  assert.equal(scenarios[0]?.reason, "not compared: no trial of the head passed or failed (1 error, 1 invalid)");
  assert.deepEqual([scenarios[0]?.p, scenarios[0]?.change], [null, "none"]);
  assert.match(
    summary,
    /^no difference in 1 scenario is more than noise, 1 scenario cannot be compared, 1 scenario only in/,
  );
});

/** Results in which each trial has verdicts of criteria. */
function judged(
  scenario: string,
  passes: readonly boolean[],
  criteria: { readonly [name: string]: readonly boolean[] },
) {
  return passes.map((passed, index): ComparedResult => {
    const verdicts = Object.entries(criteria).map(([criterion, all]) => {
      const met = all[index] === true;
      return { criterion, passed: met, score: met ? 0.9 : 0.2 };
    });
    return { scenario, status: passed ? "pass" : "fail", verdicts };
  });
}

const firstOf = (count: number, of = 40) => Array.from({ length: of }, (_, index) => index < count);

test("compareRuns() compares each judged criterion, also where the pass rate stays", () => {
  const all = firstOf(0);
  const base = runOf("1", judged("books", all, { polite: firstOf(38), brief: firstOf(20) }));
  const head = runOf("2", judged("books", all, { polite: firstOf(8), brief: firstOf(21) }));
  const { scenarios, worse, tests } = compareRuns(base, head);
  const [books] = scenarios;
  assert.deepEqual([books?.change, worse, tests], ["none", ["books"], { scenarios: 1, criteria: 2 }]);
  const [polite, brief] = books?.criteria ?? [];
  assert.equal(
    polite?.reason,
    '"polite" fell from 38/40 to 8/40: more than noise (p = less than 0.0001, corrected for 2 criteria)',
  );
  assert.deepEqual([polite?.meanScore.base?.toFixed(3), polite?.meanScore.head?.toFixed(3)], ["0.865", "0.340"]);
  assert.equal(brief?.change, "none");
});

test("compareRuns() gives a criterion that alone decides the trials the p-value of its scenario", () => {
  const of = (passes: number) => judged("books", firstOf(passes), { polite: firstOf(passes) });
  const { scenarios, tests } = compareRuns(runOf("1", of(36)), runOf("2", of(24)));
  const [books] = scenarios;
  assert.deepEqual([books?.criteria[0]?.correctedP, tests.criteria], [books?.correctedP, 0]);
  assert.equal(books?.criteria[0]?.change, "worse");
});

test("compareRuns() names anything, criteria included, in at most 5 % of comparisons of equal runs", () => {
  const random = seeded(11);
  const rates = Array.from({ length: 20 }, (_, index) => 0.6 + 0.02 * index);
  const randomRun = (id: string) => {
    const scenarios = rates.map((rate, index) => {
      const count = (chance: number) => Array.from({ length: 20 }, () => random() < chance).filter(Boolean).length;
      const pass = count(rate);
      const counts = { pass, fail: 20 - pass, error: 0, imported: 0, cancelled: 0, invalid: 0 };
      const criterion = (name: string) => ({
        criterion: name,
        trials: 20,
        passes: count(rate),
        agrees: 10,
        meanScore: 0.5,
      });
      return { scenario: `scenario ${index}`, counts, criteria: [criterion("polite"), criterion("brief")] };
    });
    return { run: recordOf(id), scenarios };
  };
  const comparisons = sampled(1000);
  let named = 0;
  for (let round = 0; round < comparisons; round += 1) {
    const { worse, better } = compareRuns(randomRun("1"), randomRun("2"));
    if (worse.length + better.length > 0) named += 1;
  }
  assert.ok(named / comparisons <= (comparisons === 1000 ? 0.05 : 0.1), `${named} of ${comparisons}`);
});

test("compareRuns() takes scenarios with names of object properties, and refuses what is no run", () => {
  const base = runOf("1", [...trials("__proto__", 1, 0), ...trials("constructor", 0, 1)]);
  assert.deepEqual(
    compareRuns(base, base).scenarios.map(({ scenario }) => scenario),
    ["__proto__", "constructor"],
  );
  const [one] = base.results;
  assert.throws(() => compareRuns(base, runOf("2", one ? [{ ...one, scenario: JSON.parse("1") }] : [])), {
    code: "invalid-option",
    path: ["head"],
  });
});

test("compareRuns() leaves out the verdicts of trials with an error", () => {
  const passed = judged("books", firstOf(40), { polite: firstOf(40) });
  const failed = passed.map((result) => ({ ...result, status: "error" as const }));
  const [books] = compareRuns(runOf("1", passed), runOf("2", [...passed, ...failed])).scenarios;
  assert.deepEqual([books?.criteria[0]?.base.trials, books?.criteria[0]?.head.trials], [40, 40]);
});
