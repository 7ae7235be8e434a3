import { defined } from "../../../base/values/mod.ts";
import type { RunSettings } from "../../../document/settings/mod.ts";
import type { RepeatOptions, RunOptions, VarianceOptions } from "../../../run/runner/mod.ts";
import type { Environment } from "../reader.ts";
import { audioOf } from "./audio.ts";
import { chooseModels } from "./choose_models.ts";
import { readPrices } from "./prices.ts";
import { sharingOf } from "./sharing.ts";
import { OF_DOCUMENT, type Wording } from "./wording.ts";

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
    ...group("share", sharingOf(agent.name, settings, { env, wording })),
    ...defined({
      signal,
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
