import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../_process.ts";
import { callweave, folder } from "../_terminal.ts";

const FLOW = `import { flow, scenario } from ${JSON.stringify(join(ROOT, "mod.ts"))};
import { isFine } from "./fine.ts";
export const graph = flow("hello").end("bye", { prompt: "Say goodbye." }).compile();
export const scenarios = [scenario("checked", graph).says("Hi").check("is fine", isFine)];
`;

test("run --resume refuses a run whose check was changed in a file that the source imports", async () => {
  const fine = "export const isFine = () => true;\n";
  const path = folder({ "package.json": { type: "module" }, "flow.ts": FLOW, "fine.ts": fine });
  const run = (...flags: readonly string[]) =>
    callweave(["run", join(path, "flow.ts"), "--db", join(path, "r.db"), "--json", ...flags]);
  const first = await run();
  assert.equal(first.code, 0, first.err);
  const { id } = JSON.parse(first.out);
  const same = await run("--resume", id);
  assert.deepEqual([same.code, JSON.parse(same.out).id], [0, id]);
  writeFileSync(join(path, "fine.ts"), fine.replace("true", "false"));
  const changed = await run("--resume", id);
  assert.deepEqual([changed.code, changed.out], [2, ""]);
  assert.match(changed.err, /error\[different-plan\].*other code/s);
});
