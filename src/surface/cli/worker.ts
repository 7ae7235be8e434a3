import process from "node:process";
import { parseScenarios } from "../../document/scenario/mod.ts";
import { CALL_SETTINGS, KIND } from "../../document/settings/mod.ts";
import { startWorker } from "../../run/worker/mod.ts";
import { codeVersion, exportedScenarios, loadScenarios, loadSource } from "../project/mod.ts";
import { type Command, usage } from "./arguments.ts";

/** `callweave worker`. */
export const workerCommand: Command = {
  name: "worker",
  summary: "Run the calls that runs put into a queue, until Ctrl-C",
  spec: {
    positionals: [
      { name: "SOURCE", optional: true, description: "Module of the agent, if calls need its tools or checks" },
    ],
    flags: {
      queue: { value: "REDIS", description: "URL of the Redis (default: CALLWEAVE_QUEUE_URL)" },
      db: {
        value: "URL",
        description: "Results database of the runs: a file or a libSQL URL (default: .callweave/results.db)",
      },
      scenarios: {
        value: "FILE",
        repeats: true,
        isOwn: true,
        description: "Module of scenarios whose checks are needed; SOURCE itself by default",
      },
      concurrency: { value: "N", kind: KIND.count, description: "Concurrent calls (default: 8)" },
      "calls-per-minute": { value: "N", kind: KIND.count, description: "Maximum calls per minute, over all workers" },
      rpm: { ...CALL_SETTINGS.rpm, description: "Maximum requests per minute to each model, from this worker" },
      "model-concurrency": {
        ...CALL_SETTINGS["model-concurrency"],
        description: "Maximum concurrent requests to each model, from this worker",
      },
      "stalled-after": {
        value: "SECONDS",
        kind: { type: "number", from: 0.1, to: KIND.seconds.to },
        description: "Time without a heartbeat after which other workers get a worker's calls (default: 30)",
      },
      telemetry: { description: "Send OpenTelemetry spans to the collector at OTEL_EXPORTER_OTLP_ENDPOINT" },
      json: { description: "Print a line of JSON for each result" },
      export: { value: "NAME", isOwn: true, description: "Name of the export, if the module exports several graphs" },
    },
  },
  notes: [
    "Queue calls with callweave run SOURCE --queue REDIS --db URL. API keys of models come from the worker's environment.",
    "On Ctrl-C it takes no more calls and waits for running ones; a second one quits immediately, and other workers take them.",
  ],
  examples: [
    "callweave worker --queue redis://127.0.0.1:6379 --db libsql://results.example.com",
    "callweave worker flow.ts --scenarios scenarios.ts --concurrency 32",
  ],
  run: async (args, terminal) => {
    const url = args.text("queue") ?? terminal.env.CALLWEAVE_QUEUE_URL;
    if (!url) throw usage("there is no queue", "Pass --queue redis://HOST:PORT, or set CALLWEAVE_QUEUE_URL");
    const path = args.at("SOURCE") || undefined;
    const source =
      path === undefined ? undefined : await loadSource(path, terminal, { exportName: args.text("export") });
    const files = await Promise.all(args.texts("scenarios").map((file) => loadScenarios(file, terminal)));
    const scenarios = files.length > 0 ? files.flat() : parseScenarios(source ? exportedScenarios(source.exports) : []);
    const given = {
      concurrency: args.number("concurrency"),
      callsPerMinute: args.number("calls-per-minute"),
      perMinute: args.number("rpm"),
      maxParallel: args.number("model-concurrency"),
      seconds: args.number("stalled-after"),
    };
    const { concurrency, callsPerMinute, perMinute, maxParallel, seconds } = given;
    const store = args.text("db");
    const version = await codeVersion([...(path === undefined ? [] : [path]), ...args.texts("scenarios")]);
    let stopping = () => {};
    const stopped = new Promise<void>((resolve) => {
      stopping = resolve;
    });
    terminal.signal.addEventListener("abort", () => stopping(), { once: true });
    process.once("SIGTERM", () => stopping());
    const worker = await startWorker(url, {
      scenarios,
      requests: { ...(perMinute ? { perMinute } : {}), ...(maxParallel ? { maxParallel } : {}) },
      onResult: ({ result: { id, runId, scenario, trial, attempt, status } }) =>
        terminal.out(
          args.has("json")
            ? `${JSON.stringify({ id, runId, scenario, trial, attempt, status })}\n`
            : `${status} ${scenario} (trial ${trial})\n`,
        ),
      onWarning: ({ warning }) => terminal.err(`warning: ${warning}\n`),
      signal: terminal.signal,
      ...(store === undefined ? {} : { store }),
      ...(source ? { graph: source.graph } : {}),
      ...(version === undefined ? {} : { codeVersion: version }),
      ...(concurrency ? { concurrency } : {}),
      ...(callsPerMinute ? { callsPerMinute } : {}),
      ...(seconds ? { stalledMs: seconds * 1_000 } : {}),
      ...(args.has("telemetry") ? { telemetry: true } : {}),
    });
    terminal.err("taking calls from the queue; Ctrl-C stops\n");
    await stopped;
    await worker.close();
    return 0;
  },
};
