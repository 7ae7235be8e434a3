import assert from "node:assert/strict";
import { test } from "node:test";
import { experimental_generateSpeech as generateSpeech, experimental_transcribe as transcribe } from "ai";
import { isCallweaveError } from "../../../src/base/errors.ts";
import {
  compareWords,
  offlineSpeech,
  offlineTranscription,
  overPhone,
  wordErrorRate,
} from "../../../src/call/audio/mod.ts";
import { runInstalledProgram } from "../../../src/call/audio/offline.ts";
import { RUNS_SLOW_CASES } from "../../fast_check.ts";
import { needsProgram } from "../../programs.ts";

const TEXT = "Your order will arrive on Tuesday.";

test("the offline pair speaks and hears real sound; a line with as much noise as speech is heard worse", {
  ...needsProgram("espeak-ng", "pocketsphinx"),
  timeout: 120_000,
}, async () => {
  const { audio } = await generateSpeech({ model: offlineSpeech(), text: TEXT });
  assert.match(audio.mediaType, /^audio\/(?:x-)?wav$/);
  const clean = await transcribe({ model: offlineTranscription(), audio: audio.uint8Array });
  assert.ok((clean.durationInSeconds ?? 0) > 1);
  assert.equal(clean.language, "en");
  const cleanRate = wordErrorRate(compareWords(TEXT, clean.text));
  assert.ok(cleanRate < 1, clean.text);

  // what the program hears depends on the sound alone, which is the same on every runtime
  if (!RUNS_SLOW_CASES) return;
  const noisy = await overPhone(audio.uint8Array, { snrDb: 0, packetLoss: 0.2 }, { place: "test" });
  const bad = await transcribe({ model: offlineTranscription(), audio: noisy }).then(
    ({ text }) => text,
    () => "", // the AI SDK throws where nothing was heard
  );
  assert.ok(wordErrorRate(compareWords(TEXT, bad)) > cleanRate, `${clean.text} / ${bad}`);
});

test("an aborted offline model ends its program", needsProgram("espeak-ng"), async () => {
  const controller = new AbortController();
  const speech = offlineSpeech().doGenerate({ text: "word ".repeat(200_000), abortSignal: controller.signal });
  controller.abort(new Error("stop"));
  await assert.rejects(Promise.resolve(speech), /stop/);
});

test("a program that is not installed, and one that fails, are typed errors", needsProgram("git"), async () => {
  const run = (command: string) =>
    runInstalledProgram({ command, args: ["no-such-command"], packages: "some-package" });
  await assert.rejects(
    run("callweave-no-such-program"),
    (error) => isCallweaveError(error) && error.code === "missing-program" && error.hint.includes("some-package"),
  );
  await assert.rejects(
    run("git"),
    (error) => isCallweaveError(error) && error.code === "model-failed" && error.message.includes("no-such-command"),
  );
});
