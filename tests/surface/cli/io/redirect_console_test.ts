import assert from "node:assert/strict";
import { test } from "node:test";
import { redirectConsole } from "../../../../src/surface/cli/io/mod.ts";

test("logs of a user's module are written above the lines that are redrawn, and nothing changes without such lines", () => {
  const lines: string[] = [];
  const plain = () => void lines.push("past the terminal");
  const target = { log: plain, info: plain, debug: plain, warn: plain, error: plain };
  const err = (text: string) => void lines.push(text);
  redirectConsole({ err }, target);
  target.log();
  redirectConsole({ err, live: () => {} }, target);
  target.log();
  Reflect.apply(target.error, target, ["order %s", "A-1042"]);
  assert.deepEqual(lines, ["past the terminal", "\n", "order A-1042\n"]);
});
