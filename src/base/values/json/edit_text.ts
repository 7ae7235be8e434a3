import { type JsonStyle, printText } from "./json_style.ts";

const HIGH = /[\uD800-\uDBFF]/;
const LOW = /[\uDC00-\uDFFF]/;

/**
 * Writes a new value into the literal of a JSON string. The start and the end that did not change keep their escapes.
 *
 * @param literal The string with its quotes.
 */
export function editText(literal: string, after: string, style: JsonStyle): string {
  const units = literal.slice(1, -1).match(/\\u[0-9a-f]{4}|\\?[\s\S]/gi) ?? [];
  const before: readonly string[] = units.map((unit) => (unit.length === 1 ? unit : JSON.parse(`"${unit}"`)));
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  if (HIGH.test(after[start - 1] ?? "")) start--;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  if (LOW.test(after[after.length - end] ?? "")) end--;
  const changed = printText(after.slice(start, after.length - end), style).slice(1, -1);
  return `"${units.slice(0, start).join("")}${changed}${units.slice(units.length - end).join("")}"`;
}
