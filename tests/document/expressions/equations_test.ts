import assert from "node:assert/strict";
import { test } from "node:test";
import { compareDecimals } from "../../../src/document/expressions/equations.ts";
import { equationHolds, evaluateEquation } from "../../../src/document/expressions/mod.ts";
import { fc } from "../../properties.ts";

test("evaluateEquation() compares long numbers exactly", () => {
  const variables = { account: "90071992547409930001" };
  assert.ok(evaluateEquation({ left: "account", operator: ">", right: "90071992547409930000" }, variables));
  assert.ok(!evaluateEquation({ left: "account", operator: "<=", right: "90071992547409930000" }, variables));
});

test("evaluateEquation() accepts names in braces", () => {
  assert.ok(evaluateEquation({ left: "{{ tier }}", operator: "==", right: "gold" }, { tier: "gold" }));
  assert.ok(evaluateEquation({ left: "a", operator: "==", right: "{{b}}" }, { a: "x", b: "x" }));
});

test("evaluateEquation() treats null as not set", () => {
  assert.ok(evaluateEquation({ left: "a", operator: "not_exist" }, { a: null }));
});

test("compareDecimals() agrees with BigInt", () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), fc.nat(30), (a, b, exponent) => {
      const expected = a < b ? -1 : a > b ? 1 : 0;
      assert.equal(Math.sign(compareDecimals(`${a}`, `${b}`) ?? Number.NaN), expected);
      assert.equal(Math.sign(compareDecimals(`${a}e-${exponent}`, `${b}e-${exponent}`) ?? Number.NaN), expected);
      assert.equal(compareDecimals(`${a}e${exponent}`, `${a}${"0".repeat(exponent)}.00`), 0);
    }),
  );
});

test("compareDecimals() accepts only decimal numbers", () => {
  for (const text of ["", " ", "0x1", "1,0", "1.", ".5", "1e", "Infinity", "NaN", "１", "1 2"]) {
    assert.equal(compareDecimals(text, "1"), undefined, text);
  }
});

test("equationHolds() is false without clauses", () => {
  assert.ok(!equationHolds({ type: "equation", value: "", equations: [] }, {}));
  assert.ok(!equationHolds({ type: "equation", value: "", logical_operator: "or" }, {}));
});
