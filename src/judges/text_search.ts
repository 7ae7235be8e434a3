/** Below this length the built-in search compares few enough characters at each place. */
const SHORT = 32;

/**
 * Whether a text contains another, in time linear to both lengths. `String.includes` is not: it may compare a long
 * needle again at every place, and judges quote pages.
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

/** For each beginning of the needle, the length of the longest shorter beginning that it ends with. */
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
