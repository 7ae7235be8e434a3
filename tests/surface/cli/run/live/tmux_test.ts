import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { byRule, startChatServer } from "../../../../examples/_chat_server.ts";
import { needsProgram } from "../../../../programs.ts";
import { ownStart, ROOT } from "../../_process.ts";
import { CASE, folder, GRAPH } from "../../_terminal.ts";
import { startTerminal } from "../../_tmux.ts";

const MAIN = join(ROOT, "src", "surface", "cli", "main.ts");

test("a terminal shows the calls that run and keeps failures; Ctrl-C ends the run and removes what is redrawn", {
  ...needsProgram("tmux"),
  timeout: 240_000,
}, async () => {
  const hanging = { ...CASE, name: "hangs", says: ["hang"], excludes: ["never said"] };
  const failing = { ...CASE, name: "fails", includes: ["words that nobody says"] };
  const path = folder({ "agent.json": GRAPH, "tests.json": [failing, hanging] });
  await using server = await startChatServer((request) =>
    JSON.stringify(request.messages).includes("hang") ? new Promise<never>(() => undefined) : byRule(request),
  );
  const args = ["run", "agent.json", "--tests", "tests.json", "--model", "openai/m", "--db", ":memory:"];
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "sk-test", PATH: process.env.PATH ?? "" };
  using terminal = startTerminal([...ownStart(), MAIN, ...args], path, env, { width: 90, height: 20 });

  // in one look: a view that is being redrawn has only some of its lines
  await terminal.shows(
    /✗ fails .*greet[\s\S]*^1 of 2 calls · 1 running[\s\S]*^ {2}hangs +greet +\d turns? +\d+:\d\d$/m,
  );

  terminal.press("C-c");
  const ended = await terminal.shows(/exit=\d+/);
  assert.match(ended, /stopping; finished results are kept/);
  assert.match(ended, /- hangs .*aborted/);
  assert.match(ended, /1 failed, 1 cancelled/);
  assert.match(ended, /exit=1/);
  assert.doesNotMatch(ended, /of 2 calls/);
});
