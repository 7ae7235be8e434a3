import { joinBytes } from "../../base/values/mod.ts";

/** A place in a recording. */
export interface SoundMark {
  /** In samples from the start. */
  readonly place: number;
  readonly label: string;
}

/** Sound of 16 bit; its channels have the same length. */
export interface PcmSound {
  readonly rate: number;
  readonly channels: readonly Int16Array[];
}

const HEADER_BYTES = 12;
const PCM = 1;
const CUE_BYTES = 24;

/** Writes a WAV file with 16 bit samples, and marks (cue points with labels) that sound editors show. */
export function writePcmWave({ rate, channels }: PcmSound, marks: readonly SoundMark[] = []): Uint8Array {
  const [{ length } = new Int16Array()] = channels;
  const block = channels.length * 2;
  const format = chunk("fmt ", 16, (view) => {
    view.setUint16(0, PCM, true);
    view.setUint16(2, channels.length, true);
    view.setUint32(4, rate, true);
    view.setUint32(8, rate * block, true);
    view.setUint16(12, block, true);
    view.setUint16(14, 16, true);
  });
  const data = chunk("data", length * block, (view) => {
    for (const [number, samples] of channels.entries())
      for (let at = 0; at < length; at++) view.setInt16(at * block + number * 2, samples[at] ?? 0, true);
  });
  const content = joinBytes([
    Uint8Array.from("WAVE", codeOf),
    format,
    data,
    ...(marks.length === 0 ? [] : [cueChunk(marks), labelChunk(marks)]),
  ]);
  return chunk("RIFF", content.length, (view) => setBytes(view, 0, content));
}

/**
 * Reads a WAV file with samples of 16 bit, also one whose lengths were written before the sound was complete.
 *
 * @returns `undefined` for a file in another form.
 */
export function readPcmWave(bytes: Uint8Array): PcmSound | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let format: { readonly rate: number; readonly count: number } | undefined;
  for (let at = HEADER_BYTES; at + 8 <= bytes.length; ) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    const length = Math.min(view.getUint32(at + 4, true), bytes.length - at - 8);
    const start = at + 8;
    if (name === "fmt " && length >= 16) {
      const count = view.getUint16(start + 2, true);
      const isPcm = view.getUint16(start, true) === PCM && view.getUint16(start + 14, true) === 16;
      if (!isPcm || count === 0) return undefined;
      format = { rate: view.getUint32(start + 4, true), count };
    } else if (name === "data") {
      if (!format) return undefined;
      const { rate, count } = format;
      const channels = Array.from({ length: count }, (_, number) => channelOf(view, { start, length, count, number }));
      return { rate, channels };
    }
    at = start + length + (length % 2);
  }
  return undefined;
}

function channelOf(
  view: DataView,
  {
    start,
    length,
    count,
    number,
  }: { readonly start: number; readonly length: number; readonly count: number; readonly number: number },
): Int16Array {
  const samples = new Int16Array(Math.floor(length / (2 * count)));
  for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(start + (at * count + number) * 2, true);
  return samples;
}

function cueChunk(marks: readonly SoundMark[]): Uint8Array {
  return chunk("cue ", 4 + marks.length * CUE_BYTES, (view) => {
    view.setUint32(0, marks.length, true);
    for (const [index, { place }] of marks.entries()) {
      const at = 4 + index * CUE_BYTES;
      view.setUint32(at, index + 1, true);
      view.setUint32(at + 4, place, true);
      setName(view, at + 8, "data");
      view.setUint32(at + 20, place, true);
    }
  });
}

/** The labels of the marks, by their numbers. */
function labelChunk(marks: readonly SoundMark[]): Uint8Array {
  const labels = marks.map(({ label }, index) => {
    const text = new TextEncoder().encode(`${label}\0`);
    return chunk("labl", 4 + text.length, (view) => {
      view.setUint32(0, index + 1, true);
      setBytes(view, 4, text);
    });
  });
  const content = joinBytes(labels);
  return chunk("LIST", 4 + content.length, (view) => {
    setName(view, 0, "adtl");
    setBytes(view, 4, content);
  });
}

/** A chunk with its name and its length; it has an even number of bytes. */
function chunk(name: string, length: number, fill: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(8 + length + (length % 2));
  const view = new DataView(bytes.buffer);
  setName(view, 0, name);
  view.setUint32(4, length, true);
  fill(new DataView(bytes.buffer, 8));
  return bytes;
}

function setName(view: DataView, at: number, name: string): void {
  setBytes(view, at, Uint8Array.from(name, codeOf));
}

function setBytes(view: DataView, at: number, bytes: Uint8Array): void {
  new Uint8Array(view.buffer, view.byteOffset).set(bytes, at);
}

function codeOf(letter: string): number {
  return letter.charCodeAt(0);
}
