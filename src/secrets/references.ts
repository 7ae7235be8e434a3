import { randomUUID } from "node:crypto";

/** A reference to an environment variable in a document. */
export const ENV_REFERENCE = /\{\{\s*env:([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** Marks references from code. No document can contain it, because each process generates its own. */
const MARK = randomUUID();
const CODE_REFERENCE = new RegExp(`\\{\\{env:([A-Za-z_][A-Za-z0-9_]*)#${MARK}\\}\\}`, "g");

/** Whether a text can be the name of a variable. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** A reference made by code, distinguishable from one in a text that the code has read. */
export function codeReference(name: string): string {
  return `{{env:${name}#${MARK}}}`;
}

/** Converts references from code to document form, and lists their names. */
export function plainReferences(text: string): { readonly text: string; readonly names: readonly string[] } {
  const names: string[] = [];
  const plain = text.replaceAll(CODE_REFERENCE, (_, name: string) => {
    names.push(name);
    return `{{env:${name}}}`;
  });
  return { text: plain, names };
}
