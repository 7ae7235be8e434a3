import type { Options } from "ajv";

/**
 * Options of Ajv for the schemas that platforms publish. With Ajv's defaults it inlines references and shortens the code
 * that it writes, which takes four times as long for schemas of this size; what is valid stays the same.
 */
export const PUBLISHED_SCHEMAS = {
  strict: false,
  logger: false,
  validateFormats: false,
  inlineRefs: false,
  code: { optimize: false },
} as const satisfies Options;
