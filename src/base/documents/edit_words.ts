/** A scalar's value before and after an edit, and how it is written. */
interface TextEdit {
  readonly before: string;
  readonly after: string;
  readonly style: string;
}

/** A word and the white space before it. */
interface Word {
  readonly gap: string;
  readonly word: string;
}

/**
 * Replaces the changed words of a scalar, so that its line breaks and its quotes stay.
 *
 * @param source The scalar as it is written, with its quotes or the line of its block.
 * @returns `undefined` if its words are not written as they are, for example with escapes.
 */
export function editWords(source: string, { before, after, style }: TextEdit): string | undefined {
  const [head, body, foot] = split(source, style);
  const written = wordsOf(body);
  const [was, now] = [wordsOf(before), wordsOf(after)];
  if (written.length !== was.length || written.some(({ word }, index) => word !== was[index]?.word)) return undefined;
  let start = 0;
  while (start < Math.min(was.length, now.length) && isSame(was[start], now[start])) start++;
  let end = 0;
  const most = Math.min(was.length, now.length) - start;
  while (end < most && isSame(was[was.length - 1 - end], now[now.length - 1 - end])) end++;
  const added = now.slice(start, now.length - end);
  // white space at an end, and breaks inside, are written in another way in each style
  const isBlock = style === "BLOCK_LITERAL";
  const inner = added.map(({ gap }, index) => (start + index === 0 ? "" : gap));
  if (start === 0 && (added[0]?.gap ?? "") !== (was[0]?.gap ?? "")) return undefined;
  if (trailing(before) !== trailing(after) || inner.some((gap) => (isBlock ? /\r/ : /\s\s|[^ ]/).test(gap)))
    return undefined;
  if (added.length === 0 && (start === 0 || end === 0)) return undefined;
  const indent = isBlock ? (/\n( +)\S/.exec(source)?.[1] ?? "") : "";
  const kept = (words: readonly Word[]) => words.map(({ gap, word }) => gap + word).join("");
  const gapAt = written[start]?.gap ?? " ";
  const middle = added
    .map(({ gap, word }, index) => {
      if (index === 0) return (isSameGap(was[start], added[0]) ? gapAt : gap.replaceAll("\n", `\n${indent}`)) + word;
      return gap.replaceAll(/\n(?!\n)/g, `\n${indent}`) + word;
    })
    .join("");
  const rest = written.slice(written.length - end);
  return head + kept(written.slice(0, start)) + middle + kept(rest) + body.slice(kept(written).length) + foot;
}

/** The quotes or the head of a block, the words, and the end. */
function split(source: string, style: string): readonly [head: string, body: string, foot: string] {
  if (style.startsWith("QUOTE")) return [source.slice(0, 1), source.slice(1, -1), source.slice(-1)];
  const head = style.startsWith("BLOCK") ? (/^[^\n]*\n/.exec(source)?.[0] ?? "") : "";
  return [head, source.slice(head.length), ""];
}

function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(/(\s*)(\S+)/g)].map(([, gap = "", word = ""]) => ({ gap, word }));
}

const isSame = (one: Word | undefined, other: Word | undefined) =>
  one !== undefined && one.word === other?.word && one.gap === other.gap;

const isSameGap = (one: Word | undefined, other: Word | undefined) => one?.gap === other?.gap;

const trailing = (text: string) => /\s*$/.exec(text)?.[0] ?? "";
