import { FlowError } from "../src/base/errors.ts";
import { isRecord, shown } from "../src/base/values/mod.ts";
import type { AgentGraph } from "../src/document/graph/mod.ts";
import type { FlowHead } from "./compile/mod.ts";
import { compileFlow } from "./compile/mod.ts";
import { when } from "./condition.ts";
import { type Edge, otherwiseFor, to } from "./edges.ts";
import type { DefinedNode, LooseOptions, NodeDefinition, NodeKind } from "./nodes.ts";

/**
 * Returns a flow's name and options. `compile()` validates the options one by one.
 *
 * @throws {FlowError} `invalid-option` when the options are not an object.
 */
export function headOf(name: string, options: unknown): FlowHead {
  if (options === undefined || isRecord(options)) return { ...options, name };
  throw new FlowError(`Cannot create flow ${shown(name)}: its options are ${shown(options)}`, {
    code: "invalid-option",
    hint: 'Pass an object: flow("clinic", { prompt: "…" })',
  });
}

/** The type of `next` for every kind of node. */
type LooseNext = (kit: object) => readonly Edge<string>[];

/** A flow without literal types, as in plain JavaScript. {@link compileFlow} makes all checks. */
export class FlowBuilder {
  readonly #head: FlowHead;
  readonly #nodes: readonly DefinedNode[];

  constructor(head: FlowHead, nodes: readonly DefinedNode[]) {
    this.#head = head;
    this.#nodes = nodes;
  }

  conversation(id: string, options: LooseOptions): FlowBuilder {
    return this.#with([define("conversation", id, options)]);
  }
  extract(id: string, options: LooseOptions): FlowBuilder {
    return this.#with([define("extract", id, options)]);
  }
  logic(id: string, options: LooseOptions): FlowBuilder {
    return this.#with([define("logic", id, options)]);
  }
  function(id: string, options: LooseOptions): FlowBuilder {
    return this.#with([define("function", id, options)]);
  }
  transfer(id: string, options: LooseOptions): FlowBuilder {
    return this.#with([define("transfer", id, options)]);
  }
  end(id: string, options: LooseOptions): FlowBuilder {
    return this.#with([define("end", id, options)]);
  }
  global(id: string, options: LooseOptions): FlowBuilder {
    return this.#with([define("global", id, options)]);
  }
  nodes(build: (kit: typeof KIT) => readonly NodeDefinition<string, string>[]): FlowBuilder {
    const built: unknown = typeof build === "function" ? build(KIT) : build;
    if (isNodeList(built)) return this.#with(built.map(({ node }) => node));
    throw new FlowError(`Cannot add nodes: the list is ${shown(built)}`, {
      code: "wrong-type",
      path: ["nodes"],
      hint: "Pass a function that returns a list: ({ conversation }) => [conversation(…), …]",
    });
  }
  compile(): AgentGraph {
    return compileFlow(this.#head, this.#nodes);
  }

  #with(nodes: readonly DefinedNode[]): FlowBuilder {
    return new FlowBuilder(this.#head, [...this.#nodes, ...nodes]);
  }
}

function isNodeList(built: unknown): built is readonly NodeDefinition<string, string>[] {
  return Array.isArray(built) && built.every((each: unknown) => isRecord(each) && isRecord(each.node));
}

function define(kind: NodeKind, id: string, options: LooseOptions = {}): DefinedNode {
  const speaks = kind === "conversation" || kind === "global";
  const next: unknown = isRecord(options) ? options.next : undefined;
  const edges = isNext(next) ? next({ to, when, otherwise: otherwiseFor(speaks) }) : [];
  return Object.freeze({ id, kind, options, edges });
}

/** `compile()` checks what the function returns. */
function isNext(next: unknown): next is LooseNext {
  return typeof next === "function";
}

const listed =
  (kind: NodeKind) =>
  (id: string, options: LooseOptions): NodeDefinition<string, string> => {
    const node = define(kind, id, options);
    // only for the compiler; plain JavaScript does not need it
    const arrows = Array.isArray(node.edges) ? node.edges.map((edge) => `${id} -> ${edge?.target}`) : [];
    return Object.freeze({ id, arrows, node });
  };

const KIT = Object.freeze({
  conversation: listed("conversation"),
  extract: listed("extract"),
  logic: listed("logic"),
  function: listed("function"),
  transfer: listed("transfer"),
  end: listed("end"),
  global: listed("global"),
});
