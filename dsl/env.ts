import { FlowError } from "../src/errors.ts";
import { codeReference, isVariableName } from "../src/secrets/mod.ts";
import { shown } from "../src/values/mod.ts";

/**
 * A variable of the environment, for keys that a flow's tools need on a platform. The flow's document has the reference
 * `{{env:NAME}}`; `emit(graph, format, { env })` and `callweave emit` put the value in its place.
 *
 * The same reference in a document, or in a text that code has read from elsewhere, is not filled in: whoever wrote it
 * would choose which variable is sent where.
 *
 * @returns A part of a text of this flow. In any other place it means nothing.
 * @throws {FlowError} `invalid-option` for what is no name of a variable.
 * @example
 * ```ts
 * import { env, tool } from "callweave";
 *
 * const find = tool({
 *   name: "find_customer",
 *   description: "Finds a customer by phone number",
 *   url: "https://crm.example.com/find",
 *   retell: { headers: { Authorization: `Bearer ${env("CRM_TOKEN")}` } },
 * });
 * ```
 */
export function env(name: string): string {
  if (typeof name === "string" && isVariableName(name)) return codeReference(name);
  throw new FlowError(`Cannot refer to the environment: the variable's name is ${shown(name)}`, {
    code: "invalid-option",
    path: ["name"],
    hint: "Pass letters, digits and underscores: CRM_TOKEN",
  });
}
