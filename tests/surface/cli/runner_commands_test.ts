import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openStore } from "../../../src/run/store/mod.ts";
import { COMMANDS } from "../../../src/surface/cli/commands/mod.ts";
import { callweave, folder, type Given } from "./_terminal.ts";

const SDK = JSON.stringify(new URL("../../../mod.ts", import.meta.url).href);

/** Lines that runners obey: of GitHub after blanks and control characters, of Azure and TeamCity anywhere. */
const EVIL = [
  "::error::obey",
  "   ::add-mask::obey",
  "\t\u0001\u200b\u00a0::stop-commands::obey",
  "\u001b[31m::error file=x::obey",
  "and ##[add-mask]obey ##vso[task.complete result=Failed]obey ##teamcity[buildStop comment='obey']",
].join("\n");
/** The same in the middle of a long line, which is wrapped before a command. */
const WRAPPED = `${"It is about my order of last week. ".repeat(3)}${"::error::obey ".repeat(12)}`;

const FLOW = `import { flow, scenario, text, tool } from ${SDK};
const EVIL = ${JSON.stringify(EVIL)};
const find = tool({
  name: "find", description: "Finds an order", responseVariables: { status: "$.status" },
  execute: () => ({ status: EVIL }),
});
const fail = tool({ name: "fail", description: "Fails", execute: () => { throw new Error(EVIL); } });
export const shop = flow("shop", { variables: { status: text("Status") }, tools: [find, fail] })
  .conversation("greet", { text: "Hello.\\n" + EVIL, next: ({ to }) => [to("look", "Caller asks about an order")] })
  .function("look", { tools: ["find"], next: ({ to }) => [to("tell")] })
  .conversation("tell", { text: "It is {{status}}", next: ({ to }) => [to("broken", "Caller says goodbye")] })
  .function("broken", { tools: ["fail"], next: ({ to }) => [to("bye")] })
  .end("bye", { text: EVIL })
  .compile();
export const scenarios = ["first", EVIL].map((name) =>
  scenario(name, shop)
    .says("I ask about an order. " + EVIL, ${JSON.stringify(WRAPPED)}, "I say goodbye.")
    .excludes("obey")
    .extracts({ status: "none" })
    .judge("The agent says " + EVIL)
    .check("own", () => { throw new Error(EVIL); })
    .calls("find", { id: EVIL }),
);
`;

/** A deployed agent that does not go on, so that it differs from the flow. */
const AGENT = `import { connect } from ${JSON.stringify(new URL("../../../api/connect.ts", import.meta.url).href)};
const capabilities = { nodeEachTurn: true, opening: true };
const agent = () => ({ text: ${JSON.stringify(EVIL)}, node: "greet" });
export const shop = connect.custom({ name: "shop", capabilities, agent });
`;

const TRANSCRIPT = [
  { role: "assistant", content: `Hello. ${EVIL}` },
  { role: "user", content: EVIL },
];
const CALLS = [1, 2].map((id) => ({
  call_id: `call_${id}${EVIL}`,
  agent_id: "agent_1",
  call_type: "web_call",
  call_status: "ended",
  disconnection_reason: "user_hangup",
  transcript_object: TRANSCRIPT.map(({ role, content }) => ({
    role: role === "user" ? "user" : "agent",
    content,
    words: [],
  })),
}));

const path = folder({
  "flow.ts": FLOW,
  "agent.ts": AGENT,
  "reporter.mjs": `export const reporter = {
  onEnd: (report, { log }) => {
    for (const { transcript } of report.results) for (const { content } of transcript) log(content + "\\n");
    return report.results.flatMap(({ transcript }) => transcript.map(({ content }) => content)).join("\\n");
  },
};
`,
  "calls.json": CALLS,
  "known.json": [{ name: EVIL, transcript: TRANSCRIPT, verdicts: [{ criterion: EVIL, passed: false }] }],
});
const at = (name: string) => join(path, name);
const database = ["--db", at("results.db")];
const offline = ["--model", "offline"];

/** What a runner would obey in an output. */
function obeyed(output: string): readonly string[] {
  return output.split(/[\n\r\v\f\u0085\u2028\u2029]/).filter((line) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those of a terminal
    const start = line.replace(/\u001b\[[0-9;]*m/g, "").replace(/^[\s\p{Cc}\p{Cf}]+/u, "");
    return start.startsWith("::") || /##\w*\[/.test(line);
  });
}

async function walk(argv: readonly string[], given: Given = {}, words: RegExp | null = /obey/) {
  const ran = await callweave(argv, { cwd: path, ...given });
  const name = argv.slice(0, 3).join(" ");
  assert.deepEqual(obeyed(ran.out), [], `${name} on standard output`);
  assert.deepEqual(obeyed(ran.err), [], `${name} on standard error`);
  if (words) assert.match(ran.out + ran.err, words, `${name} prints words of a call: ${ran.err}`);
  return ran;
}

let ids: readonly string[] = [];
let result = "";

/** Stores two runs with failed calls, once. */
async function stored(): Promise<void> {
  if (ids.length > 0) return;
  for (const count of [1, 2]) {
    const { code, err } = await callweave(["run", "flow.ts", ...database, ...offline], { cwd: path });
    assert.equal(code, 1, `${count}: ${err}`);
  }
  await using store = await openStore(at("results.db"), { create: false });
  ids = (await store.listRuns()).map(({ id }) => id);
  const [first] = await store.listResults({ limit: 1 });
  result = first?.id ?? "";
}

/** How each command that prints words of a call is started. */
const WALKS: { readonly [command: string]: () => readonly (readonly string[])[] } = {
  run: () => [
    ["run", "flow.ts", ...database, ...offline],
    ["run", "flow.ts", ...database, ...offline, "--coverage", "--compare-to", ids[0] ?? ""],
    ...["terminal", "json", "junit", "html", "ctrf", "./reporter.mjs"].map((reporter) => [
      ...["run", "flow.ts", ...database, ...offline, "--reporter", reporter],
    ]),
  ],
  "runs show": () => [
    ["runs", "show", ids[0] ?? "", ...database],
    ["runs", "show", ids[0] ?? "", ...database, "--json"],
  ],
  "runs compare": () => [
    ["runs", "compare", ids[1] ?? "", ids[0] ?? "", ...database, "--transcripts", "--scenario", "first"],
  ],
  attack: () => [["attack", "flow.ts", ...offline]],
  diagnose: () => [["diagnose", result, "flow.ts", ...database, ...offline]],
  replay: () => [["replay", ids[0] ?? "", "flow.ts", ...database, ...offline]],
  evaluate: () => [["evaluate", ids[0] ?? "", ...database, ...offline, "--excludes", "obey", "--metric", EVIL]],
  "calls import": () => [["calls", "import", "calls.json", ...database]],
  "calls cluster": () => [["calls", "cluster", ids[0] ?? "", ...database]],
  "calls to-scenario": () => [["calls", "to-scenario", result, ...database]],
  "judge calibrate": () => [["judge", "calibrate", "known.json", ...offline]],
  "compare-turns": () => [["compare-turns", "flow.ts", ...offline]],
  verify: () => [["verify", "flow.ts", "--agent", "agent.ts", "--unchecked", "report", ...database, ...offline]],
  chat: () => [["chat", "flow.ts", ...offline]],
};

/** Commands that print no words of a call: of agents, of deployments, the names of runs, or to an assistant. */
const OTHERS = [
  ...[
    "check",
    "portability",
    "view",
    "draw",
    "diff",
    "emit",
    "convert",
    "import",
    "eject",
    "generate",
    "decompose",
    "compose",
  ],
  ...COMMANDS.map(({ name }) => name).filter((name) => /^(?:deploy|snippets|studio token|proposals)\b/.test(name)),
  ...["runs list", "runs baseline set", "runs baseline list", "runs baseline remove", "runs delete", "runs merge"],
  ...["runs recover", "models test", "formats", "init", "coverage", "worker", "calls pull", "watch", "mcp"],
  ...["studio", "serve", "callers"],
];

for (const [name, starts] of Object.entries(WALKS))
  test(`${name} prints no line that a CI runner obeys, whatever a caller, a tool or a model said`, async () => {
    await stored();
    for (const argv of starts()) {
      const given = name === "chat" ? { input: `I ask about an order ${EVIL}\n${WRAPPED}\n/vars\n` } : {};
      const isSilent = ["calls import", "compare-turns"].includes(name); // unless something is wrong
      await walk(argv, given, isSilent ? null : /obey/);
    }
  });

test("every command either prints words of calls, and is walked above, or is known not to", () => {
  const known = [...Object.keys(WALKS), ...OTHERS].sort();
  assert.deepEqual(known, COMMANDS.map(({ name }) => name).sort());
});

test("--reporter github prints its own commands, with what a call said as their data", async () => {
  const summary = at("summary.md");
  const env = { GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: path };
  const { out, err } = await callweave(["run", "flow.ts", ...database, ...offline, "--reporter", "github"], {
    cwd: path,
    env,
  });
  assert.deepEqual(obeyed(out), []);
  const commands = obeyed(err);
  assert.equal(commands.length, 2, err);
  for (const line of commands) {
    assert.match(line, /^::error file=flow\.ts,(?:line=\d+,)?title=[^:,\r\n]+::[^\r\n]*$/);
    assert.doesNotMatch(line, /##\w*\[/);
  }
  assert.ok(readdirSync(path).includes("summary.md"));
  assert.deepEqual(obeyed(readFileSync(summary, "utf8")), []);
});

test("--json keeps every value, although its text has nothing that a runner obeys", async () => {
  await stored();
  const { out } = await walk(["runs", "show", ids[0] ?? "", ...database, "--json"]);
  const { results } = JSON.parse(out);
  assert.ok(JSON.stringify(results).includes("##vso[task.complete result=Failed]obey"));
  assert.ok(results.some(({ scenario }: { readonly scenario: string }) => scenario === EVIL));
});

test("errors and findings print no line that a CI runner obeys", async () => {
  writeFileSync(at("wrong.json"), JSON.stringify([{ name: EVIL, says: ["Hi"], [EVIL]: 1 }]));
  writeFileSync(at("throws.mjs"), `throw new Error(${JSON.stringify(EVIL)});`);
  const wrong = await walk(["run", "flow.ts", ...database, ...offline, "--tests", "wrong.json"]);
  assert.equal(wrong.code, 2);
  await walk(["check", "throws.mjs"]);
  await walk(["check", "throws.mjs"], { env: { CALLWEAVE_DEBUG: "1" } });
  await walk(["check", "flow.ts"], {}, null);
  await walk(["runs", "show", EVIL, ...database]);
  await walk([EVIL]);
});
