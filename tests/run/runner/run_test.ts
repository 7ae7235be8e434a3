import assert from "node:assert/strict";
import { test } from "node:test";
import { scenario } from "../../../dsl/mod.ts";
import type { Caller } from "../../../src/call/callers/mod.ts";
import { offline, scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { completeScenario, type ScenarioInput } from "../../../src/document/scenario/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { BILLING_CALL, billingModel, CHAT, DESK, verdict } from "./_fixtures.ts";

test("run() passes a scenario whose expectations all hold", async () => {
  const everything: ScenarioInput = {
    name: "bill",
    ...BILLING_CALL,
    visits: ["greet", "billing"],
    avoids: ["manager"],
    metrics: ["Tells the amount"],
    includes: ["30 dollars"],
    excludes: ["123-45"],
    patterns: ["REF-[A-Z0-9]+"],
    extracts: { intent: "billing" },
    calls: [{ tool: "lookup_bill", args: { id: "A7" } }],
    ends: "agent_ended",
  };
  const model = billingModel(1, [{ verdicts: [verdict(1, 0.7)] }]);
  const report = await run(DESK, [everything], { models: { agent: model }, store: false, name: "desk" });
  const [result] = report.results;
  assert.equal(result?.status, "pass", JSON.stringify(result?.checks));
  assert.equal(result?.checks.length, 8);
  assert.equal(result?.turnCount, 2);
  assert.equal(result?.endReason, "agent_ended");
  assert.deepEqual(result?.nodesVisited, ["greet", "ask", "billing", "goodbye"]);
  assert.deepEqual(result?.variables, { intent: "billing" });
  assert.equal(result?.usage.calls, model.calls.length);
  assert.deepEqual(report.counts, { pass: 1, fail: 0, error: 0, imported: 0, cancelled: 0, invalid: 0 });
  assert.equal(report.passed, true);
  assert.equal(report.offline, false);
  assert.equal(report.name, "desk");
  assert.deepEqual(report.models, { agent: "scripted", caller: "scripted", judge: "scripted" });
});

test("run() fails a scenario for a single failed expectation, and still evaluates the others", async () => {
  const expectations: readonly Partial<ScenarioInput>[] = [
    { visits: ["manager"] },
    { avoids: ["billing"] },
    { includes: ["40 dollars"] },
    { excludes: ["30 dollars"] },
    { patterns: ["REF-B*"] },
    { extracts: { intent: "other" } },
    { calls: [{ tool: "lookup_bill", args: { id: "B7" } }] },
    { ends: "caller_ended" },
    { metrics: [{ criterion: "Tells the amount", threshold: 0.8 }] },
  ];
  const scenarios = expectations.map((expected, index) => ({ name: `${index}`, ...BILLING_CALL, ...expected }));
  const model = billingModel(scenarios.length, [{ verdicts: [verdict(1, 0.79)] }]);
  const report = await run(DESK, scenarios, { models: { agent: model }, store: false, limits: { concurrency: 1 } });
  assert.deepEqual(
    report.results.map(({ status }) => status),
    scenarios.map(() => "fail"),
  );
});

test("run() passes a scenario whose only expectation holds", async () => {
  const scenarios = [{ name: "chat", says: ["Hi"], excludes: ["never said"] }];
  const report = await run(CHAT, scenarios, { models: { agent: scripted({}) }, store: false });
  assert.equal(report.results[0]?.status, "pass");
  assert.equal(report.results[0]?.endReason, "caller_exhausted");
});

test("run() judges each global metric once, with the given threshold", async () => {
  const model = scripted({ judge: [{ verdicts: [verdict(1, 0.75), verdict(2, 0.75), verdict(3, 0.75)] }] });
  const scenario = completeScenario({
    name: "chat",
    says: ["Hi"],
    metrics: [{ criterion: "own", threshold: 0.75 }],
  });
  const report = await run(CHAT, [scenario], {
    models: { agent: model },
    store: false,
    judging: { threshold: 0.8, metrics: ["polite", "own", { criterion: "short", threshold: 0.6 }] },
  });
  assert.deepEqual(
    report.results[0]?.verdicts.map(({ criterion, threshold, passed }) => ({ criterion, threshold, passed })),
    [
      { criterion: "own", threshold: 0.75, passed: true },
      { criterion: "polite", threshold: 0.8, passed: false },
      { criterion: "short", threshold: 0.6, passed: true },
    ],
  );
});

test("a threshold that was written holds, also when it is the default one", async () => {
  const verdicts = [verdict(1, 0.8), verdict(2, 0.8)];
  const judged = scenario("chat").says("Hi").judge("is polite", { threshold: 0.7 }).judge("is brief");
  const json = { name: "chat", says: ["Hi"], metrics: [{ criterion: "is polite", threshold: 0.7 }, "is brief"] };
  for (const source of [judged, json]) {
    const models = { agent: scripted({ judge: [{ verdicts }] }) };
    const report = await run(CHAT, [source], { models, store: false, judging: { threshold: 0.9 } });
    assert.deepEqual(
      report.results[0]?.verdicts.map(({ criterion, threshold, passed }) => [criterion, threshold, passed]),
      [
        ["is polite", 0.7, true],
        ["is brief", 0.9, false],
      ],
    );
  }
});

test("run() replaces the default threshold by its own", async () => {
  const verdicts = [verdict(1, 0.75), verdict(2, 0.75), verdict(3, 0.75)];
  const model = scripted({ judge: [{ verdicts }] });
  const metrics = ["a", { criterion: "b", threshold: 0.6 }, { criterion: "c", threshold: 0.8 }];
  const report = await run(CHAT, [{ name: "chat", says: ["Hi"], metrics }], {
    models: { agent: model },
    store: false,
    judging: { threshold: 0.76 },
  });
  assert.deepEqual(
    report.results[0]?.verdicts.map(({ threshold, passed }) => ({ threshold, passed })),
    [
      { threshold: 0.76, passed: false },
      { threshold: 0.6, passed: true },
      { threshold: 0.8, passed: false },
    ],
  );
});

test("run() ends a scenario as error when a model's answer is unusable, and continues with the others", async () => {
  const judge = scripted({ judge: [{ verdicts: [verdict(2, 1)] }, { verdicts: [verdict(1, 1)] }] });
  const scenarios = ["nonsense", "sense"].map((name) => ({ name, says: ["Hi"], metrics: ["polite"], includes: ["…"] }));
  const report = await run(CHAT, scenarios, {
    models: { agent: scripted({}), judge },
    store: false,
    limits: { concurrency: 1 },
  });
  const [nonsense, sense] = report.results;
  assert.equal(nonsense?.status, "error");
  assert.match(nonsense?.errorMessage ?? "", /criterion 1 is not judged/);
  assert.equal(nonsense?.transcript.length, 3);
  assert.equal(nonsense?.checks[0]?.passed, true);
  assert.equal(sense?.status, "pass");
  assert.equal(report.passed, false);
});

test("run() ends a scenario as error when the agent's model or the caller fails", async () => {
  const broken: Caller = { next: async () => Promise.reject(new TypeError("the line is dead")) };
  const scenarios = ["agent", "caller", "fine"].map((name) => ({ name, says: ["Hi"], excludes: ["never said"] }));
  const report = await run(CHAT, scenarios, {
    models: { agent: scripted({ respond: [new Error("no such model"), "Hello"] }) },
    store: false,
    limits: { concurrency: 1 },
    createCaller: ({ name }) => (name === "caller" ? broken : undefined),
  });
  assert.deepEqual(
    report.results.map(({ status, endReason }) => ({ status, endReason })),
    [
      { status: "error", endReason: "failed" },
      { status: "error", endReason: "failed" },
      { status: "pass", endReason: "caller_exhausted" },
    ],
  );
  assert.match(report.results[0]?.errorMessage ?? "", /no such model/);
  assert.equal(report.results[1]?.errorMessage, "the line is dead");
});

test("run() treats a silent model as an error, unless that end is expected", async () => {
  const agent = scripted({ respond: ["", "", "", "", "", "", "", ""] });
  const scenarios = [
    { name: "a", says: ["Hi"], excludes: ["never said"] },
    { name: "b", says: ["Hi"], ends: "failed" as const },
  ];
  const report = await run(CHAT, scenarios, { models: { agent }, store: false, limits: { concurrency: 1 } });
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["error", "pass"],
  );
  assert.match(report.results[0]?.errorMessage ?? "", /said nothing 4 times/);
});

test("run() runs the given number of calls at a time, and keeps the order of scenarios", async () => {
  for (const concurrency of [1, 3, 12]) {
    let running = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const createCaller = (): Caller => ({
      next: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          // the last of a full batch is let go first, so calls finish in another order than they began
          if (waiting.length >= Math.min(concurrency, 12 - finished))
            for (const go of waiting.splice(0).reverse()) go();
        });
        running -= 1;
        finished += 1;
        return { hangUp: "caller_ended" };
      },
    });
    let finished = 0;
    const names = Array.from({ length: 12 }, (_, index) => `call ${index}`);
    const report = await run(
      CHAT,
      names.map((name) => ({ name, excludes: ["never said"] })),
      { models: { agent: scripted({}) }, store: false, limits: { concurrency }, createCaller },
    );
    assert.equal(most, concurrency);
    assert.deepEqual(
      report.results.map(({ scenario }) => scenario),
      names,
    );
  }
});

test("run() uses the offline model in every role by default, and says so", async () => {
  const report = await run(CHAT, [{ name: "chat", says: ["Hi"], excludes: ["never said"] }], { store: false });
  assert.deepEqual(report.models, { agent: "offline", caller: "offline", judge: "offline" });
  assert.equal(report.offline, true);
  const mixed = await run(CHAT, [{ name: "chat", says: ["Hi"], excludes: ["never said"] }], {
    models: { agent: scripted({}), judge: offline() },
    store: false,
  });
  assert.equal(mixed.offline, true);
});

test("run() uses a scenario's model for the agent only if scenarioModels is set", async () => {
  const scenarios = [{ name: "chat", says: ["Hi"], excludes: ["never said"], llm_model: "offline" }];
  const agent = scripted({ respond: ["From the run's model"] });
  const fixed = await run(CHAT, scenarios, { models: { agent }, store: false });
  assert.equal(fixed.results[0]?.transcript.at(-1)?.content, "From the run's model");
  await run(CHAT, scenarios, { models: { agent, fromScenarios: true }, store: false });
  assert.equal(agent.calls.length, 1);
});

test("run() answers tool calls with its tools when there is no mock", async () => {
  const graph = parseGraph({
    entry_node_id: "look",
    nodes: {
      look: {
        node_type: "function",
        tools: [{ name: "lookup", description: "", response_variables: { total: "$.total" } }],
        transitions: [{ target_node_id: "bye", condition: { type: "always" } }],
      },
      bye: { node_type: "end" },
    },
  });
  const scenario = { name: "tool", says: ["Hi"], extracts: { total: "7" }, calls: [{ tool: "lookup" }] };
  const tools = { lookup: () => ({ total: 7 }) };
  const report = await run(graph, [scenario], { models: { agent: scripted({}) }, store: false, tools });
  assert.equal(report.results[0]?.status, "pass");
  assert.equal(report.results[0]?.toolsCalled[0]?.mocked, false);
});

test("run() reports progress events in order", async () => {
  const events: string[] = [];
  await run(CHAT, [{ name: "chat", says: ["Hi"], excludes: ["never said"] }], {
    models: { agent: scripted({}) },
    store: false,
    listeners: {
      onProgress: ({ kind }) => events.push(kind),
      onResult: ({ result: { scenario } }) => events.push(scenario),
    },
  });
  assert.deepEqual(events, ["run-start", "call-start", "node", "turn-end", "turn-end", "chat", "call-end"]);
});

test("run() names its models by provider and id, without the provider of built-in ones", async () => {
  const agent = Object.assign(scripted({}), { provider: "acme.chat", modelId: "callweave/small" });
  const scenario = { name: "hello", says: ["Hi"], excludes: ["never said"] };
  const report = await run(CHAT, [scenario], { models: { agent, judge: scripted({}) }, store: false });
  assert.deepEqual(report.models, { agent: "acme/callweave/small", caller: "acme/callweave/small", judge: "scripted" });
});
