import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { writeWave } from "../../../src/call/audio/line.ts";
import { offlineTranscription } from "../../../src/call/audio/mod.ts";

// shell scripts stand for the program
const SHELL = { skip: process.platform === "win32" };

/** Transcribes a second of silence with this script as the only program; `$LOG` is a file that it can write to. */
async function heardBy(command: string, script: string) {
  const path = process.env.PATH;
  const folder = await mkdtemp(join(tmpdir(), "callweave-test-"));
  const log = join(folder, "log");
  try {
    await writeFile(join(folder, command), `#!/bin/sh\nLOG='${log}'\n${script}\n`, { mode: 0o755 });
    process.env.PATH = folder;
    const audio = writeWave({ rate: 16_000, samples: new Float64Array(16_000) });
    const { text, segments } = await offlineTranscription().doGenerate({ audio, mediaType: "audio/wav" });
    return { text, segments, log: await readFile(log, "utf8").catch(() => "") };
  } finally {
    process.env.PATH = path;
    await rm(folder, { recursive: true, force: true });
  }
}

test("offlineTranscription() joins the lines that version 0.8 of pocketsphinx prints", SHELL, async () => {
  const { text, segments } = await heardBy("pocketsphinx_continuous", "printf 'your order \\n\\n  will arrive\\n'");
  assert.equal(text, "your order will arrive");
  assert.deepEqual(segments, [{ text: "your order will arrive", startSecond: 0, endSecond: 1 }]);
});

test("offlineTranscription() joins the texts of the JSON that version 5 of pocketsphinx prints", SHELL, async () => {
  const lines = ['{"b":0,"t":"your order"}', '{"b":1,"t":"will arrive"}', '{"b":2}'];
  const { text } = await heardBy("pocketsphinx", `printf '%s\\n' '${lines.join("' '")}'`);
  assert.equal(text, "your order will arrive");
});

test("offlineTranscription() has no segments where pocketsphinx hears nothing", SHELL, async () => {
  const { text, segments } = await heardBy("pocketsphinx", ":");
  assert.deepEqual([text, segments], ["", []]);
});

test("offlineTranscription() passes a file to pocketsphinx, and removes it with its folder", SHELL, async () => {
  const { log } = await heardBy("pocketsphinx", `printf '%s\\n' "$@" > "$LOG"`);
  const [command, file = "", ...more] = log.trim().split("\n");
  assert.deepEqual([command, more], ["single", []]);
  await assert.rejects(stat(join(file, "..")), { code: "ENOENT" });
});

test(
  "offlineTranscription() reports that pocketsphinx has failed, and does not try another version",
  SHELL,
  async () => {
    await assert.rejects(heardBy("pocketsphinx_continuous", "echo 'no model' >&2; exit 1"), {
      code: "model-failed",
      message: /no model/,
    });
  },
);

test("offlineTranscription() names itself as a model of version 3 of the AI SDK", () => {
  const { specificationVersion, provider, modelId } = offlineTranscription();
  assert.deepEqual([specificationVersion, provider, modelId], ["v3", "callweave", "pocketsphinx"]);
});
