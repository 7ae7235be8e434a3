import type { PlatformVariable } from "../src/expressions/mod.ts";
import type { AnyTool } from "./tools/mod.ts";
import type { Variables } from "./variables.ts";

/** Declarations of a flow, which texts, equations and tools are checked against. */
export interface Setup<Vars extends Variables, Snippet extends string, OneTool extends AnyTool> {
  readonly variables: Vars;
  readonly snippet: Snippet;
  /** The union of the tools. */
  readonly tools: OneTool;
  readonly tool: OneTool["name"];
  readonly placeholder: Placeholder<keyof Vars & string, Snippet>;
}

/** A {@link Setup} whose variables, snippets and tools are unknown to the compiler. */
export type AnySetup = Setup<Variables, string, AnyTool>;

/** Allowed contents of braces: `{{name}}` without its outer braces, and `{%name%}` without braces. */
export type Placeholder<Variable extends string, Snippet extends string> =
  | `{${Variable | PlatformVariable}`
  | `%${Snippet}%`;
