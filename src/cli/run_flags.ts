import type { Flag } from "./arguments.ts";

/** Flags that say how calls are held. */
export const CALL_FLAGS = {
  scenario: { value: "NAME", repeats: true, description: "Only the scenario of this name; may be given several times" },
  grep: { value: "PATTERN", description: "Only scenarios whose name matches this regular expression, in any case" },
  tag: { value: "TAG", repeats: true, description: "Only scenarios with this tag, or one of several" },
  model: { value: "MODEL", description: "provider/model or offline; from the environment if absent, else offline" },
  "caller-model": { value: "MODEL", description: "Plays the callers; the agent's model if absent" },
  "judge-model": { value: "MODEL", description: "Judges the calls; the agent's model if absent" },
  concurrency: { value: "N", description: "Calls held at a time; 8 if absent" },
  "max-turns": { value: "N", description: "Caller turns after which a call ends; 20 if absent" },
  threshold: { value: "SCORE", description: "Score from which a criterion passes, above 0 and up to 1; 0.7 if absent" },
  turn: { value: "MODE", description: "How a turn asks its models: split (if absent), speculative or fused" },
  "try-timeout": { value: "SECONDS", description: "Time limit of one try of a model call; 60 if absent" },
  rpm: { value: "N", description: "Requests a minute to each model, by all calls together" },
  "model-concurrency": { value: "N", description: "Requests to each model at a time, by all calls together" },
  now: { value: "TIME", description: "Clock of the calls, such as 2026-03-01T09:00:00Z; recorded calls keep theirs" },
  "live-tools": { value: "HOSTS", description: "host,host:port that tools may really be called at; none if absent" },
  "budget-calls": { value: "N", description: "Model calls of the agent that a call may use up" },
  "budget-tokens": { value: "N", description: "Tokens of the agent that a call may use up" },
  "budget-usd": { value: "DOLLARS", description: "What the agent of a call may cost" },
  "budget-seconds": { value: "SECONDS", description: "How long a call may take" },
  prices: {
    value: "FILE.json",
    description: "Dollars for a million tokens by model, beside the prices that are known",
  },
} satisfies { readonly [name: string]: Flag };

/** Flags of a run, wherever its scenarios come from. */
export const RUN_FLAGS = {
  ...CALL_FLAGS,
  db: {
    value: "URL",
    description: "Where results are stored: a file or a libSQL URL; .callweave/results.db if absent",
  },
  recordings: { value: "FILE", description: "Recorded model calls: a .json file, a database file or a libSQL URL" },
  mode: { value: "MODE", description: "With --recordings: auto (if absent), record, replay or off" },
  "fail-fast": { description: "Stop at the first call that does not pass; the others are cancelled" },
  estimate: { description: "Print what the run will need, and call nothing" },
  json: { description: "Print the report as JSON" },
  junit: { value: "FILE", description: "Also write a JUnit report" },
} satisfies { readonly [name: string]: Flag };
