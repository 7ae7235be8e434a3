import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { ownRuntime, ownStart, ROOT, runFile } from "./_process.ts";
import { callweave, folder, GRAPH } from "./_terminal.ts";

const MAIN = join(ROOT, "src", "surface", "cli", "main.ts");
const SLOW = { timeout: 120_000 };

const path = folder({
  "package.json": { type: "module" },
  "graph.json": GRAPH,
  "endless.ts": "await new Promise(() => {});\nexport const graph = 1;\n",
  "busy.ts": `setInterval(() => {}, 1000);\nexport const graph = ${JSON.stringify(GRAPH)};\n`,
  "rejected.ts": `setInterval(() => {}, 1000);
Promise.reject(new Error("nobody waits"));
await new Promise(() => {});\n`,
  "thrown.ts": `setInterval(() => {}, 1000);
setTimeout(() => { throw new Error("nobody waits"); });
await new Promise(() => {});\n`,
  "endless_busy.ts": "setInterval(() => {}, 1000);\nawait new Promise(() => {});\n",
});
const at = (name: string) => join(path, name);

test("loading a module that never finishes times out, and its background work is stopped", SLOW, async () => {
  const env = { CALLWEAVE_LOAD_SECONDS: "0.2" };
  const [busy, ...endless] = await Promise.all([
    runFile(MAIN, ["emit", at("busy.ts"), "--to", "graph"], { cwd: path }),
    ...["endless.ts", "endless_busy.ts"].map((name) => runFile(MAIN, ["check", at(name)], { cwd: path, env })),
  ]);
  assert.equal(busy.code, 0, busy.err);
  assert.equal(JSON.parse(busy.out).entry_node_id, "greet");
  for (const { code, out, err } of endless) {
    assert.equal(code, 2, err);
    assert.equal(out, "");
    assert.match(err, /^error\[module-failed\] Cannot load ".*": loading timed out after 0\.2 s — .+\n$/);
  }
});

for (const name of ["rejected.ts", "thrown.ts"])
  test(
    `an error in ${name} that nothing awaits ends the command at once, with one line and exit code 2`,
    SLOW,
    async () => {
      const { code, out, err } = await runFile(MAIN, ["check", at(name)], { cwd: path });
      assert.equal(code, 2, err);
      assert.equal(out, "");
      assert.match(err, /^error\[internal\] nobody waits — .+\n$/);
    },
  );

test("output is complete for a slow reader", SLOW, async () => {
  const [command = "", ...start] = ownStart();
  const child = spawn(command, [...start, join(ROOT, "tests", "surface", "cli", "_slow_reader.ts")], {
    cwd: path,
    stdio: ["ignore", "pipe", "pipe"],
  });
  // nobody has read by then, and the grace of the module would be over; Deno does nothing else until it was read
  if (ownRuntime() !== "deno") await once(child.stderr, "data");
  let length = 0;
  for await (const chunk of child.stdout.setEncoding("utf8")) length += chunk.length;
  assert.equal(length, 2_000_000);
});

test("a reader that closes the pipe is not an error", SLOW, async () => {
  const [command = "", ...start] = ownStart();
  const child = spawn(command, [...start, MAIN, "import", at("graph.json")], {
    cwd: path,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  child.stderr.destroy();
  assert.deepEqual(await once(child, "exit"), [0, null]);
});

test("loading scenarios times out like loading agents", SLOW, async () => {
  const argv = ["run", at("graph.json"), "--scenarios", at("endless.ts"), "--db", ":memory:"];
  const { code, err } = await runFile(MAIN, argv, { cwd: path, env: { CALLWEAVE_LOAD_SECONDS: "0.2" } });
  assert.equal(code, 2);
  assert.match(err, /^error\[module-failed\] Cannot load ".*endless\.ts": loading timed out/);
});

test("the module timeout must be a valid duration", async () => {
  for (const seconds of ["0", "-1", "soon", "Infinity"]) {
    const { code, err } = await callweave(["check", at("busy.ts")], { env: { CALLWEAVE_LOAD_SECONDS: seconds } });
    assert.equal(code, 2);
    assert.match(err, /^error\[usage\] Cannot load modules: CALLWEAVE_LOAD_SECONDS is ".+" — .+\n$/);
  }
});
