import { isRecord } from "../../base/values/mod.ts";

/** Samples per second of the sound that is coded. Opus has a clock of its own, see {@link OPUS_CLOCK}. */
export const RTC_RATE = 24_000;
/** Units per second in the times of packets, whatever the rate of the sound (RFC 7587). */
export const OPUS_CLOCK = 48_000;

/** Codes the sound of one call, both ways. */
export interface OpusCodec {
  /** Codes a frame of 20 ms. */
  encode(samples: Int16Array): Uint8Array;
  /** Decodes a packet. @throws {RangeError} For bytes that are no packet of Opus. */
  decode(packet: Uint8Array): Int16Array;
  /** Gives its memory back. */
  free(): void;
}

/** The coder of a call in the memory of the module. */
interface Handler {
  _encode(from: number, bytes: number, to: number, samples: number): number;
  _decode(from: number, bytes: number, to: number): number;
  _encoder_ctl(setting: number, value: number): number;
}

interface HandlerClass {
  new (rate: number, channels: number, application: number): Handler;
  destroy_handler(handler: Handler): void;
}

/** What `opusscript` is made of: Opus, compiled. */
interface OpusModule {
  /** They change when the memory grows. */
  readonly HEAPU8: Uint8Array;
  readonly HEAPU16: Uint16Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  readonly OpusScriptHandler: HandlerClass;
}

/** The longest packet has 60 ms here, as in `opusscript`. */
const MOST_SAMPLES = (RTC_RATE * 60) / 1000;
const MOST_PACKET = 3 * 1276;
const AUDIO = 2049;
/** Settings of Opus, and what they are set to: good speech, with little work a frame. */
const SETTINGS = [
  [4002, 48_000], // bits per second
  [4010, 2], // complexity
] as const;

/**
 * Makes codecs that share a module. The class of `opusscript` is not used: with more than some 70 calls it writes beside
 * its memory.
 *
 * @param made What the module of `opusscript` returns.
 * @throws {TypeError} For another layout.
 */
export function opusCodecs(made: unknown): () => OpusCodec {
  if (!isOpusModule(made)) throw new TypeError("opusscript has another layout than version 0.1");
  return () => createCodec(made);
}

function createCodec(module: OpusModule): OpusCodec {
  const handler = new module.OpusScriptHandler(RTC_RATE, 1, AUDIO);
  for (const [setting, value] of SETTINGS) handler._encoder_ctl(setting, value);
  // the module has each byte of a sample in a cell of two
  const sound = module._malloc(4 * MOST_SAMPLES);
  const packet = module._malloc(MOST_PACKET);
  let isFree = false;
  return {
    encode: (samples) => {
      const cells = module.HEAPU16.subarray(sound >> 1);
      for (const [at, sample] of samples.entries()) {
        cells[2 * at] = sample & 0xff;
        cells[2 * at + 1] = (sample >> 8) & 0xff;
      }
      const length = handler._encode(sound, 2 * samples.length, packet, samples.length);
      if (length < 0) throw new RangeError(`${samples.length} samples cannot be coded (${length})`);
      return module.HEAPU8.slice(packet, packet + length);
    },
    decode: (bytes) => {
      if (bytes.length === 0 || bytes.length > MOST_PACKET) throw new RangeError(`it has ${bytes.length} bytes`);
      module.HEAPU8.set(bytes, packet);
      const length = handler._decode(packet, bytes.length, sound);
      if (length < 0) throw new RangeError(`it is no packet of Opus (${length})`);
      const cells = module.HEAPU16.subarray(sound >> 1);
      const samples = new Int16Array(length);
      for (let at = 0; at < length; at++) samples[at] = (cells[2 * at] ?? 0) | ((cells[2 * at + 1] ?? 0) << 8);
      return samples;
    },
    free: () => {
      if (isFree) return;
      isFree = true;
      module.OpusScriptHandler.destroy_handler(handler);
      module._free(sound);
      module._free(packet);
    },
  };
}

function isOpusModule(value: unknown): value is OpusModule {
  if (!isRecord(value)) return false;
  const { HEAPU8, HEAPU16, _malloc, _free, OpusScriptHandler } = value;
  const areFunctions = [_malloc, _free, OpusScriptHandler].every((each) => typeof each === "function");
  return areFunctions && HEAPU8 instanceof Uint8Array && HEAPU16 instanceof Uint16Array;
}
