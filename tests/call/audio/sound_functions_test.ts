import assert from "node:assert/strict";
import { test } from "node:test";
import { soundFunctions } from "../../../src/call/audio/models.ts";

const deprecated = () => {
  throw new Error("a deprecated function of the AI SDK was called");
};

test("speech and transcription use the stable functions of the AI SDK 7, and the experimental ones of version 6", () => {
  const experimental = { experimental_generateSpeech: () => "speech 6", experimental_transcribe: () => "words 6" };
  const six = soundFunctions(experimental);
  assert.deepEqual([six.generateSpeech(), six.transcribe()], ["speech 6", "words 6"]);
  const seven = soundFunctions({
    generateSpeech: () => "speech 7",
    transcribe: () => "words 7",
    experimental_generateSpeech: deprecated,
    experimental_transcribe: deprecated,
  });
  assert.deepEqual([seven.generateSpeech(), seven.transcribe()], ["speech 7", "words 7"]);
});
