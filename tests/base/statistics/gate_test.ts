import assert from "node:assert/strict";
import { test } from "node:test";
import { decideGate } from "../../../api/statistics.ts";
import type { Gate } from "../../../mod.ts";

const verdict = (gate: Gate, passes: number, fails: number, planned: number) =>
  decideGate(gate, { passes, fails, planned });

test("decideGate() decides each kind of gate as early as the trials allow", () => {
  assert.deepEqual(
    [verdict({ passAll: true }, 2, 0, 3), verdict({ passAll: true }, 0, 1, 3), verdict({ passAll: true }, 3, 0, 3)],
    ["undecided", "fail", "pass"],
  );
  assert.deepEqual(
    [verdict({ passAny: true }, 0, 2, 3), verdict({ passAny: true }, 0, 3, 3), verdict({ passAny: true }, 1, 0, 3)],
    ["undecided", "fail", "pass"],
  );
  const most: Gate = { minPassRate: 0.8 };
  assert.deepEqual(
    [verdict(most, 8, 0, 10), verdict(most, 7, 2, 10), verdict(most, 0, 3, 10)],
    ["pass", "undecided", "fail"],
  );
});

test("decideGate() agrees with the verdict of all trials, whatever the remaining ones are", () => {
  const gates: Gate[] = [
    { passAll: true },
    { passAny: true },
    ...[0.01, 0.07, 0.29, 0.5, 0.7, 1].map((minPassRate) => ({ minPassRate })),
  ];
  for (const gate of gates)
    for (const planned of [1, 7, 14])
      for (let passes = 0; passes <= planned; passes += 1)
        for (let fails = 0; passes + fails <= planned; fails += 1) {
          if (passes + fails === 0) continue;
          const outcomes = new Set<string>();
          for (let more = 0; more <= planned - passes - fails; more += 1)
            outcomes.add(verdict(gate, passes + more, planned - passes - more, planned));
          assert.ok(!outcomes.has("undecided"));
          assert.equal(verdict(gate, passes, fails, planned), outcomes.size === 1 ? [...outcomes][0] : "undecided");
        }
});

test("decideGate() counts 7 of 100 as a rate of 0.07, in spite of rounding", () => {
  assert.equal(verdict({ minPassRate: 0.07 }, 7, 93, 100), "pass");
  assert.equal(verdict({ minPassRate: 0.29 }, 28, 72, 100), "fail");
  assert.equal(verdict({ minPassRate: 0.1 }, 0, 0, 3), "undecided");
});

test("decideGate() refuses gates and counts that do not fit", () => {
  const counts = { passes: 2, fails: 2, planned: 3 };
  assert.throws(() => decideGate({ passAll: true }, counts), { code: "invalid-option", path: ["planned"] });
  assert.throws(() => verdict({ minPassRate: 80 }, 1, 0, 3), { code: "invalid-option", path: ["gate"] });
});

test("decideGate() needs one pass for any rate above 0, and is undecided before the first trial", () => {
  const least: Gate = { minPassRate: 1e-12 };
  assert.deepEqual(
    [verdict(least, 0, 0, 3), verdict(least, 0, 3, 3), verdict(least, 1, 2, 3)],
    ["undecided", "fail", "pass"],
  );
});

for (const gate of [null, {}, { passAll: false }, { minPassRate: 0 }, { minPassRate: 1.1 }, { minPassRate: "0.5" }])
  test(`decideGate() refuses ${JSON.stringify(gate)} as a gate`, () => {
    const given: Gate = JSON.parse(JSON.stringify(gate));
    assert.throws(() => verdict(given, 1, 0, 3), { code: "invalid-option", path: ["gate"] });
  });

test("decideGate() refuses a gate of two rules", () => {
  const given: Gate = JSON.parse('{ "passAll": true, "passAny": true }');
  assert.throws(() => verdict(given, 1, 0, 3), { code: "invalid-option", path: ["gate"] });
});

test("decideGate() accepts a rate of 1", () => {
  assert.equal(verdict({ minPassRate: 1 }, 3, 0, 3), "pass");
});

test("decideGate() refuses a number of trials that is 0 or not whole", () => {
  for (const planned of [0, 1.5, -1, Number.NaN])
    assert.throws(() => verdict({ passAll: true }, 0, 0, planned), { code: "invalid-option", path: ["planned"] });
});
