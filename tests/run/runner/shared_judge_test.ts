import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "../../../api/connect.ts";
import { type RunOptions, type RunReport, run, scenario, scripted } from "../../../mod.ts";
import { type Clock, isRecord, SYSTEM_CLOCK } from "../../../src/base/values/mod.ts";
import { createRecordings, fileRecordings } from "../../../src/call/models/mod.ts";
import { sourceParts } from "../../../src/run/runner/plan/mod.ts";
import { runScenarios } from "../../../src/run/runner/run.ts";
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

test("an aborted run ends at once while calls wait for others, and a resumed one judges the rest", async () => {
  await using store = await openStore(":memory:");
  const controller = new AbortController();
  // call 9 never ends: the others wait for it
  const stuck = connect.custom({
    name: "desk",
    agent: async (messages, { signal }) => {
      const said = messages.at(-1)?.content ?? "";
      if (said === "line 3 of 9" && !signal.aborted && !controller.signal.aborted) {
        setTimeout(() => controller.abort(), 0);
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      }
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
  const resumed = await run(desk, scenarios(10), {
    ...options,
    models: { judge: model },
    share: { codeVersion: "1", resume: first.id },
  });
  assert.equal(
    model.sizes().reduce((sum, each) => sum + each, 0),
    (10 - ended) * REPLIES,
  );
  assert.equal(resumed.results.filter(({ status }) => status === "pass" || status === "fail").length, 10);
});

test("a call waits for another that takes long for a minute only", async () => {
  const minutes = new Set<() => void>();
  const timers: Clock = {
    ...SYSTEM_CLOCK,
    after: (ms, callback) => {
      if (ms !== 60_000) return SYSTEM_CLOCK.after(ms, callback);
      minutes.add(callback);
      return () => void minutes.delete(callback);
    },
  };
  let answer = () => {};
  const slow = connect.custom({
    name: "desk",
    agent: async (messages) => {
      if (messages.at(-1)?.content === "line 3 of 1")
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      return "Of course.";
    },
  });
  const model = judge();
  const results: string[] = [];
  const { graph, options, context } = await sourceParts(slow, {
    models: { judge: model },
    store: false,
    requests: { tryTimeoutMs: 50_000 },
    listeners: { onResult: ({ result }) => void results.push(result.scenario) },
  });
  const running = runScenarios(graph, scenarios(2), options, { ...context, timers });
  while (minutes.size === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.deepEqual([results, model.calls.length], [[], 0]);
  for (const callback of minutes) callback();
  while (results.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.deepEqual([results, model.sizes()], [["call 0"], [REPLIES]]);
  answer();
  assert.equal((await running).results.length, 2);
});
