import assert from "node:assert/strict";
import { test } from "node:test";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { type RepairOptions, repair } from "../../../api/calls.ts";
import { type JsonObject, openStore, run, scripted } from "../../../mod.ts";
import { TestClock } from "../../test_clock.ts";
import {
  decide,
  FAULT,
  failedCall,
  RUN,
  repeated,
  ruleAgent,
  scenarios,
  shop,
  TOO_WIDE,
  USELESS,
  WIDER,
} from "./_shop.ts";

const models = () => ({ agent: ruleAgent() });
const options = (repairs: readonly unknown[], more: Partial<RepairOptions> = {}): RepairOptions => ({
  scenarios,
  model: scripted({ diagnosis: repairs.map(() => FAULT), repair: repairs }),
  repeats: 5,
  runOptions: { ...RUN, models: models() },
  ...more,
});

test("repair() accepts a change that lets the failing scenario pass and keeps the others passing", async () => {
  const failed = await failedCall();
  const found = await repair(failed, shop, options([WIDER]));
  assert.equal(found.outcome, "repaired", found.reason);
  assert.equal(found.graph?.nodes.greet?.transitions[0]?.condition.value, "Caller wants money back");
  assert.equal(shop.nodes.greet?.transitions[0]?.condition.value, "Caller complains");
  const [tried] = found.tries;
  assert.deepEqual([tried?.failing?.before.passes, tried?.failing?.after.passes], [0, 5]);
  assert.deepEqual(
    tried?.affected.map(({ scenario, isWorse }) => [scenario, isWorse]),
    [["hours", false]],
  );
});

test("repair() refuses a change that breaks another scenario, and says so to the model", async () => {
  const failed = await failedCall();
  const model = scripted({ diagnosis: [FAULT, FAULT], repair: [TOO_WIDE, WIDER] });
  const found = await repair(failed, shop, options([], { model }));
  assert.equal(found.outcome, "repaired", found.reason);
  assert.equal(found.tries[0]?.accepted, false);
  assert.match(found.tries[0]?.reason ?? "", /^it breaks what worked: "hours" passed 0 of 5 calls/);
  const told = model.calls.findLast(({ signature }) => signature === "repair")?.input.refused_tries;
  assert.match(JSON.stringify(told), /Caller says anything.*it breaks what worked/);
});

test("repair() refuses a change that does not help, up to the number of tries", async () => {
  const failed = await failedCall();
  const found = await repair(failed, shop, options([USELESS], { maxIterations: 1 }));
  assert.equal(found.outcome, "refused");
  assert.equal(found.graph, null);
  assert.match(found.reason, /it did not improve/);
  assert.deepEqual(found.tries[0]?.affected, []);
});

/** An agent that takes the way to refunds in the given calls only, counted from the first one. */
function flaky(passes: (call: number) => boolean) {
  let call = -1;
  const answer = (input: JsonObject) => {
    call += 1;
    return passes(call) ? { reasoning: "", objectives_complete: true, transition_to: "refund" } : decide(input);
  };
  return scripted({ transition: repeated(answer), respond: repeated(() => "All right.") });
}

test("repair() refuses a change whose improvement may be noise", async () => {
  const failed = await failedCall();
  // without the change 1 of 8 calls passes, with it 4 of 8
  const agent = flaky((call) => call === 0 || (call >= 8 && call < 12));
  const runOptions = { ...RUN, models: { agent }, limits: { concurrency: 1 } };
  const only = scenarios.slice(0, 1);
  const found = await repair(
    failed,
    shop,
    options([USELESS], { runOptions, repeats: 8, maxIterations: 1, scenarios: only }),
  );
  assert.equal(found.outcome, "refused");
  const { failing } = found.tries[0] ?? {};
  assert.deepEqual([failing?.before.passes, failing?.after.passes], [1, 4]);
  assert.match(found.reason, /that may be noise/);
});

test("repair() does not try changes where no result could show that they help", async () => {
  const failed = await failedCall();
  const agent = flaky((call) => call < 4);
  const runOptions = { ...RUN, models: { agent }, limits: { concurrency: 1 } };
  const found = await repair(failed, shop, options([WIDER], { runOptions, scenarios: scenarios.slice(0, 1) }));
  assert.equal(found.outcome, "unmeasurable");
  assert.match(found.reason, /passed 4 of 5 calls on the unchanged graph/);
  assert.equal(found.tries.length, 0);
});

test("repair() stores every run, and takes the trials of the failed run where it has enough", async () => {
  await using store = await openStore(":memory:");
  const runOptions = { ...RUN, models: models(), store };
  const report = await run(shop, scenarios, { ...runOptions, repeat: { times: 5 } });
  const stored = await store.showRun(report.id);
  const failed = stored.results.find(({ status }) => status === "fail");
  assert.ok(failed);
  const found = await repair(failed, shop, options([WIDER], { runOptions, run: stored }));
  assert.equal(found.outcome, "repaired", found.reason);
  assert.equal(found.before?.runId, report.id);
  assert.equal(found.runIds.length, 2);
  const kept = await Promise.all(found.runIds.map((id) => store.findRun(id)));
  assert.deepEqual(
    kept.map(({ counts }) => counts.pass),
    [5, 5],
  );
  for (const { id } of kept)
    await assert.rejects(store.setBaseline("main", id), {
      code: "partial-run",
      message: /1 of 2 scenarios were selected/,
    });
});

test("repair() takes trials that used functions only from a run of the same code version", async () => {
  await using store = await openStore(":memory:");
  const checked = scenarios.map((each) => each.check("has a say", () => true));
  const runOptions = { ...RUN, models: models(), store };
  const isTaken = async (before: string | undefined, now: string | undefined) => {
    const version = (codeVersion: string | undefined) => (codeVersion === undefined ? {} : { share: { codeVersion } });
    const report = await run(shop, checked, { ...runOptions, ...version(before), repeat: { times: 5 } });
    const stored = await store.showRun(report.id);
    const failed = stored.results.find(({ status }) => status === "fail");
    assert.ok(failed);
    const given = { scenarios: checked, runOptions: { ...runOptions, ...version(now) }, run: stored };
    const found = await repair(failed, shop, options([WIDER], given));
    return found.before?.runId === report.id;
  };
  assert.equal(await isTaken("one", "one"), true);
  assert.equal(await isTaken("one", "two"), false);
  assert.equal(await isTaken("one", undefined), false);
  assert.equal(await isTaken(undefined, undefined), false);
});

test("repair() runs the unchanged graph again where the failed run used another model", async () => {
  await using store = await openStore(":memory:");
  const report = await run(shop, scenarios, { ...RUN, store, repeat: { times: 5 } }); // the offline model
  const stored = await store.showRun(report.id);
  const failed = stored.results.find(({ scenario }) => scenario === "money back");
  assert.ok(failed);
  const runOptions = { ...RUN, models: models(), store };
  const found = await repair({ ...failed, status: "fail" }, shop, options([WIDER], { runOptions, run: stored }));
  assert.notEqual(found.before?.runId, report.id);
});

test("repair() stops when its time is over", async () => {
  const failed = await failedCall();
  const clock = new TestClock();
  const onProgress: RepairOptions["onProgress"] = ({ kind }) => {
    if (kind === "run") clock.advance(60_000);
  };
  const late = await repair(failed, shop, options([WIDER], { limits: { wallMs: 60_000 }, clock, onProgress }));
  assert.equal(late.outcome, "stopped");
  assert.match(late.reason, /time limit of 60000 ms/);
});

test("repair() stops when it is aborted, at any step", async () => {
  const failed = await failedCall();
  for (const kind of ["diagnosis", "proposal", "run"] as const) {
    const controller = new AbortController();
    const onProgress: RepairOptions["onProgress"] = (event) => {
      if (event.kind === kind) controller.abort();
    };
    const found = repair(failed, shop, options([WIDER], { signal: controller.signal, onProgress }));
    assert.equal((await found).outcome, "stopped", kind);
  }
});

test("repair() stops when it costs too much, and refuses a limit that it cannot count", async () => {
  const failed = await failedCall();
  const limits = { costUsd: 1 };
  const model = costly(scripted({ diagnosis: [FAULT], repair: [WIDER] }));
  const given = (price: number) => ({
    ...RUN,
    models: models(),
    requests: { prices: { "acme/large": { input: price, output: 0 } } },
  });
  await assert.rejects(repair(failed, shop, options([], { limits, model })), { code: "missing-price" });
  const cheap = await repair(failed, shop, options([], { limits, model, runOptions: given(0.2) }));
  assert.equal(cheap.outcome, "repaired");
  assert.equal(cheap.usage.costUsd, 0.4);
  const again = costly(scripted({ diagnosis: [FAULT], repair: [WIDER] }));
  const found = await repair(failed, shop, options([], { limits, model: again, runOptions: given(0.6) }));
  assert.match(found.reason, /it has cost more than its limit of \$1/);
  assert.deepEqual([found.outcome, found.runIds], ["stopped", []]);
});

test("repair() counts what its calls cost, and tells the listeners of its runs of each result", async () => {
  const failed = await failedCall();
  let heard = 0;
  const runOptions = (price: number) => ({
    ...RUN,
    limits: { concurrency: 1 },
    models: { agent: costly(ruleAgent()) },
    requests: { prices: { "acme/large": { input: price, output: 0 } } },
    listeners: { onResult: () => void heard++ },
  });
  const limits = { costUsd: 1 };
  const stopped = await repair(failed, shop, options([WIDER], { limits, runOptions: runOptions(0.3) }));
  assert.match(stopped.reason, /it has cost more than its limit of \$1/);
  assert.equal(stopped.outcome, "stopped");
  assert.ok(Number(stopped.usage.costUsd) < 2.5, `$${stopped.usage.costUsd}`); // ten calls would be more than $6
  assert.ok(heard > 0);
  heard = 0;
  const free = await repair(failed, shop, options([WIDER], { limits, runOptions: runOptions(0) }));
  assert.deepEqual([free.outcome, heard], ["repaired", 20]);
});

/** A model of a provider, whose answers take a million tokens each. */
function costly(model: LanguageModelV3): LanguageModelV3 {
  return {
    ...model,
    provider: "acme",
    modelId: "large",
    doGenerate: async (request) => {
      const answer = await model.doGenerate(request);
      const inputTokens = { total: 1_000_000, noCache: 1_000_000, cacheRead: 0, cacheWrite: 0 };
      return { ...answer, usage: { ...answer.usage, inputTokens } };
    },
  };
}

test("repair() needs the failing scenario, and those that passed", async () => {
  const failed = await failedCall();
  await assert.rejects(repair(failed, shop, options([WIDER], { scenarios: scenarios.slice(1) })), {
    code: "unknown-scenario",
  });
});
