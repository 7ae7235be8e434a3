import { randomUUID } from "node:crypto";

/** A reference to a variable of the environment, as a document has it. */
export const ENV_REFERENCE = /\{\{\s*env:([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** What no document can hold, because it is made up anew in each process. */
const MARK = randomUUID();
const CODE_REFERENCE = new RegExp(`\\{\\{env:([A-Za-z_][A-Za-z0-9_]*)#${MARK}\\}\\}`, "g");

/** Whether a text can be the name of a variable. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** A reference that code has made, told apart from one that stands in a text which code has only read. */
export function codeReference(name: string): string {
  return `{{env:${name}#${MARK}}}`;
}

/** A text whose references from code are plain ones, and their names; the names are empty where it has none. */
export function plainReferences(text: string): { readonly text: string; readonly names: readonly string[] } {
  const names: string[] = [];
  const plain = text.replaceAll(CODE_REFERENCE, (_, name: string) => {
    names.push(name);
    return `{{env:${name}}}`;
  });
  return { text: plain, names };
}
