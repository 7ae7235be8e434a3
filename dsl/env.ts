import { FlowError } from "../src/base/errors.ts";
import { shown } from "../src/base/values/mod.ts";
import { codeReference, isVariableName } from "../src/document/secrets/mod.ts";

/**
 * Refers to an environment variable, for keys that a flow's tools need on a platform. The document contains
 * `{{env:NAME}}`; `emit(graph, format, { env })` and `callweave emit` replace it with the value.
 *
 * The same reference in an imported document, or in a text that the program read from elsewhere, is not replaced: its
 * author could send any variable to any host.
 *
 * @returns A placeholder for texts of this flow. It has no meaning elsewhere.
 * @throws {FlowError} `invalid-option` when the name cannot be a variable's name.
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
