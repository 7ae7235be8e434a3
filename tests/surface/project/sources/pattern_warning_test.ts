import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { callweave, folder, GRAPH } from "../../cli/_terminal.ts";

test("a pattern that could be a glob or an expression is read as the file's others, else with a warning", async () => {
  const path = folder({
    "flow.json": { ...GRAPH, source_metadata: { begin_message: "Well, hello there." } },
    "globs.json": [{ name: "globs", says: ["Bye"], patterns: ["hel?o", "*there*"] }],
    "unsure.json": [{ name: "unsure", says: ["Bye"], patterns: ["hel?o"] }],
  });
  const ran = (file: string) =>
    callweave(["run", join(path, "flow.json"), "--scenarios", join(path, file), "--db", ":memory:"], { cwd: path });
  const globs = await ran("globs.json");
  assert.deepEqual([globs.code, globs.err.includes("unsure-pattern")], [0, false], globs.err);
  const unsure = await ran("unsure.json");
  assert.match(unsure.err, /warning\[unsure-pattern\].*"hel\?o" of "unsure".*Write "re2:hel\?o" or "glob:hel\?o"/);
  assert.match(`${unsure.out}${unsure.err}`, /"glob:hel\?o" would match/);
  assert.equal(unsure.code, 1);
});
