import { createHmac } from "node:crypto";
import { isRecord } from "../../base/values/mod.ts";
import { ORIGINAL } from "../graph/mod.ts";
import { secretSpans } from "./extract.ts";
import { placesOf, replaceTexts } from "./strings.ts";

/** A platform's document with placeholders for its secrets, and the secrets by placeholder. */
export interface HiddenDocument {
  readonly document: unknown;
  /** Never write them to a file. */
  readonly values: ReadonlyMap<string, string>;
}

const HIDDEN = /\{\{hidden:[0-9a-f]{32}\}\}/g;

/**
 * Replaces secrets in a platform's document with `{{hidden:…}}`. Equal secrets with the same salt have equal
 * placeholders, so documents can be stored, compared and merged without their secrets.
 *
 * @param salt Random text that stays on this machine, so that nobody can guess values from stored placeholders.
 * @param known Values that are always secret, such as those of `{{env:NAME}}` references.
 */
export function hideSecrets(source: unknown, salt: string, known: readonly string[] = []): HiddenDocument {
  const values = new Map<string, string>();
  const tokenOf = (value: string) => {
    const token = `{{hidden:${createHmac("sha256", salt).update(value).digest("hex").slice(0, 32)}}}`;
    values.set(token, value);
    return token;
  };
  const longestFirst = [...known].filter((value) => value !== "").sort((a, b) => b.length - a.length);
  const document = replaceTexts({ source }, (text) =>
    longestFirst.reduce((rest, value) => rest.replaceAll(value, () => tokenOf(value)), text),
  ).source;
  const within = { source_metadata: { [ORIGINAL]: { document } } };
  const texts = new Map<string, string>();
  for (const place of placesOf(within)) {
    let text = place.text;
    for (const { start, end } of [...secretSpans(place)].reverse()) {
      const value = place.text.slice(start, end);
      if (value.replace(HIDDEN, "") !== value) continue; // known, and hidden above
      text = text.slice(0, start) + tokenOf(value) + text.slice(end);
    }
    if (text !== place.text) texts.set(JSON.stringify(place.path), text);
  }
  const hidden = replaceTexts(within, (text, path) => texts.get(JSON.stringify(path)) ?? text);
  const original = hidden.source_metadata[ORIGINAL];
  return { document: isRecord(original) ? original.document : document, values };
}

/** Restores secrets. Unknown placeholders stay. */
export function revealSecrets<Value>(value: Value, values: ReadonlyMap<string, string>): Value {
  return replaceTexts(value, (text) => text.replace(HIDDEN, (token) => values.get(token) ?? token));
}
