import {
  assignedSpans,
  disjoint,
  isLoosely,
  isRandom,
  isSecretName,
  nameWords,
  type Span,
  tokenSpans,
  urlSpans,
} from "../../base/redaction/mod.ts";
import type { TextPosition } from "./strings.ts";

const SCHEME = /^(\s*(?:Bearer|Basic|Token|ApiKey|Digest|Key)\s+)(\S.*)$/is;
const TYPE_NAMES = new Set(["string", "number", "integer", "boolean", "object", "array", "null", "true", "false"]);

/** Returns the secrets in a text of a graph, sorted and without overlaps. */
export function secretSpans(place: TextPosition): readonly Span[] {
  const { text, owner } = place;
  const urls = urlSpans(text, /ur[il]$/i.test(owner) ? owner : "url");
  return disjoint(text, [...keyedSpans(place), ...urls, ...tokenSpans(text), ...assignedSpans(text)]);
}

function keyedSpans({ text, owner, header, keyed }: TextPosition): Span[] {
  const words = nameWords(owner);
  // a random value of any header is a secret
  const known = header ? isLoosely(words) || isRandom(text.trim()) : keyed && isSecretName(words);
  if (!known || TYPE_NAMES.has(text)) return [];
  const [, scheme = "", rest = text] = SCHEME.exec(text) ?? [];
  // a sentence under a key such as "token" is a description; headers contain no sentences
  if (!header && /\s/.test(rest)) return [];
  if (/^https?:\/\//.test(rest)) return [];
  return [{ start: scheme.length, end: text.length, kind: header ? "header" : "key", about: owner }];
}
