import { getAt, type JsonObject, own } from "../../../../src/base/values/mod.ts";
import type { AgentNode } from "../../../../src/document/graph/mod.ts";
import { isSilent, isTerminal } from "../../../lower/mod.ts";
import type { CreateAssistantDTO } from "../../generated/mod.ts";
import type { EmitContext } from "../plan/mod.ts";
import { emitText, promptText } from "../text/mod.ts";

/** Heading of the section that the emitter adds to a system prompt. The text before it is from the graph. */
const GUIDE_HEADING = "# How to go on";

/** Prefix of static text in a prompt. Without it, the model would treat the text as an instruction. */
export const FIXED_WORDS = "Your first words are exactly these: ";

/** Opening of an assistant. */
interface Start {
  readonly firstMessage?: string;
  readonly firstMessageMode: NonNullable<CreateAssistantDTO["firstMessageMode"]>;
}

/** Returns the opening of a member after a handoff: its static text, or a generated message. */
export function startOf(node: AgentNode, context: EmitContext): Start {
  if (node.instruction_type === "static_text" && node.state_prompt !== "")
    return { firstMessage: promptText(node, context), firstMessageMode: "assistant-speaks-first" };
  return { firstMessage: "", firstMessageMode: "assistant-speaks-first-with-model-generated-message" };
}

/** Returns the opening of a member: the graph's opening for the first member, {@link startOf} for all others. */
export function memberStart(node: AgentNode, context: EmitContext): Start {
  const { begin_message: words, start_speaker: speaker } = context.graph.source_metadata;
  if (node.id !== context.graph.entry_node_id) return startOf(node, context);
  if (speaker === "user" || words === "") return { firstMessageMode: "assistant-waits-for-user" };
  if (!words) return startOf(node, context);
  const firstMessage = emitText(words, ["source_metadata", "begin_message"], context);
  return { firstMessage, firstMessageMode: "assistant-speaks-first" };
}

/** Returns the opening of an emitted assistant. */
export function openingIn({ firstMessage, firstMessageMode }: JsonObject): JsonObject {
  return { ...(firstMessage === undefined ? {} : { firstMessage }), firstMessageMode };
}

/** Returns the system prompt of an emitted assistant. */
export function promptOf(assistant: unknown): string {
  const content = getAt(assistant, ["model", "messages", 0, "content"]);
  return typeof content === "string" ? content : "";
}

/** Splits a system prompt into the graph's own text and the emitter's section, which may be empty. */
export function splitGuide(content: string): readonly [text: string, guide: string] {
  if (content.startsWith(`${GUIDE_HEADING}\n`)) return ["", content];
  const at = content.lastIndexOf(`\n\n${GUIDE_HEADING}\n`);
  return at < 0 ? [content, ""] : [content.slice(0, at), content.slice(at + 2)];
}

/**
 * Writes the system prompt of an assistant: the general prompt, the prompts of its nodes, and the instructions for
 * leaving each. Several nodes are written as steps.
 *
 * @param linesOf Returns the instructions for leaving a node by its id.
 */
export function systemPrompt(
  ids: readonly string[],
  linesOf: (id: string) => readonly string[],
  context: EmitContext,
): string {
  const { graph, plan } = context;
  const { general_prompt: general } = graph.source_metadata;
  const parts = ids.map((id) => {
    const node = own(graph.nodes, id);
    return {
      name: plan.names.get(id) ?? id,
      text: node ? nodePrompt(node, context) : "",
      lines: linesOf(id).join("\n"),
    };
  });
  const [only, ...others] = parts;
  return joined([
    emitText(general ?? "", ["source_metadata", "general_prompt"], context),
    ...(only && others.length === 0
      ? [only.text, only.lines && `${GUIDE_HEADING}\n${only.lines}`]
      : [
          stepRules(only?.name ?? ""),
          ...parts.map(({ name, text, lines }) => joined([`## ${name}`, text, lines], "\n")),
        ]),
  ]);
}

const joined = (parts: readonly string[], mark = "\n\n") => parts.filter((part) => part !== "").join(mark);

const stepRules = (first: string) =>
  `# Steps\nThe call is always at one of these steps, at first "${first}". Do only what the step asks for. To go to another step call its tool, and then go on with that step at once; never name a step to the caller.`;

function nodePrompt(node: AgentNode, context: EmitContext): string {
  const isSpeechless = isTerminal(node) && node.state_prompt === "";
  if (isSilent(node) || isSpeechless) return "Say nothing. Do what stands below at once.";
  const text = promptText(node, context);
  return node.instruction_type === "static_text" && text !== "" ? `${FIXED_WORDS}${text}` : text;
}
