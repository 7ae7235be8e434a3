import type { LanguageModelMiddleware } from "ai";
import type { JsonSchema } from "../../graph/mod.ts";
import { isRecord } from "../../values/mod.ts";

/** Keywords that some servers reject. Answers are validated against them anyway. */
const OPTIONAL_KEYWORDS: readonly string[] = ["minItems", "maxItems"];

/**
 * Retries without the keywords when a server rejects the schema because of one. Later attempts of the same call omit
 * them from the start.
 */
export function plainSchemaMiddleware(): LanguageModelMiddleware {
  let isRefused = false;
  return {
    specificationVersion: "v3",
    wrapGenerate: ({ doGenerate, params, model }) => {
      const { responseFormat } = params;
      if (responseFormat?.type !== "json" || !responseFormat.schema) return doGenerate();
      const { schema } = responseFormat;
      const askPlainly = () =>
        model.doGenerate({ ...params, responseFormat: { ...responseFormat, schema: plain({ ...schema }) } });
      if (isRefused) return askPlainly();
      return doGenerate().then(undefined, (error) => {
        if (!refusesKeyword(error)) throw error;
        isRefused = true;
        return askPlainly();
      });
    },
  };
}

function refusesKeyword(error: unknown): boolean {
  if (!isRecord(error) || (error.statusCode !== 400 && error.statusCode !== 422)) return false;
  const words = `${String(error.message ?? "")} ${String(error.responseBody ?? "")}`;
  return OPTIONAL_KEYWORDS.some((keyword) => words.includes(keyword));
}

/** A schema without the keywords. Properties of the same names are kept. */
function plain(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (OPTIONAL_KEYWORDS.includes(keyword)) return [];
    if (keyword === "properties" && isRecord(value)) {
      const properties = Object.entries(value).map(([name, part]) => [name, isRecord(part) ? plain(part) : part]);
      return [[keyword, Object.fromEntries(properties)]];
    }
    return [[keyword, keyword === "items" && isRecord(value) ? plain(value) : value]];
  });
  return Object.fromEntries(entries);
}
