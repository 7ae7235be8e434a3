import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { FlowError, type Issue, throwIssues } from "../src/errors.ts";
import {
  isRecord,
  type JsonObject,
  type JsonSchema,
  OPTION,
  type OptionRules,
  optionIssues,
  recordOf,
  rule,
  shown,
  type ToolDefinition,
  type ToolExecute,
} from "../src/graph/mod.ts";

/** A tool of a flow. */
export interface Tool<Name extends string, ResponseVariable extends string> {
  readonly name: Name;
  /** What the platforms and the model are told of it. */
  readonly definition: ToolDefinition;
  /** Variables that its result fills. */
  readonly responseVariables: { readonly [Variable in ResponseVariable]: string };
  readonly execute?: ToolExecute;
}

/** Any tool. */
export type AnyTool = Tool<string, string>;

/** Arguments that a tool's parameters describe: typed by a valibot schema, any by a JSON Schema. */
export type ToolArguments<Parameters> = Parameters extends v.GenericSchema ? v.InferOutput<Parameters> : JsonObject;

/** What a tool is. */
export interface ToolOptions<Name extends string, ResponseVariable extends string, Parameters> {
  readonly name: Name;
  /** Says to the model when to call it and what comes back. */
  readonly description: string;
  /** A valibot schema, which then also checks the arguments, or a JSON Schema. Absent: it takes none. */
  readonly parameters?: Parameters;
  /** Answers a call in the program; fails by throwing. Not part of the document. */
  readonly execute?: (args: ToolArguments<NoInfer<Parameters>>, options?: { readonly signal?: AbortSignal }) => unknown;
  /** Variable → JSON path into the result, such as `$.order.status`. */
  readonly responseVariables?: { readonly [Variable in ResponseVariable]: string };
  /** Where a platform calls it. */
  readonly url?: string;
  /** Kind of tool on the platforms; absent: `custom`. */
  readonly type?: string;
  /** Retell's own fields of the tool, kept under `metadata.retell`. */
  readonly retell?: JsonObject;
  /** Vapi's own fields of the tool, kept under `metadata.vapi`. */
  readonly vapi?: JsonObject;
}

/**
 * Defines a tool that function nodes call and that the model can call at conversation nodes.
 *
 * @throws {FlowError} `invalid-option`, `empty-name`, for what plain JavaScript may pass.
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
  Parameters extends v.GenericSchema | JsonSchema = JsonSchema,
>(options: ToolOptions<Name, ResponseVariable, Parameters>): Tool<Name, ResponseVariable> {
  checkTool(options);
  const { name, description, parameters, execute, responseVariables, url, type = "custom", retell, vapi } = options;
  const schema = isValibot(parameters) ? parameters : undefined;
  const definition: ToolDefinition = {
    name,
    description,
    ...(parameters ? { parameters: isValibot(parameters) ? parametersOf(parameters) : parameters } : {}),
    type,
    ...(url === undefined ? {} : { url }),
    ...(responseVariables ? { response_variables: { ...responseVariables } } : {}),
    ...(retell || vapi ? { metadata: { ...(retell && { retell }), ...(vapi && { vapi }) } } : {}),
  };
  const parse = (args: JsonObject): unknown => (schema ? v.parse(schema, args) : args);
  const checked: ToolExecute | undefined =
    execute && ((args, call) => execute(parse(args) as ToolArguments<Parameters>, call)); // parse() has just checked it
  return Object.freeze({
    name,
    definition: Object.freeze(definition),
    responseVariables: responseVariables ?? ({} as { readonly [Variable in ResponseVariable]: string }), // absent: ResponseVariable is never
    ...(checked ? { execute: checked } : {}),
  });
}

const TOOL = {
  name: OPTION.text,
  description: OPTION.text,
  parameters: rule("a valibot schema or a JSON Schema", isRecord),
  execute: OPTION.function,
  responseVariables: recordOf(OPTION.text, "an object with a JSON path into the result by each variable"),
  url: OPTION.text,
  type: OPTION.text,
  retell: OPTION.object,
  vapi: OPTION.object,
} satisfies { readonly [Name in keyof Required<ToolOptions<string, string, unknown>>]: OptionRules[string] };

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
    const hint = "Say when to call it and what comes back";
    issues.push({ code: "invalid-option", path: ["description"], message: "it has no description", hint });
  }
  throwIssues(FlowError, typeof name === "string" && name !== "" ? `${action} "${name}"` : action, issues);
}

function isValibot(parameters: v.GenericSchema | JsonSchema | undefined): parameters is v.GenericSchema {
  return parameters !== undefined && "~run" in parameters;
}

/** The schema without its dialect, which the platforms refuse in a tool's parameters. */
function parametersOf(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, ...parameters } = toJsonSchema(schema, {
    target: "draft-07",
    typeMode: "input",
    errorMode: "ignore",
  });
  return parameters;
}
