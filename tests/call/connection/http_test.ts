import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../api/connect.ts";
import { run } from "../../../mod.ts";
import { startServer } from "./_server.ts";

const one = {
  name: "bill",
  says: ["It is about my bill", "Thanks"],
  dynamic_variables: { customer: "Jo" },
  tool_mocks: [{ tool_name: "lookup_bill", output: '{"total": 30}' }],
};
const EXPECTED = {
  visits: ["greet", "billing", "bye"],
  calls: [{ tool: "lookup_bill", args: { id: "A7" } }],
  extracts: { intent: "billing" },
  includes: ["30 dollars"],
  ends: "agent_ended",
} as const;

test("connect.http() reads each answer by its paths", async () => {
  const answers = [
    { out: { say: ["Hello.", "How can I help?"], at: "greet", tools: [], vars: null, over: false } },
    {
      out: {
        say: "It is 30 dollars.",
        at: "billing",
        tools: [{ name: "lookup_bill", arguments: '{"id":"A7"}', result: { total: 30 } }],
        vars: { intent: "billing" },
        over: false,
        session: "s1",
      },
    },
    { out: { say: null, at: "bye", tools: null, vars: {}, over: true } },
  ];
  await using server = await startServer((_, number) => ({ json: answers[number - 1] }));
  const agent = connect.http({
    url: `${server.url}/talk?bot=1`,
    headers: { "x-tenant": "t1" },
    opening: true,
    mocks: true,
    startVariables: true,
    paths: {
      text: "$.out.say",
      node: "$.out.at",
      toolCalls: "$.out.tools",
      variables: "$.out.vars",
      ended: "$.out.over",
    },
    body: ({ last, ...turn }) => ({ ...turn, previous: last ?? null }),
  });
  const { results } = await run(agent, [{ ...one, ...EXPECTED }], { store: false });
  assert.deepEqual(
    results[0]?.checks.filter(({ passed }) => !passed),
    [],
  );
  assert.equal(results[0]?.status, "pass", results[0]?.errorMessage ?? "");
  const [opening, first, second] = server.taken;
  assert.equal(opening?.url, "/talk?bot=1");
  assert.equal(opening?.headers["x-tenant"], "t1");
  assert.deepEqual(opening?.body.messages, []);
  assert.deepEqual(opening?.body.variables, { customer: "Jo" });
  assert.equal(opening?.body.mocks[0].tool_name, "lookup_bill");
  assert.equal(first?.body.text, "It is about my bill");
  assert.deepEqual(first?.body.previous, answers[0]);
  assert.equal(second?.body.callId, opening?.body.callId);
  assert.deepEqual(
    second?.body.messages.map(({ role }: { role: string }) => role),
    ["assistant", "assistant", "user", "assistant", "user"],
  );
});

test("connect.http(): a path that leads nowhere is an error, not a call in which nothing happened", async () => {
  const good = { say: "Hello", at: "greet", tools: [], vars: {}, over: false };
  const paths = { text: "$.say", node: "$.at", toolCalls: "$.tools", variables: "$.vars", ended: "$.over" };
  for (const [name, key] of [
    ["text", "say"],
    ["node", "at"],
    ["toolCalls", "tools"],
    ["variables", "vars"],
    ["ended", "over"],
  ] as const) {
    const { [key]: _, ...lacking } = good;
    await using server = await startServer(() => ({ json: lacking }));
    const { results } = await run(
      connect.http({ url: server.url, paths }),
      [{ name, says: ["Hi"], excludes: ["sorry"] }],
      { store: false },
    );
    assert.equal(results[0]?.status, "error", name);
    assert.match(
      results[0]?.errorMessage ?? "",
      new RegExp(`\\(vendor\\).* at ${paths[name].replace("$", "\\$")}`),
      name,
    );
  }
});

test("connect.openAICompatible() sends the whole history, and answers tools by the mocks", async () => {
  const message = (given: object) => ({
    json: { choices: [{ message: { role: "assistant", content: null, ...given } }] },
  });
  const call = { id: "c1", type: "function", function: { name: "lookup_bill", arguments: '{"id":"A7"}' } };
  await using server = await startServer((_, number) => {
    if (number === 1) return message({ tool_calls: [call] });
    return message({ content: number === 2 ? "It is 30 dollars, Jo." : "Goodbye." });
  });
  const agent = connect.openAICompatible({
    url: `${server.url}/v1/`,
    model: "agent-1",
    system: "You talk to {{customer}}.",
    tools: [{ type: "function", function: { name: "lookup_bill", parameters: { type: "object" } } }],
  });
  const { calls, includes } = EXPECTED;
  const { results } = await run(agent, [{ ...one, calls, includes }], { store: false });
  assert.equal(results[0]?.status, "pass", results[0]?.errorMessage ?? "");
  assert.deepEqual(
    results[0]?.toolsCalled.map(({ name, arguments: args, result, mocked }) => [name, args, result, mocked]),
    [["lookup_bill", { id: "A7" }, { total: 30 }, true]],
  );
  assert.deepEqual(
    server.taken.map(({ url }) => url),
    Array(3).fill("/v1/chat/completions"),
  );
  const { messages, model } = server.taken.at(-1)?.body ?? {};
  assert.equal(model, "agent-1");
  assert.deepEqual(messages, [
    { role: "system", content: "You talk to Jo." },
    { role: "user", content: "It is about my bill" },
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "c1", content: '{"total":30}' },
    { role: "assistant", content: "It is 30 dollars, Jo." },
    { role: "user", content: "Thanks" },
  ]);
});

test("connect.openAICompatible(): an agent that only calls tools is an error", async () => {
  const call = { id: "c1", type: "function", function: { name: "lookup_bill", arguments: "{}" } };
  await using server = await startServer(() => ({ json: { choices: [{ message: { tool_calls: [call] } }] } }));
  const agent = connect.openAICompatible({ url: server.url, model: "m", tools: [{ type: "function" }] });
  const { results } = await run(agent, [{ name: "a", says: ["Hi"], excludes: ["sorry"] }], { store: false });
  assert.match(results[0]?.errorMessage ?? "", /\(vendor\): it only calls tools, 20 times/);
  assert.equal(server.taken.length, 20);
});

test("connect.custom() takes an agent of the AI SDK, and reports its tools", async () => {
  const { ToolLoopAgent, tool, stepCountIs } = await import("ai");
  const { MockLanguageModelV3 } = await import("ai/test");
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never; // tokens are not looked at
  const answers = [
    { type: "tool-call", toolCallId: "t1", toolName: "find", input: '{"id":"A7"}' },
    { type: "text", text: "It is on its way." },
  ] as const;
  let asked = 0;
  const model = new MockLanguageModelV3({
    doGenerate: async () => ({
      content: [answers[asked++ % 2] ?? assert.fail()],
      finishReason: { unified: asked % 2 === 1 ? "tool-calls" : "stop", raw: undefined },
      usage,
      warnings: [],
    }),
  });
  const { z } = await import("zod");
  const find = tool({ inputSchema: z.object({ id: z.string() }), execute: async ({ id }) => ({ found: id }) });
  const agent = connect.custom({ agent: new ToolLoopAgent({ model, tools: { find }, stopWhen: stepCountIs(3) }) });
  const { results } = await run(
    agent,
    [
      {
        name: "finds",
        says: ["Where is A7?"],
        includes: ["on its way"],
        calls: [{ tool: "find", args: { id: "A7" } }],
      },
    ],
    { store: false },
  );
  assert.equal(results[0]?.status, "pass", results[0]?.errorMessage ?? JSON.stringify(results[0]?.checks));
  assert.deepEqual(results[0]?.toolsCalled[0]?.result, { found: "A7" });
});
