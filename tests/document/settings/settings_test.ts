import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { optionIssues } from "../../../src/base/values/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import {
  AUDIO_SETTINGS,
  CALL_SETTINGS,
  choiceOf,
  isOfKind,
  KIND,
  needsOf,
  RECORDING_SETTINGS,
  REPLAY_SETTINGS,
  ruleOf,
  type Setting,
  settingKey,
  settingsSchema,
  TURN_MODES,
} from "../../../src/document/settings/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { CASE, callweave, folder, GRAPH } from "../../surface/cli/_terminal.ts";

const ALL: { readonly [name: string]: Setting } = {
  ...CALL_SETTINGS,
  ...AUDIO_SETTINGS,
  ...RECORDING_SETTINGS,
  ...REPLAY_SETTINGS,
};

/** Values at the bounds of a kind, and just beyond them. */
const VALUES = [-1, 0, 1e-9, 0.5, 1, 1.5, 2, 100, 86_400, 86_401, Number.NaN, Number.POSITIVE_INFINITY];
const OTHERS = ["", "auto", "split", "both", true, null, [], {}];

test("a kind says what it needs, and accepts nothing else", () => {
  assert.equal(needsOf(KIND.count), "a whole number from 1");
  assert.equal(needsOf(KIND.share), "a number from 0 to 1");
  assert.equal(needsOf(KIND.threshold), "a number greater than 0 and at most 1");
  assert.equal(needsOf({ ...KIND.count, or: "auto" }), 'a whole number from 1, or "auto"');
  assert.equal(needsOf(choiceOf(["a", "b"])), '"a" or "b"');
  assert.deepEqual(
    VALUES.filter((value) => isOfKind(value, KIND.count)),
    [1, 2, 100, 86_400, 86_401],
  );
  assert.deepEqual(
    VALUES.filter((value) => isOfKind(value, KIND.threshold)),
    [1e-9, 0.5, 1],
  );
  assert.deepEqual(
    VALUES.filter((value) => isOfKind(value, KIND.seconds)),
    [1e-9, 0.5, 1, 1.5, 2, 100, 86_400],
  );
  assert.deepEqual(
    OTHERS.filter((value) => isOfKind(value, KIND.count)),
    [],
  );
});

test("the schema of a document and the rule of an option accept the same values of every setting", () => {
  for (const [name, setting] of Object.entries(ALL)) {
    const schema = settingsSchema({ [name]: setting });
    const { accepts } = ruleOf(setting);
    for (const value of [...VALUES, ...OTHERS]) {
      if (setting.repeats && Array.isArray(value)) continue;
      const isValid = v.is(schema, { [settingKey(name)]: value });
      assert.equal(isValid, accepts(value), `${name}: ${String(value)}`);
    }
  }
});

test("flags, the configuration and options of run() refuse a value that one of them refuses", async () => {
  const path = folder({ "agent.json": GRAPH, "tests.json": [CASE] });
  const bad: readonly (readonly [string, unknown, object])[] = [
    ["turn", "fast", { turn: "fast" }],
    ["audit", "no", { audit: "no" }],
    ["repeat", 0, { repeat: 0 }],
    ["max-turns", 1.5, { limits: { maxTurns: 1.5 } }],
    ["rpm", 0, { requests: { perMinute: 0 } }],
    ["concurrency", 0, { concurrency: 0 }],
  ];
  for (const [name, value, options] of bad) {
    const flagged = await callweave(["run", "agent.json", "--tests", "tests.json", `--${name}`, String(value)], {
      cwd: path,
    });
    assert.match(flagged.err, new RegExp(`^error\\[usage\\] .*--${name} is`), name);
    const own = folder({
      "agent.json": GRAPH,
      "callweave.config.json": { source: "agent.json", run: { [settingKey(name)]: value } },
    });
    const configured = await callweave(["run"], { cwd: own });
    assert.match(configured.err, new RegExp(`^error\\[invalid-config\\] .*"run\\.${settingKey(name)}"`), name);
    assert.equal(configured.code, 2);
    await assert.rejects(run(parseGraph(GRAPH), [], { store: false, ...(options as object) }), {
      code: "invalid-option",
    });
  }
});

test("the configuration takes numbers for every flag with a number, and names the bound that a value breaks", async () => {
  const numbers = Object.fromEntries(
    Object.entries(CALL_SETTINGS).flatMap(([name, setting]: readonly [string, Setting]) =>
      setting.kind?.type === "number" ? [[settingKey(name), 1]] : [],
    ),
  );
  assert.ok(Object.hasOwn(numbers, "min_pass_rate") && Object.hasOwn(numbers, "budget_usd"));
  const config = { source: "agent.json", tests: "tests.json", run: { ...numbers, db: ":memory:" } };
  const files = { "agent.json": GRAPH, "tests.json": [CASE] };
  const ran = await callweave(["run"], { cwd: folder({ ...files, "callweave.config.json": config }) });
  assert.doesNotMatch(ran.err, /invalid-config|usage/);
  const wrong = { ...config, run: { threshold: 0 } };
  const refused = await callweave(["run"], { cwd: folder({ ...files, "callweave.config.json": wrong }) });
  assert.match(refused.err, /"run\.threshold" is 0 .*Change it to a number greater than 0 and at most 1/);
});

test("an unlimited option takes Infinity, which a document cannot hold", () => {
  const rules = { maxTurns: ruleOf(CALL_SETTINGS["max-turns"], { unlimited: true }), turn: ruleOf(CALL_SETTINGS.turn) };
  assert.deepEqual(optionIssues({ maxTurns: Number.POSITIVE_INFINITY }, rules), []);
  assert.deepEqual(
    optionIssues({ turn: "fast", maxTurns: 0 }, rules).map(({ hint }) => hint),
    ["Pass a whole number from 1", `Pass ${TURN_MODES.map((mode) => `"${mode}"`).join(" or ")}`],
  );
});
