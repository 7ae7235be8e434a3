import type { Path } from "../../../src/base/errors.ts";
import { type JsonObject, omit, own } from "../../../src/base/values/mod.ts";
import { equationWords } from "../../../src/document/expressions/mod.ts";
import type { AgentNode, Transition, TransitionCondition } from "../../../src/document/graph/mod.ts";
import { isTerminal, type LoweredGraph, type LoweredNode } from "../../lower/mod.ts";
import { type Losses, llmKeys } from "../shared/mod.ts";
import { extractionParameters } from "./emit_tools.ts";
import type { LlmLossCode } from "./losses.ts";
import { exitToolName, isRepeated, type LlmPlan } from "./plan.ts";

/** State of emitting one graph. */
export interface LlmContext {
  readonly graph: LoweredGraph;
  readonly plan: LlmPlan;
  readonly losses: Losses<LlmLossCode>;
  /** Whether the graph was imported from an LLM, so that its parts are emitted unchanged, valid or not. */
  readonly native: boolean;
}

/** An exit of a state: an edge to a state, or a tool that ends or transfers the call. */
export interface StateExit {
  /** Name of the state or of the tool. */
  readonly name: string;
  readonly target: AgentNode;
  readonly description: string;
  /** Other keys of the edge. */
  readonly own: JsonObject;
  readonly path: Path;
  /** Whether the imported document has another exit to the same target. */
  readonly repeated: boolean;
}

/**
 * Returns the exits of a state for its transitions.
 *
 * @param kind `edge`: exits to other states. `tool`: exits to ends and transfers.
 */
export function exitsOf(node: LoweredNode, kind: "edge" | "tool", context: LlmContext): StateExit[] {
  const { graph, plan, losses, native } = context;
  if (isTerminal(node)) return [];
  return node.transitions.flatMap((transition, index): StateExit[] => {
    const next = own(graph.nodes, transition.target_node_id);
    const isCall = next && isTerminal(next) && next.id !== graph.entry_node_id;
    if (!next || isCall !== (kind === "tool")) return [];
    const path = transition.madeFrom ?? ["nodes", node.id, "transitions", index];
    if (transition.madeFrom)
      losses.add("global-as-edges", path, "An LLM does not support global states", "an edge from every state");
    const exit = { description: describe(transition, node, path, context), path, repeated: isRepeated(transition) };
    if (kind === "tool") return [{ ...exit, name: exitToolName(plan, next, transition), target: next, own: {} }];
    // an extract node between two states becomes the parameters of the edge
    const after = plan.parameters.has(next.id) && own(graph.nodes, next.transitions[0]?.target_node_id ?? "");
    if (after && !native)
      losses.add("extract-as-parameters", ["nodes", next.id], "LLMs have no extract nodes", "parameters of the edge");
    const target = after || next;
    const parameters = after ? { parameters: extractionParameters(next) } : {};
    const kept = { ...omit(llmKeys(transition), ["repeated"]), ...parameters };
    return [{ ...exit, name: plan.names.get(target.id) ?? target.id, target, own: kept }];
  });
}

/** Describes the condition of a transition, and reports a loss if it is not an LLM condition. */
function describe(transition: Transition, node: AgentNode, path: Path, { losses }: LlmContext): string {
  const description = conditionInWords(transition, node);
  const instead = `"${description}"`;
  const { type } = transition.condition;
  if (type === "equation") losses.add("equation-as-prompt", path, "An LLM does not support equations", instead);
  if (type === "tool_call") losses.add("outcome-as-prompt", path, "An LLM cannot test outcomes", instead);
  const message = "An LLM has no transitions without a decision of the model";
  if (type === "always" && node.node_type === "conversation") losses.add("always-as-prompt", path, message, instead);
  return description;
}

/** Returns the exits back from a global node: an edge to every state, because an LLM does not store the origin. */
export function exitsBack(node: AgentNode, { plan, losses }: LlmContext): StateExit[] {
  if (isTerminal(node)) return [];
  return (node.global_node_setting?.go_back_conditions ?? []).flatMap(({ condition }, index) => {
    const path = ["nodes", node.id, "global_node_setting", "go_back_conditions", index];
    const when = conditionInWords({ target_node_id: "", condition }, node);
    const targets = plan.states.filter(({ id, node_type: type }) => id !== node.id && type === "conversation");
    if (targets.length > 0)
      losses.add("go-back-as-edges", path, "An LLM does not store which state it came from", "an edge to every state");
    return targets.map((target) => {
      const name = plan.names.get(target.id) ?? target.id;
      const description = `${when}, and the conversation was at ${name} before`;
      return { name, target, description, own: {}, path, repeated: false };
    });
  });
}

/** Merges exits with the same target: a state has one edge per target, and one tool per name. */
export function mergeExits(exits: readonly StateExit[], onMerge: (exit: StateExit) => void): readonly StateExit[] {
  const merged: StateExit[] = [];
  for (const exit of exits) {
    const place = exit.repeated ? -1 : merged.findIndex(({ target }) => target.id === exit.target.id);
    const before = merged[place];
    if (before) {
      if (before.description === "") onMerge(before); // nothing of it is in the description of both
      onMerge(exit);
      const description = [before.description, exit.description].filter(Boolean).join(", or: ");
      merged[place] = { ...before, description, own: { ...exit.own, ...before.own } };
    } else merged.push(exit);
  }
  return merged;
}

/** Describes a condition, because an LLM supports only prompts. */
function conditionInWords(transition: Transition, node: AgentNode): string {
  const { condition, timing } = transition;
  switch (condition.type) {
    case "llm_prompt":
      return condition.value;
    case "equation":
      return equationWords(condition) || "Never";
    case "tool_call":
      return outcomeInWords(condition);
    case "always":
      if (node.node_type !== "conversation") return "Otherwise, at once";
      if (timing === "else") return "None of the other transitions applies";
      if (timing === "skip_response") return "Right after you have spoken, without waiting for an answer";
      return "After you have spoken and the caller has answered, whatever the answer is";
  }
}

function outcomeInWords({ value, outcome }: TransitionCondition): string {
  const tool = value ? `The tool ${value}` : "The tool";
  if (outcome === "succeeded") return `${tool} succeeded`;
  return outcome === "failed" ? `${tool} failed` : `${tool} has answered`;
}

/** Returns the prompt of a state for a silent node. */
export function silentPrompt(
  prompt: string,
  work: string,
  exits: readonly { readonly name: string; readonly description: string }[],
): string {
  const lines = exits.map(({ name, description }, index) => `${index + 1}. To ${name}: ${description}`);
  const route = "Then take the first of these transitions that applies, without speaking:";
  const silence = `Say nothing to the caller in this state. ${work}`.trim();
  return [prompt, silence, ...(lines.length > 0 ? [route, ...lines] : [])].filter(Boolean).join("\n");
}
