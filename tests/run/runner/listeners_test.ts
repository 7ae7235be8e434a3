import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTask } from "node:timers/promises";
import { createOpenAI } from "@ai-sdk/openai";
import { scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { fitting, startChatServer } from "../../chat_server.ts";

const graph = parseGraph({
  entry_node_id: "look",
  nodes: {
    look: {
      node_type: "function",
      tools: [{ name: "find", description: "" }],
      transitions: [{ target_node_id: "tell", condition: { type: "always" } }],
    },
    tell: { node_type: "end", state_prompt: "Tell it." },
  },
});

test("run() streams tokens, messages and tool calls with the scenario's name", async () => {
  const told: string[] = [];
  const scenarios = ["one", "two"].map((name) => ({
    name,
    says: ["Hi"],
    ends: "agent_ended" as const,
    tool_mocks: [{ tool_name: "find", input_match_rule: { type: "any" as const }, output: name, result: true }],
  }));
  await run(graph, scenarios, {
    models: { agent: scripted({ respond: ["First", "Second"] }) },
    store: false,
    limits: { concurrency: 1 },
    listeners: {
      onToken: ({ text, scenario }) => told.push(`${scenario}: ${text}`),
      onMessage: ({ message: { role, content }, scenario }) =>
        role === "assistant" && told.push(`${scenario}: said ${content}`),
      onTool: ({ call: { name, result }, scenario }) => told.push(`${scenario}: ${name} ${result}`),
    },
  });
  assert.deepEqual(told, [
    "one: find one",
    "one: First",
    "one: said First",
    "two: find two",
    "two: Second",
    "two: said Second",
  ]);
});

test("run() requests streams only for onToken, and applies limits to them", async () => {
  let now = 0;
  let most = 0;
  await using server = await startChatServer(
    (request) => {
      most = Math.max(most, ++now);
      return fitting(request);
    },
    {
      beforeReply: async () => {
        for (let task = 0; task < 50; task++) await nextTask();
        now -= 1;
      },
    },
  );
  const agent = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
  const scenarios = Array.from({ length: 6 }, (_, index) => ({
    name: `call ${index}`,
    says: ["Hi"],
    excludes: ["never said"],
  }));
  const options = { models: { agent }, store: false, requests: { maxParallel: 1 } } as const;
  const tokens: string[] = [];
  const heard = await run(graph, scenarios, {
    ...options,
    listeners: { onToken: ({ text }) => tokens.push(text) },
  });
  assert.equal(heard.counts.pass, 6);
  assert.equal(tokens.join(""), "All right.".repeat(6));
  assert.equal(most, 1);
  assert.ok(server.requests.every(({ stream }) => stream));
  await run(graph, scenarios, options);
  assert.ok(server.requests.slice(6).every(({ stream }) => !stream));
});
