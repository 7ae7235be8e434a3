import { createHash } from "node:crypto";

/**
 * Serializes a value as JSON for a `<script>` element: without `<`, so that nothing in it ends the element or
 * starts a comment, and without the line separators U+2028 and U+2029.
 */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A `<script>` element with JSON that the page's code parses. */
export function dataBlock(id: string, value: unknown): string {
  return `<script type="application/json" id="${id}">${embeddedJson(value)}</script>`;
}

/** The source expression of a Content Security Policy that allows exactly this inline script or style. */
export function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
