/** Key of `source_metadata` for the document that a graph was imported from. */
export const ORIGINAL = "original";

/** The document that a graph was imported from. */
export interface OriginalDocument {
  /** Name of the format, such as `retell`. */
  readonly format: string;
  /** Its JSON text, verbatim. */
  readonly text: string;
}
