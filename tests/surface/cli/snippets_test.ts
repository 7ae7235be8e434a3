import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { applyPatch } from "diff";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { callweave, folder } from "./_terminal.ts";

const VERIFY =
  "Verify the caller before you say anything about the account: ask for the full name, the date of birth, and the last four digits of the number on file.";
const AGENT = {
  $schema: "./graph.json",
  entry_node_id: "ask",
  nodes: {
    ask: {
      state_prompt: `Be brief.\n\n${VERIFY}`,
      transitions: [{ target_node_id: "pay", condition: { type: "llm_prompt", value: "Caller wants to pay" } }],
    },
    pay: { transitions: [], state_prompt: `${VERIFY}\n\n{%sum%}` },
  },
  snippets: { sum: "Say the sum." },
};
/** Four spaces, and an order of keys that Callweave would not write. */
const TEXT = JSON.stringify(AGENT, null, 4);
const HELP_DESK = join(import.meta.dirname ?? ".", "..", "..", "..", "examples", "help-desk", "flow.ts");

/** The lines of a text that another one lacks. */
function newLines(text: string, other: string): readonly string[] {
  const known = new Set(other.split("\n"));
  return text.split("\n").filter((line) => !known.has(line));
}

test("snippets list names each snippet, its length and where it is used, of a file and of a module", async () => {
  const file = join(folder({ "agent.json": AGENT }), "agent.json");
  const { code, out } = await callweave(["snippets", "list", file]);
  assert.equal(code, 0);
  assert.equal(out, "sum: 12 characters, used in 1 text\n  in pay\n");
  const module = await callweave(["snippets", "list", HELP_DESK, "--json"]);
  assert.deepEqual(
    JSON.parse(module.out).map(({ name, uses }: { name: string; uses: unknown[] }) => [name, uses.length]),
    [["anything_else", 2]],
  );
});

test("snippets analyse numbers its suggestions and says what they save", async () => {
  const file = join(folder({ "agent.json": AGENT }), "agent.json");
  const { code, out, err } = await callweave(["snippets", "analyse", file]);
  assert.equal(code, 0);
  assert.match(out, /^1\. verify_the_caller: exact, 2 prompts, saves \d+ characters\n {2}in ask, pay\n {2}"Verify the/);
  assert.match(err, /snippets extract .*agent\.json --apply 1/);
});

test("snippets extract changes only the lines of its prompts, and inline brings the file back", async () => {
  const file = join(folder({ "agent.vt.json": TEXT }), "agent.vt.json");
  const extracted = await callweave(["snippets", "extract", file, "--apply", "1"]);
  assert.equal(extracted.code, 0, extracted.err);
  assert.match(extracted.err, /^verify_the_caller: used in 2 texts\nwrote /);
  const text = readFileSync(file, "utf8");
  assert.deepEqual(newLines(text, TEXT), [
    '            "state_prompt": "Be brief.\\n\\n{%verify_the_caller%}",',
    '            "state_prompt": "{%verify_the_caller%}\\n\\n{%sum%}"',
    '        "sum": "Say the sum.",',
    `        "verify_the_caller": ${JSON.stringify(VERIFY)}`,
  ]);
  const inlined = await callweave(["snippets", "inline", file, "--name", "verify_the_caller"]);
  assert.equal(inlined.code, 0, inlined.err);
  assert.equal(readFileSync(file, "utf8"), TEXT);
});

test("snippets inline --all writes every snippet out", async () => {
  const file = join(folder({ "agent.vt.json": TEXT }), "agent.vt.json");
  const { code, out } = await callweave(["snippets", "inline", file, "--all", "--json"]);
  assert.equal(code, 0);
  const { snippets, file: written } = JSON.parse(out);
  assert.deepEqual(snippets, [{ name: "sum", text: "Say the sum.", uses: [["nodes", "pay", "state_prompt"]] }]);
  assert.equal(written, file);
  const { nodes } = parseGraph(JSON.parse(readFileSync(file, "utf8")));
  assert.equal(nodes.pay?.state_prompt, `${VERIFY}\n\nSay the sum.`);
});

test("snippets extract --patch prints a patch that gives the same file, and writes nothing", async () => {
  const file = join(folder({ "agent.vt.json": TEXT }), "agent.vt.json");
  const args = ["--name", "brief", "--text", "Be brief."];
  const { code, out } = await callweave(["snippets", "extract", file, ...args, "--patch"]);
  assert.equal(code, 0);
  assert.equal(readFileSync(file, "utf8"), TEXT);
  await callweave(["snippets", "extract", file, ...args]);
  assert.equal(applyPatch(TEXT, out), readFileSync(file, "utf8"));
});

test("snippets extract edits a squad in place, and standard input to standard output", async () => {
  const { $schema: _, ...agent } = AGENT;
  const squad = emit(importAgent(agent).graph, "vapi-squad").text;
  const path = folder({ "squad.json": squad });
  const file = join(path, "squad.json");
  const { code, err } = await callweave(["snippets", "extract", file, "--apply", "exact"]);
  assert.equal(code, 0, err);
  const text = readFileSync(file, "utf8");
  assert.equal(importAgent(text).graph.snippets.verify_the_caller, VERIFY);
  const piped = await callweave(["snippets", "extract", "-", "--apply", "1"], { input: squad });
  assert.equal(piped.out, text);
});

test("snippets extract refuses a platform without snippets, and writes the graph's document instead", async () => {
  const { $schema: _, ...agent } = AGENT;
  const retell = emit(importAgent(agent).graph, "retell").text;
  const path = folder({ "retell.json": retell });
  const [file, out] = [join(path, "retell.json"), join(path, "agent.vt.json")];
  const refused = await callweave(["snippets", "extract", file, "--apply", "1"]);
  assert.equal(refused.code, 2);
  assert.match(refused.err, /error\[usage\].*Retell conversation flow, which cannot hold this snippet/);
  assert.equal(readFileSync(file, "utf8"), retell);
  const written = await callweave(["snippets", "extract", file, "--apply", "1", "--out", out]);
  assert.equal(written.code, 0, written.err);
  const { graph } = importAgent(readFileSync(out, "utf8"));
  assert.equal(graph.snippets.verify_the_caller, VERIFY);
  assert.equal(emit(graph, "retell").text, retell);
});

test("snippets extract and inline say that a module cannot be rewritten, and write its graph elsewhere", async () => {
  const args = ["snippets", "inline", HELP_DESK, "--name", "anything_else"];
  const refused = await callweave(args);
  assert.equal(refused.code, 2);
  assert.match(refused.err, /is a module, which cannot be rewritten — .*--out FILE\.callweave\.json.*--patch/);
  const patch = await callweave([...args, "--patch"]);
  assert.match(patch.out, /^--- a\/.*\n\+\+\+ b\/[\s\S]*^- .*"anything_else": /m);
  const out = join(folder(), "agent.vt.json");
  assert.equal((await callweave([...args, "--out", out])).code, 0);
  assert.deepEqual(parseGraph(JSON.parse(readFileSync(out, "utf8"))).snippets, {});
});

test("snippets extract and inline report what they cannot do, and write nothing", async () => {
  const path = folder({ "agent.vt.json": TEXT });
  const file = join(path, "agent.vt.json");
  const refused: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [["extract", file], /Pass --name and --text, or --apply/],
    [["extract", file, "--name", "a", "--text", "b", "--apply", "1"], /error\[usage\]/],
    [["extract", file, "--apply", "2"], /--apply is "2", there are 1 to 1/],
    [["extract", file, "--name", "sum", "--text", "Be brief."], /error\[duplicate-snippet\]/],
    [["extract", file, "--name", "none", "--text", "Nobody says this."], /error\[unknown-text\]/],
    [["inline", file], /Pass --name NAME, or --all/],
    [["inline", file, "--name", "sun"], /error\[unknown-snippet\].*Did you mean "sum"/],
    [["inline", file, "--all", "--out", join(path, "new.json"), "--patch"], /two outputs/],
    [["list", join(path, "none.json")], /error\[unreadable-file\]/],
    [["analyze", file], /Did you mean "callweave snippets analyse"/],
  ];
  for (const [args, message] of refused) {
    const { code, err } = await callweave(["snippets", ...args]);
    assert.equal(code, 2, args.join(" "));
    assert.match(err, message);
  }
  assert.equal(readFileSync(file, "utf8"), TEXT);
  assert.equal(existsSync(join(path, "new.json")), false);
});
