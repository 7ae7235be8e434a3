import assert from "node:assert/strict";
import { chmodSync, existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeFifo } from "../../base/files/_fixtures.ts";
import { ownStart, ROOT, runProgram } from "./_process.ts";
import { callweave, folder, GRAPH } from "./_terminal.ts";

const CASE = { name: "greets", says: ["Good morning"], visits: ["greet"] };

/** Command lines that write a file each. */
function commands(path: string): readonly (readonly string[])[] {
  const [agent, tests] = [join(path, "agent.json"), join(path, "tests.json")];
  return [
    ["emit", agent, "--to", "graph", "--out"],
    ["import", agent, "--out"],
    ["run", agent, "--tests", tests, "--db", ":memory:", "--junit"],
  ];
}

test("every output of a command keeps a file's permissions, links and devices", async () => {
  const path = folder({ "agent.json": GRAPH, "tests.json": [CASE] });
  const at = (name: string) => join(path, name);
  for (const [index, command] of commands(path).entries()) {
    const [kept, link, missing, device] = [`kept${index}`, `link${index}`, `missing${index}`, `null${index}`].map(at);
    assert.ok(kept && link && missing && device);
    writeFileSync(kept, "old");
    chmodSync(kept, 0o600);
    symlinkSync(missing, link);
    symlinkSync("/dev/null", device);
    for (const out of [kept, link, device]) assert.equal((await callweave([...command, out])).code, 0, command[0]);
    assert.equal(statSync(kept).mode & 0o777, 0o600);
    assert.notEqual(readFileSync(kept, "utf8"), "old");
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.equal(existsSync(missing), true);
    assert.ok(lstatSync(device).isSymbolicLink());
    assert.ok(statSync("/dev/null").isCharacterDevice());
  }
});

test("a FIFO as an output gets the text and stays a FIFO", async () => {
  const path = folder({ "agent.json": GRAPH });
  const fifo = makeFifo(join(path, "fifo"));
  const reader = runProgram("cat", [fifo]);
  await callweave(["emit", join(path, "agent.json"), "--to", "graph", "--out", fifo]);
  const printed = await callweave(["emit", join(path, "agent.json"), "--to", "graph"]);
  assert.equal((await reader).out, printed.out);
  assert.ok(lstatSync(fifo).isFIFO());
});

test("/dev/stdout as an output is standard output, even when that is a pipe", async () => {
  const path = folder({ "agent.json": GRAPH });
  const emit = ["emit", join(path, "agent.json"), "--to", "graph"];
  const [command = "", ...args] = ownStart();
  const cli = [...args, join(ROOT, "src", "surface", "cli", "main.ts"), ...emit];
  const { code, out } = await runProgram(command, [...cli, "--out", "/dev/stdout"]);
  assert.deepEqual([code, out], [0, (await callweave(emit)).out]);
});

test("emit creates a file with keys that only its owner can read", async () => {
  const node = { state_prompt: "Ask.", tools: [{ name: "find", url: "https://example.test/{{env:FIND_KEY}}" }] };
  const path = folder({ "agent.vt.json": { entry_node_id: "a", nodes: { a: node } }, "plain.json": GRAPH });
  const out = join(path, "out.json");
  const env = { FIND_KEY: "q7Lm2Xw9Tz4Rb8Kd" };
  await callweave(
    ["emit", join(path, "agent.vt.json"), "--to", "retell-llm", "--out", out, "--allow-env", "FIND_KEY"],
    {
      env,
    },
  );
  assert.equal(statSync(out).mode & 0o777, 0o600);
});

/** A device that is always full. */
const FULL = "/dev/full";

test("run exits with 3 when its report cannot be written, and prints the results to standard error", {
  skip: !existsSync(FULL),
  timeout: 120_000,
}, async () => {
  const path = folder({
    "agent.json": GRAPH,
    "tests.json": [CASE],
    "program.ts": `import { flow, runAsProgram, scenario } from ${JSON.stringify(join(ROOT, "mod.ts"))};
        const graph = flow("hello").end("bye", { prompt: "Say goodbye." }).compile();
        await runAsProgram(import.meta, graph, [scenario("ends", graph).says("Hello?").ends("agent_ended")]);`,
    "package.json": { type: "module" },
  });
  const shell = async (file: string, args: readonly string[], redirection: string) => {
    const command = [...ownStart(), file, ...args].map((word) => `'${word}'`).join(" ");
    return await runProgram("sh", ["-c", `${command} ${redirection}`], { cwd: path });
  };
  const main = join(ROOT, "src", "surface", "cli", "main.ts");
  const run = ["run", "agent.json", "--tests", "tests.json", "--db", "results.db"];
  const [printed, ...unprinted] = await Promise.all([
    shell(main, run, `2> ${FULL}`),
    shell(main, [...run, "--json"], `> ${FULL}`),
    shell(join(path, "program.ts"), ["--db", "results.db"], `> ${FULL}`),
  ]);
  assert.equal(printed.code, 0);
  for (const { code, err } of unprinted) {
    assert.equal(code, 3, err);
    assert.match(err, /^error\[unwritable-file\] Cannot write standard output: there is no space left/m);
    assert.match(err, /1 passed in [\s\S]*run \w{20} in results\.db/);
  }
  const files = [join(path, "agent.json"), "--tests", join(path, "tests.json")];
  const unreported = await callweave(["run", ...files, "--db", ":memory:", "--junit", FULL]);
  assert.deepEqual([unreported.code, /1 passed/.test(unreported.out)], [3, true], unreported.err);
  assert.match(unreported.err, /^error\[unwritable-file\] Cannot write "\/dev\/full"/m);
});
