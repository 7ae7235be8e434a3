/** `{%name%}`; inside of other braces and percent signs it is no tag, so that `{% {%bye%}` has the tag `{%bye%}`. */
const TAG = /\{%([^{}%]*)%\}/g;

/** Tags of the Liquid language, which Vapi's prompts are written in: `{% if … %}` is no snippet. */
const LIQUID_TAG =
  /^-?\s*(?:if|elsif|else|endif|unless|endunless|case|when|endcase|for|endfor|break|continue|assign|capture|endcapture|comment|endcomment|raw|endraw|cycle|increment|decrement|tablerow|endtablerow|liquid|echo|render|include)\b/;

/**
 * Replaces snippet tags in one pass: tags inside a snippet are not replaced again.
 *
 * @param textOf Returns the text of a snippet; `undefined` keeps the tag.
 */
export function replaceSnippets(text: string, textOf: (name: string, tag: string) => string | undefined): string {
  return text.replace(TAG, (tag, inner: string) => textOf(inner.trim(), tag) ?? tag);
}

/** Names of the snippets that a text uses, each once. Liquid tags are left out. */
export function snippetsIn(text: string): readonly string[] {
  const names = [...text.matchAll(TAG)].map(([, inner = ""]) => inner.trim());
  return [...new Set(names.filter((name) => !LIQUID_TAG.test(name)))];
}

/** The snippet and Liquid tags of a text, as they are written. */
export function tagsIn(text: string): readonly string[] {
  return [...text.matchAll(TAG)].map(([tag]) => tag);
}
