/** English words of the digits 0 to 9. */
export const DIGIT_WORDS: readonly string[] = "zero one two three four five six seven eight nine".split(" ");

/** Joins digits that are spoken one by one: "four 8 one five" becomes "4815". */
export function joinSpokenDigits(text: string): string {
  const digit = `(?:${DIGIT_WORDS.join("|")}|oh|\\d)`;
  const run = new RegExp(`\\b${digit}(?:[\\s,-]{1,4}${digit}\\b){2,}`, "gi");
  return text.replace(run, (spoken) =>
    spoken
      .split(/[\s,-]+/)
      .map((word) => {
        const digit = word.toLowerCase().replace(/^oh$/, "zero");
        const value = DIGIT_WORDS.indexOf(digit);
        return value < 0 ? word : String(value);
      })
      .join(""),
  );
}
