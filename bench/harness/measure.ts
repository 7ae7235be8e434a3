/**
 * Measures the CPU time of a turn with a model that answers immediately, and of the same requests made with the AI SDK
 * alone, and prints both as one line of JSON. Run by `bench.ts`, once on each runtime.
 *
 * For 1, 100 and 1,000 concurrent calls: a pair of rounds, one of whole calls and one of their bare requests, in one
 * process, with the same model, prompts, schemas and options. Pairs are repeated, and each pair starts with the other
 * kind of round, so that load on the machine slows both down. The heap is collected before each round, so that no round
 * pays for the other's garbage; collections within a round count. The result is the median of the pairs' ratios. The
 * first pair of each number is not counted: it warms up both.
 */
import process from "node:process";
import { type Conversation, conversation } from "../../src/call/engine/mod.ts";
import { generated, readCall } from "../../src/call/models/embedded.ts";
import { embeddedModel } from "../../src/call/models/model.ts";
import { parseGraph } from "../../src/document/graph/mod.ts";
import { sized } from "../figure.ts";
import { ask, type Request } from "./bare.ts";

const TURNS = sized(10, 2);
/** Minimum number of calls in a round: the clock of CPU time is coarse. */
const CALLS_A_ROUND = sized(20, 1);
/** Minimum number of calls in a measurement. */
const CALLS = sized(2_000, 2);
/** Number of pairs in a measurement. Their median is used, because other programs disturb some of them. */
const PAIRS = { fewest: sized(7, 1), most: sized(61, 1), warmUp: sized(10, 1) };

const stay = JSON.stringify({ objectives_complete: true, transition_to: "none" });
const agent = embeddedModel("instant", async (options) =>
  generated(readCall("instant", options).signature === "transition" ? stay : "All right."),
);
const node = (target: string) => ({
  state_prompt: "You help {{name}} with an order.",
  transitions: [{ target_node_id: target, condition: { type: "llm_prompt", value: `Caller wants ${target}` } }],
});
const graph = parseGraph({ entry_node_id: "a", nodes: { a: node("b"), b: node("a") } });

/** Runs a call and returns it, so that memory is measured while all calls are alive. */
async function runCall(model: typeof agent, latencies: number[]): Promise<Conversation> {
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
  await runCall(watched, []);
  return requests;
}

async function runBare(requests: readonly Request[]): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const request of requests) answers.push(await ask(agent, request));
  return answers;
}

/** CPU time of some work in milliseconds, and its wall time. */
async function timeOf(work: () => Promise<unknown>): Promise<{ readonly cpuMs: number; readonly wallMs: number }> {
  collect();
  const started = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - started };
}

/** Runs garbage collection; every runtime is started with `--expose-gc`. */
function collect(): void {
  if (!globalThis.gc) throw new TypeError("measure.ts needs --expose-gc");
  globalThis.gc();
}

async function measure(conversations: number, requests: readonly Request[], most = PAIRS.most) {
  const inTurn = Math.ceil(CALLS_A_ROUND / conversations);
  const turns = inTurn * conversations * (TURNS + 1);
  /** Runs calls concurrently, repeated as often as a round needs. */
  const round = async (one: () => Promise<unknown>) => {
    let results: unknown[] = [];
    for (let count = 0; count < inTurn; count++)
      results = await Promise.all(Array.from({ length: conversations }, async () => await one()));
    return results;
  };
  const latencies: number[] = [];
  collect();
  const memoryBefore = process.memoryUsage().rss;
  let memoryAfter = memoryBefore;
  const whole = () =>
    timeOf(async () => {
      const results = await round(() => runCall(agent, latencies));
      memoryAfter = Math.max(memoryAfter, process.memoryUsage().rss);
      return results;
    });
  const bare = () => timeOf(() => round(() => runBare(requests)));

  const pairs: { cpuMs: number; bareMs: number; wallMs: number }[] = [];
  for (let count = 0; count <= pairsOf(conversations * inTurn, most); count++) {
    const bareFirst = count % 2 === 1 ? await bare() : undefined;
    const { cpuMs, wallMs } = await whole();
    const { cpuMs: bareMs } = bareFirst ?? (await bare());
    if (count > 0) pairs.push({ cpuMs, wallMs, bareMs });
    else latencies.length = 0;
  }
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    conversations,
    turns_per_second: (turns / median(pairs.map(({ wallMs }) => wallMs))) * 1000,
    cpu_ms_per_turn: median(pairs.map(({ cpuMs }) => cpuMs)) / turns,
    bare_cpu_ms_per_turn: median(pairs.map(({ bareMs }) => bareMs)) / turns,
    cpu_over_bare: median(pairs.map(({ cpuMs, bareMs }) => cpuMs / bareMs)),
    p50_ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99_ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    kib_per_conversation: (memoryAfter - memoryBefore) / 1024 / conversations,
  };
}

function pairsOf(calls: number, most: number): number {
  return Math.min(most, Math.max(PAIRS.fewest, Math.round(CALLS / calls)));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const requests = await requestsOfCall();
await measure(sized(30, 3), requests, PAIRS.warmUp); // warm-up: loads and compiles the code
const results = [];
for (const conversations of [1, sized(100, 5), sized(1000, 20)]) results.push(await measure(conversations, requests));
console.log(JSON.stringify(results));
