import { textOf } from "../../../src/document/expressions/mod.ts";

/** Variables as Retell takes them: texts. */
export function textsOf(variables: { readonly [name: string]: unknown }): { readonly [name: string]: string } {
  const texts = Object.entries(variables).flatMap(([key, value]) => {
    const text = textOf(value, key);
    return text === undefined ? [] : [[key, text] as const];
  });
  return Object.fromEntries(texts);
}

/** A version as requests that start a call have it: a number, or a tag. */
export function numberOrTag(version: string | undefined): number | string | undefined {
  return version !== undefined && /^\d+$/.test(version) ? Number(version) : version;
}
