import { type OptionRule, rule } from "../../base/values/mod.ts";
import { choiceOf, isOfKind, KIND, needsOf, type ValueKind } from "./kind.ts";

const MODEL = {
  value: "MODEL",
  description: "provider/model or offline (default: from the environment, else offline)",
};

/** How a turn calls its models. */
export const TURN_MODES = ["split", "speculative", "fused"] as const;

/** How simulated callers are audited: not at all, only for facts with a known form, or also by the judge's model. */
export const AUDIT_MODES = ["off", "facts", "judge"] as const;

/** Settings of what a call does. */
export const CALL_SETTINGS = {
  model: MODEL,
  "caller-model": { value: "MODEL", description: "Model of the callers (default: the agent's)" },
  "judge-model": { value: "MODEL", description: "Model of the judge (default: the agent's)" },
  callers: {
    value: "NAMES",
    description:
      "Run each scenario with each of these callers: sets or names, such as difficult,elderly; see callweave callers",
  },
  repeat: { value: "N", kind: KIND.count, description: "Number of calls per scenario (default: 1)" },
  "min-pass-rate": {
    value: "RATE",
    kind: KIND.share,
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
    kind: choiceOf(AUDIT_MODES),
    description:
      "Audit of simulated callers: off, facts (default: invented e-mail addresses, codes and numbers) or judge (also by a model)",
  },
  "judge-flow": {
    description: "Also judge the path of every call: whether each transition was right given what was said",
  },
  concurrency: {
    value: "N|auto",
    kind: { ...KIND.count, or: "auto" },
    description: "Concurrent calls; auto, the default, starts with 16 and adapts to the speed of the models",
  },
  "max-cost": {
    value: "DOLLARS",
    kind: KIND.dollars,
    description: "Stop the run when models and the deployed agent's platform have cost this much",
  },
  "max-turns": {
    value: "N",
    kind: KIND.count,
    description: "Caller turns after which a call ends (default: 20)",
  },
  threshold: {
    value: "SCORE",
    kind: KIND.threshold,
    description: "Minimum score to pass, above 0 and up to 1 (default: 0.7)",
  },
  turn: {
    value: "MODE",
    kind: choiceOf(TURN_MODES),
    description: "How a turn calls its models: split (default), speculative or fused",
  },
  stream: { description: "Stream the agent's replies, to measure latency to their first token" },
  "try-timeout": {
    value: "SECONDS",
    kind: KIND.seconds,
    description: "Time limit of one attempt of a model call (default: 60)",
  },
  rpm: { value: "N", kind: KIND.count, description: "Maximum requests per minute to each model, over all calls" },
  "model-concurrency": {
    value: "N",
    kind: KIND.count,
    description: "Maximum concurrent requests to each model, over all calls",
  },
  now: { value: "TIME", description: "Clock of the calls, such as 2026-03-01T09:00:00Z; replayed calls keep theirs" },
  "live-tools": {
    value: "HOSTS",
    description: "Hosts (host,host:port) whose tools are called (default: none)",
  },
  "budget-calls": { value: "N", kind: KIND.count, description: "Limit of the agent's model calls, for each call" },
  "budget-tokens": { value: "N", kind: KIND.count, description: "Limit of the agent's tokens, for each call" },
  "budget-usd": { value: "DOLLARS", kind: KIND.dollars, description: "Limit of the agent's cost, for each call" },
  "budget-seconds": { value: "SECONDS", kind: KIND.seconds, description: "Limit of the duration of each call" },
  prices: {
    value: "FILE.json",
    description: "Dollars per million tokens by model, added to the known prices",
  },
} as const satisfies Settings;

/** The sides whose words go through audio. */
export const AUDIO_DIRECTIONS = ["agent", "both"] as const;

/** Settings that send the words of calls through audio. */
export const AUDIO_SETTINGS = {
  audio: {
    value: AUDIO_DIRECTIONS.join("|"),
    kind: choiceOf(AUDIO_DIRECTIONS),
    description: "Send the agent's words, or both sides' words, through speech and transcription (default: agent)",
  },
  "speech-model": {
    value: "MODEL",
    description:
      "With --audio or --voice: provider/model or offline, which is espeak-ng (default: from the environment)",
  },
  "transcription-model": {
    value: "MODEL",
    description:
      "With --audio or --voice: provider/model or offline, which is pocketsphinx (default: from the environment)",
  },
  voice: {
    value: "NAME",
    description:
      "With --audio: the agent's voice, as the speech model names it; with --agent: call by voice, the caller's",
  },
  "caller-voice": { value: "NAME", description: "With --audio both: the caller's voice (default: the agent's)" },
  line: {
    value: "snr=DB,loss=SHARE,seed=N",
    description: "With --audio: telephone line with noise and lost packets, or off (default: a clean line with both)",
  },
  "audio-only": { description: "With --audio both: do not run each call again in text for comparison" },
  "audio-out": { value: "DIR", description: "With --audio: write the sound of each message to this folder" },
} as const satisfies Settings;

/** Settings of where a run's results go, and of when it ends early. */
export const RESULT_SETTINGS = {
  db: {
    value: "URL",
    description: "Results database: a file or a libSQL URL (default: .callweave/results.db)",
  },
  "fail-fast": { description: "Stop at the first call that does not pass; the others are cancelled" },
  telemetry: { description: "Send OpenTelemetry spans to the collector at OTEL_EXPORTER_OTLP_ENDPOINT" },
} as const satisfies Settings;

/** Settings of runs that are continued, or split over several processes. */
export const SHARING_SETTINGS = {
  resume: {
    value: "RUN",
    description: "Resume this stored run: trials that have passed or failed are skipped",
  },
  shard: { value: "I/N", description: "Run only the I-th of N parts of the scenarios, such as 1/4" },
  join: {
    value: "NAME",
    description: "Join the run of this name, or create it (default with --shard on a server: the CI build)",
  },
} as const satisfies Settings;

/** Every setting that options of a run are made of. Recordings and queues are opened by who runs. */
export const RUN_SETTINGS: typeof CALL_SETTINGS &
  typeof AUDIO_SETTINGS &
  typeof RESULT_SETTINGS &
  typeof SHARING_SETTINGS = { ...CALL_SETTINGS, ...AUDIO_SETTINGS, ...RESULT_SETTINGS, ...SHARING_SETTINGS };

/** How recordings of model calls are used. */
export const RECORDING_MODES = ["auto", "record", "replay", "off"] as const;

/** Settings of recorded model calls. */
export const RECORDING_SETTINGS = {
  recordings: { value: "FILE", description: "Recorded model calls: a .json file, a database file or a libSQL URL" },
  mode: {
    value: "MODE",
    kind: choiceOf(RECORDING_MODES),
    description: "With --recordings: auto (default), record, replay or off",
  },
} as const satisfies Settings;

/** How tool calls are answered that a recording does not have. */
export const UNMATCHED_TOOLS = ["mocks", "fail", "run"] as const;

/** Settings of replays, beside those of calls. */
export const REPLAY_SETTINGS = {
  "unmatched-tools": {
    value: "HOW",
    kind: choiceOf(UNMATCHED_TOOLS),
    description: "How to answer tool calls that the recording does not have: mocks (default), fail or run",
  },
} as const satisfies Settings;

/** The limits of a budget. */
export const BUDGETS = ["modelCalls", "tokens", "costUsd", "wallMs"] as const;

/** A setting of a command: help, flags, the configuration's schema and the checks of options are made of it. */
export interface Setting {
  readonly description: string;
  /** How help shows the value: `N`, `FILE`. Absent: it is a switch. */
  readonly value?: string;
  /** Default: a text, for a setting with a value. */
  readonly kind?: ValueKind;
  /** Whether it can have several values. */
  readonly repeats?: boolean;
  /** For a setting with the name of a top-level key of the configuration, which does not set it. */
  readonly isOwn?: true;
}

/** The settings of a command, by the name of the flag. */
export interface Settings {
  readonly [name: string]: Setting;
}

/** The type that a setting's value must have. */
export function valueKindOf({ kind, value }: Setting): ValueKind {
  return kind ?? (value === undefined ? KIND.switch : KIND.text);
}

/** The key of a command or a setting in a document: `compare_turns`, `snippets_list`, `max_turns`. */
export function settingKey(name: string): string {
  return name.replaceAll(/[- ]/g, "_");
}

/**
 * The rule of an option that has the values of a setting.
 *
 * @param unlimited Whether `Infinity` is allowed, which means no limit.
 */
export function ruleOf(setting: Setting, { unlimited = false }: { readonly unlimited?: boolean } = {}): OptionRule {
  const kind = valueKindOf(setting);
  const isUnlimited = (value: unknown) => unlimited && value === Number.POSITIVE_INFINITY;
  return rule(needsOf(kind), (value) => isOfKind(value, kind) || isUnlimited(value));
}
