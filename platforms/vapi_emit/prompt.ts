import type { AgentNode } from "../../src/graph/mod.ts";
import type { EmitContext } from "./context.ts";
import { isSilent } from "./kinds.ts";
import { nodeOf } from "./names.ts";
import { emitText } from "./text.ts";
import type { WorkTools } from "./work_tools.ts";

/** Heads the part of a system prompt that the emitter adds; what stands before it is the graph's own text. */
export const GUIDE_HEADING = "# How to go on";

/** One thing that the model is told to do with a tool. */
export interface GuideLine {
  readonly when: string;
  /** What to say or do before the tool is called. */
  readonly before: string;
  readonly tool: string;
}

/** What a member's model is told: what all nodes have in common, the node's own prompt, and how to go on from there. */
export function systemPrompt(node: AgentNode, lines: readonly GuideLine[], context: EmitContext): string {
  const general = context.graph.source_metadata.general_prompt ?? "";
  const parts = [emitText(general, ["source_metadata", "general_prompt"], context), nodePrompt(node, context)];
  if (lines.length > 0) parts.push(`${GUIDE_HEADING}\n${lines.map(written).join("\n")}`);
  return parts.filter((part) => part !== "").join("\n\n");
}

function nodePrompt(node: AgentNode, context: EmitContext): string {
  if (isSilent(node)) return "Say nothing in this step. Call the tools below, in their order.";
  const steps = [node.id, ...(context.plan.merged.get(node.id) ?? [])];
  const texts = steps.map((id) => {
    const step = nodeOf(context.graph, id);
    const text = emitText(step?.state_prompt ?? "", ["nodes", id, "state_prompt"], context);
    const [only] = step?.transitions ?? [];
    const done =
      only?.condition.type === "llm_prompt" ? `until this holds: ${only.condition.value}` : "once it is said";
    return { text, done };
  });
  if (texts.length === 1) return texts[0]?.text ?? "";
  return texts
    .map(({ text, done }, index) => {
      const last = index === texts.length - 1;
      return `## Step ${index + 1}\n${text}${last ? "" : `\nStay with this step ${done}; then take the next one.`}`;
    })
    .join("\n\n");
}

/** What the model of a single assistant is told: the nodes as steps, each with the tools that lead away from it. */
export function stepsPrompt(
  ids: readonly string[],
  names: ReadonlyMap<string, string>,
  lines: ReadonlyMap<string, readonly GuideLine[]>,
  work: readonly GuideLine[],
  context: EmitContext,
): string {
  const general = context.graph.source_metadata.general_prompt ?? "";
  const first = names.get(context.graph.entry_node_id) ?? "";
  const steps = ids.map((id) => {
    const node = nodeOf(context.graph, id);
    const text = node ? nodePrompt(node, context) : "";
    const said = node?.instruction_type === "static_text" && text ? `Say exactly: ${text}` : text;
    const ways = (lines.get(id) ?? []).map(written).join("\n");
    return [`## ${names.get(id) ?? id}`, said, ways].filter((part) => part !== "").join("\n");
  });
  const rules = `# Steps\nThe call is always at one of these steps, at first "${first}". Do only what the step asks for. To go to another step call its tool, and then go on with that step at once; never name a step to the caller.`;
  const tools = work.length > 0 ? [`# Notes and functions\n${work.map(written).join("\n")}`] : [];
  const parts = [emitText(general, ["source_metadata", "general_prompt"], context), rules, ...steps, ...tools];
  return parts.filter((part) => part !== "").join("\n\n");
}

function written({ when, before, tool }: GuideLine): string {
  return before ? `- ${when}: first do this: ${before}\n  Then call ${tool}.` : `- ${when}: call ${tool}.`;
}

/** What the prompt says about the tools that do the work of silent nodes. */
export function guide(work: WorkTools, context: EmitContext): readonly GuideLine[] {
  const extracts = [...work.extracts].map(([id, tool]): GuideLine => {
    const node = nodeOf(context.graph, id);
    const names = (node?.variables_to_extract ?? []).map(({ name }) => context.variables.emitted(name)).join(", ");
    return { when: `As soon as you know ${names} or the caller will not say, and before going on`, before: "", tool };
  });
  const functions = [...work.functions].flatMap(([id, tools]) => {
    const prompt = emitText(nodeOf(context.graph, id)?.state_prompt ?? "", ["nodes", id, "state_prompt"], context);
    return tools.map((tool): GuideLine => ({ when: `Once, on the way to what follows "${id}"`, before: prompt, tool }));
  });
  return [...extracts, ...functions];
}
