import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import { parseGraph, run } from "../../mod.ts";
import { withEnvironment } from "../environment.ts";
import { ROOT, runFile } from "../surface/cli/_process.ts";
import { CASE, callweave, folder, GRAPH } from "../surface/cli/_terminal.ts";
import { byRule, startChatServer } from "./_chat_server.ts";

const CANARY = "sk-canary-0123456789abcdef";
const MAIN = join(ROOT, "src", "surface", "cli", "main.ts");
const FLOW = join(ROOT, "examples", "help-desk", "flow.ts");
const SCENARIOS = join(ROOT, "examples", "help-desk", "scenarios.ts");

test("OPENAI_BASE_URL connects the help desk to any server with the chat completions API", async () => {
  await using server = await startChatServer();
  const path = folder();
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: CANARY };
  const { code, out, err } = await runFile(SCENARIOS, ["--json", "--model", "openai/local-model"], { cwd: path, env });
  assert.equal(code, 0, `${err}\n${out}`);
  const report = JSON.parse(out);
  assert.equal(report.counts.pass, 6);
  assert.equal(report.offline, false);
  assert.equal(report.models.agent, "openai/local-model");
  assert.ok(report.usage.inputTokens > 0);

  assert.ok(server.requests.every(({ model }) => model === "local-model"));
  assert.ok(server.requests.every(({ authorization }) => authorization === `Bearer ${CANARY}`));
  const formats = server.requests.flatMap(({ responseFormat }) => (responseFormat ? [responseFormat] : []));
  assert.ok(formats.length > 10);
  assert.ok(formats.every(({ type }) => type === "json_schema"));

  // the key is in no output and in no file of the database
  const files = readdirSync(join(path, ".callweave")).map((name) =>
    readFileSync(join(path, ".callweave", name), "latin1"),
  );
  assert.ok(files.some((text) => text.includes("A-1042")));
  assert.ok(![out, err, ...files].some((text) => text.includes(CANARY)));
});

test("with a key in the environment, a real model is used without --model", async () => {
  await using server = await startChatServer();
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: CANARY };
  const scenarios = ["--scenarios", SCENARIOS, "--scenario", "takes a lamp back"];
  await withEnvironment(env, async () => {
    const { code, out, err } = await callweave(["run", FLOW, ...scenarios, "--json", "--db", ":memory:"], { env });
    assert.equal(code, 0, err);
    assert.equal(JSON.parse(out).models.agent, "openai/gpt-5-mini");
  });
});

test("tool calls of a conversation node and their results are sent over HTTP", async () => {
  await using server = await startChatServer((request) => {
    const last = request.messages.at(-1);
    if (request.responseFormat) return byRule(request);
    if (last?.role === "tool") return `The weather: ${last.content}`;
    return request.tools.length > 0 && last?.content === "Rain?"
      ? { tool: "weather", args: { city: "Oslo" } }
      : "Hello.";
  });
  const tool = {
    name: "weather",
    description: "Says the weather",
    parameters: { properties: { city: { type: "string" } } },
  };
  const graph = { entry_node_id: "talk", nodes: { talk: { state_prompt: "Talk about the weather.", tools: [tool] } } };
  const mock = {
    tool_name: "weather",
    output: "dry all day",
    input_match_rule: { type: "partial_match", args: { city: "Oslo" } },
  };
  const tests = [
    { name: "asks", says: ["Rain?"], tool_mocks: [mock], includes: ["dry all day"], calls: [{ tool: "weather" }] },
  ];
  const path = folder({ "agent.json": graph, "tests.json": tests });
  const args = ["run", "agent.json", "--tests", "tests.json", "--json", "--model", "openai/m", "--db", ":memory:"];
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: CANARY };
  await withEnvironment(env, async () => {
    const { code, out, err } = await callweave(args, { cwd: path, env });
    assert.equal(code, 0, `${err}\n${out}`);
  });
});

test("a model with unusable answers ends its scenario as an error, and the others continue", async () => {
  await using server = await startChatServer((request) =>
    request.responseFormat && JSON.stringify(request.messages).includes("nonsense")
      ? "no JSON at all"
      : byRule(request),
  );
  const agent = createOpenAI({ baseURL: server.url, apiKey: CANARY }).chat("m");
  const { name, says, visits } = CASE;
  const report = await run(
    parseGraph(GRAPH),
    [
      { name, says, visits },
      { name: "gets nonsense", says: ["nonsense"], excludes: ["never said"] },
    ],
    { models: { agent }, store: false, requests: { retry: { minDelayMs: 0 } } },
  );
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["pass", "error"],
  );
  assert.match(String(report.results[1]?.errorMessage), /Cannot use the model's answer|Cannot finish/);
});

test("Ctrl-C stops a run, keeps finished results and exits with 1", async () => {
  const path = folder({
    "agent.json": GRAPH,
    "tests.json": [CASE, { ...CASE, name: "hangs", says: ["hang"], excludes: ["never said"] }],
  });
  let hang = () => {};
  const interruptAt = new Promise<void>((resolve) => {
    hang = resolve; // the call that hangs begins when the other one is finished
  });
  await using server = await startChatServer((request) => {
    if (!JSON.stringify(request.messages).includes("hang")) return byRule(request);
    hang();
    return new Promise<never>(() => undefined);
  });
  const args = ["run", "agent.json", "--tests", "tests.json", "--json", "--model", "openai/m", "--db", "results.db"];
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: CANARY };
  const { code, out, err } = await runFile(MAIN, [...args, "--concurrency", "1"], { cwd: path, env, interruptAt });
  assert.match(err, /stopping; finished results are kept/);
  assert.equal(code, 1, err);
  assert.deepEqual(
    JSON.parse(out).results.map(({ status }: { status: string }) => status),
    ["pass", "cancelled"],
  );
  const listed = await callweave(["runs", "list", "--db", "results.db", "--json"], { cwd: path });
  assert.equal(JSON.parse(listed.out)[0].counts.pass, 1);
});
