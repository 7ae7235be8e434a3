import type { Options } from "ajv";

/**
 * Options of Ajv for the schemas that platforms publish. Inlining references and optimizing the generated code is
 * switched off, because it takes four times as long for schemas of this size and does not change the result.
 */
export const PUBLISHED_SCHEMAS = {
  strict: false,
  logger: false,
  validateFormats: false,
  inlineRefs: false,
  code: { optimize: false },
} as const satisfies Options;
