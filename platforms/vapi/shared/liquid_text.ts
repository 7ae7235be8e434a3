/** Formats a text as a Liquid string. Characters that could end the string or the tag are escaped in the form of LiquidJS. */
export function liquidText(text: string): string {
  const escaped = text.replace(
    /["'\\{}%\p{Cc}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${escaped}"`;
}
