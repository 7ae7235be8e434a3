import assert from "node:assert/strict";
import { test } from "node:test";
import { turnOf, variablesAt } from "../../../../src/surface/studio/page/browser/parts/call_facts.ts";
import { channelPeaks } from "../../../../src/surface/studio/page/browser/parts/peaks.ts";
import { nextState, type TalkState } from "../../../../src/surface/studio/page/browser/parts/talk_state.ts";
import { otherVariables, twoTurns } from "../../../../src/surface/studio/page/browser/parts/two_turns.ts";

test("channelPeaks() gives the loudest sample of each column, the loudest of all being 1", () => {
  assert.deepEqual(channelPeaks(new Float32Array([0.25, -0.5, 0, 0.125]), 2), [1, 0.25]);
  assert.deepEqual(channelPeaks(new Float32Array([0, 0]), 2), [0, 0]);
  assert.deepEqual(channelPeaks(new Float32Array([0.5]), 0), []);
  assert.equal(channelPeaks(new Float32Array([0.5]), 3).length, 3);
});

test("variablesAt() has the values after a step, and those that it changed", () => {
  const call = {
    startVariables: { plan: "basic" },
    steps: [
      { message: 2, changes: [{ name: "topic", value: "order" }] },
      { message: 5, changes: [{ name: "plan", value: "gold" }] },
    ],
  };
  assert.deepEqual(variablesAt(call, 1), [{ name: "plan", value: "basic", isNew: false }]);
  assert.deepEqual(variablesAt(call, 2), [
    { name: "plan", value: "basic", isNew: false },
    { name: "topic", value: "order", isNew: true },
  ]);
  assert.deepEqual(variablesAt(call, 5), [
    { name: "plan", value: "gold", isNew: true },
    { name: "topic", value: "order", isNew: false },
  ]);
});

test("turnOf() counts the caller's turns; what comes before the first is the opening", () => {
  const lines = (["agent", "caller", "agent", "note", "caller"] as const).map((kind) => ({
    kind,
    text: "",
    node: 0,
    ms: 0,
  }));
  assert.deepEqual(
    lines.map((_, index) => turnOf(lines, index)),
    [0, 1, 1, 1, 2],
  );
});

const chat = {
  id: "c",
  agent: "a",
  model: "m",
  offline: false,
  connection: null,
  node: "n",
  transcript: [],
  nodesVisited: [],
  variables: {},
  endReason: null,
  steps: [],
};
const state: TalkState = { chat, sent: "Hi", reply: "", news: [] };

test("nextState() streams a reply, and drops what a retry asks for again", () => {
  const one = nextState(state, { type: "token", text: "Hel" });
  const two = nextState(one, { type: "token", text: "lo" });
  assert.deepEqual([two.reply, two.sent], ["Hello", "Hi"]);
  assert.equal(nextState(two, { type: "retry" }).reply, "");
});

test("nextState() takes the chat of a turn that is over, and keeps the old one after an error", () => {
  const coming = { ...state, reply: "Hel", news: ["→ next"] };
  const after = { ...chat, node: "next" };
  assert.deepEqual(nextState(coming, { type: "turn", chat: after }), { chat: after, reply: "", news: [] });
  const failed = nextState(coming, { type: "error", code: "timeout", message: "Cannot answer", hint: "Try again" });
  assert.deepEqual(
    [failed.chat, failed.reply, failed.sent, failed.error?.message],
    [chat, "", undefined, "Cannot answer"],
  );
});

test("twoTurns() faces two calls turn by turn, and marks another node, tool call or value", () => {
  const said = (role: "user" | "assistant" | "tool", content: string, node: string, metadata = {}) => ({
    ...{ role, content, node_id: node, timestamp: "2026-01-05T10:00:00.000Z", metadata },
  });
  const call = (number: string) =>
    said("tool", "look_up", "ask", { kind: "tool_call", name: "look_up", arguments: { number } });
  const found = (name: string) => said("tool", "name", "ask", { kind: "extraction", variables: { name } });
  const opening = [said("assistant", "Hello", "greet")];
  const one = [...opening, said("user", "A-1", "greet"), call("A-1"), found("Ada"), said("assistant", "Fine", "ask")];
  const differs = (other: typeof one) => twoTurns(one, other).map((turn) => turn.differs);
  const words = [...opening, said("user", "A-1", "greet"), call("A-1"), found("Ada"), said("assistant", "Well", "ask")];
  assert.deepEqual(differs(words), [[], []], "other words are no difference");
  assert.deepEqual(differs([...opening, said("user", "A-1", "greet"), call("A-2"), found("Ada")]), [[], ["tool"]]);
  assert.deepEqual(differs([...opening, said("user", "A-1", "greet"), call("A-1"), found("Bob")]), [[], ["variable"]]);
  assert.deepEqual(differs([...words.slice(0, -1), said("assistant", "Bye", "end")]), [[], ["node"]]);
  assert.deepEqual(differs(opening), [[], ["node", "tool", "variable"]], "a turn that is missing differs in all");
  assert.deepEqual(
    twoTurns(one.slice(1), words.slice(1)).map((turn) => [turn.said, turn.original.at(-1), turn.edited.at(-1)]),
    [["A-1", { kind: "agent", text: "Fine" }, { kind: "agent", text: "Well" }]],
  );
  assert.deepEqual(otherVariables({ a: 1, b: [1], c: 2 }, { a: 1, b: [2], d: 3 }), ["b", "c", "d"]);
});
