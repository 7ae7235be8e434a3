import assert from "node:assert/strict";
import { test } from "node:test";
import { formatReport, reportOf } from "../../../api/reporters.ts";
import { type Caller, openStore, type RunOptions, run, type ScriptedModel, scenario, scripted } from "../../../mod.ts";
import { seeded } from "../../base/statistics/_random.ts";
import { CHAT, verdict } from "./_fixtures.ts";

const SCENARIO = scenario("chats").persona("Somebody").judge("The agent is good");

/** How often each role misbehaves. */
interface Noise {
  readonly judge?: number;
  readonly agent?: number;
  readonly caller?: number;
}

/** Models and callers that are flaky at random. A rude caller gets a bad answer, and the judge fails bad answers. */
function flaky({ judge = 0, agent = 0, caller = 0 }: Noise, seed: number) {
  const random = seeded(seed);
  const answer = (input: { readonly user_message?: unknown }) =>
    (input.user_message === "rude") === random() < agent ? "good" : "bad";
  const ruling = (input: { readonly transcript?: unknown }) => {
    const isGood = JSON.stringify(input.transcript).includes('"good"');
    return { verdicts: [verdict(1, isGood === random() >= judge ? 1 : 0, { evidence: [] })] };
  };
  const always = (entry: unknown) => Array.from({ length: 500 }, () => entry);
  const models = { agent: scripted({ respond: always(answer), judge: always(ruling) }) };
  const createCaller = (): Caller => ({
    next: async () => ({ say: random() < caller ? "rude" : "polite", hangUp: "caller_ended" }),
  });
  return { models, createCaller };
}

const ALONE = { store: false, limits: { concurrency: 1 } } as const satisfies RunOptions;

/** Runs the scenario with noise, and returns what its summary says. */
async function sourcesOf(noise: Noise, seed = 3) {
  const variance = { agent: 3, judge: 3 };
  const { scenarios } = await run(CHAT, [SCENARIO], {
    ...ALONE,
    ...flaky(noise, seed),
    repeat: { times: 12, variance },
  });
  return scenarios[0]?.variance;
}

test("variance attributes the noise of judge, agent and callers to the one that has it, and none where there is none", async () => {
  const judge = await sourcesOf({ judge: 0.4 });
  assert.equal(judge?.main, "judge");
  assert.match(judge?.reason ?? "", /^the judge is flaky: it judges the same call differently: \d+ % of the variance/);
  const agent = await sourcesOf({ agent: 0.4 });
  assert.deepEqual([agent?.main, agent?.variance.judge], ["agent", 0]);
  const caller = await sourcesOf({ caller: 0.4 });
  assert.deepEqual([caller?.main, caller?.variance.judge, caller?.variance.agent], ["caller", 0, 0]);
  const none = await sourcesOf({});
  assert.deepEqual([none?.main, none?.judgements], [null, 108]);
});

const callsOf = (model: ScriptedModel, name: string) => model.calls.filter(({ signature }) => signature === name);

test("variance repeats the caller's words, counts no further trial, and stores everything in the trial", async () => {
  const { models, createCaller } = flaky({ caller: 0.5 }, 5);
  await using store = await openStore(":memory:");
  const variance = { agent: 2, judge: 2 };
  const report = await run(CHAT, [SCENARIO], { ...ALONE, store, models, createCaller, repeat: { times: 4, variance } });
  assert.equal(report.results.length, 4);
  assert.deepEqual([callsOf(models.agent, "respond").length, callsOf(models.agent, "judge").length], [8, 16]);
  for (const { transcript, variance, usage } of report.results) {
    const said = (lines: readonly { role: string; content: string }[] = []) =>
      lines.filter(({ role }) => role === "user").map(({ content }) => content);
    const [own, again] = variance?.calls ?? [];
    assert.deepEqual([own?.transcript, said(again?.transcript)], [undefined, said(transcript)]);
    assert.deepEqual([own?.judgements.length, again?.judgements.length, again?.endReason], [2, 2, "caller_ended"]);
    assert.equal(usage.calls, 6);
  }
  const stored = await store.showRun(report.id);
  assert.deepEqual(stored.results, report.results);
  assert.deepEqual(reportOf(stored).scenarios[0]?.variance, report.scenarios[0]?.variance);
  assert.match(formatReport(report), /the callers differ: the verdict depends on what the caller says: 100 %/);
});

test("variance leaves out judgements and calls that fail, and keeps the trial's own verdict", async () => {
  const passed = { verdicts: [verdict(1, 1, { evidence: [] })] };
  const models = { agent: scripted({ respond: ["good"], judge: [passed] }) };
  const { createCaller } = flaky({}, 1);
  const variance = { agent: 2, judge: 2 };
  const { results, passed: all } = await run(CHAT, [SCENARIO], {
    ...ALONE,
    models,
    createCaller,
    repeat: { variance },
  });
  const [own, again] = results[0]?.variance?.calls ?? [];
  assert.deepEqual([all, own?.judgements.length, again?.status, again?.judgements], [true, 1, "error", []]);
  assert.match(again?.errorMessage ?? "", /respond/);
});

test("variance is nothing but whole numbers from 1", async () => {
  for (const variance of [{ agent: 0 }, { judge: 1.5 }, { caller: 2 }])
    await assert.rejects(run(CHAT, [SCENARIO], { ...ALONE, repeat: { variance } }), { code: "invalid-option" });
});
