import type { Vapi } from "@vapi-ai/server-sdk";
import type { AgentNode } from "../../../../src/graph/mod.ts";
import { getAt, type JsonObject, own } from "../../../../src/values/mod.ts";
import { isSilent, isTerminal } from "../../../lower/mod.ts";
import type { EmitContext } from "../plan/mod.ts";
import { emitText, promptText } from "../text/mod.ts";

/** Heads the part of a system prompt that the emitter adds; what stands before it is the graph's own text. */
const GUIDE_HEADING = "# How to go on";

/** Stands before the fixed words of a node: a model would take them for an instruction. */
export const FIXED_WORDS = "Your first words are exactly these: ";

/** How an assistant starts to speak. */
interface Start {
  readonly firstMessage?: string;
  readonly firstMessageMode: Vapi.CreateAssistantDtoFirstMessageMode;
}

/** How a member starts when it is handed the caller: with fixed words, or with what its model makes of its prompt. */
export function startOf(node: AgentNode, context: EmitContext): Start {
  if (node.instruction_type === "static_text" && node.state_prompt !== "")
    return { firstMessage: promptText(node, context), firstMessageMode: "assistant-speaks-first" };
  return { firstMessage: "", firstMessageMode: "assistant-speaks-first-with-model-generated-message" };
}

/** How a member starts: the first one as the graph opens its calls, any other as {@link startOf} says. */
export function openingOf(node: AgentNode, context: EmitContext): Start {
  const { begin_message: words, start_speaker: speaker } = context.graph.source_metadata;
  if (node.id !== context.graph.entry_node_id) return startOf(node, context);
  if (speaker === "user" || words === "") return { firstMessageMode: "assistant-waits-for-user" };
  if (!words) return startOf(node, context);
  const firstMessage = emitText(words, ["source_metadata", "begin_message"], context);
  return { firstMessage, firstMessageMode: "assistant-speaks-first" };
}

/** How an emitted assistant starts. */
export function openingIn({ firstMessage, firstMessageMode }: JsonObject): JsonObject {
  return { ...(firstMessage === undefined ? {} : { firstMessage }), firstMessageMode };
}

/** The system prompt of an emitted assistant. */
export function promptOf(assistant: unknown): string {
  const content = getAt(assistant, ["model", "messages", 0, "content"]);
  return typeof content === "string" ? content : "";
}

/** Splits a system prompt into the graph's own text and the guide, which may be empty. */
export function splitGuide(content: string): readonly [text: string, guide: string] {
  if (content.startsWith(`${GUIDE_HEADING}\n`)) return ["", content];
  const at = content.lastIndexOf(`\n\n${GUIDE_HEADING}\n`);
  return at < 0 ? [content, ""] : [content.slice(0, at), content.slice(at + 2)];
}

/**
 * The system prompt of an assistant: the common instructions, the prompts of its nodes, and how to go on from each. An
 * assistant that speaks for several nodes has them as steps.
 *
 * @param linesOf Instructions for going on from a node, by its id.
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
