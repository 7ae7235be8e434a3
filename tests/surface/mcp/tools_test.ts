import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createRunner } from "../../../src/surface/mcp/budget.ts";
import { runTool } from "../../../src/surface/mcp/run_tool.ts";
import { DEFAULT_LIMITS, type McpSettings, type ToolContext } from "../../../src/surface/mcp/settings.ts";
import type { Tool } from "../../../src/surface/mcp/tool.ts";
import { TOOLS } from "../../../src/surface/mcp/tools/mod.ts";
import { CASE, folder, GRAPH } from "../cli/_terminal.ts";

/** A tool as it runs in its own process, here in the process of the test. */
function toolNamed(name: string): Tool {
  const tool = TOOLS.find((each) => each.name === name);
  assert.ok(tool, name);
  return { ...tool, runsIn: "server" };
}

function contextOf(cwd: string, tests: readonly string[], settings: Partial<McpSettings> = {}): ToolContext {
  return {
    settings: {
      source: join(cwd, "agent.json"),
      scenarioFiles: tests.map((name) => join(cwd, name)),
      policyFiles: [],
      db: join(cwd, "results.db"),
      limits: DEFAULT_LIMITS,
      ...settings,
    },
    folder: cwd,
    env: {},
    signal: new AbortController().signal,
    costUsd: 0,
    onProgress: () => {},
    onCost: () => {},
  };
}

test("inputs that do not fit are errors with code, path and hint", async () => {
  const cwd = folder({
    "agent.json": GRAPH,
    "tests.json": [{ name: "a", says: ["Hi"], repeat: 60 }],
    "secret.txt": "x",
    "package.json": "{}",
  });
  const context = contextOf(cwd, ["tests.json"]);
  const edit = (file: string, find = "Ask", replace = "b") => ({
    title: "t",
    reason: "r",
    edits: [{ file, find, replace }],
  });
  const cases: readonly (readonly [string, object, string, unknown])[] = [
    ["read_call", {}, "usage", "call"],
    ["read_call", { call: "x", extra: 1 }, "usage", "extra"],
    ["read_call", { call: "x".repeat(101) }, "usage", "call"],
    ["list_runs", { limit: 0 }, "usage", "limit"],
    ["list_runs", { limit: 1e9 }, "usage", "limit"],
    ["search_calls", { query: "" }, "usage", "query"],
    ["run_scenarios", { scenarios: ["b"] }, "unknown-scenario", "scenarios"],
    ["run_scenarios", {}, "limit-reached", "scenarios"],
    ["run_scenarios", { use_model: true, repeat: 1, scenarios: ["a"] }, "limit-reached", "scenarios"],
    ["read_agent", { nodes: ["no"] }, "unknown-node", "nodes"],
    ["propose_change", edit("../agent.json"), "invalid-proposal", "edits"],
    ["propose_change", edit("secret.txt"), "invalid-proposal", "edits"],
    ["propose_change", edit("package.json"), "invalid-proposal", "edits"],
    ["propose_change", edit("agent.json", "nowhere"), "invalid-proposal", "edits"],
    ["propose_change", edit("agent.json", "e"), "invalid-proposal", "edits"],
    ["propose_change", edit("agent.json", "Ask for", "[secret] for"), "invalid-proposal", "edits"],
  ];
  for (const [name, input, code, path] of cases) {
    const { text, isError } = await runTool(toolNamed(name), input, context);
    assert.equal(isError, true, `${name} ${JSON.stringify(input)}`);
    const { error } = JSON.parse(text);
    assert.deepEqual([error.code, error.path[0]], [code, path], text);
    assert.ok(error.hint.length > 5 && error.message.length > 10);
  }
  assert.equal(readFileSync(join(cwd, "package.json"), "utf8"), "{}");
});

test("a model is used only if the person allowed one, and as far as the money goes", async () => {
  const cwd = folder({ "agent.json": GRAPH, "tests.json": [CASE] });
  const run = await createRunner();
  const input = { use_model: true };
  const none = await run(toolNamed("run_scenarios"), input, contextOf(cwd, ["tests.json"]));
  assert.equal(JSON.parse(none.text).error.code, "not-allowed");

  // a model that costs: each use says what it cost, and the last one is stopped before its cost is known
  const seen: number[] = [];
  const costs = [0.4, null];
  const spending: Tool = {
    ...toolNamed("run_scenarios"),
    run: async (_, { costUsd, onCost }) => {
      seen.push(costUsd);
      onCost(costs.shift() ?? null);
      return { facts: {} };
    },
  };
  const context = contextOf(cwd, ["tests.json"], { models: { model: "openai/x" } });
  await Promise.all([run(spending, input, context), run(spending, input, context)]);
  const third = await run(spending, input, context);
  assert.deepEqual(seen, [1, 0.6]);
  assert.deepEqual([third.isError, JSON.parse(third.text).error.code], [true, "limit-reached"]);
  const offline = await run(spending, {}, context);
  assert.equal(offline.isError, false);
  assert.deepEqual(seen, [1, 0.6, 0]);
});

test("a model without a known price is refused before the first call", async () => {
  const cwd = folder({ "agent.json": GRAPH, "tests.json": [CASE] });
  const costs: (number | null)[] = [];
  const context: ToolContext = {
    ...contextOf(cwd, ["tests.json"], { models: { model: "ollama/nobody-knows" } }),
    env: { OLLAMA_BASE_URL: "http://127.0.0.1:9/v1" },
    costUsd: 1,
    onCost: (cost) => costs.push(cost),
  };
  const { text } = await runTool(toolNamed("run_scenarios"), { use_model: true }, context);
  assert.equal(JSON.parse(text).error.code, "missing-price", text);
  assert.deepEqual(costs, []);
});

test("too many tools that wait are refused, and those that were cancelled while they waited do not start", async () => {
  const cwd = folder({ "agent.json": GRAPH });
  const run = await createRunner();
  let started = 0;
  const ends: (() => void)[] = [];
  const slow: Tool = {
    ...toolNamed("list_runs"),
    run: async () => {
      started++;
      await new Promise<void>((resolve) => ends.push(resolve));
      return { facts: {} };
    },
  };
  const controller = new AbortController();
  const context = { ...contextOf(cwd, []), signal: controller.signal };
  const all = Array.from({ length: 40 }, () => run(slow, {}, context));
  const busy = await Promise.all(all.slice(34));
  assert.ok(busy.every(({ isError, text }) => isError && JSON.parse(text).error.code === "limit-reached"));
  assert.equal(started, 2);
  controller.abort();
  const others = await Promise.all(all.slice(0, 34));
  assert.ok(others.every(({ isError }) => isError));
  assert.equal(started, 2);
  for (const end of ends) end();
});

test("a proposal does not run its code, and leaves the source as it is", async () => {
  const cwd = folder({ "agent.json": GRAPH });
  const code = 'import { writeFileSync } from "node:fs";\nwriteFileSync("ran", "x");\n';
  const edits = [{ file: "more.mjs", content: code }];
  const { text, isError } = await runTool(
    toolNamed("propose_change"),
    { title: "t", reason: "r", edits },
    contextOf(cwd, []),
  );
  assert.equal(isError, false, text);
  assert.ok(!existsSync("ran") && !existsSync(join(cwd, "ran")) && !existsSync(join(cwd, "more.mjs")));
});

test("an edit that is saved while a change is proposed is kept", async () => {
  const cwd = folder({ "agent.json": GRAPH });
  const path = join(cwd, "agent.json");
  const text = readFileSync(path, "utf8");
  const context = contextOf(cwd, []);
  let reads = 0;
  // the folder is asked for the last time when the proposal is written, after the file was read
  const { facts } = await toolNamed("propose_change").run(
    { title: "t", reason: "r", edits: [{ file: "agent.json", content: text.replace("Ask", "Kindly ask") }] },
    {
      ...context,
      get folder() {
        reads += 1;
        if (reads === 3) writeFileSync(path, `${text.trimEnd()}\n\n`);
        return cwd;
      },
    },
  );
  assert.equal(readFileSync(path, "utf8"), `${text.trimEnd()}\n\n`);
  assert.doesNotMatch(String(facts.patch), /^[-+]$/m);
});

test("a run reports each call that ended, in words", async () => {
  const cwd = folder({ "agent.json": GRAPH, "tests.json": [CASE, { ...CASE, name: "again" }] });
  const told: (readonly [number, number, string])[] = [];
  const onProgress: ToolContext["onProgress"] = (done, of, words) => told.push([done, of, words]);
  const context = contextOf(cwd, ["tests.json"]);
  const { text } = await runTool(toolNamed("run_scenarios"), {}, { ...context, onProgress });
  assert.equal(JSON.parse(text).passed, true, text);
  assert.deepEqual(
    told.map(([done, of]) => [done, of]),
    [
      [1, 2],
      [2, 2],
    ],
  );
  assert.match(told[1]?.[2] ?? "", /^2 of 2 calls: .*: pass$/);
});
