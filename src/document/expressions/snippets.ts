/** Matches `{%name%}`. Braces and percent signs are excluded from names, so that `{% {%bye%}` contains `{%bye%}`. */
const TAG = /\{%([^{}%]*)%\}/g;

/** Tags of the Liquid language in Vapi's prompts: `{% if … %}` is not a snippet. */
const LIQUID_TAG =
  /^-?\s*(?:if|elsif|else|endif|unless|endunless|case|when|endcase|for|endfor|break|continue|assign|capture|endcapture|comment|endcomment|raw|endraw|cycle|increment|decrement|tablerow|endtablerow|liquid|echo|render|include)\b/;

/**
 * Replaces snippet tags in one pass: tags inside a snippet are not replaced again.
 *
 * @param textOf Returns the text of a snippet, or `undefined` to keep the tag.
 */
export function replaceSnippets(text: string, textOf: (name: string, tag: string) => string | undefined): string {
  return text.replace(TAG, (tag, inner: string) => textOf(inner.trim(), tag) ?? tag);
}

/** Returns the distinct names of snippets in a text, without Liquid tags. */
export function snippetsIn(text: string): readonly string[] {
  const names = [...text.matchAll(TAG)].map(([, inner = ""]) => inner.trim());
  return [...new Set(names.filter((name) => !LIQUID_TAG.test(name)))];
}

/** Returns the snippet and Liquid tags of a text as written. */
export function tagsIn(text: string): readonly string[] {
  return [...text.matchAll(TAG)].map(([tag]) => tag);
}
