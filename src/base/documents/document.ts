import { PlatformError } from "../errors.ts";
import { type EditJsonOptions, editDocument } from "../values/mod.ts";
import { editYaml } from "./edit_yaml.ts";
import { parseYaml } from "./parse_yaml.ts";
import { printYaml } from "./print_yaml.ts";

/** How a document is written. */
export type Notation = "json" | "yaml";

/** A parsed document. */
export interface ParsedDocument {
  readonly value: unknown;
  readonly notation: Notation;
}

/** The largest agents that are known have less than a hundredth of this. */
const MOST_CHARACTERS = 50_000_000;

/**
 * Parses JSON or YAML, with or without a byte order mark. A text that begins with a bracket is JSON, so that the error
 * names what is wrong with it as JSON.
 *
 * @param action Start of the error message, such as "Cannot import agent".
 * @throws {PlatformError} `invalid-json`, `invalid-yaml`, `too-deep`, `too-large`.
 */
export function parseDocument(text: string, action: string): ParsedDocument {
  if (text.length > MOST_CHARACTERS)
    throw new PlatformError(`${action}: the text has more than ${MOST_CHARACTERS} characters`, {
      code: "too-large",
      hint: "Pass the document of one agent",
    });
  const source = text.replace(/^\uFEFF/, "");
  let cause: unknown;
  try {
    return { value: JSON.parse(source), notation: "json" };
  } catch (error) {
    cause = error;
  }
  // a text that has no key at the start of a line, nor a list, is neither
  if (/^\s*[[{]/.test(source) || !/^(?:[^\s#[{][^\n]*:(?:\s|$)|- )/m.test(source)) {
    throw new PlatformError(`${action}: the text is not JSON`, {
      code: "invalid-json",
      hint: cause instanceof Error ? cause.message : "Check that the file is complete",
      cause,
    });
  }
  return { value: parseYaml(source, action).value, notation: "yaml" };
}

/** Writes a new value into a text. Unchanged parts stay as they are. */
export function editText(
  document: { readonly text: string },
  notation: Notation,
  value: unknown,
  options?: EditJsonOptions,
): string {
  return notation === "json" ? editDocument(document, value, options) : editYaml(document.text, value, options);
}

/** Prints a value as a new YAML document. */
export const yamlText = (value: unknown): string => printYaml(value);
