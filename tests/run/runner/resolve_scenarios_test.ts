import assert from "node:assert/strict";
import { test } from "node:test";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { completeScenario } from "../../../src/document/scenario/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { CHAT } from "./_fixtures.ts";

const says = ["Hi"];

test("run() rejects models without an agent", async () => {
  const runUntyped: (graph: typeof CHAT, scenarios: readonly object[], options: object) => Promise<unknown> =
    run as never; // what JavaScript can do
  const models = { judge: scripted({}) };
  const expected = { name: "ModelError", code: "unknown-model" };
  await assert.rejects(
    runUntyped(CHAT, [{ name: "a", says, excludes: ["never said"] }], { models, store: false }),
    expected,
  );
});

test("run() rejects scenarios that cannot run, before the first call", async () => {
  const agent = scripted({});
  const options = { models: { agent }, store: false } as const;
  const twice = [
    { name: "a", says, excludes: ["never said"] },
    { name: "a", says, excludes: ["never said"] },
  ];
  await assert.rejects(run(CHAT, twice, options), { name: "ScenarioError", code: "duplicate-scenario" });
  await assert.rejects(run(CHAT, [{ name: "" }], options), { code: "invalid-scenario" });
  const patterns = ["fine", "(", "[a-"];
  await assert.rejects(
    run(
      CHAT,
      [
        { name: "a", says, excludes: ["never said"] },
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
  await assert.rejects(
    run(CHAT, [{ name: "a", says, excludes: ["never said"] }], { ...options, judging: { metrics: ["Polite", " "] } }),
    {
      code: "invalid-scenario",
      path: ["judging", "metrics", 1],
    },
  );
  await assert.rejects(
    run(CHAT, [{ name: "a", says, excludes: ["never said"] }], {
      ...options,
      judging: { metrics: [{ criterion: "x", threshold: 2 }] },
    }),
    {
      code: "invalid-scenario",
      path: ["judging", "metrics", 0, "threshold"],
    },
  );
  assert.equal(agent.calls.length, 0);
});

test("run() rejects a threshold of 0 wherever it is set, because it would always pass", async () => {
  const options = { models: { agent: scripted({}) }, store: false } as const;
  const document = { name: "a", says, excludes: ["never said"] };
  const inDocument = run(CHAT, [{ ...document, metrics: [{ criterion: "must sing", threshold: 0 }] }], options);
  await assert.rejects(inDocument, {
    code: "invalid-scenario",
    path: [0, "metrics", 0, "threshold"],
    hint: "Expected a number above 0",
  });
  const metrics = [{ criterion: "must sing", threshold: 0 }];
  await assert.rejects(run(CHAT, [document], { ...options, judging: { metrics } }), {
    path: ["judging", "metrics", 0, "threshold"],
  });
  await assert.rejects(run(CHAT, [document], { ...options, judging: { threshold: 0 } }), { code: "invalid-scenario" });
});

test("run() rejects unknown models before the first call", async () => {
  const models = { agent: scripted({}), judge: "no-provider" };
  await assert.rejects(run(CHAT, [{ name: "a", says, excludes: ["never said"] }], { models, store: false }), {
    code: "unknown-model",
  });
  const scenarios = [{ name: "a", says, llm_model: "nonsense" }];
  const options = { models: { agent: scripted({}), fromScenarios: true }, store: false } as const;
  await assert.rejects(run(CHAT, scenarios, options), { code: "unknown-model" });
});

test("run() accepts scenarios as documents, test cases and builders", async () => {
  const built = { toJSON: () => completeScenario({ name: "built", says, excludes: ["never said"] }) };
  const report = await run(
    CHAT,
    [
      completeScenario({ name: "read", says, excludes: ["never said"] }),
      { name: "plain", says, excludes: ["never said"] },
      built,
    ],
    {
      models: { agent: scripted({}) },
      store: false,
    },
  );
  assert.deepEqual(
    report.results.map(({ scenario, status }) => `${scenario} ${status}`),
    ["read pass", "plain pass", "built pass"],
  );
});

test("run() rejects an empty list of scenarios", async () => {
  const agent = scripted({});
  await assert.rejects(run(CHAT, [], { models: { agent }, store: false }), {
    code: "invalid-scenario",
    message: "Cannot run scenarios: there are none",
  });
});

test("run() rejects scenarios that would always pass, before the first call", async () => {
  const agent = scripted({});
  const options = { models: { agent }, store: false } as const;
  const refused: readonly (readonly [scenario: object, message: RegExp])[] = [
    [{ says }, /expects nothing/],
    [
      { says, includes: [], excludes: [], patterns: [], visits: [], avoids: [], extracts: {}, calls: [] },
      /expects nothing/,
    ],
    ...["includes", "excludes", "visits", "avoids"].flatMap((key) =>
      ["", " "].map((text) => [{ says, ends: "agent_ended", [key]: ["bye", text] }, /\.1: it is blank/] as const),
    ),
    ...["", "re2:", "glob: "].map((text) => [{ says, patterns: ["x", text] }, /patterns\.1: it is blank/] as const),
    ...["*", "glob:**", "re2:.*", "(?:)", "^", "re2:x*"].map(
      (text) => [{ says, patterns: ["x", text] }, /matches every text, so it checks nothing/] as const,
    ),
    [{ says, calls: [{ tool: " " }] }, /calls\.0\.tool: it is blank/],
    [{ says, extracts: { "": "x" } }, /extracts\.: it is blank/],
    [{ user_prompt: " ", ends: "agent_ended" }, /has no caller/],
    [{ ends: "agent_ended" }, /has no caller/],
    [{ says, checks: ["says the price"] }, /has the name of check "says the price" without its function/],
  ];
  for (const [keys, message] of refused)
    await assert.rejects(run(CHAT, [{ name: "a", ...keys }], options), { code: "invalid-scenario", message });
  await assert.rejects(
    run(CHAT, [{ name: "a" }], options),
    (error) => isCallweaveError(error) && error.issues.length === 2,
  );
  assert.equal(agent.calls.length, 0);
  const polite = await run(CHAT, [{ name: "a", says }], {
    store: false,
    judging: { metrics: ["The agent is polite"] },
  });
  assert.equal(polite.results[0]?.verdicts.length, 1);
  const called = await run(CHAT, [{ name: "a", ends: "caller_ended" }], {
    ...options,
    createCaller: () => ({ next: async () => ({ hangUp: "caller_ended" }) }),
  });
  assert.equal(called.passed, true);
});

test("run() treats a caller's model that hangs up at once as an error, unless that end is expected", async () => {
  const runCall = async (more: object) => {
    const caller = scripted({ caller: [{ message: " ", should_end: false }] });
    const scenarios = [{ name: "a", user_prompt: "You are Jo.", excludes: ["never said"], ...more }];
    return (await run(CHAT, scenarios, { models: { agent: scripted({}), caller }, store: false })).results[0];
  };
  const silent = await runCall({});
  assert.equal(silent?.status, "error");
  assert.match(silent?.errorMessage ?? "", /the caller's model hung up before saying anything/);
  assert.equal((await runCall({ ends: "caller_ended" }))?.status, "pass");
});

test("run() rejects a criterion of its own with a misspelt threshold", async () => {
  const metrics = [{ criterion: "polite", treshold: 0.9 }] as never; // what JavaScript may pass
  const options = { models: { agent: scripted({}) }, store: false, metrics } as const;
  await assert.rejects(run(CHAT, [{ name: "a", says }], options), { code: "invalid-option", path: ["metrics"] });
});
