import { FlowError } from "../src/base/errors.ts";
import { checkOptions, OPTION, recordOf, shown } from "../src/base/values/mod.ts";
import type { DeclarationsOf } from "./flow.ts";
import type { NodeDefinition, NodeKit } from "./nodes.ts";
import type { AnyTool } from "./tools.ts";
import type { Variables } from "./variables.ts";

/** Nodes that several flows share, with the variables, snippets and tools that they use. */
export interface Part<
  Vars extends Variables,
  Snippets extends { readonly [name: string]: string },
  OneTool extends AnyTool,
  List extends readonly NodeDefinition<string, string>[],
> {
  /** Variables to add to the flow's own: `{ ...identify.variables, topic }`. */
  readonly variables: Vars;
  readonly snippets: Snippets;
  readonly tools: readonly OneTool[];
  /** Nodes for the flow's `.nodes()`. */
  readonly nodes: (kit: object) => List;
}

/** Variables, snippets and tools that the part's nodes use. */
export interface PartOptions<Vars, Snippets, OneTool> {
  readonly variables?: Vars;
  readonly snippets?: Snippets;
  readonly tools?: readonly OneTool[];
}

const RULES = {
  variables: OPTION.object,
  snippets: recordOf(OPTION.text, "an object with a text per name"),
  tools: OPTION.list,
};

/**
 * Defines nodes that several flows share. They are checked against the variables, snippets and tools of the part. Each
 * flow adds these to its own, and declares the nodes that the part leads to.
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
  build: (kit: NodeKit<DeclarationsOf<Vars, keyof Snippets & string, OneTool>>) => List,
): Part<Vars, Snippets, OneTool, List> {
  checkOptions(options, RULES, FlowError, "Cannot define a part");
  if (typeof build !== "function") {
    throw new FlowError(`Cannot define a part: its nodes are ${shown(build)}`, {
      code: "invalid-option",
      hint: "Pass a function that returns a list of nodes: part({ … }, (kit) => [kit.conversation(…)])",
    });
  }
  return {
    variables: options.variables ?? ({} as Vars), // Vars defaults to a type without keys
    snippets: options.snippets ?? ({} as Snippets), // the same
    tools: options.tools ?? [],
    // one kit serves all flows; the types differ for the compiler only
    nodes: (kit) => build(kit as NodeKit<DeclarationsOf<Vars, keyof Snippets & string, OneTool>>),
  };
}
