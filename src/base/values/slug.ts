/** Converts a text to letters, digits, `_` and `-`: `Work out discount` becomes `Work_out_discount`. It may be empty. */
export function slug(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]+/g, "_").replace(/^_+|_+$/g, "");
}
