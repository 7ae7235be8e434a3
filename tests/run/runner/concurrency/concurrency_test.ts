import assert from "node:assert/strict";
import { test } from "node:test";
import type { LanguageModel } from "ai";
import { parseGraph } from "../../../../src/document/graph/mod.ts";
import { createConcurrency } from "../../../../src/run/runner/concurrency.ts";
import { type RunEvent, run } from "../../../../src/run/runner/mod.ts";
import { CHAT } from "../_fixtures.ts";

type Model = Extract<LanguageModel, { readonly specificationVersion: "v3" }>;

/** A model behind a server. Requests wait until the test answers them. */
function createServer() {
  const requests: { readonly answer: () => void; readonly refuse: () => void }[] = [];
  const model: Model = {
    specificationVersion: "v3",
    provider: "test",
    modelId: "server",
    supportedUrls: {},
    doGenerate: () =>
      new Promise((resolve, reject) => {
        const usage = {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        };
        requests.push({
          answer: () =>
            resolve({
              content: [{ type: "text", text: "Hello." }],
              finishReason: { unified: "stop", raw: "stop" },
              usage,
              warnings: [],
            }),
          refuse: () => reject(Object.assign(new Error("too many requests"), { statusCode: 429 })),
        });
      }),
    doStream: () => Promise.reject(new Error("not used")),
  };
  return { model, requests };
}

/** Runs everything that does not wait for a response. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Starts calls of several requests each, without a run around them. */
function startCalls(count: number, requestsPerCall: number, options: { readonly most?: number } = {}) {
  let now = 0;
  const { schedule, around } = createConcurrency("auto", { ...options, now: () => now });
  const { model, requests } = createServer();
  let running = 0;
  const send = () => {
    const params = { prompt: [] };
    const doStream = () => model.doStream(params);
    return around([]).reduceRight<() => ReturnType<Model["doGenerate"]>>(
      (doGenerate, { wrapGenerate }) =>
        () =>
          wrapGenerate?.({ doGenerate, doStream, params, model }) ?? doGenerate(),
      () => model.doGenerate(params),
    )();
  };
  const calls = Array.from({ length: count }, () =>
    schedule(async () => {
      running += 1;
      for (let request = 0; request < requestsPerCall; request++) await Promise.resolve(send()).catch(() => {});
      running -= 1;
    }),
  );
  return {
    requests,
    running: () => running,
    done: Promise.all(calls),
    /** Answers or rejects all waiting requests, after a number of milliseconds. */
    answer: async (ms: number, how: "answer" | "refuse" = "answer") => {
      now += ms;
      const waiting = requests.splice(0);
      for (const request of waiting) request[how]();
      await settle();
      return waiting.length;
    },
  };
}

test("auto doubles the calls at a time while answers come as fast as before", async () => {
  const calls = startCalls(200, 4);
  await settle();
  const waves: number[] = [];
  for (let wave = 0; wave < 4; wave++) {
    waves.push(calls.running());
    await calls.answer(200);
  }
  assert.deepEqual(waves, [16, 32, 64, 128]);
  while (calls.requests.length > 0) await calls.answer(200);
  await calls.done;
});

test("auto sends half as many requests at a time after a refusal, also those of calls that run already", async () => {
  const calls = startCalls(60, 10);
  await settle();
  for (const waiting of [16, 32]) assert.equal(await calls.answer(200), waiting);
  assert.equal(calls.requests.length, 60);
  await calls.answer(20, "refuse");
  assert.equal(calls.requests.length, 32);
  while (calls.requests.length > 0) await calls.answer(200);
  await calls.done;
});

test("auto never starts more calls than the run's request limits leave work for", async () => {
  const calls = startCalls(30, 4, { most: 3 });
  await settle();
  while (calls.requests.length > 0) {
    assert.ok(calls.running() <= 3);
    await calls.answer(200);
  }
  await calls.done;
});

const scenarios = Array.from({ length: 24 }, (_, index) => ({
  name: `call ${index}`,
  says: ["Hi"],
  excludes: ["never said"],
}));

test("run() starts 16 calls at a time by default, and sends half as many requests when a server refuses them", async () => {
  const { model, requests } = createServer();
  let running = 0;
  let mostRunning = 0;
  const onProgress = ({ kind }: RunEvent) => {
    if (kind === "call-start") running += 1;
    if (kind === "call-end") running -= 1;
    mostRunning = Math.max(mostRunning, running);
  };
  let ended = false;
  const report = run(CHAT, scenarios, {
    models: { agent: model },
    store: false,
    requests: { retry: { minDelayMs: 0 } },
    listeners: { onProgress },
  }).finally(() => {
    ended = true;
  });
  while (requests.length < 16) await settle();
  assert.equal(requests.length, 16);
  assert.equal(mostRunning, 16);
  for (const { refuse } of requests.splice(0)) refuse();
  let answered = 0;
  while (!ended) {
    await settle();
    // the limit stays as it is until 16 requests were answered
    if (answered < 16) assert.ok(requests.length <= 8, `${requests.length} requests at a time`);
    const next = requests.shift();
    if (next) answered += 1;
    next?.answer();
  }
  assert.deepEqual((await report).counts.pass, 24);
});

test("run() reports each node of a call when the call gets there", async () => {
  const graph = parseGraph({
    entry_node_id: "a",
    nodes: {
      a: { state_prompt: "Ask.", transitions: [{ target_node_id: "b", condition: { type: "always" } }] },
      b: { node_type: "end", state_prompt: "Say goodbye." },
    },
  });
  const events: string[] = [];
  await run(graph, [{ name: "moves", says: ["Hi"], visits: ["b"], repeat: 2 }], {
    store: false,
    limits: { concurrency: 1 },
    listeners: {
      onProgress: (event) => {
        if (event.kind === "node") events.push(`${event.scenario} ${event.trial} ${event.node}`);
        if (event.kind === "call-end") events.push("end");
      },
    },
  });
  assert.deepEqual(events, ["moves 1 a", "moves 1 b", "end", "moves 2 a", "moves 2 b", "end"]);
});
