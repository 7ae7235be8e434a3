import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { ENCODINGS, encoded } from "../../base/files/_encodings.ts";
import { needsProgram } from "../../programs.ts";
import { ownStart, ROOT, runProgram } from "./_process.ts";
import { CASE, callweave, folder, GRAPH } from "./_terminal.ts";

const AGENT = { name: "Café", firstMessage: "Hello.", model: { provider: "openai", model: "gpt-4o" } };
const CALL = {
  id: "call-1",
  status: "ended",
  type: "webCall",
  endedAt: "2026-01-05T10:01:00.000Z",
  artifact: { messages: [{ role: "bot", message: "Hello.", secondsFromStart: 1 }] },
};
const CONFIG = { source: "graph.json", tests: "tests.json", run: { model: "offline", json: true } };
const FILES = { "agent.json": AGENT, "graph.json": GRAPH, "tests.json": [CASE], "calls.json": [CALL] };

/** A folder with all files in an encoding. */
function project(encoding: (typeof ENCODINGS)[number], files: Readonly<Record<string, unknown>> = FILES): string {
  const path = folder();
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(path, name), encoded(JSON.stringify(content), encoding));
  return path;
}

/** Commands that read the files, with what must be in their output. */
const COMMANDS: readonly (readonly [argv: readonly string[], wanted: RegExp])[] = [
  [["import", "agent.json"], /"name": "Café"/],
  [["check", "agent.json", "--sarif", "check.sarif"], /finding|info|warning/],
  [["emit", "agent.json", "--to", "vapi-assistant"], /"name":"Café"/],
  [["emit", "graph.json", "--to", "retell"], /start_node_id/],
  [["diff", "graph.json", "agent.json"], /greet/],
  [["run", "graph.json", "--tests", "tests.json", "--model", "offline"], /"pass": 1/],
  [["run"], /"pass": 1/],
  [["eject", "agent.json"], /1 node/],
  [["generate", "graph.json", "--scenarios", "tests.json"], /covered before/],
  [["deploy", "plan", "graph.json", "--to", "retell"], /create/],
  [["calls", "import", "calls.json", "--agent", "graph.json"], /1 new/],
  [["draw", "graph.json"], /greet/],
  [["init", "shop", "--from", "agent.json"], /shop/],
];

test("every command reads files in UTF-8 and UTF-16, with and without a byte order mark", async () => {
  for (const encoding of ENCODINGS) {
    const path = project(encoding, { ...FILES, "callweave.config.json": CONFIG });
    for (const [argv, wanted] of COMMANDS) {
      const env = { RETELL_API_KEY: "key_00000000000000000000000000", RETELL_BASE_URL: "http://127.0.0.1:9" };
      const { code, out, err } = await callweave(argv, { cwd: path, env });
      assert.notEqual(code, 2, `${encoding}: ${argv.join(" ")}: ${err}`);
      assert.match(`${out}${err}`, wanted, `${encoding}: ${argv.join(" ")}`);
    }
  }
});

test("what is written is UTF-8: the imported text without the mark of UTF-16, and with that of UTF-8", async () => {
  const text = JSON.stringify(AGENT);
  for (const encoding of ENCODINGS) {
    const path = project(encoding);
    const ran = await callweave(["emit", "agent.json", "--to", "vapi-assistant", "--out", "new.json"], { cwd: path });
    assert.equal(ran.code, 0, ran.err);
    const written = encoding === "utf-8 with mark" ? `\uFEFF${text}` : text;
    assert.equal(readFileSync(join(path, "new.json"), "utf8"), written, encoding);
  }
});

test("a file in another encoding is refused by name, and never read with replaced letters", async () => {
  const path = folder();
  writeFileSync(join(path, "latin1.json"), Buffer.from(JSON.stringify(AGENT), "latin1"));
  for (const argv of [
    ["import", "latin1.json"],
    ["check", "latin1.json"],
    ["emit", "latin1.json", "--to", "retell"],
    ["diff", "latin1.json", "latin1.json"],
  ]) {
    const { code, err } = await callweave(argv, { cwd: path });
    assert.equal(code, 2);
    assert.match(err, /^error\[unreadable-file\] Cannot read ".*latin1\.json": .*UTF-8.* — Save it as UTF-8\n$/);
  }
});

test("a record of calls in another encoding is damaged; the records around it are stored", async () => {
  const path = folder();
  const record = (id: string, name: string) => `${JSON.stringify({ ...CALL, id, assistant: { name } })}\n`;
  const parts = [record("call-1", "one"), record("call-2", "Café"), record("call-3", "three")];
  writeFileSync(join(path, "calls.jsonl"), Buffer.concat(parts.map((part) => Buffer.from(part, "latin1"))));
  const { code, out, err } = await callweave(["calls", "import", "calls.jsonl"], { cwd: path });
  assert.equal(code, 3);
  assert.match(out, /2 new, 0 known; 1 damaged/);
  assert.match(err, /calls\.jsonl:2: record 2: .*UTF-8/);
});

test("standard input is read in every encoding", async () => {
  for (const encoding of ["utf-16le with mark", "utf-16be"] as const) {
    const path = project(encoding);
    const command = [...ownStart(), join(ROOT, "src", "surface", "cli", "main.ts"), "import", "-"];
    const { code, out, err } = await runProgram("sh", ["-c", 'exec "$@" < agent.json', "sh", ...command], {
      cwd: path,
    });
    assert.equal(code, 0, err);
    assert.match(out, /"name": "Café"/);
  }
});

test("diff reads an earlier version in UTF-16", needsProgram("git"), async () => {
  const path = project("utf-16le with mark");
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], { cwd: path });
  git("init", "--quiet");
  git("add", "graph.json");
  git("commit", "--quiet", "--message", "first");
  const changed = JSON.stringify(GRAPH).replace("Say goodbye.", "Say thank you.");
  writeFileSync(join(path, "graph.json"), changed);
  const ran = await callweave(["diff", "HEAD:graph.json", "graph.json"], {
    cwd: path,
    env: { PATH: process.env.PATH ?? "" },
  });
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out, /thank you/);
});
