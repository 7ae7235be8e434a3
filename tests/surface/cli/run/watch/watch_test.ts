import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { ownStart, ROOT } from "../../_process.ts";
import { CASE, callweave, folder, GRAPH } from "../../_terminal.ts";

const MAIN = join(ROOT, "src", "surface", "cli", "main.ts");

const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;

/** Starts the command line and collects what it writes. */
function start(args: readonly string[], cwd: string) {
  const [command = "", ...rest] = ownStart();
  const child = spawn(command, [...rest, MAIN, ...args], {
    cwd,
    env: { PATH, HOME, NO_COLOR: "1", ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  let taken = 0;
  let check = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      check();
    });
  }
  return {
    /** Resolves once these were written since the last time, in any order: output and errors are two streams. */
    writes: (...wanted: readonly RegExp[]) =>
      new Promise<void>((resolve, reject) => {
        child.once("exit", () => reject(new Error(`ended before it wrote ${wanted.join(", ")}: ${text}`)));
        check = () => {
          const part = text.slice(taken);
          if (!wanted.every((each) => each.test(part))) return;
          taken = text.length;
          check = () => {};
          resolve();
        };
        check();
      }),
    interrupt: () =>
      new Promise<number | null>((resolve) => {
        child.removeAllListeners("exit");
        child.on("exit", (code) => resolve(code));
        if (child.pid !== undefined) process.kill(child.pid, "SIGINT");
      }),
    [Symbol.dispose]: () => void child.kill("SIGKILL"),
  };
}

/** Replaces a file in one step, so that nobody reads half of it. */
function saveIn(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, `${name}.new`), text);
  renameSync(join(folder, `${name}.new`), join(folder, name));
}

const WATCHING = /watching for changes; Ctrl-C ends\n/;

test("run --watch runs again what a saved change reaches, survives a broken file, and ends with Ctrl-C", {
  timeout: 240_000,
}, async () => {
  const other = { ...CASE, name: "says nothing", says: ["Hm."], visits: ["greet"], includes: [] };
  const path = folder({ "agent.json": GRAPH, "tests.json": [CASE, other] });
  const save = (text: string) => saveIn(path, "agent.json", text);
  using run = start(["run", "agent.json", "--tests", "tests.json", "--db", ":memory:", "--watch"], path);
  await run.writes(WATCHING, /2 passed/);

  const bye = { ...GRAPH.nodes.bye, state_prompt: "Say goodbye and thank the caller." };
  save(JSON.stringify({ ...GRAPH, nodes: { ...GRAPH.nodes, bye } }));
  await run.writes(
    WATCHING,
    /the change reaches 1 of 2\n {2}gives a name: visited "bye"\n/,
    /2 of 2 scenarios pass, 1 of them not run again/,
  );

  save("{ broken");
  await run.writes(WATCHING, /error\[/);

  save(JSON.stringify(GRAPH));
  await run.writes(WATCHING, /the change reaches 1 of 2\n/, /2 of 2 scenarios pass/);
  assert.equal(await run.interrupt(), 0);
});

test("run --watch refuses standard input and flags of other runs", async () => {
  for (const args of [
    ["-", "--watch"],
    ["agent.json", "--watch", "--estimate"],
    ["agent.json", "--watch", "--resume", "abc"],
  ]) {
    const { code, err } = await callweave(["run", ...args]);
    assert.deepEqual([code, err.slice(0, 12)], [2, "error[usage]"], err);
  }
});
