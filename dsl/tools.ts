import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { FlowError, type Issue, throwIssues } from "../src/base/errors.ts";
import {
  type FlowTypeError,
  isRecord,
  type JsonObject,
  OPTION,
  type OptionRules,
  optionIssues,
  recordOf,
  rule,
  shown,
} from "../src/base/values/mod.ts";
import type { JsonSchema, ToolContext, ToolDefinition, ToolExecute } from "../src/document/graph/mod.ts";
import { DOCUMENT_OPTION, type DocumentOption, withDocument } from "./document_fields.ts";
import { PLATFORM_OPTIONS, type PlatformOptions, platformFields } from "./typed_fields.ts";

/** A tool as scenarios see it, with the types of its arguments and result. */
export type TypedTool = Tool<string, string, unknown, unknown>;

/** A mocked answer of a tool. */
export interface MockAnswer<Args = { readonly [name: string]: unknown }, Output = unknown> {
  /** Answers only calls with at least these arguments. Default: every call. */
  readonly args?: AtLeast<Args>;
  /** A text, or a value that the tool would return as JSON. */
  readonly output?: Output;
  /** Whether the call fails. Default: false. */
  readonly fails?: boolean;
  /** Delay of the answer in milliseconds. Default: none. */
  readonly delayMs?: number;
  /** Number of calls to answer before the next mock of the tool is used. Default: all. */
  readonly times?: number;
  /** How the answer changes the tools' state: a JSON merge patch, in which `null` removes a key. Default: not at all. */
  readonly stateChanges?: { readonly [name: string]: unknown };
}

/** Some arguments of a call, at any depth. */
export type AtLeast<Args> = Args extends readonly (infer Item)[]
  ? readonly AtLeast<Item>[]
  : Args extends object
    ? { readonly [Name in keyof Args]?: AtLeast<Args[Name]> }
    : unknown extends Args
      ? { readonly [name: string]: unknown }
      : Args;

/** Second argument of `.mock(tool, …)`: an answer, or only the output. */
export type MockOf<OneTool extends TypedTool> =
  | MockAnswer<ArgsOf<OneTool>, OutputOf<OneTool>>
  | Bare<OutputOf<OneTool>>;

/** Arguments of a tool as the model writes them. */
export type ArgsOf<OneTool extends TypedTool> = NonNullable<OneTool["~types"]>["args"];

/** A result as `execute` returns it, possibly with keys missing, or a text. */
type OutputOf<OneTool extends TypedTool> = ResultOf<NonNullable<OneTool["~types"]>["output"]>;

type ResultOf<Output> = unknown extends Output
  ? unknown
  : Output extends object
    ? AtLeast<Output> | string
    : Output | string;

/** An output without an answer around it. If any output is allowed, an object must not look like a misspelt answer. */
type Bare<Output> = unknown extends Output ? string | number | boolean | null | readonly unknown[] | NoAnswer : Output;

type AnswerKey = keyof MockAnswer;

type NoAnswer = { readonly [key: string]: unknown } & { readonly [Key in Exclude<AnswerKey, "output">]?: never } & {
  readonly [Key in AnswerKey as Swapped<Key> | Shortened<Key>]?: FlowTypeError<`did you mean "${Key}"?`>;
};

/** A word with two neighbouring letters swapped. */
type Swapped<Word extends string, Head extends string = ""> = Word extends `${infer First}${infer Second}${infer Rest}`
  ? `${Head}${Second}${First}${Rest}` | Swapped<`${Second}${Rest}`, `${Head}${First}`>
  : never;

/** A word without one of its letters. */
type Shortened<Word extends string, Head extends string = ""> = Word extends `${infer First}${infer Rest}`
  ? `${Head}${Rest}` | Shortened<Rest, `${Head}${First}`>
  : never;

/** The name, or a message when no tool has it. Names unknown to the compiler pass; the run checks them. */
export type KnownTool<Name extends string, Known extends string> = Name extends Known
  ? Name
  : string extends Name
    ? Name
    : FlowTypeError<`tool "${Name}" is not declared in tools`>;

/** Any text; editors still suggest the known names. */
export type AnyName = string & {};

/** A tool of a flow. `Args` are the arguments that the model writes, `Output` is what `execute` returns. */
export interface Tool<Name extends string, ResponseVariable extends string, Args = unknown, Output = unknown> {
  readonly name: Name;
  /** Definition for platforms and models. */
  readonly definition: ToolDefinition;
  /** Variables that the tool's result fills. */
  readonly responseVariables: { readonly [Variable in ResponseVariable]: string };
  readonly execute?: ToolExecute;
  /** Types for checking scenarios. Does not exist at run time. */
  readonly "~types"?: { readonly args: Args; readonly output: Output };
}

/** A {@link Tool} whose arguments and result are unknown to the compiler. */
export type AnyTool = Tool<string, string>;

/** Options of `tool()`. */
export interface ToolOptions<Name extends string, ResponseVariable extends string, Parameters, Output>
  extends PlatformOptions<"tool">,
    DocumentOption {
  readonly name: Name;
  /** Tells the model when to call the tool and what it returns. */
  readonly description: string;
  /**
   * A Standard Schema (Zod, ArkType, Valibot, …), which also validates the arguments, or a JSON Schema. Absent: the
   * tool has no arguments.
   */
  readonly parameters?: Parameters;
  /** Implements the tool in this program; throws to fail. Not part of the document. */
  readonly execute?: (args: ArgumentsOut<NoInfer<Parameters>>, options?: ToolContext) => Output | Promise<Output>;
  /** Variable → JSON path into the result, such as `$.order.status`. */
  readonly responseVariables?: { readonly [Variable in ResponseVariable]: string };
  /** URL at which a platform calls the tool. */
  readonly url?: string;
  /** Kind of tool on the platforms. Default: `custom`. */
  readonly type?: string;
}

/**
 * Defines a tool for function nodes, and for the model at conversation nodes.
 *
 * @throws {FlowError} `no-json-schema`, `invalid-option`, `empty-name`.
 * @example
 * ```ts
 * import * as v from "valibot";
 *
 * const lookUp = tool({
 *   name: "look_up_order",
 *   description: "Finds an order by its number",
 *   parameters: v.object({ number: v.pipe(v.string(), v.description("As printed on the receipt")) }),
 *   responseVariables: { order_status: "$.status" },
 *   execute: ({ number }) => ({ number, status: "shipped" }),
 * });
 * ```
 */
export function tool<
  const Name extends string,
  const ResponseVariable extends string = never,
  const Parameters extends ToolParameters = JsonSchema,
  Output = unknown,
>(
  options: ToolOptions<Name, ResponseVariable, Parameters, Output>,
): Tool<Name, ResponseVariable, ArgumentsIn<Parameters>, Output> {
  checkTool(options);
  const { name, description, parameters, execute, responseVariables, url, type = "custom", document } = options;
  const metadata = platformFields(options);
  const given: ToolParameters | undefined = parameters;
  const schema = isStandardSchema(given) ? given : undefined;
  const described = isStandardSchema(given) ? jsonSchemaOf(given, name) : given;
  const definition: ToolDefinition = {
    name,
    description,
    ...(described ? { parameters: described } : {}),
    type,
    ...(url === undefined ? {} : { url }),
    ...(responseVariables ? { response_variables: { ...responseVariables } } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
  const checked: ToolExecute | undefined =
    execute &&
    ((args, call) => {
      const use = (read: unknown) => execute(read as ArgumentsOut<Parameters>, call); // the schema's, or the model's own
      return schema ? withArguments(schema, args, name, use) : use(args);
    });
  return Object.freeze({
    name,
    definition: Object.freeze(withDocument(definition, document)),
    responseVariables: responseVariables ?? ({} as { readonly [Variable in ResponseVariable]: string }), // absent: ResponseVariable is never
    ...(checked ? { execute: checked } : {}),
  });
}

const TOOL = {
  name: OPTION.text,
  description: OPTION.text,
  parameters: rule("a schema or a JSON Schema", (value) => isRecord(value) || isStandardSchema(value)),
  execute: OPTION.function,
  responseVariables: recordOf(OPTION.text, "an object with a JSON path into the result per variable"),
  url: OPTION.text,
  type: OPTION.text,
  ...DOCUMENT_OPTION,
  ...PLATFORM_OPTIONS,
} satisfies { readonly [Name in keyof Required<ToolOptions<string, string, unknown, unknown>>]: OptionRules[string] };

function checkTool(options: unknown): void {
  const action = "Cannot define a tool";
  if (!isRecord(options)) {
    const hint = "Pass an object: tool({ name, description, … })";
    throw new FlowError(`${action}: it is ${shown(options)}`, { code: "invalid-option", hint });
  }
  const { name, description } = options;
  const issues: Issue[] = [...optionIssues(options, TOOL)];
  if (name === undefined || (typeof name === "string" && name.trim() === "")) {
    issues.push({ code: "empty-name", path: ["name"], message: "it has no name", hint: "Give it a name" });
  }
  if (description === undefined) {
    const hint = "Say when to call it and what it returns";
    issues.push({ code: "invalid-option", path: ["description"], message: "it has no description", hint });
  }
  throwIssues(FlowError, typeof name === "string" && name !== "" ? `${action} "${name}"` : action, issues);
}

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
function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  const holder: unknown = typeof value === "function" ? Reflect.get(value, "~standard") : undefined;
  const standard = isRecord(value) ? value["~standard"] : holder;
  return isRecord(standard) && typeof standard.validate === "function";
}

/**
 * Converts a tool's schema to JSON Schema, without `$schema`, which platforms reject.
 *
 * @throws {FlowError} `no-json-schema` when the library does not support it.
 */
function jsonSchemaOf(schema: StandardSchemaV1, tool: string): JsonSchema {
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
function withArguments(
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

/**
 * Type of the values that a JSON Schema describes, from the keywords `type`, `properties`, `required`, `items`, `enum`
 * and `const`. Schemas without these keywords give `unknown`.
 */
export type ValueOf<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: infer Type }
      ? OfType<Type extends readonly (infer Each)[] ? Each : Type, Schema>
      : Schema extends { readonly properties: infer Properties }
        ? ObjectOf<Properties, RequiredOf<Schema>>
        : unknown;

type OfType<Type, Schema> = Type extends "string"
  ? string
  : Type extends "number" | "integer"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "null"
        ? null
        : Type extends "array"
          ? readonly (Schema extends { readonly items: infer Items } ? ValueOf<Items> : unknown)[]
          : Type extends "object"
            ? Schema extends { readonly properties: infer Properties }
              ? ObjectOf<Properties, RequiredOf<Schema>>
              : JsonObject
            : unknown;

type ObjectOf<Properties, Required> = {
  readonly [Name in keyof Properties as Name extends Required ? Name : never]: ValueOf<Properties[Name]>;
} & { readonly [Name in keyof Properties as Name extends Required ? never : Name]?: ValueOf<Properties[Name]> };

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;
