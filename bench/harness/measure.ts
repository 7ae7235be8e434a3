/**
 * Holds many calls side by side with a model that answers at once, and makes the same requests with the AI SDK alone.
 * Prints what both cost as one line of JSON. Run by `bench.ts`, once on each runtime.
 */
import process from "node:process";
import { type Conversation, conversation } from "../../src/engine/mod.ts";
import { parseGraph } from "../../src/graph/mod.ts";
import { generated, readCall } from "../../src/models/embedded.ts";
import { embeddedModel } from "../../src/models/model.ts";
import { ask, type Request } from "./bare.ts";

const TURNS = 10;
/** Calls a measurement holds at least, in rounds. */
const CALLS = 600;

const stay = JSON.stringify({ objectives_complete: true, transition_to: "none" });
const agent = embeddedModel("instant", async (options) =>
  generated(readCall("instant", options).signature === "transition" ? stay : "All right."),
);
const node = (target: string) => ({
  state_prompt: "You help {{name}} with an order.",
  transitions: [{ target_node_id: target, condition: { type: "llm_prompt", value: `Caller wants ${target}` } }],
});
const graph = parseGraph({ entry_node_id: "a", nodes: { a: node("b"), b: node("a") } });

/** Holds a call and returns it, so that memory is measured while all calls are there. */
async function hold(model: typeof agent, latencies: number[]): Promise<Conversation> {
  const call = conversation(graph, { models: { agent: model }, variables: { name: "Ann" } });
  await call.open();
  for (let turn = 0; turn < TURNS; turn++) {
    const started = performance.now();
    await call.hear(`Line ${turn}`);
    latencies.push(performance.now() - started);
  }
  return call;
}

/** The requests of one call, in order. */
async function requestsOfCall(): Promise<readonly Request[]> {
  const requests: Request[] = [];
  const watched = embeddedModel("instant", async (options) => {
    requests.push(options);
    return await agent.doGenerate(options);
  });
  await hold(watched, []);
  return requests;
}

async function holdBare(requests: readonly Request[]): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const request of requests) answers.push(await ask(agent, request));
  return answers;
}

/** CPU time of some work, in milliseconds. */
async function cpuOf<Result>(work: () => Promise<Result>): Promise<{ readonly result: Result; readonly ms: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1000 };
}

async function measure(conversations: number, requests: readonly Request[]) {
  const rounds = Math.max(3, Math.round(CALLS / conversations));
  const together = <Result>(one: () => Promise<Result>) => Promise.all(Array.from({ length: conversations }, one));
  const latencies: number[] = [];
  const memoryBefore = process.memoryUsage().rss;
  let memoryAfter = memoryBefore;
  let wallMs = 0;
  let cpuMs = 0;
  let bareMs = 0;
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    const { result: held, ms } = await cpuOf(() => together(() => hold(agent, latencies)));
    wallMs += performance.now() - started;
    cpuMs += ms;
    if (held.length !== conversations) throw new TypeError("unreachable: every call is held");
    memoryAfter = Math.max(memoryAfter, process.memoryUsage().rss);
    bareMs += (await cpuOf(() => together(() => holdBare(requests)))).ms;
  }
  const sorted = latencies.toSorted((a, b) => a - b);
  const turns = rounds * conversations * (TURNS + 1);
  return {
    conversations,
    turns_per_second: (turns / wallMs) * 1000,
    cpu_ms_per_turn: cpuMs / turns,
    bare_cpu_ms_per_turn: bareMs / turns,
    p50_ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99_ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    kib_per_conversation: (memoryAfter - memoryBefore) / 1024 / conversations,
  };
}

const requests = await requestsOfCall();
await measure(100, requests); // what is loaded and compiled at first use is so now
const results = [];
for (const conversations of [1, 100, 1000]) results.push(await measure(conversations, requests));
console.log(JSON.stringify(results));
