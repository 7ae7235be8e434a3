import assert from "node:assert/strict";
import { test } from "node:test";
import { isReporter } from "../../../src/surface/reporters/mod.ts";

const onEnd = () => "";

test("isReporter() accepts an object with onEnd(), with or without onEvent()", () => {
  assert.equal(isReporter({ onEnd }), true);
  assert.equal(isReporter({ onEnd, onEvent: () => {} }), true);
  assert.equal(isReporter({ onEnd, onEvent: undefined }), true);
});

for (const [what, value] of [
  ["null", null],
  ["undefined", undefined],
  ["a name", "junit"],
  ["a function with onEnd()", Object.assign(() => "", { onEnd })],
  ["an object without onEnd()", { onEvent: () => {} }],
  ["an onEnd that is no function", { onEnd: "text" }],
  ["an onEvent that is no function", { onEnd, onEvent: true }],
] as const)
  test(`isReporter() refuses ${what}`, () => {
    assert.equal(isReporter(value), false);
  });
