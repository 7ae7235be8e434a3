import type { Flag } from "../arguments/mod.ts";
import { COMPARE_FLAGS, REPORTER_FLAGS } from "../reports/mod.ts";
import { AUDIO_FLAGS } from "./audio.ts";

/** Flags of commands that run calls. */
export const CALL_FLAGS = {
  scenario: { value: "NAME", repeats: true, description: "Only the scenario of this name; repeatable" },
  grep: { value: "PATTERN", description: "Only scenarios whose name matches this regular expression, ignoring case" },
  tag: { value: "TAG", repeats: true, description: "Only scenarios with this tag; repeatable" },
  model: { value: "MODEL", description: "provider/model or offline (default: from the environment, else offline)" },
  "caller-model": { value: "MODEL", description: "Model of the callers (default: the agent's)" },
  "judge-model": { value: "MODEL", description: "Model of the judge (default: the agent's)" },
  repeat: { value: "N", description: "Number of calls per scenario (default: 1)" },
  "min-pass-rate": {
    value: "RATE",
    description: "Share of a scenario's calls that must pass, such as 0.8 (default: all)",
  },
  "pass-any": { description: "One call of each scenario that passes is enough" },
  "all-trials": { description: "Run all repeated calls, even when enough have passed or failed" },
  variance: {
    value: "agent=N,judge=N",
    description: "Find the source of flakiness: repeat each call with the same words N times, and judge each N times",
  },
  audit: {
    value: "MODE",
    description:
      "Audit of simulated callers: off, facts (default: invented e-mail addresses, codes and numbers) or judge (also by a model)",
  },
  "judge-flow": {
    description: "Also judge the path of every call: whether each transition was right given what was said",
  },
  concurrency: {
    value: "N|auto",
    description: "Concurrent calls; auto, the default, starts with 8 and adapts to the speed of the models",
  },
  "max-turns": { value: "N", description: "Caller turns after which a call ends (default: 20)" },
  threshold: { value: "SCORE", description: "Minimum score to pass, above 0 and up to 1 (default: 0.7)" },
  turn: { value: "MODE", description: "How a turn calls its models: split (default), speculative or fused" },
  stream: { description: "Stream the agent's replies, to measure latency to their first token" },
  "try-timeout": { value: "SECONDS", description: "Time limit of one attempt of a model call (default: 60)" },
  rpm: { value: "N", description: "Maximum requests per minute to each model, over all calls" },
  "model-concurrency": { value: "N", description: "Maximum concurrent requests to each model, over all calls" },
  now: { value: "TIME", description: "Clock of the calls, such as 2026-03-01T09:00:00Z; replayed calls keep theirs" },
  "live-tools": {
    value: "HOSTS",
    description: "Hosts (host,host:port) whose tools are called (default: none)",
  },
  "budget-calls": { value: "N", description: "Limit of the agent's model calls, for each call" },
  "budget-tokens": { value: "N", description: "Limit of the agent's tokens, for each call" },
  "budget-usd": { value: "DOLLARS", description: "Limit of the agent's cost, for each call" },
  "budget-seconds": { value: "SECONDS", description: "Limit of the duration of each call" },
  prices: {
    value: "FILE.json",
    description: "Dollars per million tokens by model, added to the known prices",
  },
} satisfies { readonly [name: string]: Flag };

/** Flags of a run, wherever its scenarios come from. */
export const RUN_FLAGS = {
  ...CALL_FLAGS,
  ...AUDIO_FLAGS,
  db: {
    value: "URL",
    description: "Results database: a file or a libSQL URL (default: .callweave/results.db)",
  },
  resume: {
    value: "RUN",
    description: "Resume this stored run: trials that have passed or failed are skipped",
  },
  shard: { value: "I/N", description: "Run only the I-th of N parts of the scenarios, such as 1/4" },
  join: {
    value: "NAME",
    description: "Join the run of this name, or create it (default with --shard on a server: the CI build)",
  },
  recordings: { value: "FILE", description: "Recorded model calls: a .json file, a database file or a libSQL URL" },
  mode: { value: "MODE", description: "With --recordings: auto (default), record, replay or off" },
  "fail-fast": { description: "Stop at the first call that does not pass; the others are cancelled" },
  queue: { value: "REDIS", description: "Let workers run the calls: URL of the Redis that callweave worker uses" },
  "worker-timeout": { value: "SECONDS", description: "With --queue: maximum time without any worker (default: 600)" },
  telemetry: { description: "Send OpenTelemetry spans to the collector at OTEL_EXPORTER_OTLP_ENDPOINT" },
  estimate: { description: "Print calls, tokens and cost of the run without calling a model" },
  coverage: { description: "Also print the coverage of the agent" },
  "min-coverage": { value: "N", description: "Exit with 1 if the calls cover less than N percent of the agent" },
  json: { description: "Print the report as JSON" },
  junit: { value: "FILE", description: "Also write a JUnit report" },
  ...REPORTER_FLAGS,
  ...COMPARE_FLAGS,
} satisfies { readonly [name: string]: Flag };
