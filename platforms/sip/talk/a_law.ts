/** Largest sample that A-law can hold. */
const MOST = 32_635;

/** Encodes samples as A-law (G.711), as telephone lines outside of America do. */
export function encodeALaw(samples: Int16Array): Uint8Array {
  return Uint8Array.from(samples, (sample) => {
    const sign = sample >= 0 ? 0x80 : 0;
    const size = Math.min(sample >= 0 ? sample : -sample - 1, MOST);
    const exponent = size < 256 ? 0 : Math.floor(Math.log2(size)) - 7;
    const mantissa = (size >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f;
    return (sign | (exponent << 4) | mantissa) ^ 0x55;
  });
}

/** Decodes A-law. */
export function decodeALaw(bytes: Uint8Array): Int16Array {
  return Int16Array.from(bytes, (byte) => {
    const code = byte ^ 0x55;
    const exponent = (code >> 4) & 0x07;
    const mantissa = ((code & 0x0f) << 4) + 8;
    const size = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
    return (code & 0x80) !== 0 ? size : -size;
  });
}
