import type { AgentNode, Transition } from "../../../../src/graph/mod.ts";
import { ALWAYS, any, type CallState, type Guard } from "../../../lower/mod.ts";
import type { VariableTable } from "../text/mod.ts";
import { awaitedTools, isTracked, outcomeSource, outcomeWords, toolOfNode } from "./outcomes.ts";

/** The emitter's own variables of a call, named when they are first used, and the guards that read them. */
export class Markers implements CallState {
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

  /** The variable of {@link answered}, if something reads it. */
  readAnswer(node: AgentNode, tool: string): string | undefined {
    return this.#names.get(answerKey(node, tool));
  }

  /** Variables that mark the work of a node as done. */
  done(node: AgentNode): readonly string[] {
    const answers = node.tools.flatMap(({ name }) => this.readAnswer(node, name) ?? []);
    return [...(isExtraction(node) ? [this.extracted(node.id)] : []), ...answers];
  }

  readonly work = (node: AgentNode): Guard | undefined => {
    const tool = toolOfNode(node);
    if (isTracked(tool)) return this.#cameTo(node, tool.name);
    return isExtraction(node) ? { kind: "is", variable: this.extracted(node.id), value: "true" } : undefined;
  };

  readonly outcomeWords = outcomeWords;

  readonly outcome = (node: AgentNode, transition: Transition): Guard | undefined => {
    const { outcome } = transition.condition;
    const tools = awaitedTools(node, transition);
    const isFunction = node.node_type === "function";
    if (isFunction && tools.length === 0) return outcome === "succeeded" ? any([]) : ALWAYS;
    if (isFunction && !outcome && tools.every(isTracked)) return ALWAYS;
    if (tools.some((tool) => outcomeSource(tool) === "told")) return undefined;
    return any(tools.filter(isTracked).map(({ name }) => this.#cameTo(node, name, outcome ? [outcome] : undefined)));
  };

  #cameTo(node: AgentNode, tool: string, outcomes: readonly string[] = ["succeeded", "failed"]): Guard {
    const variable = this.answered(node, tool);
    return any(outcomes.map((value): Guard => ({ kind: "is", variable, value })));
  }

  #name(key: string, wanted: string): string {
    const name = this.#names.get(key) ?? this.#variables.fresh(wanted);
    this.#names.set(key, name);
    return name;
  }
}

const answerKey = ({ id }: AgentNode, tool: string) => `tool ${JSON.stringify([id, tool])}`;

const isExtraction = (node: AgentNode) => node.node_type === "extract" && node.variables_to_extract.length > 0;
