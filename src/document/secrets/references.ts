import { randomUUID } from "node:crypto";

/** Matches a reference to an environment variable in a document. */
export const ENV_REFERENCE = /\{\{\s*env:([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** Marks references made by code. It is generated per process, so no document can contain it. */
const MARK = randomUUID();
const CODE_REFERENCE = new RegExp(`\\{\\{env:([A-Za-z_][A-Za-z0-9_]*)#${MARK}\\}\\}`, "g");

/** Whether a text is a valid variable name. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** Creates a reference that can be told apart from one in a text that the program has read. */
export function codeReference(name: string): string {
  return `{{env:${name}#${MARK}}}`;
}

/** Converts references made by code to document form and returns their names. */
export function plainReferences(text: string): { readonly text: string; readonly names: readonly string[] } {
  const names: string[] = [];
  const plain = text.replaceAll(CODE_REFERENCE, (_, name: string) => {
    names.push(name);
    return `{{env:${name}}}`;
  });
  return { text: plain, names };
}

/** Names of the environment variables that a document refers to. */
export function referencedNames(document: unknown): readonly string[] {
  const text = JSON.stringify(document) ?? "";
  return [...new Set([...text.matchAll(ENV_REFERENCE)].flatMap(([, name]) => (name === undefined ? [] : [name])))];
}
