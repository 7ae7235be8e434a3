import assert from "node:assert/strict";
import { test } from "node:test";
import { terminalWidth } from "../../../../../src/base/values/mod.ts";
import type { RunEvent } from "../../../../../src/run/runner/mod.ts";
import type { ResultRecord, ResultStatus } from "../../../../../src/run/store/mod.ts";
import { type LiveState, liveLines, nextLive, startLive } from "../../../../../src/surface/cli/run/live.ts";

const STYLE = { color: false, width: 80, height: 24 };

function resultOf(scenario: string, trial: number, status: ResultStatus, costUsd: number): ResultRecord {
  return {
    id: "r",
    runId: "run",
    trial,
    scenario,
    status,
    startedAt: "2026-01-01T00:00:00.000Z",
    transcript: [],
    verdicts: [],
    checks: [],
    nodesVisited: [],
    toolsCalled: [],
    variables: {},
    turnCount: 2,
    durationMs: 4_000,
    usage: { calls: 10, inputTokens: 0, outputTokens: 0, modelMs: 0, costUsd },
    endReason: undefined,
    errorMessage: null,
  };
}

const at = (scenario: string, trial: number) => ({ scenario, trial, attempt: 1 });

const squeezed = (lines: readonly string[]) => lines.map((line) => line.replaceAll(/ +/g, " "));

function after(state: LiveState, events: readonly (readonly [atMs: number, event: RunEvent])[]): LiveState {
  return events.reduce((each, [atMs, event]) => nextLive(each, event, atMs), state);
}

const end = (scenario: string, trial: number, status: ResultStatus, costUsd = 0.01): RunEvent => ({
  kind: "call-end",
  ...at(scenario, trial),
  result: resultOf(scenario, trial, status, costUsd),
});

test("the live view shows what runs and where, what is done, model calls, cost and time left", () => {
  const names = ["returns a lamp", "asks for a manager", "thanks"];
  const start = startLive(
    names.map((name) => ({ name, trials: 1 })),
    0,
  );
  const state = after(start, [
    [0, { kind: "call-start", ...at("returns a lamp", 1) }],
    [0, { kind: "call-start", ...at("asks for a manager", 1) }],
    [1_000, { kind: "node", ...at("returns a lamp", 1), node: "greet" }],
    [2_000, { kind: "turn-end", ...at("returns a lamp", 1), messages: [] }],
    [2_500, { kind: "node", ...at("returns a lamp", 1), node: "check_order" }],
    [4_000, end("asks for a manager", 1, "fail")],
  ]);
  assert.deepEqual(squeezed(liveLines(state, STYLE, 4_000)), [
    "1 of 3 calls · 1 running · 0 passed · 1 failed · 10 model calls · $0.01",
    "0:04, about 0:04 left",
    " returns a lamp check_order 1 turn 0:04",
  ]);
});

test("in a shard or a resumed run, the live view counts the calls that are left", () => {
  const names = ["a", "b", "c"];
  const start = startLive(
    names.map((name) => ({ name, trials: 5 })),
    0,
  );
  const scenarios = [
    { name: "a", calls: 2 },
    { name: "b", calls: 0 },
  ];
  const state = after(start, [
    [0, { kind: "run-start", id: "run", scenarios }],
    [0, { kind: "call-start", ...at("a", 4) }],
    [1_000, end("a", 4, "pass")],
  ]);
  const [totals = ""] = squeezed(liveLines(state, STYLE, 1_000));
  assert.match(totals, /^1 of 2 calls /);
});

test("with repeats, the live view shows passes and trials of each scenario that is not done", () => {
  const start = startLive(
    ["a", "b", "c"].map((name) => ({ name, trials: 2 })),
    0,
  );
  const state = after(start, [
    [0, { kind: "call-start", ...at("b", 1) }],
    [0, end("a", 1, "pass")],
    [0, end("a", 2, "pass")],
    [0, end("b", 2, "fail")],
    [0, end("c", 1, "error")],
  ]);
  assert.deepEqual(squeezed(liveLines(state, STYLE, 0)).slice(2), [
    " b #1 starting 0 turns 0:00",
    "",
    " ✗ b 0/1 passed of 2",
    " · c 0/0 passed of 2, 1 not decided",
  ]);
});

test("the live view fits every terminal, whatever names and numbers it shows", () => {
  const names = Array.from({ length: 50 }, (_, index) => `a scenario with a long name ${index} 返品 \u001b[31m`);
  const start = startLive(
    names.map((name) => ({ name, trials: 3 })),
    0,
  );
  const events = names.flatMap((name): (readonly [number, RunEvent])[] => [
    [0, { kind: "call-start", ...at(name, 1) }],
    [0, { kind: "node", ...at(name, 1), node: `node_of_${name}` }],
    [0, { kind: "call-start", ...at(name, 2) }],
    [5_000, end(name, 2, "fail", 1_000)],
  ]);
  const state = { ...after(start, events), isStopping: true };
  for (const width of [20, 40, 60, 80, 200]) {
    for (const height of [1, 2, 3, 5, 10, 24, 100]) {
      const lines = liveLines(state, { color: false, width, height }, 3_723_000);
      assert.ok(lines.length >= 1 && lines.length <= height, `${width} x ${height}: ${lines.length} lines`);
      for (const line of lines) {
        assert.ok(terminalWidth(line) < width, `${width} x ${height}: ${line}`);
        assert.doesNotMatch(line, /\p{Cc}/u);
      }
    }
  }
});

test("the live view says how many calls and scenarios it leaves out", () => {
  const names = Array.from({ length: 12 }, (_, index) => `s${index}`);
  const start = startLive(
    names.map((name) => ({ name, trials: 2 })),
    0,
  );
  const state = after(
    start,
    names.map((name) => [0, { kind: "call-start", ...at(name, 1) }] as const),
  );
  const lines = liveLines(state, { ...STYLE, height: 10 }, 0);
  assert.equal(lines.length, 10);
  assert.equal(lines[3], "  … 10 more running");
  assert.equal(lines.at(-1), "  … 8 more scenarios");
});

test("the cost is left out of the live view when a price is unknown", () => {
  const start = startLive([{ name: "a", trials: 2 }], 0);
  const unknown = { ...resultOf("a", 1, "pass", 0), usage: { calls: 1, inputTokens: 0, outputTokens: 0, modelMs: 0 } };
  const state = after(start, [
    [0, { kind: "call-end", ...at("a", 1), result: unknown }],
    [0, end("a", 2, "pass", 5)],
  ]);
  assert.doesNotMatch(liveLines(state, STYLE, 0).join("\n"), /\$/);
});
