import { isCallweaveError } from "../../base/errors.ts";
import { createRedactor } from "../../base/redaction/mod.ts";
import { clip, isRecord, type JsonObject, readableError, thrownWords } from "../../base/values/mod.ts";
import type { Environment } from "../project/mod.ts";
import { cursorOf, type Place } from "./cursor.ts";

/** What a tool returns. */
export interface Answer {
  readonly facts: JsonObject;
  /** A list of which the answer has a page. */
  readonly list?: AnswerList;
}

/** A page of a list, or more than fits into one: what does not fit is left for the next page. */
export interface AnswerList {
  readonly key: string;
  readonly items: readonly AnswerItem[];
  /** Most items of the page. */
  readonly limit?: number;
  /** Where the list goes on after the last item; absent: it ends there. */
  readonly next?: Place | undefined;
}

/** An item of a list. */
export interface AnswerItem {
  readonly value: unknown;
  /** Where the list goes on after it. */
  readonly after: Place;
}

/** Characters of an answer. Assistants drop longer ones, or cut them anywhere. */
export const MOST_CHARACTERS = 24_000;
/** Of the facts beside a list. */
const MOST_OF_FACTS = 12_000;
/** Of a cursor, and what stands around a list. */
const OF_A_CURSOR = 1_000;
/** To what lengths texts are cut, one after the other, until a value fits. */
const LENGTHS = [4_000, 1_000, 300, 80];
/** Items of lists that are kept when texts alone are not what makes a value large. */
const MOST_ITEMS = 40;

/** The text of an answer: JSON of at most {@link MOST_CHARACTERS} characters, without secrets, and without hidden text. */
export function answerText(tool: string, input: object, answer: Answer, env: Environment): string {
  const redactor = createRedactor({ env });
  const { list } = answer;
  const facts = fitted(redactor.value(answer.facts), list ? MOST_OF_FACTS : MOST_CHARACTERS);
  if (!list) return visibleJson(facts);
  const room = MOST_CHARACTERS - OF_A_CURSOR - visibleJson(facts).length;
  const given = list.items.slice(0, list.limit);
  const items: unknown[] = [];
  let used = 0;
  for (const { value } of given) {
    const whole = redactor.value(value);
    const item = items.length === 0 ? fitted(whole, room) : whole;
    used += visibleJson(item).length + 1;
    if (used > room && items.length > 0) break;
    items.push(item);
  }
  const next = items.length < list.items.length ? list.items[items.length - 1]?.after : list.next;
  const cursor = next ? { next_cursor: cursorOf(tool, input, next) } : {};
  return visibleJson({ ...(isRecord(facts) ? facts : {}), [list.key]: items, ...cursor });
}

/** The text of an error: its code, path and hint. */
export function errorText(thrown: unknown, env: Environment): string {
  const error = readableError(thrown);
  const known = isCallweaveError(error)
    ? { code: error.code, path: error.path, message: error.message, hint: error.hint }
    : { code: "failed", path: [], message: thrownWords(error), hint: "Read the message, and look at the arguments" };
  const issues =
    isCallweaveError(error) && error.issues.length > 1 ? { issues: error.issues.slice(0, MOST_ITEMS) } : {};
  const value = createRedactor({ env }).value({ error: { ...known, ...issues } });
  return visibleJson(fitted(value, MOST_CHARACTERS));
}

/** A value with texts and lists cut until its JSON is short enough. What was cut says so. */
function fitted<Value>(value: Value, most: number): unknown {
  if (visibleJson(value).length <= most) return value;
  for (const items of [Number.POSITIVE_INFINITY, MOST_ITEMS, 10, 3]) {
    for (const length of LENGTHS) {
      const cut = cutTexts(value, { length, items, depth: 0 });
      if (visibleJson(cut).length <= most) return cut;
    }
  }
  return { clipped: "too large to show" };
}

/** Deeper values are left out of what is cut. */
const DEEPEST = 12;

function cutTexts(
  value: unknown,
  to: { readonly length: number; readonly items: number; readonly depth: number },
): unknown {
  const deeper = { ...to, depth: to.depth + 1 };
  if (typeof value === "string")
    return value.length <= to.length ? value : `${clip(value, to.length)}… (clipped, ${value.length} characters)`;
  if (to.depth > DEEPEST) return Array.isArray(value) || isRecord(value) ? "… (clipped)" : value;
  if (Array.isArray(value)) {
    const kept = value.slice(0, to.items).map((each: unknown) => cutTexts(each, deeper));
    return kept.length < value.length ? [...kept, `… (clipped, ${value.length} items)`] : kept;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  const kept = entries.slice(0, to.items).map(([key, item]) => [clip(key, to.length), cutTexts(item, deeper)] as const);
  return Object.fromEntries(kept.length < entries.length ? [...kept, ["clipped", `${entries.length} keys`]] : kept);
}

/** Letters that are not seen: a call could hide instructions in them. */
const HIDDEN = /[\p{Cf}\p{Co}\p{Variation_Selector}\p{Zl}\p{Zp}\u007f-\u009f]/gu;

/** JSON in which every letter can be seen; parsed, it is the same value. */
function visibleJson(value: unknown): string {
  return (JSON.stringify(value) ?? "null").replace(HIDDEN, escaped);
}

function escaped(letter: string): string {
  return Array.from({ length: letter.length }, (_, index) => {
    return `\\u${letter.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }).join("");
}

/** The items of a list from a cursor's index on. */
export function itemsFrom(
  values: readonly unknown[],
  start: string | undefined,
  version?: string,
): readonly AnswerItem[] {
  const from = start === undefined ? 0 : Number(start);
  return values.slice(from).map((value, index) => ({
    value,
    after: { at: String(from + index + 1), ...(version === undefined ? {} : { version }) },
  }));
}
