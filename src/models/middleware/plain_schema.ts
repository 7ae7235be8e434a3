import type { JSONSchema7 } from "@ai-sdk/provider";
import type { LanguageModelMiddleware } from "ai";
import { isRecord, type JsonSchema } from "../../graph/mod.ts";

/** Keywords that not every server knows: the answer is held to them after it has come, too. */
const OPTIONAL_KEYWORDS: readonly string[] = ["minItems", "maxItems"];

/** Asks again, without the keywords, where a server refuses a request because of one in the schema of the answer. */
export function plainSchemaMiddleware(): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ doGenerate, params, model }) => {
      try {
        return await doGenerate();
      } catch (error) {
        const { responseFormat } = params;
        if (responseFormat?.type !== "json" || !responseFormat.schema || !refusesKeyword(error)) throw error;
        const schema: JSONSchema7 = plain({ ...responseFormat.schema });
        return await model.doGenerate({ ...params, responseFormat: { ...responseFormat, schema } });
      }
    },
  };
}

function refusesKeyword(error: unknown): boolean {
  if (!isRecord(error) || (error.statusCode !== 400 && error.statusCode !== 422)) return false;
  const words = `${String(error.message ?? "")} ${String(error.responseBody ?? "")}`;
  return OPTIONAL_KEYWORDS.some((keyword) => words.includes(keyword));
}

/** A schema without the keywords, but with all properties, whatever their names. */
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
