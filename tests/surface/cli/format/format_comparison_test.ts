import assert from "node:assert/strict";
import { test } from "node:test";
import type { TurnComparison } from "../../../../src/run/runner/mod.ts";
import { formatTurnComparison } from "../../../../src/surface/cli/format/mod.ts";

const SAME: TurnComparison = {
  modes: ["split", "fused"],
  turns: 3,
  routedDifferently: [],
  saidDifferently: [],
  calls: [1200, 4],
  modelMs: [2340, 900],
  broken: [],
};

test("formatComparison() shows the calls and the time of both modes in columns", () => {
  assert.equal(
    formatTurnComparison(SAME),
    [
      "                  split  fused",
      "  model calls     1,200  4",
      "  time in models  2.3 s  0.9 s",
      "",
      "3 turns: 0 took another path, 0 said something else",
      "",
    ].join("\n"),
  );
});

test("formatComparison() shows the nodes that each mode entered in a turn", () => {
  const turn = {
    scenario: "orders",
    turn: 2,
    caller: "I order a lamp.",
    before: { entered: ["route", "order"], spoken: ["Which one?"] },
    after: { entered: [], spoken: [] },
  };
  assert.match(
    formatTurnComparison({ ...SAME, routedDifferently: [turn] }),
    /\n\norders, turn 2, "I order a lamp\."\n {2}split {2}route -> order\n {2}fused {2}stayed\n$/,
  );
});

test("formatComparison() shows what each mode said in the opening, with names of one width", () => {
  const opening = {
    scenario: "orders",
    turn: 0,
    caller: "",
    before: { entered: ["greet"], spoken: ["Hello.", "Who is calling?"] },
    after: { entered: ["greet"], spoken: [] },
  };
  assert.match(
    formatTurnComparison({ ...SAME, modes: ["split", "speculative"], saidDifferently: [opening] }),
    /\n\norders, the opening\n {2}split {8}"Hello\." "Who is calling\?"\n {2}speculative {2}said nothing\n$/,
  );
});

test("formatComparison() shows calls that ended in an error, each on one line", () => {
  const broken = [{ scenario: "orders", mode: "fused" as const, reason: "no\nanswer" }];
  assert.match(formatTurnComparison({ ...SAME, broken }), /\n! orders ended in an error \(fused\): no answer\n$/);
});
