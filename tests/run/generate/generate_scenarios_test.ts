import assert from "node:assert/strict";
import { test } from "node:test";
import { choice, flow } from "../../../dsl/mod.ts";
import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { scenarios as helpDeskScenarios } from "../../../examples/help-desk/scenarios.ts";
import { graphTransitions, playPath } from "../../../src/agent/analysis/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { generateScenarios } from "../../../src/run/generate/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";

const shop = flow("shop", { variables: { topic: choice("Why the caller calls", ["order", "return"]) } })
  .conversation("greet", {
    prompt: "Ask how you can help.",
    next: ({ to }) => [to("sort", "Caller gives a reason"), to("bye", { timing: "else" })],
  })
  .extract("sort", {
    fills: ["topic"],
    next: ({ to, when, otherwise }) => [
      to("order", when("topic", "==", "order")),
      to("bye", when("topic", "==", "order").and("topic", "exists")),
      otherwise("bye"),
    ],
  })
  .conversation("order", {
    prompt: "Ask for the order number.",
    next: ({ to }) => [to("bye", "Caller gives the number")],
  })
  .end("bye", { prompt: "Say goodbye." })
  .compile();

const targets = ({ scenarios }: Awaited<ReturnType<typeof generateScenarios>>) =>
  scenarios.map(({ target }) => target.name);

test("generateScenarios() covers every transition of the help desk, and its scenarios pass", async () => {
  const { scenarios, coverage, unreachable, unshown } = await generateScenarios(helpDesk);
  const transitions = graphTransitions(helpDesk).length;
  assert.deepEqual(coverage, { transitions, before: 0, after: transitions });
  assert.deepEqual([unreachable, unshown], [[], []]);
  assert.ok(scenarios.length <= 13, `${scenarios.length} scenarios`);
  const [first] = scenarios;
  assert.ok(first);
  const { answers } = playPath(helpDesk, first.path);
  const report = await run(helpDesk, [first.scenario], { models: { agent: scripted(answers) }, store: false });
  assert.equal(report.passed, true);
});

test("generateScenarios() leaves out what scenarios cover, by their visits or by their calls", async () => {
  const all = await generateScenarios(shop);
  const scenarios = all.scenarios.map(({ scenario }) => scenario);
  const none = await generateScenarios(shop, { scenarios });
  assert.deepEqual(none.scenarios, []);
  assert.deepEqual(none.coverage, { ...all.coverage, before: all.coverage.after });

  const known = { name: "known", says: ["Hi"], visits: ["greet", "sort", "order", "bye"] };
  const byVisits = await generateScenarios(shop, { scenarios: [known] });
  assert.deepEqual(targets(byVisits), ["greet -> bye: else", "sort -> bye"]);
  const results = [{ scenario: "known", nodesVisited: ["greet", "bye"] }];
  const byCalls = await generateScenarios(shop, { scenarios: [known], results });
  assert.deepEqual(targets(byCalls), ["sort -> bye", "order -> bye: Caller gives the number"]);
  assert.ok((await generateScenarios(helpDesk, { scenarios: helpDeskScenarios })).coverage.before > 5);
});

test("generateScenarios() names transitions that no call takes, with the finding of check", async () => {
  const { unreachable, coverage } = await generateScenarios(shop);
  assert.deepEqual(
    unreachable.map(({ transition, finding }) => [transition.name, finding?.code]),
    [['sort -> bye: topic == "order" and topic exists', "shadowed-transition"]],
  );
  assert.equal(coverage.after, coverage.transitions - 1);
});

test("generateScenarios({ only }) looks at the transitions that leave or enter a node", async () => {
  assert.deepEqual(targets(await generateScenarios(shop, { only: "order" })), [
    "order -> bye: Caller gives the number",
  ]);
  await assert.rejects(generateScenarios(shop, { only: "ordr" }), { code: "unknown-node", hint: /order/ });
});

test("generateScenarios() gives the same scenarios every time, each with a name of its own", async () => {
  const twice = [await generateScenarios(shop), await generateScenarios(shop)] as const;
  assert.deepEqual(twice[0], twice[1]);
  const taken = await generateScenarios(shop, {
    scenarios: [{ name: "greet -> bye: else", says: ["Hi"], visits: ["greet"] }],
  });
  assert.deepEqual(
    taken.scenarios.map(({ scenario }) => scenario.name).filter((name) => name.startsWith("greet -> bye")),
    ["greet -> bye: else (2)"],
  );
});

test("generateScenarios({ model }) has personas written, and falls back to rules when one leaves out a fact", async () => {
  const persona = ({ facts }: { readonly facts: readonly { readonly value: string | null }[] }) => {
    const values = facts.flatMap(({ value }) => value ?? []);
    return {
      persona: values.includes("order") ? "You are Ann, and you forgot why you call." : `You are Bo: ${values}.`,
    };
  };
  const model = scripted({ persona: Array.from({ length: 3 }, () => persona) });
  const { scenarios } = await generateScenarios(shop, { model });
  assert.deepEqual(
    scenarios.map(({ scenario, personaBy }) => [personaBy, scenario.user_prompt.slice(0, 10)]),
    [
      ["model", "You are Bo"],
      ["model", "You are Bo"],
      ["rules", "You call s"],
    ],
  );
  const [call] = model.calls;
  assert.equal(call?.signature, "persona");
});

test("generateScenarios() throws the model's errors, and stops when it is aborted", async () => {
  await assert.rejects(generateScenarios(shop, { model: scripted({}) }), { code: "empty-queue" });
  await assert.rejects(generateScenarios(shop, { signal: AbortSignal.abort() }), { code: "aborted" });
  await assert.rejects(generateScenarios(shop, { only: JSON.parse("1") }), { code: "invalid-option" });
  await assert.rejects(generateScenarios({ ...shop, entry_node_id: "a" }), { code: "unknown-entry" });
});
