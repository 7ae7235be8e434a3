import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineError } from "../../../src/base/errors.ts";
import { conversation } from "../../../src/call/engine/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";

const graph = parseGraph({ nodes: { a: { state_prompt: "A" } }, entry_node_id: "a" });
const agent = scripted({});
const nothing = () => {};

/** Starts a call as plain JavaScript may do it. */
const start = (options: unknown) => Reflect.apply(conversation, undefined, [graph, options]);

/** Asserts that a call does not start, because of one option. */
function assertRefused(options: object, path: string, hint: string, message?: string): void {
  assert.throws(
    () => start({ models: { agent }, ...options }),
    (error) => {
      assert.ok(error instanceof EngineError, path);
      assert.deepEqual([error.code, error.path.join("."), error.hint], ["invalid-option", path, hint]);
      assert.ok(error.message.startsWith("Cannot start a call: "), error.message);
      if (message !== undefined) assert.equal(error.message, `Cannot start a call: ${message}`);
      return true;
    },
    path,
  );
}

/** An object with a value at a path: `{ limits: { maxTurns: 0 } }`. */
const at = (path: string, value: unknown): object =>
  path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object; // a path has a name

test("conversation() takes every option that is documented", () => {
  const limits = { modelCalls: 0, tokens: 0, costUsd: 0, wallMs: 0 };
  const match = { type: "partial_match", args: { id: 1 } };
  start({
    models: { agent, caller: agent, judge: agent },
    variables: { name: "Ann" },
    tools: { look: nothing, gone: undefined },
    liveTools: { hosts: ["tools.example"], maxBytes: 1 },
    limits: { maxTurns: 1, turnTimeoutMs: 1, toolTimeoutMs: 1, budget: { call: limits, turn: limits } },
    requests: {
      tryTimeoutMs: 1,
      retry: { retries: 0, timeoutRetries: 0, minDelayMs: 0, maxDelayMs: 0 },
      around: (call: unknown) => call,
      within: [],
      stream: true,
      telemetry: { settings: nothing },
      prices: { "scripted/test": { input: 0, output: 0 }, scripted: { input: 0, output: 0 } },
    },
    turn: "fused",
    clock: { now: () => new Date() },
    signal: new AbortController().signal,
    mocks: [{ tool_name: "look" }, { tool_name: "look", input_match_rule: match }],
    recordedTools: { answer: nothing, transfer: nothing, unmatched: "mocks" },
    steering: "one",
    listeners: { onToken: nothing, onMessage: nothing, onTool: nothing, onRetry: nothing },
    from: undefined,
  });
});

for (const [path, hint, ...values] of [
  ["variables", "Pass an object", [], "name"],
  ["tools", "Pass an object with a function per tool name", [], { look: "found" }],
  ["liveTools", 'Pass an object such as { hosts: ["api.example.com"] }', {}, [], "tools.example"],
  ["liveTools.hosts", "Pass a list of texts", "tools.example", [1]],
  ["limits.maxTurns", "Pass a whole number from 1", 0, 1.5],
  ["limits.turnTimeoutMs", "Pass a number of milliseconds above 0, at most 2147483647", 0],
  ["limits.toolTimeoutMs", "Pass a number of milliseconds above 0, at most 2147483647", 2 ** 31],
  ...(["call", "turn"] as const).flatMap((scope) =>
    ["modelCalls", "tokens", "costUsd", "wallMs"].map(
      (name) => [`limits.budget.${scope}.${name}`, "Pass a number from 0", -1] as const,
    ),
  ),
  ["requests.tryTimeoutMs", "Pass a number of milliseconds above 0, at most 2147483647", 0],
  ["requests.retry.retries", "Pass a whole number from 0", -1],
  ["requests.retry.timeoutRetries", "Pass a whole number from 0", 0.5],
  ["requests.retry.minDelayMs", "Pass a number from 0", -1],
  ["requests.retry.maxDelayMs", "Pass a number from 0", "1"],
  ["requests.around", "Pass a function", {}],
  ["requests.within", "Pass a list", nothing],
  ["requests.stream", "Pass true or false", 1],
  ["requests.telemetry", "Pass the value that run() sets from its option telemetry", true, {}],
  [
    "requests.prices",
    "Pass an object with { input, output } in dollars for a million tokens by model",
    { model: 3 },
    { model: { input: 1 } },
    { model: { output: 1 } },
  ],
  ["turn", 'Pass "split" or "speculative" or "fused"', "whole"],
  ["clock.now", "Pass a function", new Date(0)],
  ["clock.startCall", "Pass a function", {}],
  ["signal", "Pass an AbortSignal", {}],
  [
    "mocks",
    'Pass a list of mocks, each with at least { tool_name: "…" }',
    { tool_name: "look" },
    [{ tool_name: "look" }, { name: "look" }],
    [null],
    [{ tool_name: "look", input_match_rule: { type: "exact" } }],
    [{ tool_name: "look", input_match_rule: { type: "partial_match", args: [] } }],
    [{ tool_name: "look", input_match_rule: { args: {} } }],
    [{ tool_name: "look", input_match_rule: "any" }],
  ],
  ["recordedTools", "Pass an object with answer() and transfer()", { answer: nothing }, { transfer: nothing }, 1],
  ["steering", 'Pass "one" or "all"', "some"],
  ...["onToken", "onMessage", "onTool", "onRetry"].map(
    (name) => [`listeners.${name}`, "Pass a function", "log"] as const,
  ),
] as const)
  test(`conversation() refuses a wrong value of ${path}`, () => {
    for (const value of values) assertRefused(at(path, value), path, hint);
  });

test("conversation() refuses a wrong limit of bytes for live tools", () => {
  const liveTools = { hosts: ["tools.example"], maxBytes: 0 };
  assertRefused({ liveTools }, "liveTools.maxBytes", "Pass a whole number from 1");
});

test("conversation() needs a model for the agent", () => {
  const missing = { code: "missing-model", path: ["models", "agent"] };
  const message = "Cannot start a call: there is no model for the agent";
  for (const options of [{}, { models: {} }, { models: { agent: undefined } }])
    assert.throws(() => start(options), { ...missing, message });
});
