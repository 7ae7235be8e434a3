import { existsSync, readdirSync, readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import { importAgent } from "../../../../platforms/mod.ts";
import { withoutSecrets } from "../../../../platforms/vapi/local/server.ts";
import { vapiRefusals } from "../../../../platforms/vapi/mod.ts";
import type { Path } from "../../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, omit, replaceAt } from "../../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import { PUBLISHED_SCHEMAS } from "../../published_schemas.ts";

const SHARED = new URL("../../../../../shared/", import.meta.url);
const DOCUMENT = new URL("platforms/vapi.openapi.json", SHARED);

/** Whether Vapi's published document and third-party files are available. */
export const hasShared = existsSync(DOCUMENT);
/** Reason for skipping a test that needs them. */
export const WITHOUT_SHARED = "needs ../shared with Vapi's published document and real files";

/** Keys with model and voice names, which Vapi adds and retires faster than it publishes schemas. */
const OPEN = ["model", "fallbackModels", "voiceId"];
/** Corrects status codes, which are numbers. */
const MISTYPED = ["excludedStatusCodes"];

interface Validators {
  readonly squad: ValidateFunction;
  readonly assistant: ValidateFunction;
}

let compiled: Validators | undefined;

/** Vapi's schemas in strict mode, without unknown keys. Compiled once for all test files. */
export function validators(): Validators {
  compiled ??= compile();
  return compiled;
}

function compile(): Validators {
  const document: unknown = JSON.parse(readFileSync(DOCUMENT, "utf8"));
  const components = isRecord(document) ? document.components : {};
  const ajv = new Ajv(PUBLISHED_SCHEMAS);
  ajv.addSchema({ components: strict(components, "") }, "vapi");
  const find = (name: string) => {
    const found = ajv.getSchema(`vapi#/components/schemas/${name}`);
    if (!found) throw new TypeError(`no schema "${name}"`);
    return found;
  };
  return { squad: find("CreateSquadDTO"), assistant: find("CreateAssistantDTO") };
}

const mended = (pattern: string) => pattern.replace(/^\/(.*)\/u?$/, "$1");

/** Whether a schema of type object is in fact an enum of texts, such as the type of a backoff plan. */
const isTextual = (type: unknown, choices: unknown) =>
  type === "object" && Array.isArray(choices) && choices.every((each) => typeof each === "string");

/**
 * Converts OpenAPI to JSON Schema and corrects errors of the document: patterns in slashes, empty enums, texts with
 * type object, overlapping alternatives.
 */
function strict(schema: unknown, key: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => strict(item, ""));
  if (!isRecord(schema)) return schema;
  if (OPEN.includes(key) && !("properties" in schema) && !JSON.stringify(schema).includes("$ref")) return {};
  if (MISTYPED.includes(key)) return {};
  const { discriminator: _tag, oneOf, enum: choices, pattern, type, ...rest } = schema;
  const hasChoices = choices !== undefined && !(Array.isArray(choices) && choices.length === 0) && type !== "array";
  const copy: JsonObject = {
    ...rest,
    ...(oneOf === undefined ? {} : { anyOf: oneOf }),
    ...(hasChoices ? { enum: choices } : {}),
    ...(pattern === undefined ? {} : { pattern: typeof pattern === "string" ? mended(pattern) : pattern }),
    ...(type === undefined || isTextual(type, choices)
      ? {}
      : { type: schema.nullable === true ? [type, "null"] : type }),
    ...(type === "object" && isRecord(rest.properties) && rest.additionalProperties === undefined
      ? { additionalProperties: false }
      : {}),
  };
  return Object.fromEntries(
    Object.entries(copy).map(([name, value]) => [
      name,
      name === "properties" && isRecord(value) ? properties(value) : strict(value, ""),
    ]),
  );
}

/** Converts the schemas of an object's keys, which may have the names of keywords. */
function properties(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, strict(schema, name)]));
}

/** A document without the keys that Vapi's published schemas lack: on the way back to Vapi they are kept. */
export function withoutUnknown(kind: "squad" | "assistant", document: JsonObject): JsonObject {
  const unknown = vapiRefusals(kind, document).filter(({ isUnknown }) => isUnknown);
  // the API accepts secrets of servers without documenting them
  return unknown.reduce((left, { path }) => {
    const owner = getAt(left, path.slice(0, -1));
    return isRecord(owner) ? replaced(left, path.slice(0, -1), omit(owner, [String(path.at(-1))])) : left;
  }, withoutSecrets(document));
}

function replaced(document: JsonObject, path: Path, item: unknown): JsonObject {
  const whole = replaceAt(document, path, item);
  return isRecord(whole) ? whole : {};
}

/** Returns the importable third-party files of a folder, except those of some formats. */
export function corpus(folder: string, without: readonly string[]): readonly { name: string; graph: AgentGraph }[] {
  const at = new URL(`corpus/${folder}/`, SHARED);
  return readdirSync(at)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      try {
        const { graph, format } = importAgent(readFileSync(new URL(name, at), "utf8"));
        return without.includes(format) ? [] : [{ name, graph }];
      } catch {
        return []; // not an agent: tools, tests and unknown shapes
      }
    });
}
