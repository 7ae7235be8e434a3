import assert from "node:assert/strict";
import { test } from "node:test";
import { runFile } from "../cli/_process.ts";

test("parsing of answers, replies and evidence takes linear time", async () => {
  const { code, err } = await runFile(new URL("_long_answers.ts", import.meta.url).pathname, []);
  assert.equal(code, 0, `stopped while it was reading:\n${err}`);
});
