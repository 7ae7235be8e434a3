import type { Gate } from "../../../base/statistics/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import { AUDIT_MODES, TURN_MODES } from "../../../document/settings/mod.ts";
import type { RunOptions } from "../../../run/runner/mod.ts";
import { type Arguments, usage } from "../arguments/mod.ts";
import type { Terminal } from "../io/mod.ts";
import { readAudio } from "./audio.ts";
import { chooseModels } from "./choose_models.ts";
import { readPrices } from "./prices.ts";

/** ISO 8601 with an offset: without one, the time would depend on the machine. */
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;
/** Default time limit of a turn in milliseconds, unless a model may take longer. */
const TURN_MS = 120_000;
/** A turn must be long enough for retries after a time-out. */
const TRIES_IN_TURN = 4;

/** Reads the run options from the flags, except those for results and recordings. */
export async function readRunOptions(graph: AgentGraph, args: Arguments, terminal: Terminal): Promise<RunOptions> {
  const models = {
    model: args.text("model"),
    callerModel: args.text("caller-model"),
    judgeModel: args.text("judge-model"),
  };
  const tryTimeoutMs = milliseconds(args.number("try-timeout"));
  const turnTimeoutMs = tryTimeoutMs && Math.max(TURN_MS, TRIES_IN_TURN * tryTimeoutMs);
  const now = readClock(args);
  const liveTools = args.text("live-tools");
  const prices = args.text("prices");
  return {
    models: chooseModels(models, terminal.env, graph.default_model),
    signal: terminal.signal,
    ...(args.has("fail-fast") ? { failFast: true } : {}),
    ...(args.has("telemetry") ? { telemetry: true } : {}),
    ...(now ? { clock: { now } } : {}),
    turn: readChoice(args, "turn", TURN_MODES) ?? "split",
    ...given("repeat", args.number("repeat")),
    ...given("gate", readGate(args)),
    ...(args.has("all-trials") ? { sequential: false } : {}),
    ...given("variance", readVariance(args)),
    ...given("audio", readAudio(args, terminal)),
    ...given("audit", readChoice(args, "audit", AUDIT_MODES)),
    ...(args.has("judge-flow") ? { judgeFlow: true } : {}),
    ...given("concurrency", readConcurrency(args)),
    ...given("threshold", args.number("threshold")),
    ...group("limits", {
      ...given("maxTurns", args.number("max-turns")),
      ...given("turnTimeoutMs", turnTimeoutMs),
    }),
    ...group("requests", {
      ...given("tryTimeoutMs", tryTimeoutMs),
      ...(args.has("stream") ? { stream: true } : {}),
      ...(prices === undefined ? {} : { prices: await readPrices(prices) }),
      ...given("perMinute", args.number("rpm")),
      ...given("maxParallel", args.number("model-concurrency")),
    }),
    ...group("budget", readBudget(args)),
    ...(liveTools === undefined ? {} : { liveTools: { hosts: readHosts(liveTools) } }),
  };
}

/**
 * The value of a flag with a fixed set of values.
 *
 * @throws {UsageError} `usage`.
 */
export function readChoice<Choice extends string>(
  args: Arguments,
  flag: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = args.text(flag);
  const choice = choices.find((each) => each === text);
  if (text !== undefined && choice === undefined) {
    throw usage(`--${flag} is "${text}"`, `Write --${flag} ${choices.join("|")}`);
  }
  return choice;
}

/** Reads the number of concurrent calls. */
function readConcurrency(args: Arguments): number | "auto" | undefined {
  return args.text("concurrency") === "auto" ? "auto" : args.number("concurrency");
}

/** Reads the gate for repeated calls of a scenario. */
function readGate(args: Arguments): Gate | undefined {
  const minPassRate = args.number("min-pass-rate");
  if (minPassRate !== undefined && args.has("pass-any"))
    throw usage("--min-pass-rate and --pass-any both set the gate", "Pass one of them");
  if (args.has("pass-any")) return { passAny: true };
  return minPassRate === undefined ? undefined : { minPassRate };
}

/** Parses the repetitions of each trial: `agent=2,judge=3`, or one of them. */
function readVariance(args: Arguments): RunOptions["variance"] {
  const text = args.text("variance");
  if (text === undefined) return undefined;
  const parts = text.split(",").map((part) => /^(agent|judge)=([1-9]\d*)$/.exec(part.trim()));
  const names = parts.map((part) => part?.[1]);
  if (names.includes(undefined) || new Set(names).size < names.length)
    throw usage(`--variance is "${text}"`, "Write how often each is repeated: --variance agent=3,judge=3");
  return Object.fromEntries(parts.map((part) => [part?.[1], Number(part?.[2])]));
}

/** A fixed clock: every call begins at the same time. */
function readClock(args: Arguments): (() => Date) | undefined {
  const text = args.text("now");
  if (text === undefined) return undefined;
  const time = new Date(TIME.test(text) ? text : Number.NaN);
  if (Number.isNaN(time.getTime()))
    throw usage(`--now is "${text}"`, "Write a date, or a time with its offset: --now 2026-03-01T09:00:00Z");
  return () => new Date(time);
}

function readBudget(args: Arguments) {
  const wallMs = milliseconds(args.number("budget-seconds"));
  return group("call", {
    ...given("modelCalls", args.number("budget-calls")),
    ...given("tokens", args.number("budget-tokens")),
    ...given("costUsd", args.number("budget-usd")),
    ...given("wallMs", wallMs),
  });
}

/** Host names with optional ports, without a scheme or a path. */
function readHosts(text: string): readonly string[] {
  const hosts = text.split(",").map((host) => host.trim().toLowerCase());
  const wrong = hosts.find((host) => !/^(?:\[[\da-f:.]+\]|[^\s/:@?#[\]*]+)(?::\d+)?$/.test(host));
  if (wrong === undefined) return hosts;
  throw usage(
    `--live-tools names "${wrong}"`,
    "Write hosts, each with or without a port: api.example.com,127.0.0.1:8080",
  );
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.ceil(seconds * 1000);
}

function given<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [Key in Name]?: Value } {
  return value === undefined ? {} : keyed(name, value);
}

function group<Name extends string, Value extends object>(
  name: Name,
  value: Value,
): { readonly [Key in Name]?: Value } {
  return Object.keys(value).length === 0 ? {} : keyed(name, value);
}

function keyed<Name extends string, Value>(name: Name, value: Value): { readonly [Key in Name]?: Value } {
  return Object.fromEntries([[name, value]]) as { readonly [Key in Name]?: Value }; // fromEntries loses the key's literal type
}
