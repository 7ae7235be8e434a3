import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readArguments } from "../../../src/surface/cli/arguments.ts";
import { COMMANDS } from "../../../src/surface/cli/commands/mod.ts";
import { ASSISTANT_NAMES } from "../../../src/surface/cli/init/assistants.ts";
import { TOOLS } from "../../../src/surface/mcp/tools/mod.ts";
import { callweave, folder, GRAPH } from "./_terminal.ts";

const ALL = ASSISTANT_NAMES.flatMap((name) => ["--assistant", name]);
const CONFIG = { source: "agent.json" };

/** Where each assistant's entry for the server is, and how the entry is read. */
const ENTRIES: { readonly [path: string]: (document: unknown) => unknown } = {
  ".mcp.json": (document) => at(document, "mcpServers", "callweave"),
  ".cursor/mcp.json": (document) => at(document, "mcpServers", "callweave"),
  ".vscode/mcp.json": (document) => at(document, "servers", "callweave"),
  ".gemini/settings.json": (document) => at(document, "mcpServers", "callweave"),
  "opencode.json": (document) => at(document, "mcp", "callweave"),
};
const RULES = [
  ...["AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", ".cursor/rules/callweave.mdc"],
  ".windsurf/rules/callweave.md",
];
const OTHERS = [".claude/commands/callweave.md", ".codex/config.toml"];

function at(document: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => Reflect.get(Object(value), key), document);
}

const read = (path: string, name: string) => readFileSync(join(path, name), "utf8");
const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, encoding: "utf8", withFileTypes: true }).filter((entry) => entry.isFile())
    .length;

test("init --assistant in a project writes rules and the server's entry for each assistant, and nothing else", async () => {
  const path = folder({ "agent.json": GRAPH, "callweave.config.json": CONFIG });
  const { code, out, err } = await callweave(["init", path, ...ALL, "--runtime", "node"]);
  assert.equal(code, 0, err);
  const expected = [...Object.keys(ENTRIES), ...RULES, ...OTHERS];
  for (const name of expected) assert.ok(out.includes(`wrote  ${join(path, name)}\n`), name);
  assert.equal(filesIn(path), expected.length + 2);
  for (const [name, entryOf] of Object.entries(ENTRIES))
    assert.match(JSON.stringify(entryOf(JSON.parse(read(path, name)))), /"npx".*"callweave","mcp"/, name);
  assert.match(
    read(path, ".codex/config.toml"),
    /^\[mcp_servers\.callweave\]\ncommand = "npx"\nargs = \["callweave","mcp"\]$/m,
  );
  assert.match(read(path, ".cursor/rules/callweave.mdc"), /^---\n[\s\S]*?\n---\n/);
  assert.match(read(path, "CLAUDE.md"), /^@AGENTS\.md$/m);
  assert.match(err, /windsurf.*mcp_config\.json/i);
  assert.match(err, /npm install --save-dev @modelcontextprotocol\/server/);
});

test("init --assistant keeps what files have, adds to it once, and says what to add where it cannot be sure", async () => {
  const own = {
    "AGENTS.md": "# Own rules\r\n\r\nBe kind.\r\n",
    "CLAUDE.md": "Own",
    ".mcp.json": '{\n    "mcpServers": { "other": { "command": "x" } },\n    "keep": 1.0\n}\n',
    ".vscode/mcp.json": '// own\n{ "servers": {} }\n',
    ".cursor/mcp.json": '{ "mcpServers": { "callweave": { "command": "own" } } }',
    ".gemini/settings.json": '{ "mcpServers": [] }',
    "opencode.json": "",
    ".codex/config.toml": 'model = "m"\n[mcp_servers.other]\ncommand = "x"',
    ".claude/commands/callweave.md": "own command",
  };
  const path = folder({ ...own, "agent.json": GRAPH, "callweave.config.json": CONFIG });
  const { code, out } = await callweave(["init", path, ...ALL, "--runtime", "bun"]);
  assert.equal(code, 0);
  assert.ok(read(path, "AGENTS.md").startsWith(`${own["AGENTS.md"]}\r\n<!-- callweave -->\r\n`));
  assert.doesNotMatch(read(path, "AGENTS.md"), /[^\r]\n/);
  assert.ok(read(path, "CLAUDE.md").startsWith("Own\n\n<!-- callweave -->"));
  assert.deepEqual(JSON.parse(read(path, ".mcp.json")).mcpServers.other, { command: "x" });
  assert.deepEqual(JSON.parse(read(path, ".mcp.json")).mcpServers.callweave, {
    command: "bunx",
    args: ["--bun", "callweave", "mcp"],
  });
  assert.match(read(path, ".mcp.json"), /"keep": 1\.0/);
  for (const name of [
    ".vscode/mcp.json",
    ".cursor/mcp.json",
    ".gemini/settings.json",
    ".claude/commands/callweave.md",
  ] as const) {
    assert.equal(read(path, name), own[name], name);
    assert.ok(out.includes(`kept   ${join(path, name)}: `), name);
  }
  assert.match(
    out,
    /kept {3}\S+\.vscode.mcp\.json: See that "servers" has "callweave": \{"type":"stdio","command":"bunx"/,
  );
  assert.ok(read(path, ".codex/config.toml").startsWith(`${own[".codex/config.toml"]}\n\n[mcp_servers.callweave]\n`));
  assert.equal(at(JSON.parse(read(path, "opencode.json")), "mcp", "callweave", "type"), "local");

  const names = [...Object.keys(own), ...RULES];
  const before = names.map((name) => read(path, name));
  const again = await callweave(["init", path, ...ALL, "--runtime", "bun"]);
  assert.equal(again.code, 0);
  assert.doesNotMatch(again.out, /^(?:wrote|merged)/m);
  assert.deepEqual(
    names.map((name) => read(path, name)),
    before,
  );
});

test("init --assistant writes no TOML table where the file has the servers in another form", async () => {
  for (const text of [
    'mcp_servers = { other = { command = "x" } }\n',
    '[ mcp_servers . "callweave" ]\ncommand = "own"\n',
    'mcp_servers.callweave.command = "own"\n',
    "[mcp_servers.callweave]\n",
  ]) {
    const path = folder({ ".codex/config.toml": text, "callweave.config.json": CONFIG });
    const { out } = await callweave(["init", path, "--assistant", "codex"]);
    assert.match(out, /kept .*config\.toml/, text);
    assert.equal(read(path, ".codex/config.toml"), text);
  }
});

test("init --assistant in an empty folder writes the project too, with the package that the server needs", async () => {
  for (const [runtime, manifest] of [
    ["node", "package.json"],
    ["deno", "deno.json"],
  ] as const) {
    const path = folder();
    const { code, err } = await callweave(["init", path, "--assistant", "claude-code", "--runtime", runtime]);
    assert.equal(code, 0, err);
    assert.match(read(path, "AGENTS.md"), /# Instructions for coding assistants[\s\S]*## Callweave/);
    assert.match(read(path, manifest), /"@modelcontextprotocol\/server"/);
    assert.ok(existsSync(join(path, "flow.ts")) && existsSync(join(path, ".mcp.json")));
  }
  const path = folder();
  await callweave(["init", path, "--runtime", "node"]);
  assert.doesNotMatch(read(path, "package.json"), /modelcontextprotocol/);
});

test("init refuses an assistant that it does not know, and still no project where an agent exists", async () => {
  const path = folder({ "callweave.config.json": CONFIG });
  const { code, err } = await callweave(["init", path, "--assistant", "nobody"]);
  assert.equal(code, 2);
  assert.match(err, /--assistant is "nobody".*"claude-code"/);
  writeFileSync(join(path, "flow.ts"), "");
  assert.equal((await callweave(["init", path])).code, 2);
  assert.equal(filesIn(path), 2);
});

test("every tool and command that the rules name exists with its flags", async () => {
  const path = folder({ "callweave.config.json": CONFIG });
  await callweave(["init", path, ...ALL, "--runtime", "node"]);
  const text = read(path, "AGENTS.md") + read(path, ".claude/commands/callweave.md");
  const named = [...text.matchAll(/`([a-z]+_[a-z_]+)`/g)]
    .map(([, name]) => name)
    .filter((name) => name !== "use_model");
  assert.ok(named.length > 8);
  for (const name of named)
    assert.ok(
      TOOLS.some((tool) => tool.name === name),
      name,
    );
  for (const [, line = ""] of text.matchAll(/`npx callweave ([a-z][^`]*)`/g)) {
    const listed = COMMANDS.find(({ name }) => line.startsWith(name));
    assert.ok(listed, line);
    const { spec, name } = await listed.load();
    await readArguments(line.slice(name.length).trim().split(" ").filter(Boolean), spec, name);
  }
});
