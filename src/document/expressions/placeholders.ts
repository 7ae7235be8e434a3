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

/** Returns the name in a placeholder's content, without filters: `customer.name` for `customer.name | upcase`. */
export function placeholderName(content: string): string {
  return (content.split("|")[0] ?? "").trim();
}

/** Returns the variable that a name starts with: `customer` for `customer.name`. */
export function rootName(name: string): string {
  return name.split(".")[0] ?? "";
}

/**
 * Returns the distinct variable names in a text's placeholders: `customer.name` for `{{ customer.name | upcase }}`.
 * Quoted literals and platform variables are left out.
 */
export function placeholdersIn(text: string): readonly string[] {
  const names = placeholderContents(text).flatMap((written) => {
    if (isPlatformVariable(written)) return [];
    const name = placeholderName(written);
    return /^["']/.test(name) || isPlatformVariable(rootName(name)) ? [] : [name];
  });
  return [...new Set(names)];
}

/**
 * Whether a placeholder's name is known: the name itself, or the object it starts with (`customer` in `customer.name`).
 */
export function isKnownPlaceholder(name: string, known: { readonly has: (name: string) => boolean }): boolean {
  return known.has(name) || known.has(rootName(name));
}
