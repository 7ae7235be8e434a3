import assert from "node:assert/strict";
import { test } from "node:test";
import { ownStart, runProgram } from "../../surface/cli/_process.ts";

/** The program takes 5 s, a quadratic reader minutes. Time of the CPU, because other processes use the cores too. */
const CPU_SECONDS = 90;

test("parsing of answers, replies and evidence takes linear time", async () => {
  const program = [...ownStart(), new URL("_long_answers.ts", import.meta.url).pathname];
  const { code, err } = await runProgram("sh", ["-c", `ulimit -t ${CPU_SECONDS}; exec "$@"`, "sh", ...program]);
  assert.equal(code, 0, `stopped while it was reading:\n${err}`);
});
