/** The text up to a length, in whole characters, cut between words where there are some, with an ellipsis. */
export function shortened(text: string, most: number): string {
  const line = [...oneLine(text)];
  if (line.length <= most) return line.join("");
  const head = line.slice(0, most - 1).join("");
  const atWord = head.replace(/\s+\S*$/, "");
  return `${atWord.length > head.length / 2 ? atWord : head}…`;
}

/** Lines of about the given length, broken between words. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of oneLine(text).split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The text without what would break a line, nobody sees, or no file can hold. */
export function oneLine(text: string): string {
  return text
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uFFFE\uFFFF]/g, "\uFFFD")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
}
