import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { evaluate, pullCalls, type WatchCallsOptions, watchCalls } from "../../../api/calls.ts";
import { type Clock, flow, isCallweaveError, openStore, policy, type Store, scripted } from "../../../mod.ts";
import { type LocalPlatform, retellAnswers, retellCall, startPlatform } from "../calls/pull/_platforms.ts";

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.parse("2024-05-20T12:00:00Z");
const KEY = "key_0123456789abcdef";
const CRITERION = "The agent says goodbye";

/** Eight calls a week for five weeks; in those of the last week the agent does not say goodbye. */
function calls() {
  return Array.from({ length: 40 }, (_, index) => {
    const daysAgo = 35 - (7 * (index + 0.5)) / 8;
    return productionCall(index, daysAgo, daysAgo > 7 ? "It is on its way. Goodbye." : "No.");
  });
}

function productionCall(index: number, daysAgo: number, says: string) {
  return {
    ...retellCall(index, NOW - daysAgo * DAY),
    transcript_object: [
      { role: "agent", content: "Lumen, good morning.", words: [] },
      { role: "user", content: "My name is Maria Lopez, where is my order?", words: [] },
      { role: "agent", content: says, words: [] },
    ],
  };
}

const CLOCK: Clock = { now: () => NOW, pause: async () => {}, after: () => () => {} };

/** A database in a folder, and options of rounds on it. */
interface Watched {
  readonly store: Store;
  readonly file: string;
  readonly options: WatchCallsOptions;
  readonly platform: LocalPlatform;
}

async function inProduction(
  list: () => readonly ReturnType<typeof productionCall>[],
  work: (given: Watched) => Promise<void>,
) {
  const folder = await mkdtemp(join(tmpdir(), "callweave-watch-"));
  const file = join(folder, "results.db");
  const store = await openStore(`file:${file}`);
  try {
    const made = list();
    await using platform = await startPlatform(retellAnswers(() => made));
    const options = {
      key: KEY,
      store,
      baseUrl: platform.url,
      state: join(folder, "pulls.json"),
      clock: CLOCK,
      minimum: 5,
      models: { agent: "offline" },
      judging: { metrics: [CRITERION] },
    } as const;
    await work({ store, file, options, platform });
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

test("watchCalls() reads, judges and compares calls, and a second round does nothing again", async () => {
  await inProduction(calls, async ({ store, file, options, platform }) => {
    const first = await watchCalls("retell", options);
    assert.deepEqual([first.state, first.isComplete, first.problems], ["worse", true, []]);
    assert.deepEqual([first.pulled?.added, first.evaluated.calls, first.evaluated.errors], [40, 40, 0]);
    const [measure] = first.measures;
    assert.deepEqual([measure?.kind, measure?.name, measure?.judge], ["criterion", CRITERION, "offline"]);
    assert.deepEqual([measure?.baseline.passes, measure?.baseline.trials], [32, 32]);
    assert.deepEqual([measure?.window.passes, measure?.window.trials], [0, 8]);
    assert.deepEqual(measure?.drop?.calls.map(({ callId }) => callId).slice(0, 2), ["call_39", "call_38"]);
    assert.equal((await store.findResult(measure?.drop?.calls[0]?.id ?? ""))?.status, "imported");
    const bytes = [file, `${file}-wal`].map((path) => readFileSync(path, "latin1")).join("");
    assert.ok(bytes.includes("My name is ") && !/Maria|Lopez|key_0123/.test(bytes));
    platform.asked.length = 0;
    const second = await watchCalls("retell", options);
    assert.deepEqual(second.measures, first.measures);
    assert.deepEqual([second.pulled?.added, second.evaluated.calls], [0, 0]);
    assert.ok(!platform.asked.some(({ path }) => path.startsWith("/v2/get-call")));
  });
});

test("watchCalls() reports a platform that fails, and compares what is stored", async () => {
  await inProduction(calls, async ({ options, platform }) => {
    await watchCalls("retell", options);
    platform.fail = () => 400;
    const report = await watchCalls("retell", options);
    assert.deepEqual([report.state, report.isComplete, report.pulled], ["worse", false, null]);
    assert.deepEqual(
      report.problems.map(({ step, code }) => [step, code]),
      [["pull", "platform-refused"]],
    );
    assert.ok(!JSON.stringify(report).includes(KEY));
  });
});

test("watchCalls() counts calls whose evaluation fails neither as good nor as bad, and tries them again", async () => {
  await inProduction(calls, async ({ options }) => {
    const failing = { agent: "offline", judge: scripted({ judge: [] }) };
    const report = await watchCalls("retell", { ...options, models: failing });
    assert.deepEqual([report.isComplete, report.evaluated.errors, report.evaluated.unknown], [false, 40, 40]);
    assert.deepEqual(
      report.measures.filter(({ kind }) => kind === "criterion"),
      [],
    );
    const again = await watchCalls("retell", options);
    assert.deepEqual([again.isComplete, again.evaluated.calls, again.evaluated.unknown], [true, 40, 0]);
    assert.equal(again.measures[0]?.window.trials, 8);
  });
});

test("watchCalls() that was stopped in the middle goes on, and counts no call twice", async () => {
  await inProduction(calls, async ({ options, platform }) => {
    const controller = new AbortController();
    let reads = 0;
    platform.fail = ({ path }) => {
      if (path.startsWith("/v2/get-call") && ++reads === 20) controller.abort();
      return undefined;
    };
    await assert.rejects(
      () => watchCalls("retell", { ...options, signal: controller.signal }),
      (error) => isCallweaveError(error) && error.code === "aborted",
    );
    platform.fail = undefined;
    const part = await watchCalls("retell", { ...options, limit: 15 });
    assert.equal(part.evaluated.calls, 15);
    await watchCalls("retell", options);
    const report = await watchCalls("retell", options);
    assert.deepEqual([report.measures[0]?.baseline.trials, report.measures[0]?.window.trials], [32, 8]);
  });
});

test("watchCalls() does not judge calls that the platform broke off: they are faults", async () => {
  const broken = () =>
    calls().map((call, index) => ({
      ...call,
      ...(index >= 32 ? { disconnection_reason: "error_llm_websocket_open" } : {}),
    }));
  await inProduction(broken, async ({ options }) => {
    const report = await watchCalls("retell", options);
    assert.deepEqual([report.evaluated.calls, report.isComplete], [32, true]);
    const [measure] = report.measures;
    assert.deepEqual([measure?.kind, measure?.state, measure?.window.passes], ["ends", "worse", 0]);
  });
});

test("watchCalls() leaves out calls of other agents, and evaluations that were not its own", async () => {
  const two = () => calls().map((call, index) => ({ ...call, agent_id: index % 2 === 0 ? "agent_1" : "agent_2" }));
  await inProduction(two, async ({ store, options }) => {
    const { key, baseUrl, clock, state } = options;
    const since = new Date(NOW - 35 * DAY);
    const { run } = await pullCalls("retell", { key, since, store, ...{ baseUrl, clock, state } });
    const { results } = await store.showRun(run?.id ?? "");
    const selected = results.filter(({ provenance }) => provenance?.agentId === "agent_2").slice(0, 5);
    await evaluate(selected, { expectations: { includes: ["never said"] }, store, label: "complaints" });
    await watchCalls("retell", options);
    const report = await watchCalls("retell", { ...options, answeredBy: "agent_2", minimum: 1 });
    assert.deepEqual([report.window.calls, report.baseline.calls], [4, 16]);
    assert.deepEqual(report.measures.map(({ kind }) => kind).sort(), ["criterion", "ends"]);
  });
});

test("watchCalls() replaces personal data in calls that were stored with it before", async () => {
  await inProduction(calls, async ({ store, options }) => {
    const { key, baseUrl, clock, state } = options;
    await pullCalls("retell", { key, store, since: new Date(NOW - 35 * DAY), ...{ baseUrl, clock, state } });
    await watchCalls("retell", options);
    const runs = await store.listRuns();
    const judged = runs.find((run) => run.options.evaluation !== undefined);
    const { results } = await store.showRun(judged?.id ?? "");
    assert.equal(results.length, 40);
    assert.ok(!/Maria|Lopez/.test(JSON.stringify(results)));
    assert.ok(results.every(({ provenance }) => provenance?.redacted === true));
  });
});

test("watchCalls() counts calls that lack the data for what is expected, and calls that nothing applies to", async () => {
  await inProduction(calls, async ({ options }) => {
    const agent = flow("desk")
      .conversation("greet", { prompt: "Greet.", next: ({ to }) => [to("refund", "Caller wants money")] })
      .end("refund", { prompt: "Refund." })
      .compile();
    const policies = [policy("no refunds", ({ never }) => never("refund"), agent)];
    const lacking = await watchCalls("retell", { ...options, agent, judging: { policies } });
    assert.deepEqual([lacking.evaluated.lacking, lacking.evaluated.errors, lacking.isComplete], [40, 0, true]);
  });
  await inProduction(calls, async ({ options }) => {
    const { evaluated, measures } = await watchCalls("retell", { ...options, judging: {} });
    assert.deepEqual([evaluated.calls, evaluated.unmatched], [0, 40]);
    assert.deepEqual(
      measures.map(({ kind }) => kind),
      ["ends"],
    );
  });
});

test("watchCalls() refuses options that are not allowed, before it asks the platform", async () => {
  await inProduction(calls, async ({ options, platform }) => {
    for (const more of [{ limit: 0 }, { level: 2 }, { answersWithinMs: -1 }, { windowMs: 1 }])
      await assert.rejects(
        () => watchCalls("retell", { ...options, ...more }),
        (error) => isCallweaveError(error) && error.code === "invalid-option",
      );
    assert.equal(platform.asked.length, 0);
  });
});
