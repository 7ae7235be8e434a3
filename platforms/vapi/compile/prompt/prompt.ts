import type { AgentNode } from "../../../../src/graph/mod.ts";
import { isSilent, isTerminal } from "../../../lower/mod.ts";
import { nodeOf } from "../common/mod.ts";
import type { EmitContext } from "../plan/mod.ts";
import { emitText } from "../text/mod.ts";

/** Heads the part of a system prompt that the emitter adds; what stands before it is the graph's own text. */
export const GUIDE_HEADING = "# How to go on";

/** A system prompt without its guide, and the guide; a prompt without a guide is all its own. */
export function splitGuide(content: string): readonly [text: string, guide: string] {
  if (content.startsWith(`${GUIDE_HEADING}\n`)) return ["", content];
  const at = content.lastIndexOf(`\n\n${GUIDE_HEADING}\n`);
  return at < 0 ? [content, ""] : [content.slice(0, at), content.slice(at + 2)];
}

/** What a member's model is told: what all nodes have in common, the node's own prompt, and how to go on from there. */
export function systemPrompt(node: AgentNode, lines: readonly string[], context: EmitContext): string {
  const general = context.graph.source_metadata.general_prompt ?? "";
  const parts = [emitText(general, ["source_metadata", "general_prompt"], context), nodePrompt(node, context)];
  if (lines.length > 0) parts.push(`${GUIDE_HEADING}\n${lines.join("\n")}`);
  return parts.filter((part) => part !== "").join("\n\n");
}

function nodePrompt(node: AgentNode, context: EmitContext): string {
  const isSpeechless = isTerminal(node) && node.state_prompt === "";
  if (isSilent(node) || isSpeechless) return "Say nothing. Do what stands below at once.";
  const text = emitText(node.state_prompt, ["nodes", node.id, "state_prompt"], context);
  return node.instruction_type === "static_text" && text !== "" ? `${FIXED_WORDS}${text}` : text;
}

/** What the model of a single assistant is told: the nodes as steps, each with the tools that lead away from it. */
export function stepsPrompt(
  ids: readonly string[],
  names: ReadonlyMap<string, string>,
  lines: ReadonlyMap<string, readonly string[]>,
  context: EmitContext,
): string {
  const general = context.graph.source_metadata.general_prompt ?? "";
  const first = names.get(context.graph.entry_node_id) ?? "";
  const steps = ids.map((id) => {
    const node = nodeOf(context.graph, id);
    const text = node ? nodePrompt(node, context) : "";
    const ways = (lines.get(id) ?? []).join("\n");
    return [`## ${names.get(id) ?? id}`, text, ways].filter((part) => part !== "").join("\n");
  });
  const rules = `# Steps\nThe call is always at one of these steps, at first "${first}". Do only what the step asks for. To go to another step call its tool, and then go on with that step at once; never name a step to the caller.`;
  const parts = [emitText(general, ["source_metadata", "general_prompt"], context), rules, ...steps];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Stands before the fixed words of a node: a model would take them for an instruction. */
export const FIXED_WORDS = "Your first words are exactly these: ";
