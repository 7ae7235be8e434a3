import type { LanguageModelMiddleware } from "ai";
import { redact } from "../../redaction/mod.ts";
import { isRecord } from "../../values/mod.ts";
import { isCutJson, parseAnswer } from "../answer.ts";
import type { OutputContract } from "../signature.ts";
import { spokenText } from "../spoken_text.ts";

/** What a model answers to one request. */
export type Generated = Awaited<ReturnType<NonNullable<LanguageModelMiddleware["wrapGenerate"]>>>;

/** What is wrong with an answer. */
export interface AnswerFault {
  readonly problem: string;
  readonly hint: string;
  /** More tries than these are not worth it. Absent: as many as the policy has. */
  readonly retries?: number;
}

/**
 * The answer in the form in which it is used, or what is wrong with it. Both: the model is asked again, and the answer
 * is used where no better one comes.
 */
export type AnswerCheck = (
  answer: Generated,
  limit: OutputLimit,
) => { readonly answer: Generated; readonly fault?: AnswerFault } | { readonly fault: AnswerFault };

/** The most tokens that an answer was allowed; absent where only the model's server limits it. */
export interface OutputLimit {
  readonly maxOutputTokens?: number | undefined;
}

/** How often a reply that was cut off is asked for again: a limit that it met once, it will often meet again. */
const CUT_RETRIES = 1;
/** How much of an answer is shown, in characters. */
const SHOWN = 200;

/** Holds structured answers to a contract. */
export function contractCheck(contract: OutputContract<unknown>): AnswerCheck {
  return (answer, limit) => {
    const text = textOf(answer);
    const parsed = parseAnswer(text);
    const read = contract.read(parsed);
    const hint = `Use a model that keeps to JSON schemas; it answered ${shown(text)}`;
    if (!("output" in read)) {
      const cut = parsed === undefined ? cutFault(answer, limit, isCutJson(text)) : undefined;
      return { fault: cut ?? { problem: parsed === undefined ? "it is no JSON" : read.problem, hint } };
    }
    const plain = { ...answer, content: [{ type: "text" as const, text: JSON.stringify(parsed) }] };
    return read.problem === undefined ? { answer: plain } : { answer: plain, fault: { problem: read.problem, hint } };
  };
}

/** Refuses replies without a word, and tool calls, that were cut off; other replies that were are asked for again. */
export const checkReply: AnswerCheck = (answer, limit) => {
  const calls = answer.content.filter((part) => part.type === "tool-call");
  const broken = calls.find(({ input }) => input.trim() !== "" && !isRecord(parsedJson(input)));
  const cut = cutFault(answer, limit, false);
  if (broken) {
    const hint = `Use a model that can call tools; it gave ${shown(broken.input)}`;
    return { fault: cut ?? { problem: `its arguments for the tool "${broken.toolName}" are no JSON object`, hint } };
  }
  if (!cut || calls.length > 0) return { answer };
  return spokenText(textOf(answer)).trim() ? { answer, fault: { ...cut, retries: CUT_RETRIES } } : { fault: cut };
};

/** Why an answer is not whole; `undefined` where nothing says that it was cut off. */
function cutFault(
  { finishReason, usage }: Generated,
  { maxOutputTokens }: OutputLimit,
  looksCut: boolean,
): AnswerFault | undefined {
  if (finishReason.unified === "length") {
    const { total } = usage.outputTokens;
    const after = total ? ` after ${total} tokens` : "";
    return {
      problem: `it was cut off${after}, at the limit of output tokens${maxOutputTokens ? ` (maxOutputTokens: ${maxOutputTokens})` : ""}`,
      hint: maxOutputTokens
        ? "Raise maxOutputTokens"
        : "Raise the limit of output tokens: maxOutputTokens of the AI SDK, max_tokens of the model's server, num_predict in Ollama; or its context length",
    };
  }
  if (!looksCut) return undefined;
  return {
    problem: "it breaks off in the middle of its JSON",
    hint: "Raise max_tokens (num_predict in Ollama) of the model's server, or check why its answers break off",
  };
}

function textOf({ content }: Generated): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function shown(text: string): string {
  return JSON.stringify(redact(text).slice(0, SHOWN));
}

function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
