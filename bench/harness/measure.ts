/**
 * Holds many calls side by side with a model that answers at once, and prints what the harness itself costs as one line
 * of JSON. Run by `bench.ts`, once on each runtime.
 */
import process from "node:process";
import { type Conversation, conversation } from "../../src/engine/mod.ts";
import { parseGraph } from "../../src/graph/mod.ts";
import { generated, readCall } from "../../src/models/embedded.ts";
import { embeddedModel } from "../../src/models/model.ts";

const TURNS = 10;

const stay = JSON.stringify({ objectives_complete: true, transition_to: "none" });
const agent = embeddedModel("instant", async (options) =>
  generated(readCall("instant", options).signature === "transition" ? stay : "All right."),
);
const node = (target: string) => ({
  state_prompt: "You help {{name}} with an order.",
  transitions: [{ target_node_id: target, condition: { type: "llm_prompt", value: `Caller wants ${target}` } }],
});
const graph = parseGraph({ entry_node_id: "a", nodes: { a: node("b"), b: node("a") } });

async function hold(latencies: number[]): Promise<Conversation> {
  const call = conversation(graph, { models: { agent }, variables: { name: "Ann" } });
  await call.open();
  for (let turn = 0; turn < TURNS; turn++) {
    const started = performance.now();
    await call.hear(`Line ${turn}`);
    latencies.push(performance.now() - started);
  }
  return call;
}

async function measure(conversations: number) {
  const rounds = Math.max(1, Math.round(300 / conversations));
  const latencies: number[] = [];
  const memoryBefore = process.memoryUsage().rss;
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  let held: Conversation[] = [];
  for (let round = 0; round < rounds; round++) {
    held = await Promise.all(Array.from({ length: conversations }, () => hold(latencies)));
  }
  const wallMs = performance.now() - started;
  const cpu = process.cpuUsage(cpuBefore);
  const sorted = latencies.toSorted((a, b) => a - b);
  const turns = rounds * conversations * (TURNS + 1);
  return {
    conversations: held.length,
    turns_per_second: (turns / wallMs) * 1000,
    cpu_ms_per_turn: (cpu.user + cpu.system) / 1000 / turns,
    p50_ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99_ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    kib_per_conversation: Math.max(0, process.memoryUsage().rss - memoryBefore) / 1024 / conversations,
  };
}

await measure(100); // what is loaded and compiled at first use is so now
const results = [];
for (const conversations of [1, 100, 1000]) results.push(await measure(conversations));
console.log(JSON.stringify(results));
