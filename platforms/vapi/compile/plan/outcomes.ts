import type { AgentNode, ToolDefinition, Transition } from "../../../../src/document/graph/mod.ts";
import { ALWAYS, any, type Guard, type PlatformGuards } from "../../../lower/mod.ts";
import { isToolKind } from "../../api/mod.ts";
import { rawOf } from "../common/mod.ts";
import type { VariableTable } from "../text/mod.ts";
import { terminalKind } from "./terminals.ts";

/**
 * How a squad learns the outcome of a tool. `request`: a code tool makes the request and returns the outcome. `noted`:
 * Vapi sets a variable if the tool succeeds, and the model calls another tool if it fails. `told`: the tool is saved in
 * the organisation, so the model decides. `ends`: the tool ends the call.
 */
export type OutcomeSource = "request" | "noted" | "told" | "ends";

/** Returns how a squad learns the outcome of a tool. */
export function outcomeSource(tool: ToolDefinition): OutcomeSource {
  const raw = rawOf(tool);
  if (typeof raw.toolId === "string") return "told";
  if (terminalKind(tool)) return "ends";
  if (isToolKind(raw.type))
    return raw.type === "apiRequest" || raw.type === "function" || raw.type === "code" ? "noted" : "told";
  if (tool.type === "dtmf" || tool.type === "press_digit") return "told";
  return tool.url ? "request" : "noted";
}

/** Returns the tool that a function node runs. */
export function toolOfNode(node: AgentNode): ToolDefinition | undefined {
  return node.node_type === "function" ? node.tools[0] : undefined;
}

/** Whether a variable stores the outcome of a tool. */
export function isTracked(tool: ToolDefinition | undefined): tool is ToolDefinition {
  const source = tool && outcomeSource(tool);
  return source === "request" || source === "noted";
}

/** Returns the tools that a `tool_call` transition waits for. */
export function awaitedTools(node: AgentNode, transition: Transition): readonly ToolDefinition[] {
  const { value } = transition.condition;
  if (node.node_type === "function") return node.tools.slice(0, 1);
  return value === "" ? node.tools : node.tools.filter(({ name }) => name === value);
}

/** Describes a `tool_call` transition: the tools and their outcome. */
export function outcomeWords(node: AgentNode, transition: Transition): string {
  const names = awaitedTools(node, transition).map(({ name }) => name);
  return `${names.join(" or ") || "the tool"} ${transition.condition.outcome ?? "was called"}`;
}

/** The emitter's own variables, which are named on first use, and the guards that read them. */
export class Markers implements PlatformGuards {
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
   * Set to `succeeded` or `failed` once the tool was called at the node. Each node has its own variable, because a call
   * for one node must not open the transitions of another.
   */
  answered(node: AgentNode, tool: string): string {
    return this.#name(answerKey(node, tool), `did_${node.node_type === "function" ? node.id : tool}`);
  }

  /** Set to the name of the member from which the global node was entered. */
  origin(id: string): string {
    return this.#name(`global ${id}`, `from_${id}`);
  }

  /** Returns the variable of {@link answered} if a guard reads it. */
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
