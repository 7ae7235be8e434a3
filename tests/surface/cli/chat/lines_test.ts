import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readArguments } from "../../../../src/surface/cli/arguments.ts";
import { chatCommand } from "../../../../src/surface/cli/chat/mod.ts";
import { readConfig } from "../../../../src/surface/cli/config/read_config.ts";
import { FOUND, SHOP } from "../../chat/_shop.ts";
import { callweave, folder } from "../_terminal.ts";

const CASES = [
  {
    name: "knows the order",
    says: ["Hello"],
    dynamic_variables: { shop: "Lumen" },
    tool_mocks: [{ ...FOUND, output: '{"status":"shipped"}' }],
  },
];

const SAID = ["My order has the number A-1.", "Goodbye!"];

function shop(): { readonly path: string; readonly file: (name: string) => string } {
  const path = folder({ "agent.json": SHOP, "tests.json": CASES });
  return { path, file: (name) => join(path, name) };
}

async function chat(args: readonly string[], lines: readonly string[]) {
  return await callweave(["chat", ...args], { input: `${lines.join("\n")}\n` });
}

test("lines of standard input are said or done, and the output is plain", async () => {
  const { file } = shop();
  const args = [file("agent.json"), "--tests", file("tests.json"), "--scenario", "knows the order"];
  const { code, out, err } = await chat(args, [SAID[0] ?? "", "/why", "", "/vars", "/path", ...SAID.slice(1)]);
  assert.equal(code, 0, err);
  assert.match(err, /^offline model: /);
  assert.deepEqual(
    out.split("\n").map((line) => line.replace(/agent: (?:Order|Goodbye|Good).*/, "agent: …")),
    [
      "agent: Hello, this is Lumen.",
      "you: My order has the number A-1.",
      "  · welcome → read: Caller names an order",
      '  · order = "A-1"',
      "  · read → look: always",
      '  · look_up(order: "A-1") → {"status":"shipped"} (mocked)',
      '  · status = "shipped"',
      "  · look → tell: the tool succeeded",
      "agent: …",
      "  welcome → read: Caller names an order",
      "    ✓ to read (LLM): Caller names an order — taken",
      "    · to manager (global): Caller asks for a manager — offered, not picked",
      '    = model: the objectives are complete; it picks "read"',
      "  read → look: always",
      "    ✓ to look (always): no other condition is met — taken",
      "    = no model was asked",
      "  look → tell: the tool succeeded",
      "    ✓ to tell (tool): the tool was called — taken",
      "    = no model was asked",
      '  shop = "Lumen"',
      '  order = "A-1"',
      '  status = "shipped"',
      "  welcome → read → look → tell",
      "you: Goodbye!",
      "  · tell → bye: Caller says goodbye",
      "agent: …",
      "  — call ended: agent_ended; /undo, /restart or /save, /quit ends the chat",
      "",
    ],
  );
});

test("a saved chat is a scenario that passes, as JSON and as a module, and no file is overwritten", async () => {
  const { path, file } = shop();
  const args = [file("agent.json"), "--tests", file("tests.json"), "--scenario", "knows the order"];
  const saved = file("saved.json");
  const lines = [...SAID, `/save ${saved}`, `/save ${saved}`, `/save ${file("saved.ts")}`, `/save ${path}/saved.txt`];
  const { code, out, err } = await chat(args, lines);
  assert.equal(code, 3);
  assert.match(out, /saved .*saved\.json; run it: npx callweave run .* --tests /);
  assert.match(err, /error\[usage\] Cannot save ".*saved\.json": the file exists/);
  assert.match(err, /error\[usage\] Cannot save ".*saved\.txt": its extension is neither .ts nor .json/);
  const [scenario] = JSON.parse(readFileSync(saved, "utf8")).scenarios;
  assert.deepEqual(scenario, {
    name: "chat: My order has the number A-1.",
    says: SAID,
    dynamic_variables: { shop: "Lumen" },
    tool_mocks: [{ ...FOUND, output: '{"status":"shipped"}' }],
    visits: ["welcome", "read", "look", "tell", "bye"],
    ends: "agent_ended",
    extracts: { order: "A-1" },
  });
  assert.match(readFileSync(file("saved.ts"), "utf8"), /scenario\("chat: My order has the number A-1\."\)/);
  const ran = await callweave(["run", file("agent.json"), "--tests", saved, "--db", ":memory:"]);
  assert.equal(ran.code, 0, ran.out + ran.err);
});

test("--json prints each turn, command and error as one line", async () => {
  const { file } = shop();
  const args = [file("agent.json"), "--json", "--var", "order=B-2"];
  const { code, out } = await chat(args, ["What?", "/vars", "/undo", "/undo", "/wy", "/end", "Hello?"]);
  assert.equal(code, 3);
  const printed: readonly Record<string, unknown>[] = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    printed.map(({ type, said, spoken, command, lines, code, hint }) => ({
      ...{ type, said, command, code, hint },
      lines: lines ?? (Array.isArray(spoken) ? spoken.length : undefined),
    })),
    [
      { type: "start" },
      { type: "turn", lines: 1 },
      { type: "turn", said: "What?", lines: 1 },
      { type: "command", command: "/vars", lines: ['order = "B-2"'] },
      {
        type: "command",
        command: "/undo",
        lines: ['undone: "What?"; at welcome', "the agent's last words: Hello, this is Lumen."],
      },
      { type: "error", code: "usage", hint: "Say something first" },
      { type: "error", code: "usage", hint: "Did you mean /why?" },
      { type: "command", command: "/end", lines: ["call ended: caller_ended"] },
      { type: "error", code: "usage", hint: "Use /undo, /restart or /save; /quit ends the chat" },
    ].map((each) => ({
      said: undefined,
      command: undefined,
      code: undefined,
      hint: undefined,
      lines: undefined,
      ...each,
    })),
  );
});

test("chat refuses flags that it cannot use, and standard input as the agent", async () => {
  const { file } = shop();
  for (const [args, message] of [
    [["-"], /the agent cannot be read from standard input/],
    [[file("agent.json"), "--var", "order"], /--var is "order"/],
    [[file("agent.json"), "--tests", file("tests.json"), "--scenario", "none"], /there is no scenario "none"/],
    [[file("agent.json"), "--turn", "fast"], /--turn is "fast"/],
  ] as const) {
    const { code, err } = await chat(args, []);
    assert.equal(code, 2);
    assert.match(err, message);
  }
});

test("chat takes agent and scenarios from the project's configuration, with or without a scenario's name", async () => {
  const { file } = shop();
  const config = join(
    folder({ "config.json": { source: file("agent.json"), tests: file("tests.json") } }),
    "config.json",
  );
  const defaults = await readConfig(config, chatCommand, { env: {} });
  for (const [flags, shown] of [
    [[], "no variable is set"],
    [["--scenario", "knows the order"], 'shop = "Lumen"'],
  ] as const) {
    let out = "";
    const code = await chatCommand.run(await readArguments(flags, chatCommand.spec, "chat", defaults), {
      out: (text) => {
        out += text;
      },
      err: () => {},
      warn: () => {},
      input: async () => "/vars\n",
      env: {},
      stdout: {},
      stderr: {},
      signal: new AbortController().signal,
      flush: async () => {},
    });
    assert.equal(code, 0);
    assert.ok(out.includes(shown), out);
  }
});
