import { isPlatformVariable } from "./platform_variables.ts";

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/**
 * Replaces `{{placeholders}}` in one pass: placeholders inside a value are not replaced again.
 *
 * @param textOf Returns the text for the content of a placeholder; `undefined` keeps the placeholder.
 */
export function replacePlaceholders(
  text: string,
  textOf: (inner: string, placeholder: string) => string | undefined,
): string {
  return text.replace(PLACEHOLDER, (placeholder, inner: string) => textOf(inner.trim(), placeholder) ?? placeholder);
}

/** The placeholders of a text, as they are written: `{{ customer.name | upcase }}`. */
export function writtenPlaceholders(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([written]) => written);
}

/** The contents of a text's placeholders: `customer.name | upcase`. */
export function placeholderContents(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, inner = ""]) => inner.trim());
}

/**
 * Names of the variables that a text has placeholders for, each once: `customer.name` for `{{ customer.name | upcase }}`.
 * Quoted literals and the platforms' own variables are left out.
 */
export function placeholdersIn(text: string): readonly string[] {
  const names = placeholderContents(text).flatMap((written) => {
    if (isPlatformVariable(written)) return [];
    const name = (written.split("|")[0] ?? "").trim();
    const root = name.split(".")[0] ?? "";
    return /^["']/.test(name) || isPlatformVariable(root) ? [] : [name];
  });
  return [...new Set(names)];
}

/** Whether a placeholder's name is known: itself, or what it looks into (`customer` of `customer.name`). */
export function isKnownPlaceholder(name: string, known: { readonly has: (name: string) => boolean }): boolean {
  return known.has(name) || known.has(name.split(".")[0] ?? "");
}
