import assert from "node:assert/strict";
import { test } from "node:test";
import { completeScenario } from "../../src/graph/mod.ts";
import { scripted } from "../../src/models/mod.ts";
import { run } from "../../src/runner/mod.ts";
import { CHAT } from "./_fixtures.ts";

const says = ["Hi"];

test("run() refuses models without one for the agent, as JavaScript may pass them", async () => {
  const held: (graph: typeof CHAT, scenarios: readonly object[], options: object) => Promise<unknown> = run as never; // what JavaScript can do
  const models = { judge: scripted({}) };
  const expected = { name: "ModelError", code: "unknown-model" };
  await assert.rejects(held(CHAT, [{ name: "a", says }], { models, store: false }), expected);
});

test("run() refuses scenarios that cannot be run before the first call", async () => {
  const agent = scripted({});
  const options = { models: { agent }, store: false } as const;
  const twice = [
    { name: "a", says },
    { name: "a", says },
  ];
  await assert.rejects(run(CHAT, twice, options), { name: "ScenarioError", code: "duplicate-scenario" });
  await assert.rejects(run(CHAT, [{ name: "" }], options), { code: "invalid-scenario" });
  const patterns = ["fine", "(", "[a-"];
  await assert.rejects(
    run(
      CHAT,
      [
        { name: "a", says },
        { name: "b", says, patterns },
      ],
      options,
    ),
    (error) => {
      assert.ok(error instanceof Error && "issues" in error && Array.isArray(error.issues));
      assert.deepEqual(
        error.issues.map(({ code, path }) => ({ code, path })),
        [
          { code: "invalid-pattern", path: [1, "patterns", 1] },
          { code: "invalid-pattern", path: [1, "patterns", 2] },
        ],
      );
      return true;
    },
  );
  await assert.rejects(run(CHAT, [{ name: "a", says }], { ...options, metrics: ["Polite", " "] }), {
    code: "invalid-scenario",
    path: ["metrics", 1],
  });
  await assert.rejects(run(CHAT, [{ name: "a", says }], { ...options, metrics: [{ criterion: "x", threshold: 2 }] }), {
    code: "invalid-scenario",
    path: ["metrics", 0, "threshold"],
  });
  assert.equal(agent.calls.length, 0);
});

test("run() refuses models that cannot be had before the first call", async () => {
  const models = { agent: scripted({}), judge: "no-provider" };
  await assert.rejects(run(CHAT, [{ name: "a", says }], { models, store: false }), { code: "unknown-model" });
  const scenarios = [{ name: "a", says, llm_model: "nonsense" }];
  const options = { models: { agent: scripted({}) }, store: false, scenarioModels: true } as const;
  await assert.rejects(run(CHAT, scenarios, options), { code: "unknown-model" });
});

test("run() takes scenarios as documents, as plain test cases and as what builds them", async () => {
  const built = { toJSON: () => completeScenario({ name: "built", says }) };
  const report = await run(CHAT, [completeScenario({ name: "read", says }), { name: "plain", says }, built], {
    models: { agent: scripted({}) },
    store: false,
  });
  assert.deepEqual(
    report.results.map(({ scenario, status }) => `${scenario} ${status}`),
    ["read pass", "plain pass", "built pass"],
  );
});

test("run() with no scenarios is an empty run", async () => {
  const report = await run(CHAT, [], { models: { agent: scripted({}) }, store: false });
  assert.deepEqual(report.results, []);
  assert.equal(report.passed, true);
});

test("run() asks nothing by blank patterns, so that a call with nothing else is told to be unchecked", async () => {
  const agent = scripted({ respond: ["Hello.", "Yes."] });
  const report = await run(CHAT, [{ name: "a", says, patterns: ["", "re2:", "glob: "] }], {
    models: { agent },
    store: false,
  });
  assert.deepEqual(report.results[0]?.checks, []);
});
