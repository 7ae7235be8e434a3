/** A text as a Liquid string. What could end the string or the tag is escaped as LiquidJS reads it. */
export function liquidText(text: string): string {
  const escaped = text.replace(
    /["'\\{}%\p{Cc}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${escaped}"`;
}
