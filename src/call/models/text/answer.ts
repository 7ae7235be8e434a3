import { isTooDeep, MAX_DEPTH, parsedJson } from "../../../base/values/mod.ts";

/** Maximum number of braces in prose to try as the start of an object. */
const MOST_TRIED = 8;

/**
 * Extracts the JSON of an answer, also after thoughts (`<think>…</think>`), in a fence or in prose.
 *
 * @returns `undefined` when there is no JSON, or when it is nested deeper than {@link MAX_DEPTH}.
 */
export function parseAnswer(text: string): unknown {
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  const answer = spokenText(text).trim();
  for (const candidate of [answer, ...fenced(answer), ...inBraces(answer)]) {
    const value = parsed(candidate);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Whether an answer is JSON that was cut off, in a fence or not. */
export function isCutJson(text: string): boolean {
  const answer = spokenText(text)
    .trim()
    .replace(/^```(?:json)?\s*/i, "");
  return /^[{[]/.test(answer) && endOfValue(answer, 0) === undefined;
}

function parsed(text: string): unknown {
  const value = parsedJson(text);
  return text.length > 2 * MAX_DEPTH && isTooDeep(value) ? undefined : value; // each level has two brackets
}

function fenced(text: string): readonly string[] {
  const begin = text.indexOf("```");
  const end = text.lastIndexOf("```");
  if (begin < 0 || end <= begin) return [];
  const inner = text.slice(begin + 3, end).replace(/^json/i, "");
  const first = inner.split("```")[0] ?? inner;
  return first === inner ? [inner] : [first, inner];
}

/** Candidates for JSON: from the first brace to the last, then each object within prose. */
function inBraces(text: string): readonly string[] {
  const first = text.indexOf("{");
  if (first < 0) return [];
  const found = [text.slice(first, text.lastIndexOf("}") + 1)];
  let at = first;
  for (let tries = 0; at >= 0 && tries < MOST_TRIED; tries++) {
    const end = endOfValue(text, at);
    if (end === undefined) break; // cut off: an object within it is not the answer
    found.push(text.slice(at, end));
    at = text.indexOf("{", end);
  }
  return found;
}

/** Index at which the array or object that starts at `from` ends; `undefined` when the text ends first. */
export function endOfValue(text: string, from: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (isString) {
      if (char === "\\") at++;
      else if (char === '"') isString = false;
    } else if (char === '"') isString = true;
    else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** Tags of thoughts. */
const TAG = /<(\/?)(?:think|thinking|thought|reasoning)>/iy;
/** The length of the longest tag. */
const LONGEST_TAG = "</reasoning>".length;
/** Matches a tag or its beginning. */
const TAG_START = /^<\/?[a-z]*$/i;

/** Removes unspoken text from a reply as it streams in. */
export interface SpokenFilter {
  /** @returns New text that is certain to be spoken. */
  readonly push: (delta: string) => string;
  /** @returns The rest, once the reply is over. */
  readonly end: () => string;
  /** The spoken text so far. */
  readonly spoken: () => string;
}

/**
 * Removes thoughts (`<think>…</think>`, also without an opening or a closing tag) and notes that are repeated verbatim.
 * Takes linear time.
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
        // the text may end within a tag
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
          text = ""; // a thought whose opening tag is part of the model's chat template
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

/** The spoken part of a text; see {@link createSpokenFilter}. */
export function spokenText(text: string, notes: readonly string[] = []): string {
  if (!text.includes("<") && !text.includes("{")) return text;
  const filter = createSpokenFilter(notes);
  filter.push(text);
  filter.end();
  return filter.spoken();
}

/** Index of the next character that may start unspoken text. */
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

/** Whether the rest of a text is a prefix of a longer one. */
function isBeginning(text: string, at: number, whole: string): boolean {
  const length = text.length - at;
  return length < whole.length && whole.startsWith(text.slice(at));
}
