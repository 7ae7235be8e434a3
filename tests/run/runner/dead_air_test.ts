import assert from "node:assert/strict";
import { test } from "node:test";
import { choice, flow, scenario } from "../../../dsl/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { formatReport } from "../../../src/surface/reporters/mod.ts";

/** A router of which no equation holds until the caller has named a topic. */
const router = flow("router", { variables: { topic: choice("Topic", ["repair", "rental"]) }, start: "listen" })
  .extract("listen", {
    fills: ["topic"],
    next: ({ to, when }) => [to("repair", when("topic", "==", "repair")), to("rental", when("topic", "==", "rental"))],
  })
  .end("repair", { prompt: "Say that repairs are upstairs." })
  .end("rental", { prompt: "Say that rentals are downstairs." })
  .compile();
const nothing = { topic: null };
const runCall = async (
  extract: readonly unknown[],
  built = scenario("any", router).says("Hm", "Hm", "Hm", "Hm").avoids("rental"),
) =>
  await run(router, [built], {
    models: { agent: scripted({ extract: [...extract], respond: ["Upstairs."] }) },
    store: false,
  });

test("a call fails with dead_air when the agent is silent twice in a row", async () => {
  const report = await runCall(Array.from({ length: 5 }, () => nothing));
  const [result] = report.results;
  assert.equal(result?.endReason, "dead_air");
  assert.equal(result?.status, "fail");
  assert.equal(result?.turnCount, 2);
  const [check] = result?.checks.filter(({ passed }) => !passed) ?? [];
  assert.equal(check?.kind, "ends");
  assert.equal(
    check?.reason,
    'the call ended with dead_air: the agent answered the caller with silence 2 times in a row at node "listen" (extract), which waits for topic == "repair" (topic is not set) (to "repair"); or for topic == "rental" (topic is not set) (to "rental")',
  );
  assert.equal(report.passed, false);
  assert.match(formatReport(report), /dead_air/);
});

test("one silent reply is not dead air", async () => {
  const { results } = await runCall([nothing, nothing, { topic: "repair" }]);
  assert.equal(results[0]?.endReason, "agent_ended");
  assert.equal(results[0]?.status, "pass");
});

test("a scenario may expect dead air", async () => {
  const built = scenario("quiet", router).says("Hm", "Hm", "Hm").ends("dead_air");
  const { results } = await runCall([nothing, nothing, nothing], built);
  assert.equal(results[0]?.status, "pass");
});

test("dead air describes what a node waits for, for every node type", async () => {
  const waiting: readonly (readonly [node: object, words: RegExp])[] = [
    [{ node_type: "logic" }, /at node "wait" \(logic\), which has no transition$/],
    [
      {
        node_type: "logic",
        transitions: [
          {
            target_node_id: "bye",
            condition: { type: "equation", equations: [{ left: "a", operator: ">", right: 3 }] },
          },
        ],
      },
      /waits for a > 3 \(a = "1"\) \(to "bye"\)$/,
    ],
    [
      {
        node_type: "function",
        tools: [{ name: "find" }],
        transitions: [{ target_node_id: "bye", condition: { type: "tool_call", value: "find", outcome: "succeeded" } }],
      },
      /waits for tool find succeeded \(to "bye"\)$/,
    ],
  ];
  for (const [node, words] of waiting) {
    const graph = parseGraph({ entry_node_id: "wait", nodes: { wait: node, bye: { node_type: "end" } } });
    const one = { name: "any", says: ["Hi", "Hi", "Hi"], avoids: ["bye"], dynamic_variables: { a: 1 } };
    const { results } = await run(graph, [one], { models: { agent: scripted({}) }, store: false });
    const reason = results[0]?.checks.find(({ passed }) => !passed)?.reason ?? results[0]?.errorMessage ?? "";
    assert.match(reason, words);
  }
});
