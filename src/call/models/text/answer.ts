import { isTooDeep, MAX_DEPTH, parsedJson } from "../../../base/values/mod.ts";
import { spokenText } from "./spoken_text.ts";

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
