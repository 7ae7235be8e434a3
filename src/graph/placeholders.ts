import { isPlatformVariable } from "./platform_variables.ts";

/** Tags of the Liquid language, which Vapi's prompts are written in: `{% if … %}` is no snippet. */
const LIQUID_TAG =
  /^-?\s*(?:if|elsif|else|endif|unless|endunless|case|when|endcase|for|endfor|break|continue|assign|capture|endcapture|comment|endcomment|raw|endraw|cycle|increment|decrement|tablerow|endtablerow|liquid|echo|render|include)\b/;

/**
 * Names of the variables that a text has placeholders for, each once: of `{{ customer.name | upcase }}`, `customer`.
 * Quoted literals and the platforms' own variables are left out.
 */
export function placeholdersIn(text: string): readonly string[] {
  const names = [...text.matchAll(/\{\{([^{}]*)\}\}/g)].flatMap(([, inner = ""]) => {
    const written = inner.trim();
    if (isPlatformVariable(written)) return [];
    const name = (written.split("|")[0] ?? "").trim();
    const root = name.split(".")[0] ?? "";
    return /^["']/.test(name) || isPlatformVariable(root) ? [] : [name];
  });
  return [...new Set(names)];
}

/** Names of the snippets that a text asks for, each once. */
export function snippetsIn(text: string): readonly string[] {
  const names = [...text.matchAll(/\{%([^{}%]*)%\}/g)].map(([, inner = ""]) => inner.trim());
  return [...new Set(names.filter((name) => !LIQUID_TAG.test(name)))];
}

/** Whether a placeholder's name is known: itself, or what it looks into (`customer` of `customer.name`). */
export function isKnownPlaceholder(name: string, known: { readonly has: (name: string) => boolean }): boolean {
  return known.has(name) || known.has(name.split(".")[0] ?? "");
}
