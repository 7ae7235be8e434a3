/** Shortens a text to a length in whole characters, between words where possible, with an ellipsis. */
export function shortened(text: string, most: number): string {
  const line = [...oneLine(text)];
  if (line.length <= most) return line.join("");
  const head = line.slice(0, most - 1).join("");
  const atWord = head.replace(/\s+\S*$/, "");
  return `${atWord.length > head.length / 2 ? atWord : head}…`;
}

/** Splits a text into lines of about the given length, between words. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of oneLine(text).split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Removes line breaks, invisible characters and characters that files cannot contain. */
export function oneLine(text: string): string {
  return text
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uFFFE\uFFFF]/g, "\uFFFD")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
}
