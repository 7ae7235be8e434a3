/** The key of `source_metadata` under which an imported graph keeps the document that it came from. */
export const ORIGINAL = "original";

/** The document that a graph was imported from. */
export interface OriginalDocument {
  /** Name of the format, such as `retell`. */
  readonly format: string;
  /** Its JSON text, verbatim. */
  readonly text: string;
}
