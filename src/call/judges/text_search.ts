/** Needles shorter than this use the built-in search. */
const SHORT = 32;

/**
 * Whether a text contains another, in linear time. `String.includes` may compare a long needle again at every index,
 * and judges quote long passages.
 *
 * @see https://en.wikipedia.org/wiki/Knuth-Morris-Pratt_algorithm
 */
export function containsText(text: string, needle: string): boolean {
  if (needle.length < SHORT) return text.includes(needle);
  const fallback = fallbacksOf(needle);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text[at] !== needle[matched]) matched = fallback[matched - 1] ?? 0;
    if (text[at] === needle[matched]) matched += 1;
    if (matched === needle.length) return true;
  }
  return false;
}

/** The failure function: for each prefix of the needle the length of its longest proper border. */
function fallbacksOf(needle: string): Uint32Array {
  const fallback = new Uint32Array(needle.length);
  let matched = 0;
  for (let at = 1; at < needle.length; at++) {
    while (matched > 0 && needle[at] !== needle[matched]) matched = fallback[matched - 1] ?? 0;
    if (needle[at] === needle[matched]) matched += 1;
    fallback[at] = matched;
  }
  return fallback;
}
