import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { isRecord, type JsonObject, jsonOrText } from "../../../base/values/mod.ts";
import type { EmbeddedToolCall } from "../embedded.ts";
import type { RespondInput } from "../signatures/mod.ts";
import { fillArguments, isFilled } from "./arguments.ts";
import { moodOf } from "./mood.ts";
import { sentences, sharedStems, stems } from "./words.ts";

/** Words of a tool's name and description that the caller must have used before it is called. */
const LEAST_SHARED = 2;
/** Tools that hang up. Most prompts mention them for later, so a mention does not call them. */
const ENDS_CALL = /^(?:end|hang|terminate|finish)[a-z_-]*(?:call|up)?$/i;
const CONDITIONAL = /\b(?:if|when|whenever|once|after|unless|only)\b/i;

/**
 * Returns the tool call that a reply needs first: a tool that the prompt names or whose description shares words with
 * the caller's message, if its required arguments are known. Returns `undefined` after a tool answered in this turn.
 */
export function neededTool(input: RespondInput, options: LanguageModelV3CallOptions): EmbeddedToolCall | undefined {
  if (toolResults(options).length > 0) return undefined;
  const history = [...input.conversation_history, { role: "user" as const, content: input.user_message }];
  for (const tool of options.tools ?? []) {
    if (tool.type !== "function") continue;
    if (!isWanted(tool.name, tool.description ?? "", input)) continue;
    const parameters = isRecord(tool.inputSchema) ? tool.inputSchema : {};
    const args = fillArguments({
      instructions: input.state_instructions,
      tool: { name: tool.name, description: tool.description ?? "", parameters },
      variables: {},
      conversation_history: history,
    });
    if (isFilled(parameters, args)) return { name: tool.name, arguments: args };
  }
  return undefined;
}

/** Whether the prompt says to call a tool now, or the caller asks for what it does. */
function isWanted(name: string, description: string, input: RespondInput): boolean {
  const { state_instructions: prompt, user_message: said, conversation_history: history } = input;
  if (said === "") return false;
  if (ENDS_CALL.test(name)) return moodOf(said).done;
  const heard = stems(said);
  const words = stems(`${name.replaceAll(/[_-]/g, " ")} ${description}`);
  if (sharedStems(words, heard).length >= LEAST_SHARED) return true;
  // a tool that the prompt names is called once, not in every turn
  if (history.some(({ role, content }) => role === "tool" && content.startsWith(`${name}(`))) return false;
  return sentences(prompt)
    .filter((sentence) => sentence.includes(name))
    .some((sentence) => !CONDITIONAL.test(sentence) || sharedStems(stems(sentence), heard).length > 0);
}

/** Returns a sentence with the tool results of this turn; empty when there are none. */
export function toolNews(options: LanguageModelV3CallOptions): string {
  const facts = toolResults(options).flatMap(factsOf);
  return facts.length === 0 ? "" : `Here is what I found: ${facts.join(", ")}.`;
}

function toolResults({ prompt }: LanguageModelV3CallOptions): readonly unknown[] {
  const lastUser = prompt.findLastIndex(({ role }) => role === "user");
  return prompt.slice(lastUser + 1).flatMap((message) =>
    message.role === "tool"
      ? message.content.flatMap((part) => {
          if (part.type !== "tool-result") return [];
          return "value" in part.output ? [part.output.value] : [];
        })
      : [],
  );
}

function factsOf(result: unknown): readonly string[] {
  const value = jsonOrText(result);
  if (!isRecord(value)) return value === undefined || value === null || value === "" ? [] : [String(value)];
  return Object.entries(value satisfies JsonObject).flatMap(([key, item]) =>
    typeof item === "object" ? [] : [`${key.replaceAll(/[_-]/g, " ")} ${String(item)}`],
  );
}
