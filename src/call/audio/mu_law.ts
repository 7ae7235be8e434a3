/** Sound is moved up by this much, so that its logarithm is as exact near zero. */
const BIAS = 0x84;
/** Louder samples are cut off. */
const CLIP = 32_635;

/** Encodes samples of 16 bit as µ-law (ITU-T G.711), one byte each. */
export function encodeMuLaw(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length);
  for (let at = 0; at < samples.length; at++) bytes[at] = encoded(samples[at] ?? 0);
  return bytes;
}

/** Decodes µ-law (ITU-T G.711) to samples of 16 bit. */
export function decodeMuLaw(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) samples[at] = decoded(bytes[at] ?? 0);
  return samples;
}

function encoded(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const size = Math.min(CLIP, Math.abs(sample)) + BIAS;
  const exponent = 31 - Math.clz32(size) - 7;
  const mantissa = (size >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}

function decoded(byte: number): number {
  const bits = ~byte & 0xff;
  const exponent = (bits >> 4) & 7;
  const size = ((((bits & 0x0f) << 3) + BIAS) << exponent) - BIAS;
  return (bits & 0x80) === 0 ? size : -size;
}
