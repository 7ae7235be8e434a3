import { readFileSync } from "node:fs";

/**
 * Reads the document that a platform publishes.
 *
 * @returns The parsed document, or in one line why it cannot be read.
 */
export function readPublished(file: string): { readonly document: unknown } | { readonly problem: string } {
  try {
    return { document: JSON.parse(readFileSync(file, "utf8")) };
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { problem: `Cannot read "${file}": ${reason}` };
  }
}
