/** Tags in which models think aloud. */
const TAG = /<(\/?)(?:think|thinking|thought|reasoning)>/iy;
/** As long as the longest of them. */
const LONGEST_TAG = "</reasoning>".length;
/** What a tag, or the beginning of one, looks like. */
const TAG_START = /^<\/?[a-z]*$/i;

/** Takes out of a reply what the caller must not hear, as the reply streams in. */
export interface SpokenFilter {
  /** @returns What of the reply so far is known to be spoken and was not returned before. */
  readonly push: (delta: string) => string;
  /** @returns The rest, once the reply is over. */
  readonly end: () => string;
  /** Everything that is spoken. */
  readonly spoken: () => string;
}

/**
 * Leaves out thoughts (`<think>…</think>`, also without an opening or a closing tag) and notes that are repeated to the
 * letter. Takes time linear to the reply's length.
 *
 * @param notes JSON objects, each on one line.
 */
export function createSpokenFilter(notes: readonly string[] = []): SpokenFilter {
  let spoken = "";
  let waiting = "";
  let isThought = false;

  const read = (isWhole: boolean): string => {
    let text = "";
    let at = 0;
    while (at < waiting.length) {
      if (isThought) {
        const close = endOfThought(waiting, at);
        isThought = close === undefined;
        // the end of what is there may be the beginning of a tag
        at = close ?? (isWhole ? waiting.length : Math.max(at, waiting.length - LONGEST_TAG));
        if (isThought) break;
        continue;
      }
      const next = nextMark(waiting, at);
      text += waiting.slice(at, next);
      at = next;
      if (at === waiting.length) break;
      const rest = waiting.slice(at, at + LONGEST_TAG);
      const tag = tagAt(waiting, at);
      if (tag) {
        if (tag.closes) {
          text = ""; // all before it was a thought whose opening tag is part of the model's prompt
          spoken = "";
        } else isThought = true;
        at += tag.length;
      } else if (!isWhole && rest.length < LONGEST_TAG && TAG_START.test(rest)) {
        break;
      } else {
        const note = notes.find((each) => waiting.startsWith(each, at));
        if (!note && !isWhole && notes.some((each) => isBeginning(waiting, at, each))) break;
        text += note ? "" : waiting.charAt(at);
        at += note?.length ?? 1;
      }
    }
    waiting = waiting.slice(at);
    spoken += text;
    return text;
  };
  return {
    push: (delta) => {
      waiting += delta;
      return read(false);
    },
    end: () => read(true),
    spoken: () => spoken,
  };
}

/** What of a text is spoken; see {@link createSpokenFilter}. */
export function spokenText(text: string, notes: readonly string[] = []): string {
  const filter = createSpokenFilter(notes);
  filter.push(text);
  filter.end();
  return filter.spoken();
}

/** Where something may begin that is not spoken. */
function nextMark(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === "<" || text[at] === "{") return at;
  return text.length;
}

function tagAt(text: string, at: number): { readonly closes: boolean; readonly length: number } | undefined {
  TAG.lastIndex = at;
  const found = TAG.exec(text);
  return found ? { closes: found[1] === "/", length: found[0].length } : undefined;
}

function endOfThought(text: string, from: number): number | undefined {
  for (let at = text.indexOf("</", from); at >= 0; at = text.indexOf("</", at + 2)) {
    const tag = tagAt(text, at);
    if (tag) return at + tag.length;
  }
  return undefined;
}

/** Whether what is left of a text is how a longer one begins. */
function isBeginning(text: string, at: number, whole: string): boolean {
  const length = text.length - at;
  return length < whole.length && whole.startsWith(text.slice(at));
}
