// Character widths relative to the font size, of DejaVu Sans: the widest font that browsers use for sans-serif, so that
// text which fits here fits everywhere.
const WIDTHS: readonly (readonly [characters: RegExp, width: number])[] = [
  [/[ijlI|'.,:;!⟨⟩]/, 0.36],
  [/[frt()[\]{}/\\" -]/, 0.42],
  [/[mMW@%]/, 0.98],
  [/[w≠≥≤=<>+~^]/, 0.84],
  [/[A-Z]/, 0.71],
  [/[\u0020-\u024F]/, 0.64],
];

/** Returns the approximate width of a line in pixels. Non-Latin characters count as square. */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const character of text) width += WIDTHS.find(([characters]) => characters.test(character))?.[1] ?? 1;
  return width * fontSize;
}
