import assert from "node:assert/strict";
import { test } from "node:test";
import { compareWeeks } from "../../../api/calls.ts";
import { isCallweaveError } from "../../../mod.ts";
import { seeded } from "../../base/statistics/_random.ts";
import { sampled } from "../../fast_check.ts";
import { DAY, evenly, history, NOW } from "./_calls.ts";

/** Share of histories without a change in which a measure is named. */
function falseAlarms(perWeek: number, count: number, level?: number): number {
  const random = seeded(perWeek);
  const options = level === undefined ? { minimum: 10 } : { minimum: 10, level };
  let alarms = 0;
  for (let round = 0; round < count; round += 1)
    if (compareWeeks(history(random, perWeek), NOW, options).state === "worse") alarms += 1;
  return alarms / count;
}

test("compareWeeks() names a measure in at most 5 % of 1,000 histories without a change, and in about 1 %", () => {
  const count = sampled(500);
  const shares = [falseAlarms(15, count), falseAlarms(100, count)];
  // on Node and Deno a tenth of the histories is made
  const most = count === 500 ? 0.02 : 0.05;
  assert.ok(
    shares.every((share) => share <= most),
    `${shares}`,
  );
});

test("compareWeeks() keeps to the level that is set", () => {
  const count = sampled(1000);
  const share = falseAlarms(30, count, 0.05);
  assert.ok(share <= (count === 1000 ? 0.06 : 0.12), `${share}`);
});

test("compareWeeks() finds a drop from 95 % to 70 % at 100 calls a week in nearly all histories, and names it alone", () => {
  const random = seeded(11);
  const count = sampled(40);
  let [found, alone] = [0, 0];
  for (let round = 0; round < count; round += 1) {
    const calls = history(random, 100, (name, rate, daysAgo) =>
      name === "confirms the date" && daysAgo < 7 ? 0.7 : rate,
    );
    const worse = compareWeeks(calls, NOW).measures.filter(({ state }) => state === "worse");
    if (worse.some(({ name }) => name === "confirms the date")) found += 1;
    if (worse.length === 1) alone += 1;
  }
  assert.ok(found >= 0.95 * count, `${found} of ${count} found`);
  assert.ok(alone >= 0.9 * count, `${alone} of ${count} alone`);
});

test("compareWeeks() says since when, from what to what, and shows the newest calls", () => {
  const calls = evenly(100, (daysAgo, index) => daysAgo > 3 || index % 2 === 0);
  const { state, measures } = compareWeeks(calls, NOW);
  assert.equal(state, "worse");
  const [measure] = measures;
  assert.equal(measure?.state, "worse");
  const { drop } = measure;
  assert.ok(drop?.since);
  assert.ok(Math.abs(Date.parse(drop.since) - (NOW.getTime() - 3 * DAY)) < DAY / 8, drop.since);
  assert.equal(drop.before.rate, 1);
  assert.ok(drop.after.interval && drop.after.interval.high < 0.7);
  assert.deepEqual(
    drop.calls.map(({ callId }) => callId),
    ["c499", "c497", "c495", "c493", "c491"],
  );
  assert.equal(measure.baseline.trials, 400);
  assert.deepEqual(
    measure.spans.map(({ trials }) => trials),
    [100, 100, 100, 100, 100],
  );
});

test("compareWeeks() says nothing of a measure with too few calls, however bad they are", () => {
  const few = compareWeeks(
    evenly(19, (daysAgo) => daysAgo > 7),
    NOW,
  );
  assert.equal(few.state, "too-few");
  assert.equal(few.measures[0]?.state, "too-few");
  assert.equal(few.measures[0]?.p, null);
  assert.equal(compareWeeks([], NOW).state, "too-few");
  const enough = compareWeeks(
    evenly(19, (daysAgo) => daysAgo > 7),
    NOW,
    { minimum: 19 },
  );
  assert.equal(enough.state, "worse");
});

test("compareWeeks() counts a call that is given twice once", () => {
  const calls = evenly(30, (_, index) => index % 3 > 0);
  const once = compareWeeks(calls, NOW);
  assert.deepEqual(compareWeeks([...calls, ...calls], NOW), once);
  assert.equal(once.measures[0]?.window.trials, 30);
});

test("compareWeeks() compares moments, whatever their time zone, and leaves out calls outside of both spans", () => {
  const calls = evenly(30, (daysAgo, index) => daysAgo > 7 || index % 2 === 0);
  const inUtc = compareWeeks(calls, NOW);
  const hour = DAY / 24;
  const elsewhere = calls.map((call) => ({
    ...call,
    startedAt: new Date(Date.parse(call.startedAt) + 9 * hour).toISOString().replace("Z", "+09:00"),
  }));
  assert.deepEqual(
    compareWeeks(elsewhere, NOW).measures.map(({ spans }) => spans),
    inUtc.measures.map(({ spans }) => spans),
  );
  const [first] = calls;
  assert.ok(first);
  const outside = [35.01, -0.01].map((daysAgo) => ({
    ...first,
    id: `${daysAgo} days ago`,
    startedAt: new Date(NOW.getTime() - daysAgo * DAY).toISOString(),
  }));
  assert.deepEqual(compareWeeks([...calls, ...outside], NOW), inUtc);
});

test("compareWeeks() does not compare verdicts of different judges", () => {
  const calls = evenly(30, (daysAgo) => daysAgo > 7).map((call, index) => ({
    ...call,
    outcomes: call.outcomes.map((outcome) => ({ ...outcome, judge: index < 120 ? "old" : "new" })),
  }));
  const { state, measures } = compareWeeks(calls, NOW);
  assert.equal(state, "too-few");
  assert.deepEqual(measures.map(({ judge }) => judge).sort(), ["new", "old"]);
});

test("compareWeeks() calls a rate that rises steady", () => {
  const { measures } = compareWeeks(
    evenly(30, (daysAgo) => daysAgo < 7),
    NOW,
  );
  assert.equal(measures[0]?.state, "steady");
  assert.equal(measures[0]?.drop, null);
});

test("compareWeeks() refuses options that are not allowed", () => {
  for (const options of [{ minimum: 0 }, { level: 1 }, { windowMs: 1 }, { baselineMs: Number.NaN }])
    assert.throws(
      () => compareWeeks([], NOW, options),
      (error) => isCallweaveError(error) && error.code === "invalid-option",
    );
});
