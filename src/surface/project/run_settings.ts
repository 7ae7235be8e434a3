import * as v from "valibot";
import { UsageError } from "../../base/errors.ts";
import { parseJsonFile, readTextFile } from "../../base/files/mod.ts";
import { defined } from "../../base/values/mod.ts";
import type { AudioOptions, PhoneLine } from "../../call/audio/mod.ts";
import type { Models, PriceTable } from "../../call/models/mod.ts";
import { AUDIO_SETTINGS, type RUN_SETTINGS, type RunSettings, settingKey } from "../../document/settings/mod.ts";
import type { RepeatOptions, RunOptions, SharingOptions, VarianceOptions } from "../../run/runner/mod.ts";
import type { Environment } from "./sources.ts";

/** ISO 8601 with an offset: without one, the time would depend on the machine. */
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;
/** Default time limit of a turn in milliseconds, unless a model may take longer. */
const TURN_MS = 120_000;
/** A turn must be long enough for retries after a time-out. */
const TRIES_IN_TURN = 4;

/** What a run's options are made of besides its settings. */
export interface RunSurroundings {
  readonly env: Environment;
  /** The agent of the run: its name in results, and the model that its document names. */
  readonly agent: { readonly name: string; readonly model?: string | null };
  readonly signal?: AbortSignal;
  /** Default: that for a document. */
  readonly wording?: Wording;
}

/**
 * Makes the options of a run from its settings. Models and the name of a shared run come from the environment where no
 * setting says them; files that settings name are read.
 *
 * @throws {UsageError} `invalid-option`, or what the wording makes, for settings that cannot be used together or read;
 *   `unreadable-file`, `invalid-json`, `wrong-type` for the prices.
 */
export async function runOptionsFrom(settings: RunSettings, surroundings: RunSurroundings): Promise<RunOptions> {
  const { env, agent, signal, wording = OF_DOCUMENT } = surroundings;
  const { model, caller_model: callerModel, judge_model: judgeModel, live_tools: liveTools, prices } = settings;
  const tryTimeoutMs = milliseconds(settings.try_timeout);
  const now = clockOf(settings, wording);
  const names = { model, callerModel, judgeModel };
  return {
    models: chooseModels(names, env, agent.model),
    turn: settings.turn ?? "split",
    ...group("limits", {
      maxTurns: settings.max_turns,
      turnTimeoutMs: tryTimeoutMs && Math.max(TURN_MS, TRIES_IN_TURN * tryTimeoutMs),
      concurrency: settings.concurrency,
      maxCostUsd: settings.max_cost,
      failFast: settings.fail_fast,
      ...group("budget", budgetOf(settings)),
    }),
    ...group("requests", {
      tryTimeoutMs,
      stream: settings.stream,
      prices: prices === undefined ? undefined : await readPrices(prices),
      perMinute: settings.rpm,
      maxParallel: settings.model_concurrency,
    }),
    ...group("repeat", repeatOf(settings, wording)),
    ...group("judging", { audit: settings.audit, flow: settings.judge_flow, threshold: settings.threshold }),
    ...group("share", await sharingOf(agent.name, settings, { env, wording })),
    ...defined({
      signal,
      callers: settings.callers?.split(",").map((name) => name.trim()),
      store: settings.db,
      telemetry: settings.telemetry,
      clock: now && { now },
      audio: audioOf(settings, env, wording),
      liveTools: liveTools === undefined ? undefined : { hosts: hostsIn(liveTools, wording) },
    }),
  };
}

function repeatOf(settings: RunSettings, wording: Wording): RepeatOptions {
  return defined({
    times: settings.repeat,
    gate: gateOf(settings, wording),
    sequential: settings.all_trials ? false : undefined,
    variance: varianceOf(settings, wording),
  });
}

/** The gate for repeated calls of a scenario. */
function gateOf({ min_pass_rate: minPassRate, pass_any: passAny }: RunSettings, { written, problem }: Wording) {
  if (minPassRate !== undefined && passAny)
    throw problem(`${written("min-pass-rate")} and ${written("pass-any")} both set the gate`, "Pass one of them");
  if (passAny) return { passAny: true } as const;
  return minPassRate === undefined ? undefined : { minPassRate };
}

/** Parses the repetitions of each trial: `agent=2,judge=3`, or one of them. */
function varianceOf({ variance: text }: RunSettings, { written, problem }: Wording): VarianceOptions | undefined {
  if (text === undefined) return undefined;
  const parts = text.split(",").map((part) => /^(agent|judge)=([1-9]\d*)$/.exec(part.trim()));
  const names = parts.map((part) => part?.[1]);
  if (names.includes(undefined) || new Set(names).size < names.length) {
    const example = written("variance", "agent=3,judge=3");
    throw problem(`${written("variance")} is "${text}"`, `Write how often each is repeated: ${example}`);
  }
  return Object.fromEntries(parts.map((part) => [part?.[1], Number(part?.[2])]));
}

/** A fixed clock: every call begins at the same time. */
function clockOf({ now: text }: RunSettings, { written, problem }: Wording): (() => Date) | undefined {
  if (text === undefined) return undefined;
  const time = new Date(TIME.test(text) ? text : Number.NaN);
  if (!Number.isNaN(time.getTime())) return () => new Date(time);
  const example = written("now", "2026-03-01T09:00:00Z");
  throw problem(`${written("now")} is "${text}"`, `Write a date, or a time with its offset: ${example}`);
}

function budgetOf(settings: RunSettings) {
  return group("call", {
    modelCalls: settings.budget_calls,
    tokens: settings.budget_tokens,
    costUsd: settings.budget_usd,
    wallMs: milliseconds(settings.budget_seconds),
  });
}

/** Host names with optional ports, without a scheme or a path. */
function hostsIn(text: string, { written, problem }: Wording): readonly string[] {
  const hosts = text.split(",").map((host) => host.trim().toLowerCase());
  const wrong = hosts.find((host) => !/^(?:\[[\da-f:.]+\]|[^\s/:@?#[\]*]+)(?::\d+)?$/.test(host));
  if (wrong === undefined) return hosts;
  throw problem(
    `${written("live-tools")} names "${wrong}"`,
    "Write hosts, each with or without a port: api.example.com,127.0.0.1:8080",
  );
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.ceil(seconds * 1000);
}

/** A group of options without those that are `undefined`; nothing if none is left. */
function group<Name extends string, Value extends object>(name: Name, value: Value) {
  const group = defined(value);
  return Object.keys(group).length === 0 ? {} : keyed(name, group);
}

function keyed<Name extends string, Value>(name: Name, value: Value): { readonly [Key in Name]?: Value } {
  return Object.fromEntries([[name, value]]) as { readonly [Key in Name]?: Value }; // fromEntries loses the key's literal type
}

const price = v.pipe(v.number(), v.minValue(0));
const Prices = v.record(v.string(), v.object({ input: price, output: price }));

/**
 * Reads prices by model, in US dollars for a million tokens: `{ "ollama/llama": { "input": 0, "output": 0 } }`.
 *
 * @throws {UsageError} `unreadable-file`, `invalid-json`, `wrong-type`.
 */
async function readPrices(path: string): Promise<PriceTable> {
  const value = parseJsonFile(path, await readTextFile(path));
  if (v.is(Prices, value)) return value;
  throw new UsageError(`Cannot read "${path}": it does not contain prices`, {
    code: "wrong-type",
    hint: 'Write dollars for a million tokens by model: { "ollama/llama": { "input": 0.2, "output": 0.4 } }',
  });
}

/** Variables in which CI systems put the id of a build that all its machines share. */
const CI_RUNS: readonly { readonly system: string; readonly variables: readonly string[] }[] = [
  { system: "github", variables: ["GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT"] },
  { system: "gitlab", variables: ["CI_PIPELINE_ID"] },
  { system: "circleci", variables: ["CIRCLE_WORKFLOW_ID"] },
  { system: "buildkite", variables: ["BUILDKITE_BUILD_ID"] },
  { system: "azure", variables: ["BUILD_BUILDID"] },
  { system: "bitbucket", variables: ["BITBUCKET_REPO_FULL_NAME", "BITBUCKET_BUILD_NUMBER"] },
  { system: "jenkins", variables: ["BUILD_TAG"] },
];

/**
 * Which run to resume or share. Shards of one build on a server share a run.
 *
 * @throws {UsageError} For settings that cannot be used together or read.
 */
async function sharingOf(
  name: string,
  { resume, join, shard: part, db }: RunSettings,
  { env, wording }: { readonly env: Environment; readonly wording: Wording },
): Promise<SharingOptions> {
  const { written, problem } = wording;
  if (resume !== undefined && join !== undefined) {
    const hint = `Pass ${written("resume")} with the run's id, or ${written("join")} with its name`;
    throw problem(`${written("resume")} and ${written("join")} both choose a run`, hint);
  }
  const shard = shardOf(part, wording);
  // loaded when needed: commands without a run load no store
  const isSplit = shard !== undefined && resume === undefined && (await import("../../run/store/mod.ts")).isServer(db);
  return defined({ resume, shard, joinRun: join ?? (isSplit ? nameOfBuild(env, name) : undefined) });
}

function shardOf(text: string | undefined, { written, problem }: Wording): SharingOptions["shard"] {
  if (text === undefined) return undefined;
  const [index = 0, total = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).slice(1).map(Number);
  if (index >= 1 && index <= total) return { index, total };
  const example = written("shard", "1/4");
  throw problem(`${written("shard")} is "${text}"`, `Write the number of this shard and of all: ${example}`);
}

/** A name that is the same on all machines of one build; `undefined` outside of CI. */
function nameOfBuild(env: Environment, agent: string): string | undefined {
  for (const { system, variables } of CI_RUNS) {
    const values = variables.map((variable) => env[variable]);
    if (values.every((value) => value)) return [system, ...values, agent].join("-");
  }
  return undefined;
}

/** Models of OpenAI, and of the server at OPENAI_BASE_URL. */
const OPENAI = { speech: "openai/gpt-4o-mini-tts", transcription: "openai/gpt-4o-mini-transcribe" };

/** The models of speech and transcription: those that were named, else what the environment has a key for. */
export function soundModels(
  { speech, transcription }: { readonly speech: string | undefined; readonly transcription: string | undefined },
  env: Environment,
): { readonly speech: string; readonly transcription: string } {
  const isOpenAi = Boolean(env.OPENAI_API_KEY || env.OPENAI_BASE_URL);
  return {
    speech: speech ?? (isOpenAi ? OPENAI.speech : "offline"),
    transcription: transcription ?? (isOpenAi ? OPENAI.transcription : "offline"),
  };
}

/** What the flag `--voice` is without a name: the speech model's own voice. */
export const OWN_VOICE = "default";

/** The name of a voice; `undefined` for the speech model's own. */
export function namedVoice(voice: string | undefined): string | undefined {
  return voice === OWN_VOICE ? undefined : voice;
}

const NAMES = Object.keys(AUDIO_SETTINGS).filter((name): name is keyof typeof AUDIO_SETTINGS => name in AUDIO_SETTINGS);

/**
 * The audio of a run; `undefined` without the setting `audio`.
 *
 * @throws {UsageError} For settings that need another one, and lines that cannot be read.
 */
function audioOf(settings: RunSettings, env: Environment, wording: Wording): AudioOptions | undefined {
  const { audio: direction, voice, caller_voice: callerVoice, audio_out: keep } = settings;
  const { written, problem } = wording;
  if (direction === undefined) {
    const other = NAMES.find((name) => isSet(settings, name));
    if (other === undefined) return undefined;
    const hint = `Add ${written("audio")}, or ${written("audio", "both")}`;
    throw problem(`${written(other)} is passed without ${written("audio")}`, hint);
  }
  if (direction === "agent" && settings.audio_only)
    throw problem(
      `${written("audio-only")} is passed without ${written("audio", "both")}`,
      "Leave it out: the agent's words need no second call",
    );
  return {
    direction,
    ...soundModels({ speech: settings.speech_model, transcription: settings.transcription_model }, env),
    ...defined({ voice: namedVoice(voice), callerVoice, keep, line: lineOf(settings.line, wording) }),
    ...(settings.audio_only ? { compareWithText: false } : {}),
  };
}

function isSet(settings: RunSettings, name: SettingName): boolean {
  const value = new Map(Object.entries(settings)).get(settingKey(name));
  return value !== undefined && value !== false;
}

/** Reads the line: `off`, or `snr=20,loss=0.02,seed=7` and parts of it. */
function lineOf(text: string | undefined, { written, problem }: Wording): PhoneLine | false | undefined {
  if (text === undefined) return undefined;
  if (text === "off") return false;
  const parts = text.split(",").map((part) => /^(snr|loss|seed)=(-?\d+(?:\.\d+)?)$/.exec(part.trim()));
  const values = new Map(parts.map((part) => [part?.[1], Number(part?.[2])]));
  const loss = values.get("loss") ?? 0;
  if (values.has(undefined) || values.size < parts.length || loss < 0 || loss > 1) {
    const example = written("line", "snr=20,loss=0.02,seed=7");
    throw problem(
      `${written("line")} is "${text}"`,
      `Write ${written("line", "off")}, or what the line does: ${example}`,
    );
  }
  const [snrDb, packetLoss, seed] = [values.get("snr"), values.get("loss"), values.get("seed")];
  return defined({ snrDb, packetLoss, seed });
}

/** The name of a setting. */
export type SettingName = keyof typeof RUN_SETTINGS;

/** How messages about settings are worded, for who wrote them: on a command line, or in a document. */
export interface Wording {
  /** A setting, or a setting with a value: `--repeat 3`. */
  readonly written: (name: SettingName, value?: string) => string;
  /** An error: what is wrong, and how to mend it. */
  readonly problem: (state: string, hint: string) => UsageError;
}

/** The wording for a document: `"repeat": 3`. */
const OF_DOCUMENT: Wording = {
  written: (name, value) => {
    const key = JSON.stringify(settingKey(name));
    return value === undefined ? key : `${key}: ${JSON.stringify(value)}`;
  },
  problem: (state, hint) =>
    new UsageError(`Cannot use the settings of a run: ${state}`, { code: "invalid-option", hint }),
};

/** Default model of OpenAI, and of the server at OPENAI_BASE_URL. */
const DEFAULT_OPENAI_MODEL = "openai/gpt-5-mini";

/** The models that flags name. */
export interface ModelFlags {
  readonly model?: string | undefined;
  readonly callerModel?: string | undefined;
  readonly judgeModel?: string | undefined;
}

/**
 * The models of a run: from the flags; else `CALLWEAVE_MODEL`; else OpenAI's, if `OPENAI_API_KEY` or
 * `OPENAI_BASE_URL` is set: the agent's own model if it is one of OpenAI's; else the offline model.
 */
export function chooseModels(
  flags: ModelFlags,
  env: { readonly [name: string]: string | undefined },
  agentModel?: string | null,
): Models {
  const agent = flags.model || env.CALLWEAVE_MODEL || environmentModel(env, agentModel) || "offline";
  return {
    agent,
    ...(flags.callerModel ? { caller: flags.callerModel } : {}),
    ...(flags.judgeModel ? { judge: flags.judgeModel } : {}),
  };
}

function environmentModel(env: { readonly [name: string]: string | undefined }, agentModel?: string | null) {
  if (!env.OPENAI_API_KEY && !env.OPENAI_BASE_URL) return undefined;
  return agentModel?.startsWith("openai/") ? agentModel : DEFAULT_OPENAI_MODEL;
}
