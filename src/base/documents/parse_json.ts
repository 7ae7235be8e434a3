import { PlatformError } from "../errors.ts";

/**
 * Parses JSON text, with or without a byte order mark.
 *
 * @param action Start of the error message, such as "Cannot import agent".
 * @throws {PlatformError} `invalid-json`.
 */
export function parseJson(text: string, action: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new PlatformError(`${action}: the text is not JSON`, {
      code: "invalid-json",
      hint: cause instanceof Error ? cause.message : "Check that the file is complete",
      cause,
    });
  }
}
