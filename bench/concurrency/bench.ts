import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { parseGraph } from "../../src/document/graph/mod.ts";
import { type RunOptions, type RunReport, run } from "../../src/run/runner/mod.ts";
import { formatJson, formatReport } from "../../src/surface/reporters/mod.ts";
import { fitting, startChatServer } from "../../tests/chat_server.ts";
import { type Figure, sized } from "../figure.ts";
import { javascript } from "../javascript.ts";

const CALLS = sized(64, 4);
const TURNS = sized(6, 2);
const ANSWER_MS = sized(200, 5);

/** A model with a constant latency, whatever the load. */
const agent: LanguageModelV3 = {
  specificationVersion: "v3",
  provider: "bench",
  modelId: "slow",
  supportedUrls: {},
  doGenerate: async () => {
    await pause(ANSWER_MS);
    return {
      content: [{ type: "text", text: "All right." }],
      finishReason: { unified: "stop", raw: "stop" },
      usage: {
        inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 3, text: 3, reasoning: 0 },
      },
      warnings: [],
    };
  },
  doStream: () => Promise.reject(new Error("not used")),
};
const graph = parseGraph({
  entry_node_id: "chat",
  source_metadata: { begin_message: "Hello, how can I help?" },
  nodes: { chat: { node_type: "conversation", state_prompt: "Help the caller." } },
});
const scenarios = Array.from({ length: CALLS }, (_, index) => ({
  name: `call ${index}`,
  says: Array.from({ length: TURNS }, (_, turn) => `Line ${turn}`),
  includes: ["All right."],
}));

async function runAll(
  options: RunOptions,
  most = CALLS,
): Promise<{ readonly wallMs: number; readonly report: RunReport }> {
  const started = performance.now();
  const report = await run(graph, scenarios.slice(0, most), { models: { agent }, store: false, ...options });
  const wallMs = performance.now() - started;
  if (!report.passed) throw new Error("the calls of the bench do not pass");
  return { wallMs, report };
}

/** How close a run comes to the minimum time: 64 scenarios of 6 turns, with a model that answers in 200 ms. */
export async function* bench(): AsyncGenerator<Figure> {
  await runAll({ limits: { concurrency: CALLS } }); // warm-up: loads and compiles the code
  const sequential = await runAll({ limits: { concurrency: 1 } });
  const longestMs = Math.max(...sequential.report.results.map(({ durationMs }) => durationMs));
  const single = `the longest of ${CALLS} scenarios, run one after another: ${Math.round(longestMs)} ms`;

  const parallel = await runAll({ limits: { concurrency: CALLS } });
  yield {
    name: "wall_over_longest_64",
    value: parallel.wallMs / longestMs,
    unit: "ratio",
    against: single,
    bound: 1.25,
  };
  const eight = await runAll({ limits: { concurrency: 8 } });
  yield {
    name: "wall_over_ideal_8",
    value: eight.wallMs / (sequential.wallMs / 8),
    unit: "ratio",
    against: `an eighth of the sequential time: ${Math.round(sequential.wallMs / 8)} ms`,
    bound: 1.15,
  };
  yield {
    name: "sequential_over_parallel",
    value: sequential.wallMs / parallel.wallMs,
    unit: "ratio",
    against: `${CALLS} at a time; one after another: ${Math.round(sequential.wallMs)} ms`,
  };
  yield {
    name: "sequential_over_parallel_8",
    value: sequential.wallMs / eight.wallMs,
    unit: "ratio",
    against: `8 at a time; one after another: ${Math.round(sequential.wallMs)} ms`,
  };
  const auto = await runAll({ limits: { concurrency: "auto" } });
  yield { name: "auto_over_64", value: auto.wallMs / parallel.wallMs, unit: "ratio", against: `${CALLS} at a time` };
  yield { name: "auto_over_8", value: auto.wallMs / eight.wallMs, unit: "ratio", against: "8 at a time" };
  yield* overhead(parallel.wallMs);
  yield await firstRun();
}

/** Calls of a first run; more than start at once. */
const FIRST_CALLS = sized(20, 3);
/** Turns of each of its calls: 4 s on a server that answers in 200 ms. */
const FIRST_TURNS = sized(20, 2);
const RUNS = sized(3, 1);
const LIMIT_MS = 120_000;

/** The time of a process that loads Callweave and runs 20 calls with default options. The median of several. */
async function firstRun(): Promise<Figure> {
  const program = await javascript("bench/concurrency/first_run.ts");
  await using server = await startChatServer((request) => fitting(request), { beforeReply: () => pause(ANSWER_MS) });
  const ratios: { readonly ratio: number; readonly longestMs: number }[] = [];
  for (let count = 0; count < RUNS; count++) {
    const cwd = await mkdtemp(join(tmpdir(), "callweave-bench-"));
    try {
      const env = { ...process.env, BENCH_BASE_URL: server.url };
      const args = [program, String(FIRST_CALLS), String(FIRST_TURNS)];
      const { stdout } = await promisify(execFile)(execPath, args, { cwd, env, timeout: LIMIT_MS });
      const { passed, wallMs, longestMs } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}");
      if (passed !== true) throw new Error("the calls of the first run do not pass");
      ratios.push({ ratio: wallMs / longestMs, longestMs });
    } finally {
      await rm(cwd, { recursive: true, force: true });
    }
  }
  const middle = ratios.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(RUNS / 2)];
  if (!middle) throw new TypeError("unreachable: there is at least one run");
  return {
    name: "first_run_over_longest_20",
    value: middle.ratio,
    unit: "ratio",
    against: `the longest of ${FIRST_CALLS} calls: ${Math.round(middle.longestMs)} ms; a new process with default options, a server that answers in ${ANSWER_MS} ms`,
    bound: 1.2,
  };
}

/** The overhead of storing every result and writing the reports. */
async function* overhead(wallMs: number): AsyncGenerator<Figure> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-bench-"));
  try {
    const stored = await runAll({ limits: { concurrency: CALLS }, store: join(folder, "results.db") });
    const against = `${CALLS} at a time without storing: ${Math.round(wallMs)} ms`;
    yield { name: "stored_over_not_64", value: stored.wallMs / wallMs, unit: "ratio", against };
    const started = performance.now();
    formatReport(stored.report);
    formatJson(stored.report);
    const reportingMs = performance.now() - started;
    yield { name: "reporting_ms", value: reportingMs, unit: "ms", against: `console and JSON of ${CALLS} results` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
