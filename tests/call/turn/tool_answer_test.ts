import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answerToolCall,
  Mocks,
  type RecordedTools,
  type ToolSources,
  valueAtJsonPath,
} from "../../../src/call/turn/mod.ts";
import { checkArguments } from "../../../src/call/turn/tool_answer.ts";
import type { ToolMock } from "../../../src/document/scenario/mod.ts";
import { TestClock } from "../../test_clock.ts";

const answer = (output: unknown, more: Partial<ToolMock> = {}): ToolMock => ({
  tool_name: "lookup",
  input_match_rule: { type: "any" },
  output,
  result: true,
  ...more,
});

const sources = (mocks: readonly ToolMock[], more: Partial<ToolSources> = {}): ToolSources => ({
  mocks: new Mocks(mocks),
  implementations: {},
  ...more,
});

const lookup = { name: "lookup" };

test("a mock answers with text, JSON text and JSON values", async () => {
  for (const [output, result] of [
    ["open", "open"],
    ['{"a":1}', { a: 1 }],
    [{ a: 1 }, { a: 1 }],
    [["1"], ["1"]],
  ]) {
    assert.deepEqual(await answerToolCall(lookup, {}, sources([answer(output)])), {
      outcome: "succeeded",
      result,
      mocked: true,
    });
  }
});

test("a mock without a result succeeds", async () => {
  const { result: _, ...silent } = answer("open");
  // a test case of Retell's, passed on as it is
  const given = sources([silent as ToolMock]);
  assert.equal((await answerToolCall(lookup, {}, given)).outcome, "succeeded");
  assert.equal((await answerToolCall(lookup, {}, sources([answer("shut", { result: false })]))).outcome, "failed");
});

test("a mock with arguments answers calls with at least these", async () => {
  const rule = { type: "partial_match" as const, args: { id: 7, who: { name: "Ann" } } };
  const given = sources([answer("seven", { input_match_rule: rule }), answer("any")]);
  const ask = async (args: Record<string, unknown>) => (await answerToolCall(lookup, args, given)).result;
  assert.equal(await ask({ id: "7", who: { name: "Ann", age: 3 }, more: true }), "seven");
  assert.equal(await ask({ id: "7", who: { name: "Bob" } }), "any");
  assert.equal(await ask({}), "any");
});

test("mocks with a number of times answer in order", async () => {
  const given = sources([answer("first", { times: 1 }), answer("second", { times: 2 }), answer("rest")]);
  const results = [];
  for (let i = 0; i < 5; i++) results.push((await answerToolCall(lookup, {}, given)).result);
  assert.deepEqual(results, ["first", "second", "second", "rest", "rest"]);
});

test("a slow mock times out", async () => {
  const clock = new TestClock();
  const given = sources([answer("late", { delay_ms: 60_000 })], { limits: { toolTimeoutMs: 20 }, timers: clock });
  const answering = answerToolCall(lookup, {}, given);
  clock.advance(20);
  assert.deepEqual(await answering, {
    outcome: "failed",
    result: "it did not answer in time",
    mocked: true,
  });
});

test("a tool without mock, function or URL fails with a hint", async () => {
  const { outcome, result } = await answerToolCall({ name: "toString" }, {}, sources([]));
  assert.equal(outcome, "failed");
  assert.match(String(result), /it has no mock, no function and no allowed URL.*Mock "toString"/);
});

test("arguments are validated against the JSON Schema before the function runs", async () => {
  let seen = 0;
  const tool = {
    name: "lookup",
    parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  };
  const given = sources([], { implementations: { lookup: () => ++seen } });
  const { outcome, result } = await answerToolCall(tool, { id: 7 }, given);
  assert.deepEqual([outcome, seen], ["failed", 0]);
  assert.match(String(result), /id must be string/);
  assert.equal((await answerToolCall(tool, { id: "7" }, given)).outcome, "succeeded");
});

test("a function that throws or never ends becomes a short failure", async () => {
  const thrown = sources([], { implementations: { lookup: () => Promise.reject(new Error("database is down")) } });
  const failed = { outcome: "failed", result: "database is down", mocked: false };
  assert.deepEqual(await answerToolCall(lookup, {}, thrown), failed);
  const longest = sources([], { implementations: { lookup: () => Promise.reject(new Error("x".repeat(500))) } });
  assert.equal((await answerToolCall(lookup, {}, longest)).result, "x".repeat(500));
  const long = sources([], {
    implementations: { lookup: () => Promise.reject(new Error(`no: ${"x".repeat(9_000)}`)) },
  });
  assert.match(String((await answerToolCall(lookup, {}, long)).result), /^no: x{496}…$/);
  const clock = new TestClock();
  let given: AbortSignal | undefined;
  const implementations = {
    lookup: (_args: unknown, options?: { readonly signal?: AbortSignal | undefined }) => {
      given = options?.signal;
      return new Promise(() => {});
    },
  };
  const hung = answerToolCall(
    lookup,
    {},
    sources([], { implementations, limits: { toolTimeoutMs: 20 }, timers: clock }),
  );
  clock.advance(20);
  assert.equal((await hung).result, "it did not answer in time");
  assert.equal(given?.aborted, true);
});

test("an abort of the call is thrown and not shown to the model", async () => {
  const controller = new AbortController();
  const given = sources([answer("x", { delay_ms: 60_000 })], { signal: controller.signal });
  const answering = answerToolCall(lookup, {}, given);
  controller.abort();
  const message = 'Cannot finish tool "lookup": the call was aborted';
  await assert.rejects(answering, { code: "aborted", path: ["lookup"], message });
});

test("valueAt() reads JSON paths and ignores inherited keys", () => {
  const value = { order: { items: [{ status: "shipped" }], "a-b": 1 } };
  assert.equal(valueAtJsonPath(value, "$.order.items[0].status"), "shipped");
  assert.equal(valueAtJsonPath(value, "order['a-b']"), 1);
  assert.equal(valueAtJsonPath(value, "$.order.constructor"), undefined);
  assert.equal(valueAtJsonPath(value, "$.order.items[3].status"), undefined);
  assert.equal(valueAtJsonPath(value, "$"), value);
});

test("a tool is not called after the call is aborted, and cannot delay it", async () => {
  let called = 0;
  const hang = () => {
    called += 1;
    return new Promise(() => {});
  };
  const given = sources([], { implementations: { lookup: hang }, signal: AbortSignal.abort() });
  await assert.rejects(answerToolCall(lookup, {}, given), { code: "aborted" });
  assert.equal(called, 0);
});

test("parameters in another JSON Schema dialect are validated too", async () => {
  const parameters = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { id: { type: "string" } },
    required: ["id"],
  };
  const given = sources([], { implementations: { lookup: () => "found" } });
  assert.equal((await answerToolCall({ ...lookup, parameters }, { id: "7" }, given)).result, "found");
  assert.match(String((await answerToolCall({ ...lookup, parameters }, {}, given)).result), /required property/);
});

test("parameters without properties of their own are validated too", async () => {
  const parameters = { type: "object", anyOf: [{ required: ["id"] }, { required: ["name"] }] };
  const given = sources([], { implementations: { lookup: () => "found" } });
  assert.equal((await answerToolCall({ ...lookup, parameters }, { name: "Ann" }, given)).result, "found");
  assert.match(String((await answerToolCall({ ...lookup, parameters }, {}, given)).result), /required property 'id'/);
});

test("a result is kept as JSON, and a result that JSON cannot represent is a failure", async () => {
  const circle: { me?: unknown } = {};
  circle.me = circle;
  for (const none of [circle, { big: 1n }]) {
    const { outcome, result } = await answerToolCall(
      lookup,
      {},
      sources([], { implementations: { lookup: () => none } }),
    );
    assert.equal(outcome, "failed");
    assert.match(String(result), /JSON cannot represent it/);
  }
  const shared = { at: new Date(0), nothing: undefined };
  const given = sources([], { implementations: { lookup: () => shared } });
  const first = await answerToolCall(lookup, {}, given);
  shared.at.setTime(1);
  assert.deepEqual(first.result, { at: "1970-01-01T00:00:00.000Z" });
  const nothing = sources([], { implementations: { lookup: () => () => 1 } });
  assert.equal((await answerToolCall(lookup, {}, nothing)).result, null);
});

test("a function may change its arguments without side effects", async () => {
  const args = { id: 7, who: { name: "Ann" } };
  const rude = (given: Record<string, unknown>) => {
    given.id = 8;
    Object.assign(given.who ?? {}, { name: "Bob" });
  };
  await answerToolCall(lookup, args, sources([], { implementations: { lookup: rude } }));
  assert.deepEqual(args, { id: 7, who: { name: "Ann" } });
});

test("a truncated failure message does not show part of a key", async () => {
  process.env.CANARY_API_KEY = "canary-7f3a9c51d2";
  try {
    const fail = () => Promise.reject(new Error(`${"x".repeat(490)} canary-7f3a9c51d2`));
    const { result } = await answerToolCall(lookup, {}, sources([], { implementations: { lookup: fail } }));
    assert.match(String(result), /xxx \[CANARY_A…$/);
  } finally {
    delete process.env.CANARY_API_KEY;
  }
});

test("the schema of a tool's arguments is compiled once, not for each call", async () => {
  let read = 0;
  const parameters = {
    type: "object",
    get properties() {
      read += 1;
      return { day: { type: "string" } };
    },
  };
  const implementations = { lookup: () => "free" };
  for (const day of ["Monday", "Friday"]) {
    const { outcome } = await answerToolCall({ name: "lookup", parameters }, { day }, sources([], { implementations }));
    assert.equal(outcome, "succeeded");
  }
  assert.equal(read, 1);
});

test("a recorded tool answers first; other calls go to mocks only, fail, or run as in a run", async () => {
  const rerun = { mocks: new Mocks([answer("mocked", { tool_name: "mocked" })]), live: { hosts: ["127.0.0.1"] } };
  const given = { ...rerun, implementations: { lookup: () => "called", own: () => "called" } };
  const kept = { outcome: "failed", result: "no such order", mocked: false } as const;
  const ask = async (name: string, unmatched: RecordedTools["unmatched"]) => {
    const recorded = {
      answer: (asked: string) => (asked === "lookup" ? kept : undefined),
      transfer: () => undefined,
      unmatched,
    };
    // port 0 refuses every request
    return (await answerToolCall({ name, url: "http://127.0.0.1:0/" }, {}, { ...given, recorded })).result;
  };
  for (const unmatched of ["mocks", "fail", "run"] as const) assert.equal(await ask("lookup", unmatched), kept.result);
  const missing = (name: string) =>
    `Cannot call tool "${name}": the recording has no unused result for it, and no mock matches`;
  const hint = (name: string) =>
    ` (Mock "${name}" in the scenario, or let its function answer with unmatchedTools: "run")`;
  for (const [name, unmatched, result] of [
    ["mocked", "mocks", "mocked"],
    ["mocked", "run", "mocked"],
    ["own", "run", "called"],
    ["mocked", "fail", missing("mocked") + hint("mocked")],
    ["own", "mocks", missing("own") + hint("own")],
    ["remote", "mocks", missing("remote") + hint("remote")],
  ] as const)
    assert.equal(await ask(name, unmatched), result, `${name}, ${unmatched}`);
  assert.doesNotMatch(String(await ask("remote", "run")), /the recording has no unused result for it/);
});

test("checkArguments() throws an error that names the tool", async () => {
  const tool = { name: "lookup", parameters: { required: ["id"] } };
  await assert.rejects(checkArguments(tool, {}), { code: "tool-arguments", path: ["lookup"] });
});
