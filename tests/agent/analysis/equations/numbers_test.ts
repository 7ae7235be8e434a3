import assert from "node:assert/strict";
import { test } from "node:test";
import { numbersAround, satisfy } from "../../../../src/agent/analysis/equations/mod.ts";
import { equationHolds } from "../../../../src/document/expressions/mod.ts";

test("numbersAround() has each number, its neighbours at a distance of one, and one between any two", () => {
  const rows = [
    [["5"], ["5", "6", "4"]],
    [
      [" +5 ", "5.0", "5"],
      ["5", "6", "4"],
    ],
    [
      ["1", "3"],
      ["1", "2", "0", "3", "4"],
    ],
    [
      ["2", "1"],
      ["1", "2", "0", "1.5", "3"],
    ],
    [["-0.25"], ["-0.25", "0.75", "-1.25"]],
    [["1e2"], ["100", "101", "99"]],
    [["25e-1"], ["2.5", "3.5", "1.5"]],
    [
      ["0.1", "0.2"],
      ["0.1", "1.1", "-0.9", "0.15", "0.2", "1.2", "-0.8"],
    ],
    [[], []],
  ] as const;
  for (const [points, around] of rows)
    assert.deepEqual(numbersAround(points)?.toSorted(), [...around].sort(), points.join());
});

test("numbersAround() writes no number out that has very many digits", () => {
  assert.equal(numbersAround(["1", "1e20001"]), undefined);
  assert.equal(numbersAround(["1", "1e-20001"]), undefined);
  assert.equal(numbersAround(["1e19999"])?.[0], `1${"0".repeat(19999)}`);
  assert.equal(numbersAround([`${"1".repeat(20)}e19990`]), undefined);
});

const formulaOf = (clauses: readonly string[]) =>
  clauses.map((text) => {
    const [operator = "", ...rest] = text.split(" ");
    return [{ clause: { left: "x", operator, right: rest.join(" ") }, holds: true }];
  });

test("satisfy() finds numbers in unusual notation where other comparisons demand it", () => {
  const seven = [">= 7", "<= 7"];
  const rows = [
    ["> 5", "< 6", "contains +"],
    ["> 5", "< 6", "contains +0"],
    ["> 500", "< 600", "contains e2"],
    ["> 5", "< 6", "contains e-1"],
    ["> 0.05", "< 0.06", "contains e"],
    ["<= -50", "contains e"],
    [...seven, "contains 00"],
    [...seven, "!= 7", "not_contains .", "not_contains 0", "not_contains +"],
    [...seven, "contains 07.", "not_contains 07.00"],
    [">= 700", "<= 700", "not_contains 0"],
    [">= -7", "<= -7", "contains -0"],
    [">= 0", "<= 0", "contains -"],
    ["> -6", "< -5", "contains 25"],
    ["> 99", "< 101", "contains .5"],
    ["> 12.34", "< 12.35", "contains 99"],
    ["> 12.34", "< 12.35", "contains 99", "contains 00"],
    ["> 5", "contains  "],
    ["> 5", "< 50", "contains 3", "contains 4", "not_contains 34"],
    ["> 0.001", "< 0.002", "not_contains 00"],
    ["> 100", "< 110", "contains 200"],
    ["> 5", "contains E1"],
    ["> 5", "< 6", "contains E"],
    ["<= -5", "contains +"],
  ];
  for (const clauses of rows) {
    const formula = formulaOf(clauses);
    const found = satisfy(formula, new Map());
    assert.ok(found instanceof Map, `nothing found for ${clauses.join()}`);
    const equations = formula.flatMap((group) => group.map(({ clause }) => clause));
    const condition = { type: "equation", value: "", equations, logical_operator: "and" } as const;
    assert.ok(equationHolds(condition, Object.fromEntries(found)), `${[...found].join()} for ${clauses.join()}`);
  }
});

test("satisfy() finds no number where no notation fits", () => {
  const rows = [
    ["> 5", "< 6", "contains -", "not_contains e", "not_contains E"],
    ["> 12345", "< 12346", "not_contains .", "not_contains e", "not_contains E"],
    [">= 7", "<= 7", "not_contains 7", "not_contains e", "not_contains E"],
    ["> 7", "contains ?"],
    ["> 5", "< 6", "contains 77", "not_contains 7"],
  ];
  for (const clauses of rows) assert.equal(satisfy(formulaOf(clauses), new Map()), "none", clauses.join());
});
