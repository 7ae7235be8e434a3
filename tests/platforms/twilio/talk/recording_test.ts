import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { RATE, tone, wordsIn } from "../../../call/voice/_tones.ts";
import { folder } from "../../../surface/cli/_terminal.ts";
import { openOptions, simulate } from "./_simulated.ts";

const HELLO = { afterMs: 400, acts: [{ sound: tone(440, 500) }] };
const MONDAY = { afterMs: 800, acts: [{ sound: tone(600, 700) }] };
const never = new AbortController().signal;

/** The channels of a file, and its marks in milliseconds. */
async function readRecording(path: string) {
  const module: { readonly default?: typeof import("wavefile") } & Partial<typeof import("wavefile")> = await import(
    "wavefile"
  );
  const WaveFile = module.WaveFile ?? module.default?.WaveFile;
  assert.ok(WaveFile);
  const wave = new WaveFile(readFileSync(path));
  const channels: unknown = wave.getSamples(false, Int16Array);
  assert.ok(Array.isArray(channels));
  const [left, right]: readonly Int16Array[] = channels;
  assert.ok(left && right);
  const marks = JSON.parse(JSON.stringify(wave.listCuePoints()));
  return {
    left,
    right,
    rate: JSON.parse(JSON.stringify(wave.fmt)).sampleRate,
    marks: marks.map(({ label, position }: { label: string; position: number }) => [label, Math.round(position)]),
  };
}

/** Milliseconds at which the loud parts of a channel begin and end. */
function loudParts(channel: Int16Array): readonly (readonly [number, number])[] {
  const parts: [number, number][] = [];
  for (const [at, sample] of channel.entries()) {
    if (Math.abs(sample) < 500) continue;
    const last = parts.at(-1);
    if (last && at - last[1] < 800) last[1] = at;
    else parts.push([at, at]);
  }
  return parts.map(([from, until]) => [Math.round(from / 8), Math.round(until / 8)]);
}

test("a recording has both channels on one clock, and a mark at each turn", async () => {
  const record = join(folder({}), "calls");
  const { connection, bot, done } = simulate([HELLO, MONDAY], { record });
  await connection.prepare?.(openOptions());
  const call = await done(connection.open(openOptions()));
  const turn = await done(call.say("a".repeat(20)));
  const { callId, recordingUrl } = await done(call.close({ signal: never }));
  assert.deepEqual(readdirSync(record), [`${callId}.wav`]);
  const path = fileURLToPath(recordingUrl ?? "");
  assert.equal(path, join(record, `${callId}.wav`));
  if (process.platform !== "win32") assert.equal(statSync(path).mode & 0o777, 0o600);
  const { left, right, rate, marks } = await readRecording(path);
  assert.equal(rate, RATE);
  assert.equal(left.length, right.length);
  // the opening begins after 400 ms and is over after 1,400; the caller speaks for 1,000 ms from the next frame
  const [[from = 0, until = 0] = []] = loudParts(left);
  assert.ok(from >= 1_400 && from <= 1_420 && Math.abs(until - from - 1_000) <= 1, `${from} to ${until}`);
  const [hello, monday] = loudParts(right);
  assert.deepEqual(hello?.map(Math.round), [400, 900]);
  const heardMs = (monday?.[0] ?? 0) - until;
  assert.ok(Math.abs(heardMs - (turn.firstWordMs ?? 0)) <= 1, `${heardMs}`);
  assert.ok(Math.abs(heardMs - (bot.planted[1] ?? 0)) <= 1);
  assert.equal(wordsIn(right, RATE), "Hello, how can I help? It arrives on Monday.");
  const [first, second, third] = marks;
  assert.deepEqual(
    [first, third],
    [
      ["agent 0", 400],
      ["agent 1", monday?.[0]],
    ],
  );
  assert.equal(second?.[0], "caller 1");
  assert.ok(Math.abs(second?.[1] - from) <= 20);
});

test("a call that fails is recorded as far as it came, and one without a folder is not", async () => {
  const record = folder({});
  const silent = { afterMs: 60_000, acts: [] };
  const first = simulate([silent], { record });
  await assert.rejects(first.done(first.connection.open(openOptions())), /silence/);
  assert.equal(readdirSync(record).length, 1);
  const later = simulate([HELLO, silent], { record });
  const call = await later.done(later.connection.open(openOptions()));
  await assert.rejects(later.done(call.say("Hello?")), /silence/);
  const { recordingUrl } = await later.done(call.close({ signal: never }));
  const { left, right } = await readRecording(fileURLToPath(recordingUrl ?? ""));
  assert.deepEqual([loudParts(left).length, loudParts(right).length], [1, 1]);
  const none = simulate([HELLO]);
  const other = await none.done(none.connection.open(openOptions()));
  assert.equal((await none.done(other.close({ signal: never }))).recordingUrl, undefined);
});

test("a folder that cannot be written is an error before the first call, and later costs only the recording", async () => {
  const root = folder({ file: "no folder" });
  const { connection, done } = simulate([HELLO], { record: join(root, "file") });
  await assert.rejects(async () => await connection.prepare?.(openOptions()), {
    code: "unwritable-file",
    path: ["record"],
  });
  const call = await done(connection.open(openOptions()));
  const record = await done(call.close({ signal: never }));
  assert.deepEqual([record.recordingUrl, typeof record.callId], [undefined, "string"]);
});
