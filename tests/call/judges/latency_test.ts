import assert from "node:assert/strict";
import { test } from "node:test";
import type { EndReason, TurnLatency } from "../../../mod.ts";
import { checkLatency } from "../../../src/call/judges/mod.ts";

const OPENING: TurnLatency = { turn: 0, nodeId: "greet", firstWordMs: 0 };
const QUICK: TurnLatency = { turn: 1, nodeId: "greet", firstWordMs: 1_500 };
const SLOW: TurnLatency = {
  turn: 2,
  nodeId: "book",
  firstWordMs: 2_340.4,
  parts: { transition: 400, extraction: 0, tools: 1_200.2, reply: 740.2 },
};
const SILENT: TurnLatency = { turn: 3, nodeId: "book", firstWordMs: null };

function check(latency: readonly TurnLatency[] | undefined, endReason?: EndReason) {
  const call = { transcript: [], nodesVisited: [], toolsCalled: [], variables: {}, endReason, latency };
  const [found] = checkLatency({ answers_within_ms: 1_500 }, call);
  return [found?.passed, found?.reason];
}

test("checkLatency() fails a turn that is too slow and says what it was made of", () => {
  const made = "transition 400 ms, tools 1200 ms, reply 740 ms";
  assert.deepEqual(check([OPENING, QUICK, SLOW]), [false, `turn 2 at "book" after 2340 ms (${made})`]);
});

test("checkLatency() passes turns up to the limit and names the slowest", () => {
  assert.deepEqual(check([OPENING, QUICK, SILENT]), [true, 'the slowest of 2 was turn 1 at "greet", after 1500 ms']);
});

test("checkLatency() fails a turn that timed out before the agent spoke", () => {
  assert.deepEqual(check([QUICK, SILENT], "turn_timeout"), [false, 'turn 3 at "book" not at all: the turn timed out']);
});

test("checkLatency() says when nothing was measured, and checks nothing without a limit", () => {
  const [passed, reason] = check(undefined);
  assert.equal(passed, true);
  assert.match(String(reason), /^not measured/);
  const call = { transcript: [], nodesVisited: [], toolsCalled: [], variables: {}, endReason: undefined };
  assert.deepEqual(checkLatency({}, { ...call, latency: [SLOW] }), []);
});
