import type { LanguageModelV3CallOptions, LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import * as v from "valibot";
import { ModelError } from "../../../base/errors.ts";
import { type Language, languageOfTag } from "../../../base/languages/mod.ts";
import { isRecord, type JsonObject, jsonOrText, own } from "../../../base/values/mod.ts";
import { TRAITS_HEADING } from "../../../document/scenario/mod.ts";
import { type EmbeddedCall, type EmbeddedToolCall, generated } from "../embedded.ts";
import type { HistoryLine } from "../signature.ts";
import {
  type ArgumentsInput,
  argumentsSignature,
  auditSignature,
  callerSignature,
  diagnosisSignature,
  extractSignature,
  type FusedInput,
  type FusedOutput,
  flowSignature,
  fusedSignature,
  judgeSignature,
  type RespondInput,
  repairSignature,
  repliesSignature,
  respondInput,
  type TransitionInput,
  type TransitionOutput,
  traitsSignature,
  transitionSignature,
} from "../signatures/mod.ts";
import { playCaller } from "./caller.ts";
import { ENGLISH } from "./english.ts";
import { extractVariables, findValue } from "./extract.ts";
import { auditByWords, judgeByWords, judgeFlowByWords, judgeRepliesByWords } from "./judge.ts";
import { diagnoseByRule, repairByRule } from "./repair.ts";
import { composeReply } from "./respond.ts";
import type { Tongue } from "./tongue.ts";
import { traitsByWords } from "./traits.ts";
import { pickTransition } from "./transition.ts";
import { isPlainEnglish, sentences, sharedStems, stems, textsIn } from "./words.ts";

/** Answers a call with the rules for its signature. */
export async function answerByRule(
  call: EmbeddedCall,
  options: LanguageModelV3CallOptions,
): Promise<LanguageModelV3GenerateResult> {
  const { input, language } = withoutTraits(call.input);
  const tongue = await tongueOf(input, language);
  switch (call.signature) {
    case "transition":
      return json(pickTransition(v.parse(transitionSignature.input, call.input), tongue));
    case "fused":
      return json(decideAndReply(v.parse(fusedSignature.input, call.input), pickTransition, tongue));
    case "extract":
      return json(extractVariables(v.parse(extractSignature.input, call.input), tongue));
    case "arguments":
      return json(fillArguments(v.parse(argumentsSignature.input, call.input), tongue));
    case "caller":
      return json(playCaller(v.parse(callerSignature.input, call.input), tongue));
    case "audit":
      return json(auditByWords(v.parse(auditSignature.input, call.input), tongue));
    case "traits":
      return json(traitsByWords(v.parse(traitsSignature.input, call.input), tongue));
    case "judge":
      return json(judgeByWords(v.parse(judgeSignature.input, call.input), tongue));
    case "replies":
      return json(judgeRepliesByWords(v.parse(repliesSignature.input, call.input), tongue));
    case "flow":
      return json(judgeFlowByWords(v.parse(flowSignature.input, call.input), tongue));
    case "diagnosis":
      return json(diagnoseByRule(v.parse(diagnosisSignature.input, call.input)));
    case "repair":
      return json(repairByRule(v.parse(repairSignature.input, call.input)));
    case "respond": {
      const input = v.parse(respondInput, call.input);
      const tool = neededTool(input, options, tongue);
      if (tool) return generated("", [tool], () => `call_${options.prompt.length}`);
      return generated([toolNews(options, tongue), composeReply(input, tongue)].filter(Boolean).join(" "));
    }
    default:
      throw new ModelError(`Cannot answer "${call.signature}": the offline model has no rules for it`, {
        code: "model-failed",
        path: [call.signature],
        hint: "Pass a real model with --model",
      });
  }
}

/**
 * An input whose persona has no description of its traits, which is in English whatever the caller speaks, and the
 * language that they name.
 */
function withoutTraits(input: unknown): { readonly input: unknown; readonly language?: Language | undefined } {
  if (!isRecord(input) || typeof input.persona !== "string") return { input };
  const [persona, manner = ""] = input.persona.split(TRAITS_HEADING);
  const tag = /^- You speak [^(]*\(([\w-]+)\) in every line/m.exec(manner)?.[1];
  return { input: { ...input, persona }, language: tag === undefined ? undefined : languageOfTag(tag) };
}

/**
 * The tongue of an input's texts. Those of other languages load when they are needed.
 *
 * @param language What it speaks, if that is known.
 */
export async function tongueOf(input: unknown, language?: Language): Promise<Tongue> {
  const texts = textsIn(input);
  if (isPlainEnglish(texts) && (language ?? "en") === "en") return ENGLISH;
  const { createTongue } = await import("./languages/mod.ts");
  return createTongue(texts, language);
}

function json(answer: unknown): LanguageModelV3GenerateResult {
  return generated(JSON.stringify(answer));
}

/** Decides like a transition call, and replies like a respond call of the resulting node. */
export function decideAndReply(
  input: FusedInput,
  pick: (input: TransitionInput, tongue: Tongue) => TransitionOutput = pickTransition,
  tongue: Tongue = ENGLISH,
): FusedOutput {
  const { general_instructions, current_state_prompt, conversation_history: history } = input;
  const asked = {
    current_state_prompt,
    conversation_history: input.state_history,
    last_agent_message: history.findLast(({ role }) => role === "assistant")?.content ?? "",
    available_transitions: input.available_transitions,
  };
  const decision = pick(asked, tongue);
  const picked = input.available_transitions.find(({ target }) => target === decision.transition_to);
  const moves = decision.objectives_complete && picked !== undefined;
  const lastUser = history.findLastIndex(({ role }) => role === "user");
  const turn = {
    general_instructions,
    state_instructions: moves ? picked.instructions : current_state_prompt,
    conversation_history: history.filter((_, index) => index !== lastUser),
    user_message: history[lastUser]?.content ?? "",
  };
  return { ...decision, reply: composeReply(turn, tongue) };
}

/** Words of a tool's name and description that the caller must have used before it is called. */
const LEAST_SHARED = 2;
/** Tools that hang up. Most prompts mention them for later, so a mention does not call them. */
const ENDS_CALL = /^(?:end|hang|terminate|finish)[a-z_-]*(?:call|up)?$/i;
const CONDITIONAL = /\b(?:if|when|whenever|once|after|unless|only)\b/i;

/**
 * Returns the tool call that a reply needs first: a tool that the prompt names or whose description shares words with
 * the caller's message, if its required arguments are known. Returns `undefined` after a tool answered in this turn.
 */
export function neededTool(
  input: RespondInput,
  options: LanguageModelV3CallOptions,
  tongue: Tongue = ENGLISH,
): EmbeddedToolCall | undefined {
  if (toolResults(options).length > 0) return undefined;
  const history = [...input.conversation_history, { role: "user" as const, content: input.user_message }];
  for (const tool of options.tools ?? []) {
    if (tool.type !== "function") continue;
    if (!isWanted(tool.name, tool.description ?? "", input, tongue)) continue;
    const parameters = isRecord(tool.inputSchema) ? tool.inputSchema : {};
    const asked = {
      instructions: input.state_instructions,
      tool: { name: tool.name, description: tool.description ?? "", parameters },
      variables: {},
      conversation_history: history,
    };
    const args = fillArguments(asked, tongue);
    if (isFilled(parameters, args)) return { name: tool.name, arguments: args };
  }
  return undefined;
}

/** Whether the prompt says to call a tool now, or the caller asks for what it does. */
function isWanted(name: string, description: string, input: RespondInput, tongue: Tongue): boolean {
  const { state_instructions: prompt, user_message: said, conversation_history: history } = input;
  if (said === "") return false;
  if (ENDS_CALL.test(name)) return tongue.moodOf(said).done;
  const heard = stems(said, tongue);
  const words = stems(`${name.replaceAll(/[_-]/g, " ")} ${description}`, tongue);
  if (sharedStems(words, heard, tongue).length >= LEAST_SHARED) return true;
  // a tool that the prompt names is called once, not in every turn
  if (history.some(({ role, content }) => role === "tool" && content.startsWith(`${name}(`))) return false;
  return sentences(prompt)
    .filter((sentence) => sentence.includes(name))
    .some((sentence) => !CONDITIONAL.test(sentence) || sharedStems(stems(sentence, tongue), heard, tongue).length > 0);
}

/** Returns a sentence with the tool results of this turn; empty when there are none. */
export function toolNews(options: LanguageModelV3CallOptions, { agent }: Tongue = ENGLISH): string {
  const facts = toolResults(options).flatMap(factsOf);
  return facts.length === 0 ? "" : agent.found.replace("#", () => facts.join(", "));
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

interface Known {
  readonly variables: { readonly [name: string]: string };
  readonly history: readonly HistoryLine[];
  readonly tongue: Tongue;
}

/** Fills a tool's arguments from variables and the caller's words; unknown ones are omitted. */
export function fillArguments(
  { tool, variables, conversation_history: history }: ArgumentsInput,
  tongue: Tongue = ENGLISH,
): JsonObject {
  return fillObject(tool.parameters, { variables, history, tongue });
}

/** Whether all required arguments are present. */
function isFilled(parameters: JsonObject, args: JsonObject): boolean {
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  return required.every((name) => typeof name === "string" && Object.hasOwn(args, name));
}

function fillObject(schema: JsonObject, known: Known): JsonObject {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const value = isRecord(property) ? fillValue(name, property, known) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function fillValue(name: string, schema: JsonObject, known: Known): unknown {
  if (schema.const !== undefined) return schema.const;
  const type = Array.isArray(schema.type) ? schema.type.find((item) => item !== "null") : schema.type;
  if (type === "object") {
    const value = fillObject(schema, known);
    return Object.keys(value).length > 0 ? value : undefined;
  }
  if (type === "array") {
    const item = fillValue(name, isRecord(schema.items) ? schema.items : {}, known);
    return item === undefined ? schema.default : [item];
  }
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((item) => item !== null).map(String) : [];
  const description = typeof schema.description === "string" ? schema.description : "";
  const wanted = { name, description, choices, type: type === "integer" ? "number" : String(type ?? "string") };
  const found = variableFor(name, known.variables) ?? findValue(wanted, known.history, known.tongue) ?? undefined;
  return found === undefined ? schema.default : converted(found, wanted.type, schema);
}

/** The variable of the same name, else the only one whose name has the same words. */
function variableFor(name: string, variables: Known["variables"]): string | undefined {
  const same = own(variables, name);
  if (same !== undefined) return same;
  const words = distinctWords(name);
  const alike = Object.keys(variables).filter((candidate) => {
    const others = distinctWords(candidate);
    return words.size > 0 && words.size === others.size && sharedStems(words, others, ENGLISH).length === words.size;
  });
  return alike.length === 1 && alike[0] !== undefined ? own(variables, alike[0]) : undefined;
}

/** The words of a name without those that all ids share: `orderId` and `order_number` are the same. */
function distinctWords(name: string): ReadonlySet<string> {
  const text = name.replaceAll(/[_-]/g, " ").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return stems(text.replaceAll(/\b(?:id|no|number|code|reference|ref)\b/gi, "identifier"), ENGLISH);
}

function converted(value: string | number | boolean, type: string, schema: JsonObject): unknown {
  const choice = Array.isArray(schema.enum) ? schema.enum.find((item) => String(item) === String(value)) : undefined;
  if (choice !== undefined) return choice;
  if (type === "number") {
    const number = Number(value);
    return Number.isFinite(number) ? number : undefined;
  }
  if (type === "boolean") return value === true || value === "true";
  return String(value);
}
