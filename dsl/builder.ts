import type { AgentGraph } from "../src/graph/mod.ts";
import { compileFlow, type FlowHead } from "./compile.ts";
import { when } from "./condition.ts";
import { type Edge, otherwiseFor, to } from "./edges.ts";
import type { DefinedNode, LooseOptions, NodeDefinition, NodeKind } from "./nodes.ts";

/** What `next` of any node is given. */
type LooseNext = (kit: object) => readonly Edge<string>[];

/** A flow as plain JavaScript sees it: no literals, all checks in {@link compileFlow}. */
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
    return this.#with(build(KIT).map(({ node }) => node));
  }
  compile(): AgentGraph {
    return compileFlow(this.#head, this.#nodes);
  }

  #with(nodes: readonly DefinedNode[]): FlowBuilder {
    return new FlowBuilder(this.#head, [...this.#nodes, ...nodes]);
  }
}

function define(kind: NodeKind, id: string, options: LooseOptions = {}): DefinedNode {
  const speaks = kind === "conversation" || kind === "global";
  const next = options.next as LooseNext | undefined; // the public types say that it is one
  const edges = next?.({ to, when, otherwise: otherwiseFor(speaks) }) ?? [];
  return Object.freeze({ id, kind, options, edges });
}

const listed =
  (kind: NodeKind) =>
  (id: string, options: LooseOptions): NodeDefinition<string, string> => {
    const node = define(kind, id, options);
    return Object.freeze({ id, arrows: node.edges.map(({ target }) => `${id} -> ${target}`), node });
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
