import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { isCallweaveError, parseGraph } from "../../../../mod.ts";
import { parseRunSettings, type RunSettings } from "../../../../src/document/settings/mod.ts";
import { readArguments } from "../../../../src/surface/cli/arguments.ts";
import { RUN_FLAGS, readRunOptions, readRunSettings } from "../../../../src/surface/cli/run/mod.ts";
import { runOptionsFrom } from "../../../../src/surface/project/mod.ts";
import { inFolder } from "../../../run/store/_fixtures.ts";

const agent = { name: "desk" };
const PRICES = { "test/m": { input: 1, output: 2 } };

/** A value of every setting: one that is missing does not compile. */
function everySetting(prices: string): Required<RunSettings> {
  return {
    model: "openai/a",
    caller_model: "openai/b",
    judge_model: "openai/c",
    callers: "difficult, elderly",
    repeat: 3,
    min_pass_rate: 0.5,
    pass_any: true,
    all_trials: true,
    variance: "agent=2,judge=3",
    audit: "judge",
    judge_flow: true,
    concurrency: 5,
    max_cost: 13,
    max_turns: 6,
    threshold: 0.8,
    turn: "fused",
    stream: true,
    try_timeout: 90,
    rpm: 7,
    model_concurrency: 8,
    now: "2026-03-01T09:00:00Z",
    live_tools: "api.example.com,127.0.0.1:80",
    budget_calls: 9,
    budget_tokens: 10,
    budget_usd: 11,
    budget_seconds: 12,
    prices,
    audio: "both",
    speech_model: "openai/d",
    transcription_model: "openai/e",
    voice: "ash",
    caller_voice: "coral",
    line: "snr=20,loss=0.02,seed=7",
    audio_only: true,
    audio_out: "sounds",
    db: "http://127.0.0.1:9",
    fail_fast: true,
    telemetry: true,
    resume: "01J",
    shard: "2/4",
    join: "build 7",
  };
}

/** The settings without one of each pair that cannot be used together. */
function withoutConflicts({ pass_any: _, join: __, ...settings }: Required<RunSettings>): RunSettings {
  return settings;
}

const PAIRS: readonly RunSettings[] = [{ pass_any: true }, { join: "build 7" }];

test("a document of settings gives the options of a run, and every setting changes them", () =>
  inFolder(async (folder) => {
    const prices = join(folder, "prices.json");
    await writeFile(prices, JSON.stringify(PRICES));
    const all = withoutConflicts(everySetting(prices));
    const { clock, ...options } = await runOptionsFrom(parseRunSettings(all), { env: {}, agent });
    assert.equal(clock?.now?.().toISOString(), "2026-03-01T09:00:00.000Z");
    assert.deepEqual(options, {
      models: { agent: "openai/a", caller: "openai/b", judge: "openai/c" },
      turn: "fused",
      limits: {
        maxTurns: 6,
        turnTimeoutMs: 360_000,
        concurrency: 5,
        failFast: true,
        maxCostUsd: 13,
        budget: { call: { modelCalls: 9, tokens: 10, costUsd: 11, wallMs: 12_000 } },
      },
      requests: { tryTimeoutMs: 90_000, stream: true, prices: PRICES, perMinute: 7, maxParallel: 8 },
      repeat: { times: 3, gate: { minPassRate: 0.5 }, sequential: false, variance: { agent: 2, judge: 3 } },
      judging: { audit: "judge", flow: true, threshold: 0.8 },
      share: { resume: "01J", shard: { index: 2, total: 4 } },
      callers: ["difficult", "elderly"],
      store: "http://127.0.0.1:9",
      telemetry: true,
      audio: {
        direction: "both",
        speech: "openai/d",
        transcription: "openai/e",
        voice: "ash",
        callerVoice: "coral",
        keep: "sounds",
        line: { snrDb: 20, packetLoss: 0.02, seed: 7 },
        compareWithText: false,
      },
      liveTools: { hosts: ["api.example.com", "127.0.0.1:80"] },
    });
    const made = async (settings: RunSettings) => {
      const { clock: own, ...rest } = await runOptionsFrom(settings, { env: {}, agent });
      return JSON.stringify([rest, own?.now?.()]);
    };
    const base: RunSettings = { audio: "both" };
    const entries = Object.entries(all).filter(([key]) => key !== "audio");
    for (const [key, value] of entries)
      assert.notEqual(await made(parseRunSettings({ ...base, [key]: value })), await made(base), key);
    for (const one of PAIRS) assert.notEqual(await made({ ...base, ...one }), await made(base));
  }));

test("flags give the document, and the options, that the same settings give as JSON", () =>
  inFolder(async (folder) => {
    const prices = join(folder, "prices.json");
    await writeFile(prices, JSON.stringify(PRICES));
    const all = withoutConflicts(everySetting(prices));
    const flags = Object.entries(all).flatMap(([key, value]) => {
      const flag = `--${key.replaceAll("_", "-")}`;
      return value === true ? [flag] : [`${flag}=${value}`];
    });
    const args = await readArguments(flags, { positionals: [], flags: RUN_FLAGS }, "run");
    assert.deepEqual(readRunSettings(args), all);
    const graph = parseGraph({ entry_node_id: "a", nodes: { a: { state_prompt: "A" } } });
    const { signal } = new AbortController();
    const { clock: _, ...read } = await readRunOptions({ graph, name: "desk" }, args, { env: {}, signal });
    const { clock: __, ...made } = await runOptionsFrom(all, { env: {}, agent, signal });
    assert.deepEqual(read, made);
  }));

test("settings that are wrong or unknown are refused at once, by their keys in the document", () => {
  const wrong = { repeat: 0, turn: "faster", max_turn: 3, concurrency: "all", stream: "yes" };
  assert.throws(
    () => parseRunSettings(wrong),
    (error) => {
      assert.ok(isCallweaveError(error));
      assert.deepEqual([error.name, error.code], ["UsageError", "invalid-option"]);
      const hints = new Map(error.issues.map(({ path, hint }) => [path.join("."), hint]));
      assert.deepEqual([...hints.keys()].sort(), Object.keys(wrong).sort());
      assert.equal(hints.get("repeat"), "Pass a whole number from 1");
      assert.equal(hints.get("max_turn"), 'Did you mean "max_turns"?');
      return true;
    },
  );
  for (const value of [null, [], "repeat", 7, undefined])
    assert.throws(() => parseRunSettings(value), { code: "invalid-option", message: /they are not an object/ });
});

for (const [settings, message, hint] of [
  [{ min_pass_rate: 0.5, pass_any: true }, /"min_pass_rate" and "pass_any" both set the gate/, /Pass one/],
  [{ resume: "01J", join: "build" }, /"resume" and "join" both choose a run/, /"join"/],
  [{ now: "tomorrow" }, /"now" is "tomorrow"/, /"now": "2026-03-01T09:00:00Z"/],
  [{ shard: "4/2" }, /"shard" is "4\/2"/, /"shard": "1\/4"/],
  [{ variance: "all=3" }, /"variance" is "all=3"/, /"variance": "agent=3,judge=3"/],
  [{ live_tools: "https://a.example" }, /"live_tools" names "https:\/\/a.example"/, /api.example.com/],
  [{ voice: "ash" }, /"voice" is passed without "audio"/, /"audio": "both"/],
  [{ audio: "agent", audio_only: true }, /"audio_only" is passed without "audio": "both"/, /Leave it out/],
  [{ audio: "agent", line: "snr=loud" }, /"line" is "snr=loud"/, /"line": "off"/],
] as const satisfies readonly (readonly [RunSettings, RegExp, RegExp])[])
  test(`settings that cannot be used are refused: ${JSON.stringify(settings)}`, async () => {
    await assert.rejects(runOptionsFrom(settings, { env: {}, agent }), (error) => {
      assert.ok(isCallweaveError(error));
      assert.equal(error.code, "invalid-option");
      assert.match(error.message, message);
      assert.match(error.hint, hint);
      return true;
    });
  });
