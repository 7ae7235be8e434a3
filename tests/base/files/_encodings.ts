/** Encodings of text files that people have. PowerShell's `>` writes UTF-16 with a mark. */
export const ENCODINGS = [
  "utf-8",
  "utf-8 with mark",
  "utf-16le with mark",
  "utf-16be with mark",
  "utf-16le",
  "utf-16be",
] as const;

/** The bytes of a text in an encoding. */
export function encoded(text: string, encoding: (typeof ENCODINGS)[number]): Uint8Array {
  const marked = encoding.endsWith("with mark") ? `\uFEFF${text}` : text;
  if (encoding.startsWith("utf-8")) return new TextEncoder().encode(marked);
  const bytes = new Uint8Array(marked.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < marked.length; at++)
    view.setUint16(at * 2, marked.charCodeAt(at), encoding.startsWith("utf-16le"));
  return bytes;
}
