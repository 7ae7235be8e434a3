import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import { checkOut, findCommitted } from "../../../../src/surface/cli/diff/load_version.ts";
import { needsProgram } from "../../../programs.ts";
import { CASE, callweave, folder, GRAPH } from "../_terminal.ts";

const REWORDED = {
  ...GRAPH,
  nodes: { ...GRAPH.nodes, bye: { node_type: "end", state_prompt: "Say goodbye in one word." } },
};
const env = { PATH: process.env.PATH ?? "" };
const NEEDS_GIT = needsProgram("git");

/** A folder that is a git repository with one commit of the given files. */
function repository(files: Readonly<Record<string, unknown>>): string {
  const path = folder(files);
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], {
      cwd: path,
      env: { ...Object.fromEntries(inherited), GIT_CONFIG_GLOBAL: join(path, "none"), GIT_CONFIG_NOSYSTEM: "1" },
      stdio: ["ignore", "ignore", "pipe"],
    });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "first");
  return path;
}

test("diff says what changed, word by word, and ends with 0, or with 1 where asked to", async () => {
  const path = folder({ "a.json": GRAPH, "b.json": REWORDED });
  const [a, b] = [join(path, "a.json"), join(path, "b.json")];
  const { code, out } = await callweave(["diff", a, b]);
  assert.equal(code, 0);
  assert.equal(
    out,
    [
      "b: 1 change: 1 medium risk",
      "",
      "bye",
      '  medium  Prompt of "bye" is reworded',
      "            Say goodbye{+ in one word+}.",
      "",
    ].join("\n"),
  );
  assert.equal((await callweave(["diff", a, b, "--exit-code"])).code, 1);
  const same = await callweave(["diff", a, a, "--exit-code"]);
  assert.deepEqual([same.code, same.out], [0, "a: no differences\n"]);
});

test("diff --json prints the changes, and diff --markdown a table with folded texts", async () => {
  const long = `Say goodbye. ${"Thank the caller for the call. ".repeat(20)}`;
  const longer = { ...GRAPH, nodes: { ...GRAPH.nodes, bye: { node_type: "end", state_prompt: long } } };
  const path = folder({ "a.json": GRAPH, "b.json": REWORDED, "long.json": longer });
  const at = (name: string) => join(path, name);
  const { changes } = JSON.parse((await callweave(["diff", at("a.json"), at("b.json"), "--json"])).out);
  assert.deepEqual(
    changes.map(({ kind, risk, path: place }: { kind: string; risk: string; path: unknown }) => [kind, risk, place]),
    [["prompt-changed", "medium", ["nodes", "bye", "state_prompt"]]],
  );
  const short = (await callweave(["diff", at("a.json"), at("b.json"), "--markdown"])).out;
  assert.match(short, /\| medium \| <code>bye<\/code> \| Prompt of "bye" is reworded \|/);
  assert.match(short, /\n<pre>Say goodbye<ins> in one word<\/ins>\.<\/pre>\n/);
  const folded = (await callweave(["diff", at("a.json"), at("long.json"), "--markdown"])).out;
  assert.match(folded, /<details><summary>Prompt of "bye" is reworded<\/summary>\n\n<pre>/);
});

test("diff --markdown passes on no mark-up, mention or key of a prompt", async () => {
  const secret = `sk-proj-${"a1B2".repeat(12)}`;
  const prompt = `<img src=x> @team | ${secret}`;
  const edge = { target_node_id: "bye", condition: { type: "llm_prompt", value: prompt } };
  const changed = { ...GRAPH, nodes: { ...GRAPH.nodes, greet: { ...GRAPH.nodes.greet, transitions: [edge] } } };
  const path = folder({ "a.json": GRAPH, "b.json": changed });
  for (const flag of ["--markdown", "--json"]) {
    const { out } = await callweave(["diff", join(path, "a.json"), join(path, "b.json"), flag]);
    assert.ok(!out.includes(secret), out);
    if (flag === "--markdown") assert.ok(!/<img|\s@team \|/.test(out.replace(/<pre>[\s\S]*<\/pre>/, "")), out);
  }
});

test("diff --svg draws the later version with added, removed and changed nodes", async () => {
  const more = {
    ...REWORDED,
    nodes: { ...REWORDED.nodes, extra: { node_type: "end", state_prompt: "Hang up." } },
  };
  const path = folder({ "a.json": GRAPH, "b.json": more });
  const svg = join(path, "changes.svg");
  assert.equal((await callweave(["diff", join(path, "a.json"), join(path, "b.json"), "--svg", svg])).code, 0);
  const picture = readFileSync(svg, "utf8");
  for (const text of [">extra<", ">+<", ">~<", ">added<", ">removed<", ">changed<"])
    assert.ok(picture.includes(text), text);
  const over = await callweave(["diff", join(path, "a.json"), join(path, "b.json"), "--svg", join(path, "b.json")]);
  assert.match(over.err, /--svg would overwrite a source/);
});

test("diff reads a module with its imports, and JSON, as they are at a git revision", NEEDS_GIT, async () => {
  const root = join(import.meta.dirname ?? "", "..", "..", "..", "..");
  const module = `import { flow } from ${JSON.stringify(join(root, "mod.ts"))};
    import { words } from "./words.ts";
    export const graph = flow("hello").end("bye", { prompt: words }).compile();`;
  const path = repository({
    "flow.ts": module,
    "words.ts": 'export const words = "Say goodbye.";\n',
    "agent.json": GRAPH,
    "package.json": { type: "module" },
  });
  writeFileSync(join(path, "words.ts"), 'export const words = "Say goodbye and thank you.";\n');
  writeFileSync(join(path, "agent.json"), JSON.stringify(REWORDED));
  const flow = join(path, "flow.ts");
  const typed = await callweave(["diff", `HEAD:${flow}`, flow], { env });
  assert.equal(typed.err, "");
  assert.match(typed.out, /^hello: 1 change: 1 medium risk\n[\s\S]*Say goodbye\{\+ and thank you\+\}\./);
  const agent = join(path, "agent.json");
  const json = await callweave(["diff", `HEAD:${agent}`, agent], { env });
  assert.match(json.out, /Say goodbye\{\+ in one word\+\}\./);
});

test(
  "checkOut() keeps its folder until it is disposed of, and leaves the repository as it was",
  NEEDS_GIT,
  async () => {
    const path = repository({ "agent.json": GRAPH });
    writeFileSync(join(path, "agent.json"), "{}");
    const options = { cwd: path, env, signal: new AbortController().signal };
    const committed = await findCommitted({ revision: "HEAD", path: "agent.json" }, options);
    const index = readFileSync(join(path, ".git", "index"));
    const checkout = await checkOut(committed, options);
    assert.deepEqual(JSON.parse(readFileSync(checkout.file, "utf8")), GRAPH);
    await checkout[Symbol.asyncDispose]();
    assert.equal(existsSync(join(checkout.file, "..", "..")), false);
    assert.deepEqual(readFileSync(join(path, ".git", "index")), index);
    assert.equal(readFileSync(join(path, "agent.json"), "utf8"), "{}");
  },
);

test("diff takes no revision for an option of git", NEEDS_GIT, async () => {
  const path = repository({ "agent.json": GRAPH });
  const agent = join(path, "agent.json");
  const { code, err } = await callweave(["diff", "--", `--all:${agent}`, agent], { env });
  assert.equal(code, 2);
  assert.match(err, /^error\[unknown-revision\] .*"--all"/);
});

test("diff stops git when the command is interrupted", NEEDS_GIT, async () => {
  const path = repository({ "agent.json": GRAPH });
  const options = { cwd: path, env, signal: AbortSignal.abort() };
  await assert.rejects(
    findCommitted({ revision: "HEAD", path: "agent.json" }, options),
    (error) => isCallweaveError(error) && error.code === "aborted",
  );
});

test(
  "diff reports an unknown revision, a missing file, a missing repository and a missing git",
  NEEDS_GIT,
  async () => {
    const path = repository({ "agent.json": GRAPH });
    const agent = join(path, "agent.json");
    const outside = join(folder({ "agent.json": GRAPH }), "agent.json");
    mkdirSync(join(path, "empty"));
    for (const [side, code, PATH] of [
      [`nowhere:${agent}`, "unknown-revision", env.PATH],
      [`--all:${agent}`, "usage", env.PATH],
      [`HEAD:${join(path, "other.json")}`, "unreadable-file", env.PATH],
      [`HEAD:${outside}`, "git-failed", env.PATH],
      [`HEAD:${agent}`, "git-missing", join(path, "empty")],
    ] as const) {
      const { code: exit, err } = await callweave(["diff", agent, side], {
        env: { PATH, GIT_CEILING_DIRECTORIES: tmpdir() },
      });
      assert.equal(exit, 2, side);
      assert.match(err, new RegExp(`^error\\[${code}\\] .* — `), side);
    }
  },
);

test("diff --db lists the scenarios whose newest run visited a change", async () => {
  const path = folder({
    "agent.json": GRAPH,
    "later.json": REWORDED,
    "tests.json": [CASE, { name: "hangs up", user_prompt: "", says: ["Hello?"], excludes: ["never said"] }],
  });
  const at = (name: string) => join(path, name);
  const db = at("runs.db");
  await callweave(["run", at("agent.json"), "--tests", at("tests.json"), "--db", db]);
  const { out } = await callweave(["diff", at("agent.json"), at("later.json"), "--db", db, "--json"]);
  const { scenarios, unvisited } = JSON.parse(out);
  assert.deepEqual(
    scenarios.map(({ scenario, nodes }: { scenario: string; nodes: unknown }) => [scenario, nodes]),
    [[CASE.name, ["bye"]]],
  );
  assert.deepEqual(unvisited, []);
  const text = await callweave(["diff", at("agent.json"), at("later.json"), "--db", db]);
  assert.match(text.out, /\nStored scenarios that a change affects: 1 of 2 \(.*\)\n {2}gives a name {2}bye\n/);
});

test("the comparison in docs/diff.md is what the command prints", async () => {
  const page = readFileSync(join(import.meta.dirname ?? "", "..", "..", "..", "..", "docs", "diff.md"), "utf8");
  const api = JSON.stringify(new URL("../../../../mod.ts", import.meta.url).href);
  const modules = [...page.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)];
  const path = folder({
    ...Object.fromEntries(modules.map(([, name, text = ""]) => [name, text.replaceAll('"callweave"', api)])),
    "package.json": { type: "module" },
  });
  const { out } = await callweave(["diff", join(path, "before.ts"), join(path, "flow.ts")]);
  assert.equal(out, /<!-- output: callweave diff .* -->\n```text\n([\s\S]*?)```/.exec(page)?.[1]);
});

test("diff heads changes with the names of nodes that the dashboard shows, with the id where two are alike", async () => {
  const node = (id: string, name: string, text: string) => ({
    id,
    name,
    type: "end",
    instruction: { type: "prompt", text },
  });
  const agent = (text: string) => ({
    ...{ start_speaker: "agent", model_choice: { type: "cascading", model: "gpt-4.1" }, start_node_id: "node-1" },
    nodes: [node("node-1", "Welcome", text), node("node-2", "Bye", text), node("node-3", "Bye", text)],
  });
  const path = folder({ "a.json": agent("Say hello."), "b.json": agent("Say hello at once.") });
  const [a, b] = [join(path, "a.json"), join(path, "b.json")];
  const { out } = await callweave(["diff", a, b]);
  assert.deepEqual(out.match(/^(?:Welcome|Bye|node).*$/gm), ["Welcome", "Bye (node-2)", "Bye (node-3)"]);
  const { out: table } = await callweave(["diff", a, b, "--markdown"]);
  assert.match(table, /\| <code>Welcome<\/code> \|/);
  const { changes } = JSON.parse((await callweave(["diff", a, b, "--json"])).out);
  assert.equal(changes[0].node, "node-1", "programs get the id");
});
