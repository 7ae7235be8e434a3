import type { PlatformVariable } from "../src/graph/mod.ts";
import type { Variables } from "./variables.ts";

/** What a flow declares before its nodes, and what their texts, equations and tools are checked against. */
export interface Setup<Vars extends Variables, Snippet extends string, Tool extends string> {
  readonly variables: Vars;
  readonly snippet: Snippet;
  readonly tool: Tool;
  readonly placeholder: Placeholder<keyof Vars & string, Snippet>;
}

/** Any setup. */
export type AnySetup = Setup<Variables, string, string>;

/** What may stand between braces: `{{name}}` without its first and last brace, and `{%name%}` without both. */
export type Placeholder<Variable extends string, Snippet extends string> =
  | `{${Variable | PlatformVariable}`
  | `%${Snippet}%`;
