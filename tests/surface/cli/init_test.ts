import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readArguments } from "../../../src/surface/cli/arguments.ts";
import { COMMANDS } from "../../../src/surface/cli/commands/mod.ts";
import { VERSION } from "../../../src/surface/cli/help.ts";
import { runtimeAtHand } from "../../../src/surface/cli/init/runtime.ts";
import { callweave, folder, GRAPH } from "./_terminal.ts";

const COMMON = [".gitignore", "AGENTS.md", "callweave.config.json", "flow.ts", "scenarios.ts"];

/** A project in a new folder, with its files by path. */
async function project(...flags: readonly string[]) {
  const path = join(folder(), "front desk");
  const ran = await callweave(["init", path, ...flags]);
  const names = existsSync(path) ? readdirSync(path, { recursive: true, encoding: "utf8" }) : [];
  const file = (name: string) => readFileSync(join(path, name), "utf8");
  return { ...ran, path, names: names.map((name) => name.replaceAll("\\", "/")), file };
}

test("init writes a project for each runtime, with the package's own version, and says the next two commands", async () => {
  for (const [runtime, manifest, install, run] of [
    ["node", "package.json", "npm install", "npm test"],
    ["bun", "package.json", "bun install", "bun run test"],
    ["deno", "deno.json", "deno install", "deno task test"],
  ] as const) {
    const { code, out, err, names, path, file } = await project("--runtime", runtime);
    assert.equal(code, 0, err);
    const expected = [...COMMON, manifest, ".github/workflows/callweave.yml"];
    assert.deepEqual(
      expected.filter((name) => !names.includes(name)),
      [],
    );
    assert.equal(names.includes("tsconfig.json"), runtime !== "deno");
    for (const name of expected) assert.ok(out.includes(`wrote  ${join(path, name)}\n`), name);
    assert.match(file(manifest), new RegExp(`"callweave": "(?:npm:callweave@)?\\^${VERSION.replaceAll(".", "\\.")}"`));
    assert.ok(err.includes(`cd ${JSON.stringify(path)} && ${install}\n  ${run}\n`), err);
    assert.match(err, /Set OPENAI_API_KEY to use a real one/);
    assert.match(file(".github/workflows/callweave.yml"), new RegExp(`run: ${install}\n`));
  }
});

test("init detects the runtime by what runs it, or by the package runner that started it", () => {
  assert.equal(runtimeAtHand({ node: "22.0.0" }, {}), "node");
  assert.equal(runtimeAtHand({ node: "22.0.0", bun: "1.4.5" }, {}), "bun");
  assert.equal(runtimeAtHand({ node: "22.0.0", deno: "2.9.6" }, {}), "deno");
  const started = (agent: string) => runtimeAtHand({ node: "22.0.0" }, { npm_config_user_agent: agent });
  assert.equal(started("bun/1.4.5 npm/? node/v22.0.0 linux x64"), "bun");
  assert.equal(started("npm/10.9.0 node/v22.0.0 linux x64"), "node");
});

test("init overwrites no file: it keeps settings and says what to add, and writes nothing where an agent exists", async () => {
  const path = folder({ "package.json": { name: "own" }, "AGENTS.md": "own rules", ".gitignore": "own\n" });
  const { code, out } = await callweave(["init", path, "--runtime", "node"]);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(readFileSync(join(path, "package.json"), "utf8")), { name: "own" });
  assert.equal(readFileSync(join(path, "AGENTS.md"), "utf8"), "own rules");
  assert.match(out, /kept {3}\S+package\.json: Set "type": "module" in it, and run npm install callweave\n/);
  assert.match(out, /kept {3}\S+\.gitignore: Add node_modules\//);
  assert.ok(existsSync(join(path, "flow.ts")));

  const taken = folder({ "scenarios.ts": "// mine" });
  const again = await callweave(["init", taken]);
  assert.equal(again.code, 2);
  assert.match(again.err, /error\[usage\].*scenarios\.ts" exists — Name another folder/);
  assert.deepEqual(readdirSync(taken), ["scenarios.ts"]);
});

test("init --from writes an agent of a platform as a project and takes its secrets out", async () => {
  const key = `sk-proj-${"a1B2c3D4".repeat(6)}`;
  const from = join(folder(), "agent.json");
  const tool = {
    name: "look_up",
    url: "https://example.com/orders",
    metadata: { retell: { headers: { Authorization: `Bearer ${key}` } } },
  };
  const nodes = { ...GRAPH.nodes, greet: { ...GRAPH.nodes.greet, tools: [tool] } };
  writeFileSync(from, JSON.stringify({ ...GRAPH, nodes }));
  const { code, err, names, path, file } = await project("--from", from, "--runtime", "bun");
  assert.equal(code, 0, err);
  assert.match(err, /read \S+agent\.json as graph: 2 nodes\n/);
  assert.match(err, /environment variables replace secrets of the agent: \w+\n/);
  assert.match(err, /\n {2}bun run test\n {2}bunx --bun callweave generate --out more_scenarios\.ts\n/);
  for (const name of names.filter((each) => /\.\w+$/.test(each) && each !== ".github"))
    assert.equal(file(name).includes(key), false, name);
  assert.match(file("scenarios.ts"), /scenario\("starts a call", \w+\)\.says\("Hello\."\)\.visits\("greet"\)/);
  assert.equal(JSON.parse(file("callweave.config.json")).check, undefined);
  assert.ok(names.includes("AGENTS.md"));
  const bad = await callweave(["init", join(path, "other"), "--format", "retell"]);
  assert.match(bad.err, /--format has no file/);
});

test("every command of callweave in AGENTS.md and in the workflow exists with its flags", async () => {
  for (const runtime of ["node", "bun", "deno"]) {
    const { file } = await project("--runtime", runtime);
    const text = file("AGENTS.md") + file(".github/workflows/callweave.yml");
    const lines = [...text.matchAll(/(?:npx|--bun|-A) (?:npm:)?callweave ([^`\n]+)/g)].map(([, line = ""]) =>
      line.trim(),
    );
    assert.ok(lines.length >= 8, lines.join("\n"));
    for (const line of lines) {
      const words = line.match(/"[^"]*"|\S+/g) ?? [];
      const listed = COMMANDS.find(({ name }) => line === name || line.startsWith(`${name} `));
      assert.ok(listed, line);
      const { spec, name } = await listed.load();
      const positionals = new Map(spec.positionals.map((each) => [each.name, "flow.ts"]));
      const args = words.slice(name.split(" ").length);
      await readArguments(args, spec, name, { positionals, flags: () => new Map() });
    }
  }
});

test("init rejects a runtime that it does not know, before it writes anything", async () => {
  const { code, err, names } = await project("--runtime", "python");
  assert.equal(code, 2);
  assert.match(err, /--runtime is "python" — Write --runtime node\|bun\|deno/);
  assert.deepEqual(names, []);
});
