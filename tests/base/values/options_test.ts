import assert from "node:assert/strict";
import { test } from "node:test";
import { ScenarioError } from "../../../src/base/errors.ts";
import { checkOptions, groupOf, OPTION, oneOf, optionIssues, recordOf, shown } from "../../../src/base/values/mod.ts";

test("each kind of option accepts its values, and no others", () => {
  const signal = new AbortController().signal;
  const most = 2 ** 31 - 1;
  const cases: {
    readonly [kind in keyof typeof OPTION]: readonly [good: readonly unknown[], bad: readonly unknown[]];
  } = {
    text: [
      ["", "a"],
      [1, null],
    ],
    list: [
      [[], [1]],
      [{}, "a"],
    ],
    texts: [
      [[], ["a"]],
      [[1], ["a", 1], "a"],
    ],
    object: [
      [{}, { a: 1 }],
      [[], null, "a"],
    ],
    switch: [
      [true, false],
      ["true", 1],
    ],
    function: [[() => {}], [{}]],
    count: [
      [1, 7, Number.POSITIVE_INFINITY],
      [0, 1.5, -1, "1", Number.NaN],
    ],
    countFromZero: [
      [0, 7, Number.POSITIVE_INFINITY],
      [0.5, -1, "0"],
    ],
    fromZero: [
      [0, 0.5],
      [-0.1, "0", Number.NaN],
    ],
    number: [
      [0, -1.5],
      ["0", null],
    ],
    milliseconds: [
      [0.5, most],
      [0, -1, most + 1, "1", Number.POSITIVE_INFINITY],
    ],
    signal: [[signal], [{}, { aborted: false }]],
  };
  for (const [kind, [good, bad]] of Object.entries(cases)) {
    const { accepts } = Object.entries(OPTION).find(([name]) => name === kind)?.[1] ?? assert.fail(kind);
    for (const value of good) assert.ok(accepts(value), `${kind}: ${String(value)}`);
    for (const value of bad) assert.ok(!accepts(value), `${kind}: ${String(value)}`);
  }
  const counts = recordOf(OPTION.count, "counts by name");
  assert.deepEqual([{ a: 1 }, {}, { a: 0 }, { a: 1, b: "c" }, []].map(counts.accepts), [
    true,
    true,
    false,
    false,
    false,
  ]);
  const either = oneOf("fast", "slow");
  assert.deepEqual([either.needs, either.accepts("slow"), either.accepts("slower")], ['"fast" or "slow"', true, false]);
});

const RULES = { speed: oneOf("fast", "slow"), calls: groupOf({ timeoutMs: OPTION.milliseconds, most: OPTION.count }) };

/** The paths of the issues of options, with their hints. */
const issues = (options: unknown, ...more: readonly [at?: (string | number)[], open?: boolean]) =>
  optionIssues(options, RULES, ...more).map(({ path, message, hint }) => `${path.join(".")}: ${message}. ${hint}`);

test("all wrong options are reported at once, with what each should be", () => {
  assert.deepEqual(issues(undefined), []);
  assert.deepEqual(issues({ speed: "fast", calls: { most: 2 }, other: undefined }), []);
  assert.deepEqual(issues({ speed: 7, calls: { timeoutMs: 0, most: 2 } }), [
    'speed: "speed" is 7. Pass "fast" or "slow"',
    `calls.timeoutMs: "calls.timeoutMs" is 0. Pass a number of milliseconds above 0, at most ${2 ** 31 - 1}`,
  ]);
  assert.deepEqual(issues({ calls: 7 }), ['calls: "calls" is 7. Pass an object with timeoutMs, most']);
  assert.deepEqual(issues("fast"), [': the options are "fast". Pass an object with speed, calls']);
  assert.deepEqual(issues(null, ["a", 0]), ['a.0: "a.0" is null. Pass an object with speed, calls']);
});

test("unknown options are reported: misspelled ones always, others unless the object is open", () => {
  const speling = 'sped: the option "sped" is unknown. Did you mean "speed"?';
  assert.deepEqual(issues({ sped: "fast", another: 1 }), [speling]);
  assert.deepEqual(issues({ another: 1 }, [], false), [
    'another: the option "another" is unknown. Use one of speed, calls',
  ]);
  assert.deepEqual(issues({ calls: { another: 1 } }), [
    'calls.another: the option "calls.another" is unknown. Use one of timeoutMs, most',
  ]);
  assert.deepEqual(issues({ another: 1 }, ["group"]), [
    'group.another: the option "group.another" is unknown. Use one of speed, calls',
  ]);
});

test("checkOptions() throws the issues as one error", () => {
  assert.doesNotThrow(() => checkOptions({ speed: "slow" }, RULES, ScenarioError, "Cannot run"));
  assert.throws(() => checkOptions({ speed: 1, sped: 2 }, RULES, ScenarioError, "Cannot run"), {
    name: "ScenarioError",
    code: "invalid-option",
    path: ["speed"],
    message: 'Cannot run: "speed" is 1 (and 1 more)',
  });
});

test("values are named in messages: short texts and numbers as they are, others by their kind", () => {
  const flow = { compile: () => ({}) };
  const values = ["a", "x".repeat(61), 1.5, true, null, undefined, 7n, [1], () => {}, Symbol("s"), {}, flow];
  assert.deepEqual(values.map(shown), [
    ...['"a"', `"${"x".repeat(60)}…"`, "1.5", "true", "null", "undefined", "7n", "a list", "a function", "a symbol"],
    ...["an object", "a flow that is not compiled"],
  ]);
});
