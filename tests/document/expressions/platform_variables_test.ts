import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlatformVariable } from "../../../src/document/expressions/mod.ts";

test("isPlatformVariable() knows the variables of both platforms, and time zones of Retell's", () => {
  for (const name of ["currentDateTime", "prompt", "customer", "call_id", "current_time_Europe/Berlin"])
    assert.equal(isPlatformVariable(name), true, name);
  assert.equal(isPlatformVariable("first_name"), false);
});
