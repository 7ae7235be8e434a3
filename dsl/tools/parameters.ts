import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { FlowError } from "../../src/base/errors.ts";
import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";
import type { JsonSchema } from "../../src/document/graph/mod.ts";
import type { ValueOf } from "./json_schema_type.ts";

/** Description of a tool's arguments: a Standard Schema (Zod, ArkType, Valibot, …) or a JSON Schema. */
export type ToolParameters = StandardSchemaV1 | JsonSchema;

/** Arguments as the model sends them. */
export type ArgumentsIn<Parameters> = Parameters extends StandardSchemaV1
  ? StandardSchemaV1.InferInput<Parameters>
  : FromJsonSchema<Parameters>;

/** Arguments as `execute` receives them, after the schema's defaults and transformations. */
export type ArgumentsOut<Parameters> = Parameters extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Parameters>
  : FromJsonSchema<Parameters>;

/** Arguments that a JSON Schema describes. A schema unknown to the compiler allows any. */
export type FromJsonSchema<Schema> = string extends keyof Schema
  ? JsonObject
  : unknown extends ValueOf<Schema>
    ? JsonObject
    : ValueOf<Schema>;

/** Whether a value is a Standard Schema. ArkType's schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  const holder: unknown = typeof value === "function" ? Reflect.get(value, "~standard") : undefined;
  const standard = isRecord(value) ? value["~standard"] : holder;
  return isRecord(standard) && typeof standard.validate === "function";
}

/**
 * Converts a tool's schema to JSON Schema, without `$schema`, which platforms reject.
 *
 * @throws {FlowError} `no-json-schema` when the library does not support it.
 */
export function jsonSchemaOf(schema: StandardSchemaV1, tool: string): JsonSchema {
  const { $schema: _, ...parameters } = written(schema, tool);
  return parameters;
}

function written(schema: StandardSchemaV1, tool: string): JsonSchema {
  const { vendor } = schema["~standard"];
  if (isValibot(schema)) {
    return { ...toJsonSchema(schema, { target: "draft-07", typeMode: "input", errorMode: "ignore" }) };
  }
  let cause: unknown;
  try {
    if (hasConverter(schema)) return schema["~standard"].jsonSchema.input({ target: "draft-07" });
  } catch (error) {
    cause = error;
  }
  const reason = cause instanceof Error ? `: ${cause.message}` : "";
  throw new FlowError(
    `Cannot define tool "${tool}": its ${vendor} schema cannot be converted to JSON Schema${reason}`,
    {
      code: "no-json-schema",
      path: ["parameters"],
      hint: "Use Zod 4.2, ArkType 2.1.28, Valibot 1 or a later version of these, or pass a JSON Schema",
      ...(cause === undefined ? {} : { cause }),
    },
  );
}

function isValibot(schema: StandardSchemaV1): schema is StandardSchemaV1 & v.GenericSchema {
  return schema["~standard"].vendor === "valibot" && "~run" in schema;
}

function hasConverter(schema: StandardSchemaV1): schema is StandardSchemaV1 & StandardJSONSchemaV1 {
  const standard: object = schema["~standard"];
  const jsonSchema: unknown = "jsonSchema" in standard ? standard.jsonSchema : undefined;
  return isRecord(jsonSchema) && typeof jsonSchema.input === "function";
}

/**
 * Passes a call's arguments through the schema to `use`. Synchronous unless the schema is asynchronous.
 *
 * @throws {FlowError} `tool-arguments` with the problems, for the model to read.
 */
export function withArguments(
  schema: StandardSchemaV1,
  args: JsonObject,
  tool: string,
  use: (args: unknown) => unknown,
): unknown {
  const result = schema["~standard"].validate(args);
  const read = (settled: StandardSchemaV1.Result<unknown>) => {
    if (settled.issues) throw unfit(settled.issues, tool);
    return use(settled.value);
  };
  return result instanceof Promise ? result.then(read) : read(result);
}

function unfit(issues: readonly StandardSchemaV1.Issue[], tool: string): FlowError {
  const problems = issues.map(({ message, path = [] }) => {
    const place = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
    return place === "" || message.includes(place) ? message : `${place}: ${message}`;
  });
  return new FlowError(`Cannot call tool "${tool}": ${problems.join("; ")}`, {
    code: "tool-arguments",
    hint: "Pass arguments that match the tool's parameters",
  });
}
