import { equationWords } from "../../../src/document/expressions/mod.ts";
import type { AgentNode, Transition, TransitionCondition } from "../../../src/document/graph/mod.ts";

/** Describes a condition, because an LLM supports only prompts. */
export function conditionInWords(transition: Transition, node: AgentNode): string {
  const { condition, timing } = transition;
  switch (condition.type) {
    case "llm_prompt":
      return condition.value;
    case "equation":
      return equationWords(condition);
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
