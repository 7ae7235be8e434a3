import { FlowError, type Issue, throwIssues } from "../../src/base/errors.ts";
import { isRecord, OPTION, type OptionRules, optionIssues, recordOf, rule, shown } from "../../src/base/values/mod.ts";
import type { JsonSchema, ToolDefinition, ToolExecute } from "../../src/document/graph/mod.ts";
import { DOCUMENT_OPTION, type DocumentOption, withDocument } from "../document_fields.ts";
import { PLATFORM_OPTIONS, type PlatformOptions, platformFields } from "../platform_fields.ts";
import {
  type ArgumentsIn,
  type ArgumentsOut,
  isStandardSchema,
  jsonSchemaOf,
  type ToolParameters,
  withArguments,
} from "./parameters.ts";

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
  readonly execute?: (
    args: ArgumentsOut<NoInfer<Parameters>>,
    options?: { readonly signal?: AbortSignal },
  ) => Output | Promise<Output>;
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
