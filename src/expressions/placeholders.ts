import { isPlatformVariable } from "./platform_variables.ts";

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/**
 * Replaces `{{placeholders}}` in one pass: placeholders inside a value are not replaced again.
 *
 * @param textOf Returns the replacement for the content of a placeholder, or `undefined` to keep it.
 */
export function replacePlaceholders(
  text: string,
  textOf: (inner: string, placeholder: string) => string | undefined,
): string {
  return text.replace(PLACEHOLDER, (placeholder, inner: string) => textOf(inner.trim(), placeholder) ?? placeholder);
}

/** Returns the placeholders of a text as written: `{{ customer.name | upcase }}`. */
export function writtenPlaceholders(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([written]) => written);
}

/** Returns the contents of a text's placeholders: `customer.name | upcase`. */
export function placeholderContents(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, inner = ""]) => inner.trim());
}

/**
 * Returns the distinct variable names in a text's placeholders: `customer.name` for `{{ customer.name | upcase }}`.
 * Quoted literals and platform variables are left out.
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

/**
 * Whether a placeholder's name is known: the name itself, or the object it starts with (`customer` in `customer.name`).
 */
export function isKnownPlaceholder(name: string, known: { readonly has: (name: string) => boolean }): boolean {
  return known.has(name) || known.has(name.split(".")[0] ?? "");
}
