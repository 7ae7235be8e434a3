import { FlowError } from "../src/errors.ts";
import { checkOptions, OPTION, recordOf, shown } from "../src/values/mod.ts";
import type { SetupOf } from "./flow.ts";
import type { NodeDefinition, NodeKit } from "./nodes.ts";
import type { AnyTool } from "./tool.ts";
import type { Variables } from "./variables.ts";

/** Nodes that several flows share, with the variables, snippets and tools that they use. */
export interface Part<
  Vars extends Variables,
  Snippets extends { readonly [name: string]: string },
  OneTool extends AnyTool,
  List extends readonly NodeDefinition<string, string>[],
> {
  /** For the flow's own `variables`: `{ ...identify.variables, topic }`. */
  readonly variables: Vars;
  readonly snippets: Snippets;
  readonly tools: readonly OneTool[];
  /** For the flow's `.nodes()`. */
  readonly nodes: (kit: object) => List;
}

/** What the nodes of a part use. */
export interface PartOptions<Vars, Snippets, OneTool> {
  readonly variables?: Vars;
  readonly snippets?: Snippets;
  readonly tools?: readonly OneTool[];
}

const RULES = {
  variables: OPTION.object,
  snippets: recordOf(OPTION.text, "an object with a text by each name"),
  tools: OPTION.list,
};

/**
 * Writes nodes that several flows share. Their texts, equations and tools are checked by what the part declares; each
 * flow takes that over, and has the nodes to which the part leads on.
 *
 * @throws {FlowError} `invalid-option`.
 * @example
 * ```ts
 * import { flow, part, text } from "callweave";
 *
 * const identify = part({ variables: { caller_name: text("Caller's name") } }, (kit) => [
 *   kit.conversation("ask_name", { prompt: "Ask for the name.", next: ({ to }) => [to("read_name", "Caller gives it")] }),
 *   kit.extract("read_name", { fills: ["caller_name"], next: ({ to }) => [to("identified")] }),
 * ]);
 * const shop = flow("shop", { variables: { ...identify.variables } })
 *   .nodes(identify.nodes)
 *   .end("identified", { prompt: "Thank {{caller_name}}." })
 *   .compile();
 * ```
 */
export function part<
  const Vars extends Variables = Record<never, never>,
  const Snippets extends { readonly [name: string]: string } = Record<never, never>,
  const OneTool extends AnyTool = never,
  const List extends readonly NodeDefinition<string, string>[] = readonly NodeDefinition<string, string>[],
>(
  options: PartOptions<Vars, Snippets, OneTool>,
  build: (kit: NodeKit<SetupOf<Vars, keyof Snippets & string, OneTool>>) => List,
): Part<Vars, Snippets, OneTool, List> {
  checkOptions(options, RULES, FlowError, "Cannot define a part");
  if (typeof build !== "function") {
    throw new FlowError(`Cannot define a part: its nodes are ${shown(build)}`, {
      code: "invalid-option",
      hint: "Pass a function that returns a list of nodes: part({ … }, (kit) => [kit.conversation(…)])",
    });
  }
  return {
    variables: options.variables ?? ({} as Vars), // absent is the default, which has no key
    snippets: options.snippets ?? ({} as Snippets), // the same
    tools: options.tools ?? [],
    // the kit is the same for every flow; what it takes is known to the compiler only
    nodes: (kit) => build(kit as NodeKit<SetupOf<Vars, keyof Snippets & string, OneTool>>),
  };
}
