import assert from "node:assert/strict";
import { test } from "node:test";
import { formatReport, formatResult, styleFor } from "../../../src/surface/reporters/mod.ts";
import { FAILED, reportWith, resultRecord, verdict } from "./_fixtures.ts";

const passed = resultRecord({
  scenario: "says goodbye",
  nodesVisited: ["greet", "bye"],
  turnCount: 1,
  durationMs: 250,
});
const failed = resultRecord({
  scenario: "asks for help",
  status: "fail",
  checks: [FAILED],
  verdicts: [verdict({ passed: false, score: 0.4, reasoning: "It hangs up" })],
});
const broken = resultRecord({
  scenario: "broken",
  status: "error",
  errorMessage: "Cannot finish: HTTP 500",
  endReason: "failed",
});
const cancelled = resultRecord({
  scenario: "late",
  status: "cancelled",
  endReason: undefined,
  transcript: [],
  verdicts: [],
  checks: [],
});

test("formatReport() prints a line per call with mark, turns, seconds, end and path", () => {
  const line = formatReport(reportWith([passed]))
    .split("\n")
    .find((each) => each.includes("says goodbye"));
  assert.match(line ?? "", /^ {2}✓ says goodbye +1 turn +0\.3 s +agent_ended +greet -> bye$/);
});

test("formatReport() prints what failed, what was found and where", () => {
  const text = formatReport(reportWith([passed, failed]));
  assert.match(
    text,
    /✗ asks for help\n {2}visits greet -> technical\n {4}found {2}visited greet -> bye; never reached technical\n/,
  );
  assert.match(
    text,
    /"polite" scores 0\.40, needs 0\.70\n {4}evidence {2}"Goodbye" \(opening, node "bye"\)\n {4}reason {4}It hangs up\n/,
  );
  assert.match(text, /\n1 passed, 1 failed in 2\.0 s\n6 model calls, 240 tokens; run run1 in results\.db\n$/);
});

test("formatReport() distinguishes errors and cancelled calls from failures", () => {
  const text = formatReport(reportWith([broken, cancelled]));
  assert.match(text, /\n {2}! broken /);
  assert.match(text, /! broken\n {2}error\n {4}reason {2}Cannot finish: HTTP 500\n/);
  assert.match(text, /\n {2}- late .* not started/);
  assert.match(text, /\n1 error, 1 cancelled in/);
});

test("formatReport() accepts imported calls with an unknown end", () => {
  const real = resultRecord({ scenario: "real", status: "imported", endReason: undefined, verdicts: [], checks: [] });
  const text = formatReport(reportWith([real]));
  assert.match(text, /\n {2}· real .* end not known/);
  assert.match(text, /\n1 imported in/);
  assert.doesNotMatch(text, /warning/);
});

test("formatReport() warns of calls without expectations", () => {
  const text = formatReport(reportWith([resultRecord({ verdicts: [], checks: [] })]));
  assert.match(text, /warning: nothing was checked/);
  assert.match(text, /1 passed, 1 call with warnings/);
});

test("formatReport() warns of a passed verdict with invented evidence", () => {
  const invented = verdict({ evidence: "I love you", evidenceFound: false });
  const text = formatReport(reportWith([resultRecord({ verdicts: [invented] })]));
  assert.match(text, /warning: "polite" scores 0\.90/);
  assert.match(text, /"I love you" \(NOT FOUND in the transcript/);
  assert.match(text, /1 call with warnings/);
});

test("formatReport() mentions the offline model and its roles", () => {
  const all = { agent: "offline", caller: "offline", judge: "offline" };
  assert.match(
    formatReport(reportWith([passed], all)),
    /^desk: 1 scenario\nOffline model: agent, caller and judge are played/,
  );
  assert.match(formatReport(reportWith([passed], { judge: "offline" })), /\nOffline model: judge is played/);
  assert.doesNotMatch(formatReport(reportWith([passed])), /[Oo]ffline/);
});

test("formatReport() reports results that are missing in the store", () => {
  const report = { ...reportWith([passed]), storeError: "Cannot store result: the disk is full" };
  assert.match(formatReport(report), /Results are missing in the database: Cannot store result: the disk is full/);
});

test("formatReport() prints enough digits for a score just below its threshold", () => {
  const text = formatReport(
    reportWith([resultRecord({ status: "fail", verdicts: [verdict({ score: 0.69999, passed: false })] })]),
  );
  assert.match(text, /scores 0\.69999, needs 0\.70/);
});

test("formatReport() has one line for repeated calls, with pass rate and interval, and numbers those with problems", () => {
  const passes = [1, 2, 3].map((trial) => resultRecord({ ...passed, trial }));
  const text = formatReport(reportWith([...passes, resultRecord({ ...failed, scenario: passed.scenario, trial: 4 })]));
  assert.match(text, /^desk: 1 scenario, 4 calls$/m);
  assert.match(text, /^ {2}✗ says goodbye {2}3\/4 {2}75 % \(30 to 95 %\)$/m);
  assert.match(text, /^✗ says goodbye #4$/m);
  assert.match(text, /^pass\^1 75 %, pass\^2 50 %, pass\^4 0 %$/m);
  assert.doesNotMatch(text, /#1/);
});

test("formatReport() shows the problems of three calls of a scenario, and says how many more there are", () => {
  const fails = [1, 2, 3, 4, 5].map((trial) => resultRecord({ ...failed, trial }));
  const text = formatReport(reportWith(fails));
  assert.match(text, /#3/);
  assert.doesNotMatch(text, /#4/);
  assert.match(text, /2 more calls of ".*" with problems\n *See callweave runs show run1/);
});

test("formatReport() keeps to the width", () => {
  const long = "A scenario whose name goes on and on, 非常に長い名前 and on and on 😀 until nobody reads it any more";
  const path = Array.from({ length: 30 }, (_, index) => `node_${index}`);
  const reason = `${"words ".repeat(60)}${"x".repeat(300)}`;
  const result = resultRecord({ ...failed, scenario: long, nodesVisited: path, checks: [{ ...FAILED, reason }] });
  for (const width of [40, 60, 80, 100, 160]) {
    for (const line of formatReport(reportWith([result, passed]), { color: false, width }).split("\n")) {
      const wide = line.match(/[\u3040-\u30ff\u4e00-\u9fff😀]/gu)?.length ?? 0;
      assert.ok([...line].length + wide <= width, `wider than ${width}: ${line}`);
    }
  }
});

test("formatReport() removes foreign escape sequences, and adds its own only with colours", () => {
  const evil = resultRecord({
    ...failed,
    scenario: "\u001b[31mevil\u0007\u202e",
    checks: [{ ...FAILED, reason: "a\u001b]0;title\u0007b\nc" }],
  });
  const plain = formatReport(reportWith([evil]));
  for (const character of ["\u001b", "\u0007", "\u202e"]) assert.ok(!plain.includes(character));
  const [, ...pieces] = formatReport(reportWith([evil]), { color: true, width: 100 }).split("\u001b");
  assert.ok(pieces.length > 0 && pieces.every((piece) => /^\[\d+m/.test(piece)));
});

test("styleFor() uses colours only on terminals and without NO_COLOR", () => {
  const terminal = { isTTY: true, columns: 120 };
  assert.deepEqual(styleFor(terminal, {}), { color: true, width: 120 });
  assert.equal(styleFor(terminal, { NO_COLOR: "1" }).color, false);
  assert.equal(styleFor(terminal, { NO_COLOR: "" }).color, true);
  assert.equal(styleFor(terminal, { TERM: "dumb" }).color, false);
  assert.deepEqual(styleFor({ columns: 120 }, {}), { color: false, width: 100 });
  assert.equal(styleFor({ isTTY: true, columns: 5 }, {}).width, 40);
});

const PARTS = { transition: 300, extraction: 0, tools: 840, reply: 1_000 };

test("formatReport() shows how long callers waited at each node, except for the offline model", () => {
  const latency = [
    { turn: 0, nodeId: "greet", firstWordMs: 0 },
    { turn: 1, nodeId: "look_up", firstWordMs: 2_140, parts: PARTS },
    { turn: 2, nodeId: "look_up", firstWordMs: null },
  ];
  const results = [resultRecord({ latency })];
  const text = formatReport(reportWith(results));
  assert.ok(
    text.includes(`
First word   turns     p50     p95   worst
  all            2   1.1 s   2.0 s   2.1 s  transition 300 ms, tools 840 ms, reply 1.0 s
  look_up        1   2.1 s   2.1 s   2.1 s  transition 300 ms, tools 840 ms, reply 1.0 s
  greet          1    0 ms    0 ms    0 ms
`),
    text,
  );
  assert.ok(!formatReport(reportWith(results, { agent: "offline" })).includes("First word"));
});

test("formatResult() lists the time until the first word of each turn", () => {
  const latency = [
    { turn: 0, nodeId: "greet", firstWordMs: 0 },
    { turn: 1, nodeId: "look_up", firstWordMs: 2_140, parts: PARTS },
    { turn: 2, nodeId: "", firstWordMs: null },
  ];
  const text = formatResult(resultRecord({ latency }));
  assert.ok(
    text.includes(`
First word
  · opening at "greet": 0 ms
  · turn 1 at "look_up": 2.1 s (transition 300 ms, tools 840 ms, reply 1.0 s)
  · turn 2: nothing was said
`),
    text,
  );
});
