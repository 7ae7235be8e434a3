import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineError } from "../../../src/base/errors.ts";
import { getAt } from "../../../src/base/values/mod.ts";
import { type ConversationSnapshot, conversation } from "../../../src/call/engine/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";

const graph = parseGraph({
  nodes: {
    desk: { state_prompt: "Desk" },
    lounge: { state_prompt: "Lounge", global_node_setting: { condition: "c" } },
  },
  entry_node_id: "desk",
});

const message = (role: "user" | "assistant" | "tool" | "system") => ({
  role,
  content: "Hi",
  node_id: "desk",
  timestamp: "2026-03-01T09:00:00.000Z",
  metadata: {},
});
const toolCall = (outcome: "succeeded" | "failed") => ({
  name: "look",
  arguments: { id: 1 },
  result: null,
  outcome,
  durationMs: 3,
  nodeId: "desk",
  mocked: true,
});
const usage = { signature: "respond", model: "scripted", inputTokens: 1, outputTokens: 2, modelMs: 3 } as const;

/** A snapshot with every key, and every kind of entry in its lists. */
const FULL: ConversationSnapshot = {
  version: 1,
  opened: true,
  transcript: [message("user"), message("assistant"), message("tool"), message("system")],
  nodesVisited: ["desk", "lounge"],
  toolsCalled: [toolCall("succeeded"), toolCall("failed")],
  latency: [
    { turn: 0, nodeId: "desk", firstWordMs: 12.5, parts: { transition: 1, extraction: 2, tools: 3, reply: 6.5 } },
    { turn: 1, nodeId: "desk", firstWordMs: null },
  ],
  variables: { name: "Ann" },
  originators: ["desk"],
  nodeId: "lounge",
  enteredAt: 4,
  spokenHere: true,
  evaluated: [
    { transition: 0, clauses: [true] },
    { go_back: 1, clauses: [false] },
  ],
  steering: ["Be brief."],
  mocksUsed: [2],
  usage: [
    { ...usage, costUsd: 0.5 },
    { ...usage, signature: "transition", costUsd: undefined, failed: true },
  ],
  elapsedMs: 70,
  endReason: "failed",
  endDetail: "the model is down",
};

/** Goes on from a value, as a program does that has read it from a file. */
function goOn(from: unknown) {
  const mocks = [{ tool_name: "look" }];
  return Reflect.apply(conversation, undefined, [graph, { models: { agent: scripted({}) }, mocks, from }]);
}

/** A copy with another value at a path; `undefined` leaves the key out. */
function changed(path: readonly (string | number)[], value: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(FULL));
  const owner = getAt(copy, path.slice(0, -1).map(String));
  assert.ok(typeof owner === "object" && owner !== null);
  Reflect.set(owner, path.at(-1) ?? "", value);
  return JSON.parse(JSON.stringify(copy));
}

function errorOf(from: unknown): EngineError {
  try {
    goOn(from);
  } catch (error) {
    assert.ok(error instanceof EngineError);
    return error;
  }
  return assert.fail(`accepted: ${JSON.stringify(from)}`);
}

/** The paths of a value, with those of its lists and objects. */
function pathsOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Array.isArray(value)
    ? value.flatMap((each: unknown, index) => pathsOf(each, [...path, index]))
    : Object.entries(value).flatMap(([name, each]) => pathsOf(each, [...path, name]));
  return path.length > 0 ? [path, ...inner] : inner;
}

/** Keys whose values belong to the user, and those that may be absent or `null`. */
const FREE = /^(?:toolsCalled\.\d\.(?:arguments\.id|result)|transcript\.\d\.metadata\..*)$/;
const OPTIONAL = /^(?:latency|endReason|endDetail|latency\.\d\.parts|usage\.\d\.(?:costUsd|failed))$/;

test("a call goes on from a snapshot with every key as it is in JSON", () => {
  const call = goOn(JSON.parse(JSON.stringify(FULL)));
  const { fingerprint, elapsedMs, ...rest } = call.snapshot();
  const { elapsedMs: before, ...given } = FULL;
  assert.deepEqual(rest, given);
  assert.ok(elapsedMs >= before && fingerprint !== undefined);
  assert.deepEqual(goOn({ ...FULL, fingerprint }).transcript, FULL.transcript);
  assert.deepEqual([call.ended, call.endDetail], [true, "the model is down"]);
});

test("every value of a snapshot is checked, and the error names its path", () => {
  for (const path of pathsOf(FULL).filter((each) => !FREE.test(each.join(".")))) {
    const value = getAt(FULL, path.map(String));
    const wrong = typeof value === "string" ? [5] : typeof value === "object" && value ? ["wrong", 5] : ["wrong"];
    for (const each of wrong) {
      const error = errorOf(changed(path, each));
      assert.equal(error.code, "not-a-snapshot", path.join("."));
      // a list of alternatives names the entry in which none fits
      assert.ok(
        `from.${path.join(".")}`.startsWith(error.path.join(".")),
        `${path.join(".")}: ${error.path.join(".")}`,
      );
      assert.ok(error.path.length >= Math.min(path.length, 3), path.join("."));
    }
  }
});

test("a snapshot needs each of its keys, besides a few", () => {
  for (const path of pathsOf(FULL).filter((each) => typeof each.at(-1) === "string" && !FREE.test(each.join(".")))) {
    const name = path.join(".");
    if (OPTIONAL.test(name)) goOn(changed(path, undefined));
    else if (name !== "variables.name") assert.equal(errorOf(changed(path, undefined)).code, "not-a-snapshot", name);
  }
  assert.deepEqual(goOn(changed(["latency"], undefined)).latency, []);
});

test("a snapshot has no other words where a few are known, and no counts below zero or with a fraction", () => {
  for (const path of [
    ["version"],
    ["enteredAt"],
    ["mocksUsed", 0],
    ["latency", 0, "turn"],
    ["evaluated", 1, "go_back"],
  ])
    for (const wrong of [-1, 1.5]) assert.equal(errorOf(changed(path, wrong)).code, "not-a-snapshot", path.join("."));
  for (const [path, wrong] of [
    [["transcript", 0, "role"], "caller"],
    [["toolsCalled", 0, "outcome"], "done"],
    [["usage", 0, "signature"], "greet"],
    [["usage", 1, "failed"], false],
    [["endReason"], "tired"],
    [["variables"], ["Ann"]],
    [["variables", "name"], true],
    [["variables", "age"], 5],
  ] as const)
    assert.equal(errorOf(changed(path, wrong)).code, "not-a-snapshot", path.join("."));
});

test("the error of a snapshot says what is wrong, and where", () => {
  const not = { code: "not-a-snapshot", hint: "Pass the result of snapshot(), or its parsed JSON" };
  const mismatch = { code: "snapshot-mismatch" };
  const hint = "Choose a node of the graph";
  for (const [from, error] of [
    ["x.json", { ...not, path: ["from"], message: 'the snapshot is "x.json"' }],
    [
      changed(["transcript", 1, "metadata"], 5),
      {
        ...not,
        path: ["from", "transcript", 1, "metadata"],
        message: '"from.transcript.1.metadata": Invalid type: Expected Object',
      },
    ],
    [
      changed(["variables"], 5),
      { ...not, path: ["from", "variables"], message: '"from.variables": Invalid type: Expected an object of texts' },
    ],
    [
      changed(["enteredAt"], 5),
      { ...not, path: ["from", "enteredAt"], message: '"from.enteredAt" is 5, but the transcript ends at 4' },
    ],
    [
      changed(["fingerprint"], "another"),
      { ...mismatch, path: ["from", "fingerprint"], message: "the snapshot is of another graph" },
    ],
    [
      changed(["nodeId"], "garden"),
      { ...mismatch, path: ["from", "nodeId"], message: 'node "garden" is not in the graph', hint },
    ],
    [
      changed(["originators", 0], "dest"),
      {
        ...mismatch,
        path: ["from", "originators", 0],
        message: 'node "dest" is not in the graph',
        hint: 'Did you mean "desk"?',
      },
    ],
  ] as const) {
    const { code, path, message: words, hint: advice } = errorOf(from);
    const full = `Cannot continue the call: ${error.message}`;
    assert.deepEqual({ code, path, message: words }, { code: error.code, path: error.path, message: full });
    if ("hint" in error) assert.equal(advice, error.hint);
  }
});
