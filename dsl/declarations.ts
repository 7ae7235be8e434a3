import type { PlatformVariable } from "../src/document/expressions/mod.ts";
import type { AnyTool } from "./tools/mod.ts";
import type { Variables } from "./variables.ts";

/** Declarations of a flow, which texts, equations and tools are checked against. */
export interface Declarations {
  readonly variables: Variables;
  readonly snippet: string;
  /** The union of the tools. */
  readonly tools: AnyTool;
  readonly tool: string;
  readonly placeholder: string;
}

/** Allowed contents of braces: `{{name}}` without its outer braces, and `{%name%}` without braces. */
export type Placeholder<Variable extends string, Snippet extends string> =
  | `{${Variable | PlatformVariable}`
  | `%${Snippet}%`;
