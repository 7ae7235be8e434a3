/**
 * The first run of a process, with default options; run by `bench.ts` with the URL of a slow server in `BENCH_BASE_URL`.
 * Prints one line of JSON: the time since the process was started, and that of the longest call.
 */
import { argv } from "node:process";
import { parseGraph } from "../../src/document/graph/mod.ts";
import { run } from "../../src/run/runner/mod.ts";

const [calls, turns] = argv.slice(2).map(Number);
const graph = parseGraph({
  entry_node_id: "chat",
  source_metadata: { begin_message: "Hello, how can I help?" },
  nodes: { chat: { node_type: "conversation", state_prompt: "Help the caller." } },
});
const scenarios = Array.from({ length: calls ?? 0 }, (_, index) => ({
  name: `call ${index}`,
  says: Array.from({ length: turns ?? 0 }, (_, turn) => `Line ${turn}`),
  includes: ["All right."],
}));
const { passed, results } = await run(graph, scenarios, { models: { agent: "bench/slow" } });
const wallMs = performance.now();
const longestMs = Math.max(...results.map(({ durationMs }) => durationMs));
console.log(JSON.stringify({ passed, wallMs, longestMs }));
