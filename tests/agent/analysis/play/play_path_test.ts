import assert from "node:assert/strict";
import { test } from "node:test";
import { choice, flow, number, text, tool } from "../../../../dsl/mod.ts";
import {
  type CallPath,
  callerFacts,
  findPath,
  type Goal,
  playPath,
  withSamples,
} from "../../../../src/agent/analysis/mod.ts";
import { scripted } from "../../../../src/call/models/mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";
import { run } from "../../../../src/run/runner/mod.ts";

const refund = tool({
  name: "refund",
  description: "Pays money back",
  parameters: { type: "object", properties: { order: { type: "string", description: "The order" } } },
  responseVariables: { receipt: "$.receipt.number" },
});

const shop = flow("shop", {
  variables: {
    balance: number("What the caller owes"),
    topic: choice("Why the caller calls", ["refund", "repair"]),
    order: text("Number of the order, such as A-1042"),
  },
  tools: [refund],
})
  .conversation("greet", {
    prompt: "Ask how you can help.",
    next: ({ to, when }) => [to("blocked", when("balance", "<", 0)), to("listen", "Caller gives a reason")],
  })
  .extract("listen", {
    fills: ["topic", "order"],
    next: ({ to, when, otherwise }) => [to("pay", when("topic", "==", "refund")), otherwise("greet")],
  })
  .function("pay", {
    tool: "refund",
    next: ({ to }) => [to("paid", { outcome: "succeeded" }), to("agent", { outcome: "failed" })],
  })
  .end("paid", { prompt: "Say that receipt {{receipt}} is on its way." })
  .transfer("agent", { next: ({ to }) => [to("greet", { outcome: "failed" })] })
  .end("blocked", { prompt: "Say goodbye." })
  .compile();

function pathTo(goal: Goal): CallPath {
  const answer = findPath(shop, goal);
  if (answer.kind !== "found") throw new Error(`no path to ${JSON.stringify(goal)}`);
  return withSamples(shop, answer.path);
}

async function played(goal: Goal) {
  const { scenario, answers } = playPath(shop, pathTo(goal));
  const report = await run(shop, [scenario], { models: { agent: scripted(answers) }, store: false });
  const [result] = report.results;
  if (!result) throw new Error("no result");
  return { scenario, result };
}

test("playPath(): the scenario of a path passes with the path's answers, and visits its nodes and no others", async () => {
  const { scenario, result } = await played({ from: "pay", transition: 0 });
  assert.equal(result.status, "pass");
  assert.deepEqual(result.nodesVisited, ["greet", "listen", "pay", "paid"]);
  assert.deepEqual(scenario.visits, result.nodesVisited);
  assert.equal(scenario.ends, "agent_ended");
  assert.equal(scenario.name, "greet to paid");
  assert.equal(
    scenario.user_prompt,
    [
      "You call shop.",
      'Your topic (Why the caller calls) is "refund": say so if you are asked for it.',
      'Your order (Number of the order, such as A-1042) is "A-1042": say so if you are asked for it.',
      "First you give a reason, and you say your topic and your order.",
    ].join(" "),
  );
});

test("playPath() gives variables of the call to the persona, and tools and transfers their mocks", async () => {
  const blocked = await played({ node: "blocked" });
  assert.equal(blocked.result.status, "pass");
  assert.deepEqual(Object.keys(blocked.scenario.dynamic_variables), ["balance"]);
  assert.match(blocked.scenario.user_prompt, /Your balance is -\d+\. First you answer what the agent says\./);

  const { scenario, result } = await played({ from: "agent", transition: 0 });
  assert.equal(result.status, "pass");
  assert.deepEqual(result.nodesVisited, ["greet", "listen", "pay", "agent", "greet"]);
  assert.deepEqual(
    scenario.tool_mocks.map(({ tool_name, result }) => [tool_name, result]),
    [
      ["refund", false],
      ["agent", false],
    ],
  );
  assert.match(scenario.user_prompt, /After that, say goodbye and hang up\.$/);
});

test("playPath() lets a transfer go through that failed before at the same node", async () => {
  const graph = parseGraph({
    entry_node_id: "agent",
    nodes: {
      agent: {
        node_type: "transfer",
        transitions: [{ target_node_id: "retry", condition: { type: "tool_call", outcome: "failed" } }],
      },
      retry: { node_type: "logic", transitions: [{ target_node_id: "agent", condition: { type: "always" } }] },
    },
  });
  const steps: CallPath["steps"] = [
    { kind: "open", node: "agent" },
    { kind: "transfer", node: "agent", outcome: "failed" },
    { kind: "move", from: "agent", to: "retry", by: "transfer-failed", transition: 0 },
    { kind: "move", from: "retry", to: "agent", by: "always", transition: 0 },
    { kind: "transfer", node: "agent", outcome: "succeeded" },
    { kind: "end", node: "agent", reason: "agent_transferred" },
  ];
  const { scenario, answers } = playPath(graph, { variables: {}, steps });
  const { results } = await run(graph, [scenario], { models: { agent: scripted(answers) }, store: false });
  assert.deepEqual(results[0]?.nodesVisited, ["agent", "retry", "agent"]);
  assert.equal(results[0]?.endReason, "agent_transferred");
});

test("playPath() gives a path of more turns than a call has by default as many as it takes", async () => {
  const stations = (count: number) => {
    const ids = Array.from({ length: count }, (_, index) => `stop_${index}`);
    return parseGraph({
      entry_node_id: "stop_0",
      nodes: Object.fromEntries([
        ...ids.map((id, index) => {
          const target_node_id = ids[index + 1] ?? "bye";
          const condition = { type: "llm_prompt", value: `Caller agrees to step ${index}` };
          return [id, { state_prompt: `Explain step ${index}.`, transitions: [{ target_node_id, condition }] }];
        }),
        ["bye", { node_type: "end", state_prompt: "Say goodbye." }],
      ]),
    });
  };
  for (const [count, turns] of [
    [20, undefined],
    [21, 21],
    [25, 25],
  ] as const) {
    const graph = stations(count);
    const answer = findPath(graph, { node: "bye" });
    assert.ok(answer.kind === "found");
    const { scenario, answers } = playPath(graph, answer.path);
    assert.equal(scenario.max_turns, turns, `${count} stations`);
    const { results } = await run(graph, [scenario], { models: { agent: scripted(answers) }, store: false });
    assert.deepEqual([results[0]?.status, results[0]?.nodesVisited.length], ["pass", count + 1]);
  }
});

test("withSamples() replaces values that people would not say, and keeps those that equations need", () => {
  const extracted = (goal: Goal) =>
    pathTo(goal).steps.flatMap((step) => (step.kind === "extract" ? [step.values] : []));
  assert.deepEqual(extracted({ node: "paid" }), [{ topic: "refund", order: "A-1042" }]);
  const [back] = extracted({ from: "listen", transition: 1 });
  assert.notEqual(back?.topic, "refund");
  assert.equal(back?.order, "A-1042");
  const results = pathTo({ node: "paid" }).steps.flatMap((step) => (step.kind === "tool" ? [step.result] : []));
  assert.deepEqual(results, [{ receipt: { number: "receipt" } }]);
});

test("a persona calls the agent by its name, and not by that of a file", () => {
  const start = { bye: { node_type: "end" as const, state_prompt: "Say goodbye." } };
  const named = (name?: string) =>
    parseGraph({ nodes: start, entry_node_id: "bye", source_metadata: name ? { name } : {} });
  const path = { steps: [], variables: {} };
  const agents = [
    named("Desk"),
    named(),
    flow("retell-export", { document: { source_metadata: { name: undefined } } })
      .end("bye", { prompt: "Say goodbye." })
      .compile(),
  ].map((graph) => callerFacts(graph, path, undefined).agent);
  assert.deepEqual(agents, ["Desk", "the agent", "the agent"]);
});

test("playPath() asks nothing of the caller for a condition that holds anyway", () => {
  for (const condition of ["Always", "Otherwise", "Always move on", "Describe the condition", "Immer"]) {
    const agent = flow("shop")
      .conversation("greet", { prompt: "Greet.", next: ({ to }) => [to("ask", condition)] })
      .conversation("ask", { prompt: "Ask.", next: ({ to }) => [to("bye", "Caller gives the order number")] })
      .end("bye", { prompt: "Say goodbye." })
      .compile();
    const answer = findPath(agent, { node: "bye" });
    assert.ok(answer.kind === "found");
    const { user_prompt: persona } = playPath(agent, answer.path).scenario;
    assert.match(persona, /First you answer what the agent says\. Then you give the order number\./, condition);
    assert.ok(!persona.toLowerCase().includes(condition.toLowerCase()), persona);
  }
});
