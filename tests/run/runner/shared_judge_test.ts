import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "../../../api/connect.ts";
import { type RunOptions, type RunReport, run, scenario, scripted } from "../../../mod.ts";
import { isRecord } from "../../../src/base/values/mod.ts";
import { createRecordings, fileRecordings } from "../../../src/call/models/mod.ts";
import { estimate } from "../../../src/run/runner/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";

const ONE_RUNTIME = !("Bun" in globalThis) && !("Deno" in globalThis);

const REPLIES = 4;

/** An agent with four replies a call, which is rude in some. */
const desk = connect.custom({
  name: "desk",
  agent: (messages) => {
    const said = messages.at(-1)?.content ?? "";
    return said.endsWith("5") ? "What do you want?" : `Of course: ${said}.`;
  },
});

/** Calls with four lines of the caller, of several scenarios with rules of their own. */
function scenarios(calls: number, kinds = 1) {
  return Array.from({ length: calls }, (_, number) =>
    scenario(`call ${number}`)
      .says(...Array.from({ length: REPLIES }, (_, line) => `line ${line} of ${number % 10}`))
      .eachReply(`is courteous, as in kind ${number % kinds}`, { atLeast: 0.5 })
      .eachReply("is in English"),
  );
}

/** A judge that finds rude what asks "What do you want?", and checks what it is asked. */
function judge({ fails = () => false }: { readonly fails?: (replies: number) => boolean } = {}) {
  const answer = (input: unknown) => {
    assert.ok(isRecord(input) && Array.isArray(input.replies) && Array.isArray(input.criteria));
    const criteria = new Map(input.criteria.map(({ number, criterion }) => [number, String(criterion)]));
    if (fails(input.replies.length)) return { rulings: [] };
    return {
      rulings: input.replies.flatMap((each: { number: number; criteria: number[]; reply: string }) =>
        each.criteria.map((criterion) => ({
          reply: each.number,
          criterion,
          met: criteria.get(criterion) === "is in English" || each.reply !== "What do you want?",
          quote: each.reply,
          reasoning: "",
        })),
      ),
    };
  };
  const model = scripted({ replies: Array.from({ length: 20_000 }, () => answer) });
  return Object.assign(model, {
    sizes: () => model.calls.map(({ input }) => (Array.isArray(input.replies) ? input.replies.length : 0)),
  });
}

const verdictsOf = ({ results }: RunReport) =>
  results.map(({ scenario, trial, status, verdicts }) => ({ scenario, trial, status, verdicts }));

const runWith = (
  model: ReturnType<typeof judge>,
  calls: number,
  options: RunOptions & { readonly kinds?: number } = {},
) => {
  const { kinds, ...rest } = options;
  return run(desk, scenarios(calls, kinds), { models: { judge: model }, store: false, ...rest });
};

/** The same calls, each judged on its own. */
const alone = (calls: number, kinds?: number) =>
  runWith(judge(), calls, { ...(kinds ? { kinds } : {}), repeat: { variance: { agent: 1, judge: 1 } } });

test("the calls of a run share requests: at most one for 20 replies, with the verdicts of each on its own", async () => {
  const calls = ONE_RUNTIME ? 60 : 20;
  const expected = new Map<number, RunReport>();
  for (const [concurrency, kinds] of [
    [1, 1],
    [4, 7],
    ["auto", 3],
  ] as const) {
    const model = judge();
    const report = await runWith(model, calls, { kinds, limits: { concurrency } });
    const sizes = model.sizes();
    assert.ok(sizes.length <= (calls * REPLIES) / 20, `${sizes.length} requests with concurrency ${concurrency}`);
    assert.ok(Math.max(...sizes) <= 40);
    assert.equal(
      sizes.reduce((sum, each) => sum + each, 0),
      calls * REPLIES,
    );
    assert.equal(report.usage.calls, sizes.length, "each request is paid for once");
    assert.equal(report.usage.byRole?.judge.calls, sizes.length, "they are the judge's");
    const known = expected.get(kinds) ?? (await alone(calls, kinds));
    assert.ok(known.counts.fail > 0 && known.counts.pass > 0);
    assert.deepEqual(verdictsOf(report), verdictsOf(known));
  }
});

test("an answer that cannot be used is asked for again in halves, and errs in no other call", async () => {
  const model = judge({ fails: (replies) => replies > 10 });
  const report = await runWith(model, 8, { limits: { concurrency: 2 }, requests: { retry: { retries: 0 } } });
  assert.deepEqual(verdictsOf(report), verdictsOf(await alone(8)));
  const broken = judge({ fails: () => true });
  const failed = await runWith(broken, 8, { limits: { concurrency: 2 }, requests: { retry: { retries: 0 } } });
  assert.equal(failed.counts.error, 8);
  assert.match(failed.results[0]?.errorMessage ?? "", /replies/);
});

test("recordings hold each call's own rulings: a replay asks nobody, alone or together", async () => {
  const folder = await mkdtemp(join(tmpdir(), "callweave-"));
  try {
    const recorded = (mode: "record" | "replay") => createRecordings(fileRecordings(join(folder, "calls.json")), mode);
    const first = await runWith(judge(), 12, { recordings: recorded("record") });
    const silent = judge();
    const again = await runWith(silent, 12, { recordings: recorded("replay"), limits: { concurrency: 3 } });
    assert.deepEqual([verdictsOf(again), silent.calls.length], [verdictsOf(first), 0]);
    const one = await runWith(silent, 1, { recordings: recorded("replay") });
    assert.deepEqual(verdictsOf(one)[0], verdictsOf(first)[0]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("an aborted run ends at once while calls wait for others, and a resumed one holds only those that had not ended", async () => {
  await using store = await openStore(":memory:");
  const controller = new AbortController();
  const ends = new Set<string>();
  // call 9 never ends: the others wait for it
  const stuck = connect.custom({
    name: "desk",
    agent: async (messages, { signal }) => {
      const said = messages.at(-1)?.content ?? "";
      if (said === "line 3 of 9" && !signal.aborted && !controller.signal.aborted) {
        setTimeout(() => controller.abort(), 0);
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      }
      if (said.startsWith("line 3") && !signal.aborted) ends.add(said);
      return `Of course: ${said}.`;
    },
  });
  const options = {
    models: { judge: judge() },
    store,
    share: { codeVersion: "1" },
    limits: { concurrency: 3 },
  } as const;
  const first = await run(stuck, scenarios(10), { ...options, signal: controller.signal });
  const ended = first.counts.pass + first.counts.fail;
  assert.ok(ended >= 5 && ended < 10, `${ended} calls were judged before`);
  assert.equal(first.counts.cancelled, 10 - ended);
  const model = judge();
  const held = new Set<string>();
  const counted = connect.custom({
    name: "desk",
    agent: (messages) => {
      const said = messages.at(-1)?.content ?? "";
      held.add(said.replace(/\d/, "3"));
      return `Of course: ${said}.`;
    },
  });
  const resumed = await run(counted, scenarios(10), {
    ...options,
    models: { judge: model },
    share: { codeVersion: "1", resume: first.id },
  });
  assert.equal(
    model.sizes().reduce((sum, each) => sum + each, 0),
    (10 - ended) * REPLIES,
  );
  assert.ok(ends.size > ended, "calls waited when it was aborted");
  assert.deepEqual(
    [...held].filter((call) => ends.has(call)),
    [],
  );
  assert.equal(held.size, 10 - ends.size);
  assert.equal(resumed.results.filter(({ status }) => status === "pass" || status === "fail").length, 10);
});

test("a call waits for another, however long it takes, but not for what adds no replies", async () => {
  let answer = () => {};
  let isSlow = () => {};
  const slow = connect.custom({
    name: "desk",
    agent: async (messages) => {
      if (messages.at(-1)?.content === "line 3 of 1")
        await new Promise<void>((resolve) => {
          answer = resolve;
          isSlow();
        });
      return "Of course.";
    },
  });
  const model = judge();
  const results: string[] = [];
  const reached = new Promise<void>((resolve) => {
    isSlow = resolve;
  });
  const running = run(slow, scenarios(2), {
    models: { judge: model },
    store: false,
    limits: { concurrency: 1 },
    listeners: { onResult: ({ result }) => void results.push(result.scenario) },
  });
  await reached;
  assert.deepEqual([results, model.calls.length], [[], 0]);
  answer();
  assert.equal((await running).results.length, 2);
  assert.deepEqual(model.sizes(), [2 * REPLIES]);
});

test("estimates bound shared requests: the total has them once, a scenario those that it can pay for", async () => {
  const models = { judge: "openai/gpt-5-mini" } as const;
  const bounds = (calls: number, options: RunOptions = {}) =>
    estimate(desk, scenarios(calls), { models, ...options }).roles.judge;
  const { calls, inputTokens, costUsd } = bounds(60);
  // the opening counts as a reply
  assert.deepEqual(calls, { least: 0, most: (60 * (REPLIES + 1)) / 20 + 1, worst: 2 * 60 * 5 });
  const alone = bounds(60, { limits: { failFast: true } });
  assert.deepEqual(alone.calls, { least: 0, most: 60, worst: 60 * 5 });
  assert.ok(inputTokens.most < alone.inputTokens.most && (costUsd?.most ?? 9) < (alone.costUsd?.most ?? 0));
  assert.deepEqual(bounds(60, { repeat: { variance: { agent: 1, judge: 2 } } }).calls.most, 120);
  assert.deepEqual(bounds(60, { audio: { speech: "offline" } }).calls.most, 120);
  assert.equal(bounds(60, { share: { shard: { index: 1, total: 4 } } }).calls.most, calls.most + 3);
  assert.equal(bounds(2).calls.most, 1);
  for (const fails of [() => false, (replies: number) => replies > 8, () => true])
    for (const concurrency of [1, 4]) {
      const model = judge({ fails });
      const options = { limits: { concurrency }, requests: { retry: { retries: 0 } } };
      const report = await runWith(model, 24, options);
      const most = fails(8) || fails(9) ? "worst" : "most";
      const estimated = estimate(desk, scenarios(24), { models: { judge: model }, ...options });
      assert.ok(model.calls.length <= estimated.roles.judge.calls[most], `${model.calls.length} requests`);
      for (const { scenario, usage } of report.results) {
        const own = estimated.scenarios.find((each) => each.scenario === scenario)?.calls[most] ?? 0;
        assert.ok(usage.calls <= own, `${usage.calls} of ${own} for ${scenario}`);
      }
    }
});
