import assert from "node:assert/strict";
import { test } from "node:test";
import { compareTurns } from "../../../api/calls.ts";
import { conversation, estimate, isCallweaveError, offline, run } from "../../../mod.ts";
import { CHAT } from "./_fixtures.ts";

const SCENARIOS = [{ name: "chat", says: ["Hi"], excludes: ["never said"] }];
const models = { agent: offline() };
/** The options of a run, in the order of hints. */
const RUN_NAMES = [
  ...[
    "variables",
    "tools",
    "toolState",
    "liveTools",
    "limits",
    "requests",
    "turn",
    "clock",
    "signal",
    "models",
    "connection",
  ],
  ...[
    "repeat",
    "judging",
    "store",
    "share",
    "audio",
    "recordings",
    "systemVariables",
    "name",
    "callers",
    "createCaller",
    "telemetry",
  ],
  "listeners",
].join(", ");
const NOT_COUNTS = [Number.NaN, 0, -1, 1.5, "8", null, [], {}];
const NOT_TIMES = [Number.NaN, 0, -1, Number.POSITIVE_INFINITY, 2 ** 31, "1000", null];
const NOT_LIMITS = [Number.NaN, -1, "3", null];

/** Options of a run, with values that plain JavaScript may give them. */
const OF_RUNS: readonly (readonly [path: string, values: readonly unknown[]])[] = [
  ["limits.concurrency", NOT_COUNTS],
  ["limits.maxTurns", NOT_COUNTS],
  ["limits.turnTimeoutMs", NOT_TIMES],
  ["limits.toolTimeoutMs", NOT_TIMES],
  ["requests.tryTimeoutMs", NOT_TIMES],
  ["requests.retry.retries", [Number.NaN, -1, 0.5]],
  ["requests.maxParallel", NOT_COUNTS],
  ["requests.perMinute", [...NOT_COUNTS, Number.POSITIVE_INFINITY]],
  ["limits.budget.call.modelCalls", NOT_LIMITS],
  ["limits.budget.turn.costUsd", NOT_LIMITS],
  ["limits.budget.modelCalls", [3]],
  ["turn", ["unknown", "", null]],
  ["judging.threshold", ["0.7", null, true]],
  ["judging.metrics", ["polite", [7], [{ threshold: 1 }], null]],
  ["models", ["offline", null, []]],
  ["models.judges", ["offline"]],
  ["model", ["openai/gpt-5-mini"]],
  ["tools", [null, { find: "later" }]],
  ["liveTools", [{}, ["127.0.0.1"]]],
  ["store", [null, true, 7, {}]],
  ["recordings", ["calls.json", {}]],
  ["systemVariables.timeZone", ["Mars/Base", 7]],
  ["signal", [null, "stop", {}]],
  ["clock.now", [7, null]],
  ["listeners.onResult", ["log", null]],
  ["variables", ["name", []]],
];

/** Options with one that lies at a path. */
function optionsWith(path: string, value: unknown, others: object): object {
  const nested = path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return { store: false, models, ...others, ...(nested as object) }; // a path has at least one name
}

for (const [path, values] of OF_RUNS)
  test(`run() rejects a wrong ${path} before the first call`, async () => {
    for (const value of values) {
      let started = false;
      const listeners = { onProgress: () => (started = true) };
      const options = optionsWith(path, value, { listeners });
      await assert.rejects(run(CHAT, SCENARIOS, options), (error) => {
        assert.ok(isCallweaveError(error), `${String(value)}: ${error}`);
        assert.deepEqual([error.name, error.code, error.path.join(".")], ["ScenarioError", "invalid-option", path]);
        assert.match(error.message, /^Cannot run scenarios: /);
        assert.notEqual(error.hint, "");
        return true;
      });
      assert.ok(!started);
    }
  });

test("run() reports all wrong options at once, with suggestions for names", async () => {
  const options = {
    limits: { concurrency: 0, maxTurn: 3, budget: { call: { tokens: -1 } } },
    failFast: true,
    store: false,
    audience: "all",
  };
  await assert.rejects(run(CHAT, SCENARIOS, options as object), (error) => {
    assert.ok(isCallweaveError(error));
    assert.deepEqual(
      error.issues.map(({ path, hint }) => [path.join("."), hint]),
      [
        ["limits.budget.call.tokens", "Pass a number from 0"],
        ["limits.concurrency", 'Pass a whole number from 1, or "auto"'],
        ["limits.maxTurn", 'Did you mean "maxTurns"?'],
        ["failFast", 'Did you mean "limits.failFast"?'],
        ["audience", `Use one of ${RUN_NAMES}`],
      ],
    );
    return true;
  });
});

test("run() accepts Infinity for limits", async () => {
  const options = {
    models,
    store: false,
    limits: { concurrency: Infinity, maxTurns: Infinity, budget: { call: { tokens: Infinity } } },
  } as const;
  assert.equal((await run(CHAT, SCENARIOS, options)).results.length, 1);
});

test("estimate() and compareTurns() validate their options, too", async () => {
  const options: object = { limits: { maxTurns: -1 } };
  assert.throws(() => estimate(CHAT, SCENARIOS, options), { name: "ScenarioError", code: "invalid-option" });
  await assert.rejects(compareTurns(CHAT, SCENARIOS, options), { name: "ScenarioError", code: "invalid-option" });
  for (const modes of ["fused", ["split"], ["split", "faster"], null])
    await assert.rejects(compareTurns(CHAT, SCENARIOS, {}, modes as unknown as ["split", "fused"]), {
      code: "invalid-option", // modes as plain JavaScript passes them
      path: ["modes"],
    });
});

test("run() and estimate() reject values that are not models", async () => {
  for (const model of [7, true, {}, [], () => offline(), { modelId: "gpt-5" }, "gpt-5", ""]) {
    const given: object = { store: false, models: { agent: offline(), judge: model } };
    await assert.rejects(run(CHAT, SCENARIOS, given), { name: "ModelError", code: "unknown-model" });
    if (typeof model !== "string")
      assert.throws(() => estimate(CHAT, SCENARIOS, { models: { agent: model } } as object), { code: "unknown-model" });
  }
});

test("run() accepts a single scenario and rejects other values", async () => {
  const options = { models, store: false } as const;
  const passed = (scenarios: unknown) => run(CHAT, scenarios as typeof SCENARIOS, options); // as plain JavaScript
  assert.equal((await passed(SCENARIOS[0])).results.length, 1);
  for (const scenarios of [undefined, null, "chat", 7, [null], ["chat"], [7], [undefined], [[]], {}])
    await assert.rejects(passed(scenarios), { name: "ScenarioError", code: "invalid-scenario" });
});

test("conversation() rejects wrong options", () => {
  const begun = (options: unknown) => () => conversation(CHAT, options as { models: typeof models }); // no types there
  for (const options of [undefined, {}, { models: {} }, { models: { agent: null } }])
    assert.throws(begun(options), { name: "EngineError", code: "missing-model" });
  for (const options of [null, "offline", { models: "offline" }])
    assert.throws(begun(options), { name: "EngineError", code: "invalid-option" });
  for (const wrong of [
    { turn: "unknown" },
    { steering: "some" },
    { requests: { tryTimeoutMs: 0 } },
    { limits: { budget: { turn: { modelCalls: -1 } } } },
    { budget: { turn: { modelCalls: 1 } } },
    { target: "retell" },
    { mocks: { find: "it" } },
    { mocks: [{ tool: "find" }] },
    { mocks: [{ tool_name: "find", input_match_rule: "any" }] },
    { requests: { prices: { "x/y": 3 } } },
    { clock: { startCall: 0 } },
    { listeners: { onToken: true } },
    { variable: { name: "Anna" } },
  ])
    assert.throws(begun({ models, ...wrong }), { name: "EngineError", code: "invalid-option" }, JSON.stringify(wrong));
});

test("hear() and steer() reject values that are not texts, and the call continues", async () => {
  const call = conversation(CHAT, { models });
  await call.open();
  const before = call.transcript.length;
  for (const words of [undefined, null, 7, ["Hi"], {}]) {
    const text = words as unknown as string; // as plain JavaScript passes it
    await assert.rejects(call.hear(text), { name: "EngineError", code: "invalid-option" });
    assert.throws(() => call.steer(text), { name: "EngineError", code: "invalid-option" });
  }
  assert.equal(call.transcript.length, before);
  assert.equal((await call.hear("Hi")).messages[0]?.content, "Hi");
});
