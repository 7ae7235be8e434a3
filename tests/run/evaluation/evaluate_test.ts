import assert from "node:assert/strict";
import { test } from "node:test";
import { scripted } from "../../../src/call/models/mod.ts";
import { evaluate, readTimeline, type Timeline } from "../../../src/run/evaluation/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";

const EVENTS: Timeline = {
  name: "lamp",
  started_at: "2026-03-01T09:00:00.000Z",
  events: [
    { at_ms: 0, type: "message", role: "agent", text: "Lumen, good morning.", node: "greet" },
    { at_ms: 900, type: "interruption", by: "caller" },
    { at_ms: 1000, type: "message", role: "caller", text: "Where is my lamp?" },
    { at_ms: 2000, type: "transition", from: "greet", to: "find", because: "Caller asks" },
    { at_ms: 2100, type: "tool_call", name: "look_up", arguments: { id: "7" }, result: { state: "sent" } },
    { at_ms: 2200, type: "silence", duration_ms: 4000 },
    { at_ms: 6200, type: "message", role: "agent", text: "It is on its way." },
    { at_ms: 7000, type: "end", reason: "agent_ended" },
  ],
};

function judgedBy(score: number) {
  const verdict = { number: 1, requirement: "r", evidence: [{ role: "assistant", quote: "It is on its way." }] };
  const answer = { verdicts: [{ ...verdict, reasoning: "because", score, confidence: 1 }] };
  return scripted({ judge: [answer, answer] });
}

test("evaluate() judges a timeline by criteria, texts, path, tools and end, and shows the judge interruptions", async () => {
  const call = readTimeline(EVENTS);
  const judge = judgedBy(0.9);
  const expectations = {
    includes: ["on its way"],
    visits: ["greet", "find"],
    calls: [{ tool: "look_up" }],
    ends: "agent_ended",
  } as const;
  const { passed, results, skipped } = await evaluate([call], {
    models: { agent: judge },
    judging: { metrics: ["The agent said where the lamp is"] },
    expectations,
  });
  assert.deepEqual([passed, skipped], [true, []]);
  assert.deepEqual(
    results[0]?.checks.map(({ kind, passed }) => [kind, passed]),
    [
      ["includes", true],
      ["visits", true],
      ["ends", true],
      ["calls", true],
    ],
  );
  assert.equal(results[0]?.verdicts[0]?.passed, true);
  assert.deepEqual(results[0]?.transcript, call.transcript);
  assert.match(JSON.stringify(judge.calls[0]?.input), /good morning\. \[the caller interrupts\]/);
  assert.match(JSON.stringify(judge.calls[0]?.input), /my lamp\? \[4\.0 s of silence\]/);
});

test("evaluate() judges every call of a name, also after one that failed", async () => {
  const calls = Array.from({ length: 40 }, () => readTimeline(EVENTS));
  const { results } = await evaluate(calls, { expectations: { includes: ["never said"] }, limits: { concurrency: 2 } });
  assert.equal(results.filter(({ status }) => status === "fail").length, 40);
});

test("evaluate() checks a limit of the latency alone, and stores the label", async () => {
  await using store = await openStore(":memory:");
  const call = { ...readTimeline(EVENTS), latency: [{ turn: 1, nodeId: "greet", firstWordMs: 900 }] };
  const { passed, id } = await evaluate([call], { expectations: { answers_within_ms: 500 }, label: "weekly", store });
  assert.equal(passed, false);
  assert.deepEqual((await store.findRun(id)).options.evaluation, { calls: [], label: "weekly" });
  const [judged] = await store.listJudged();
  assert.deepEqual([judged?.label, judged?.judge, judged?.checks[0]?.kind], ["weekly", "offline", "latency"]);
  assert.deepEqual(await store.listJudged({ since: "2026-03-02T00:00:00.000Z" }), []);
});

test("a call whose judge fails is an error of that call, with its start", async () => {
  const models = { agent: scripted({ judge: [] }) };
  const { results } = await evaluate([readTimeline(EVENTS)], { models, judging: { metrics: ["polite"] } });
  assert.deepEqual([results[0]?.status, results[0]?.startedAt], ["error", "2026-03-01T09:00:00.000Z"]);
  assert.match(results[0]?.errorMessage ?? "", /queue/);
});

test("a criterion or an expectation that does not hold fails the call", async () => {
  const low = await evaluate([readTimeline(EVENTS)], {
    models: { agent: judgedBy(0.2) },
    judging: { metrics: ["It was polite"] },
  });
  assert.deepEqual([low.passed, low.results[0]?.status], [false, "fail"]);
  const said = await evaluate([readTimeline(EVENTS)], { expectations: { excludes: ["good morning"] } });
  assert.equal(said.results[0]?.status, "fail");
});

test("what a call does not say is skipped and listed, and a call without a verdict is an error", async () => {
  const words = readTimeline({ events: [{ type: "message", role: "agent", text: "Hello" }] });
  const expectations = { visits: ["greet"], calls: [{ tool: "look_up" }], ends: "agent_ended" } as const;
  const none = await evaluate([words], { expectations });
  assert.equal(none.results[0]?.status, "error");
  assert.deepEqual(
    none.skipped.map(({ kind }) => kind),
    ["visits", "ends", "calls"],
  );
  const some = await evaluate([words], { expectations: { ...expectations, includes: ["hello"] } });
  assert.equal(some.results[0]?.status, "pass");
});

test("a stored run is judged by the scenarios of its names; its results stay as they were", async () => {
  await using store = await openStore(":memory:");
  const first = await evaluate([readTimeline(EVENTS)], { expectations: { includes: ["Lumen"] }, store });
  const before = await store.showRun(first.id);
  const report = await evaluate(before.results, {
    scenarios: [{ name: "lamp", user_prompt: "Ask for the lamp.", includes: ["refund"] }],
    store,
  });
  assert.equal(report.passed, false);
  assert.notEqual(report.id, first.id);
  assert.deepEqual(await store.showRun(first.id), before);
  assert.equal((await store.showRun(report.id)).results[0]?.startedAt, before.results[0]?.startedAt);
});

test("evaluate() refuses calls without anything to judge them by, and what is no call", async () => {
  const call = readTimeline(EVENTS);
  await assert.rejects(evaluate([call]), { code: "invalid-option", path: ["judging"] });
  await assert.rejects(evaluate([], { judging: { metrics: ["polite"] } }), { code: "invalid-option", path: ["calls"] });
  assert.throws(() => readTimeline({ events: [] }), { code: "invalid-option", path: ["events"] });
});
