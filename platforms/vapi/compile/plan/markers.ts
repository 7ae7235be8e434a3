import type { AgentNode } from "../../../../src/graph/mod.ts";
import type { VariableTable } from "../text/mod.ts";

/** The emitter's own variables in the bag of a call, each made when it is first asked for. */
export class Markers {
  readonly #variables: VariableTable;
  readonly #names = new Map<string, string>();

  constructor(variables: VariableTable) {
    this.#variables = variables;
  }

  /** Set to `true` once the extract node's tool has run. */
  extracted(id: string): string {
    return this.#name(`extract ${id}`, `did_${id}`);
  }

  /**
   * Set to `succeeded` or `failed` once the tool was tried at the node. Each node has its own: a call made for one node
   * must not open the way past another.
   */
  answered(node: AgentNode, tool: string): string {
    return this.#name(answerKey(node, tool), `did_${node.node_type === "function" ? node.id : tool}`);
  }

  /** Set to the name of the member that the caller came to the global node from. */
  origin(id: string): string {
    return this.#name(`global ${id}`, `from_${id}`);
  }

  /** Whether anything reads what {@link answered} sets. */
  isAnswerRead(node: AgentNode, tool: string): boolean {
    return this.#names.has(answerKey(node, tool));
  }

  #name(key: string, wanted: string): string {
    const name = this.#names.get(key) ?? this.#variables.fresh(wanted);
    this.#names.set(key, name);
    return name;
  }
}

const answerKey = (node: AgentNode, tool: string) => `tool ${JSON.stringify([node.id, tool])}`;
