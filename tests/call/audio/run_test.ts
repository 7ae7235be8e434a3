import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import { formatJson } from "../../../api/reporters.ts";
import { type AudioOptions, openStore, type RunOptions, run, scenario, scripted } from "../../../mod.ts";
import { BILLING, BILLING_CALL, DESK, verdict } from "../../run/runner/_fixtures.ts";
import { folder } from "../../surface/cli/_terminal.ts";
import { type AudioServer, startAudioServer } from "./_audio_server.ts";

const CALL = { ...BILLING_CALL, name: "bill", user_prompt: "", ends: "agent_ended" as const };
const NO_RETRY = { retry: { retries: 0 } };

function modelsAt({ url }: AudioServer): AudioOptions {
  const provider = createOpenAI({ baseURL: url, apiKey: "test-key" });
  return { speech: provider.speech("tts-1"), transcription: provider.transcription("whisper-1") };
}

/** The agent gives the same answers in each call. The judge requires the number of the bill to be said. */
function agent(calls: number, extract = BILLING.extract) {
  const { transition = [], respond = [] } = BILLING;
  const repeated = <Entry>(queue: readonly Entry[]) => Array.from({ length: calls }, () => queue).flat();
  const judge = (input: { readonly transcript?: unknown }) => {
    const isSaid = JSON.stringify(input.transcript).includes("30 dollars");
    return { verdicts: [verdict(1, isSaid ? 1 : 0, { evidence: [] })] };
  };
  return scripted({
    transition: repeated(transition),
    respond: repeated(respond),
    extract: calls === 1 ? [...(extract ?? [])] : repeated(extract ?? []),
    judge: Array.from({ length: calls * 2 }, () => judge),
  });
}

const OPTIONS = { store: false, limits: { concurrency: 1 }, requests: NO_RETRY } as const satisfies RunOptions;

test("audio sends the agent's words through an OpenAI server and judges what is heard beside what was written", async () => {
  await using server = await startAudioServer((text) => text.replace("30 dollars", "thirteen dollars"));
  const store = await openStore(":memory:");
  const { results } = await run(DESK, [{ ...CALL, metrics: ["The agent says the amount"] }], {
    ...OPTIONS,
    store,
    models: { agent: agent(1) },
    audio: { ...modelsAt(server), voice: "nova" },
  });
  const [result] = results;
  assert.equal(result?.status, "pass", result?.errorMessage ?? "");
  const { audio } = (await store.findResult(result.id)) ?? {};
  await store.close();
  assert.deepEqual(
    audio?.messages.map(({ role, written, heard, lost }) => [role, written, heard, lost]),
    [
      ["assistant", "Hello, how can I help?", "Hello, how can I help?", []],
      [
        "assistant",
        "Your bill REF-A7 is 30 dollars.",
        "Your bill REF-A7 is thirteen dollars.",
        [{ kind: "number", written: "30" }],
      ],
      ["assistant", "Goodbye!", "Goodbye!", []],
    ],
  );
  assert.ok(audio && audio.wordErrorRate > 0 && audio.wordErrorRate < 0.2);
  assert.deepEqual(
    [result.verdicts, audio.verdicts].map((verdicts) => verdicts.map(({ passed }) => passed)),
    [[true], [false]],
  );
  assert.deepEqual(audio.changes, [
    { kind: "criterion", name: "The agent says the amount", text: "passed", audio: "failed" },
  ]);
  const { usage } = audio;
  assert.deepEqual(
    [usage?.speechModel, usage?.transcriptionModel, usage?.requests],
    ["openai/tts-1", "openai/whisper-1", 6],
  );
  const spoken = result.transcript.filter(({ role }) => role === "assistant");
  assert.deepEqual(
    spoken.map(({ metadata }) => metadata.heard),
    audio.messages.map(({ heard }) => heard),
  );
  assert.deepEqual(
    server.speeches.map(({ voice, response_format: format }) => [voice, format]),
    Array.from({ length: 3 }, () => ["nova", "wav"]),
  );
  assert.deepEqual([...new Set(server.rates)], [24_000]);
});

test("audio both gives the agent what was heard over the line, and says what differs from the scenario in text", async () => {
  await using server = await startAudioServer((text) =>
    text.replace("bill, account 123-45", "pill account one two three four six"),
  );
  // in the audio call the caller's words make it another intent, in the text call they do not
  const heard = (input: { readonly conversation_history?: unknown }) => ({
    intent: JSON.stringify(input).includes("pill") ? "other" : "billing",
  });
  const models = {
    agent: scripted({
      transition: [...(BILLING.transition ?? []).slice(0, 1), ...(BILLING.transition ?? [])],
      extract: [heard, heard],
      respond: ["Goodbye!", ...(BILLING.respond ?? [])],
    }),
  };
  const seen: string[] = [];
  const { results } = await run(DESK, [CALL], {
    ...OPTIONS,
    models,
    audio: { ...modelsAt(server), direction: "both" },
    listeners: { onMessage: ({ message: { role, content } }) => void (role === "user" && seen.push(content)) },
  });
  const [result] = results;
  assert.equal(result?.status, "pass", result?.errorMessage ?? "");
  assert.deepEqual(seen, ["It is about my pill account one two three four six"]);
  const caller = result.transcript.filter(({ role }) => role === "user");
  assert.deepEqual(
    caller.map(({ content, metadata }) => [content, metadata.heard]),
    [["It is about my bill, account 123-45", "It is about my pill account one two three four six"]],
  );
  assert.deepEqual(result.audio?.messages.find(({ role }) => role === "user")?.lost, [
    { kind: "number", written: "123-45" },
  ]);
  assert.deepEqual(result.audio?.changes, [
    { kind: "path", text: "greet -> ask -> billing -> goodbye", audio: "greet -> ask -> goodbye" },
    { kind: "variable", name: "intent", text: "billing", audio: "other" },
    { kind: "tool", text: 'lookup_bill({"id":"A7","year":2026})', audio: null },
  ]);
  assert.deepEqual(result.audio?.text, {
    status: "pass",
    errorMessage: null,
    nodesVisited: ["greet", "ask", "billing", "goodbye"],
    endReason: "agent_ended",
  });
  assert.deepEqual([...new Set(server.rates)], [8000]);
});

test("audio retries what may pass, and a refused key is an error of the call that names no key", async () => {
  await using flaky = await startAudioServer(
    (text) => text,
    (_, index) => (index === 0 ? 503 : undefined),
  );
  const retries: string[] = [];
  const { results } = await run(DESK, [CALL], {
    ...OPTIONS,
    requests: { retry: { retries: 1, minDelayMs: 0 } },
    models: { agent: agent(1) },
    audio: { ...modelsAt(flaky), concurrency: 1 },
    listeners: { onRetry: ({ retry: { signature } }) => void retries.push(signature) },
  });
  assert.equal(results[0]?.audio?.wordErrorRate, 0, results[0]?.errorMessage ?? "");
  assert.deepEqual(retries, ["speech", "transcription"]);
  await using closed = await startAudioServer(
    (text) => text,
    () => 401,
  );
  const refused = await run(DESK, [CALL], { ...OPTIONS, models: { agent: agent(1) }, audio: modelsAt(closed) });
  assert.equal(refused.results[0]?.status, "error");
  assert.match(refused.results[0]?.errorMessage ?? "", /^Cannot finish "speech": .*Check the provider's key/);
  assert.ok(closed.keys.every((key) => key === "Bearer test-key"));
  assert.ok(!formatJson(refused).includes("test-key"));
});

test("aborting a run ends requests for speech that never answer", async () => {
  const controller = new AbortController();
  await using server = await startAudioServer(
    (text) => text,
    () => {
      controller.abort();
      return "hang";
    },
  );
  const { results } = await run(DESK, [CALL], {
    ...OPTIONS,
    models: { agent: agent(1) },
    signal: controller.signal,
    audio: modelsAt(server),
  });
  assert.equal(results[0]?.status, "cancelled");
});

test("sound is kept only in the folder of audio.keep", async () => {
  await using server = await startAudioServer((text) => text);
  const kept = join(folder({}), "sound");
  const { results } = await run(DESK, [CALL], {
    ...OPTIONS,
    models: { agent: agent(1) },
    audio: { ...modelsAt(server), line: {}, keep: kept },
  });
  assert.equal(results[0]?.status, "pass", results[0]?.errorMessage ?? "");
  assert.deepEqual(readdirSync(kept).sort(), [
    "bill-1-1-01-assistant.wav",
    "bill-1-1-02-assistant.wav",
    "bill-1-1-03-assistant.wav",
  ]);
  assert.equal(readFileSync(join(kept, "bill-1-1-01-assistant.wav")).readUInt32LE(24), 8000);
});

test("run() refuses audio options that are wrong, each by its path", async () => {
  const wrong: readonly unknown[] = [{ direction: "caller" }, { line: { packetLoss: 2 } }, { speech: 5 }, { kep: "x" }];
  for (const audio of wrong) {
    await assert.rejects(
      run(DESK, [scenario("x").says("hi")], { ...OPTIONS, audio: audio as AudioOptions }), // wrong on purpose
      (error) => String(error).includes(`audio.${Object.keys(audio as object)[0]}`),
      JSON.stringify(audio),
    );
  }
});
