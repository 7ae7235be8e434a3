import type { LanguageModelMiddleware } from "ai";
import { redact } from "../../../base/redaction/mod.ts";
import { isRecord, parsedJson } from "../../../base/values/mod.ts";
import type { JsonSchema } from "../../../document/graph/mod.ts";
import type { OutputContract } from "../signature.ts";
import { isCutJson, parseAnswer, spokenText } from "../text/mod.ts";

/** The answer to one request. */
export type Generated = Awaited<ReturnType<NonNullable<LanguageModelMiddleware["wrapGenerate"]>>>;

/** Why an answer cannot be used, and how often to ask again because of it. */
export interface AnswerFault {
  readonly problem: string;
  readonly hint: string;
  /** Most retries for this fault. Default: the retry policy. */
  readonly retries?: number;
  /** Whether a server that enforces JSON schemas would not have given the answer. */
  readonly isOffSchema?: boolean;
}

/**
 * Returns the answer in its usable form, a fault, or both. With both the request is retried, and the answer is used if
 * no better one comes.
 */
export type AnswerCheck = (
  answer: Generated,
  limit: OutputLimit,
) => { readonly answer: Generated; readonly fault?: AnswerFault } | { readonly fault: AnswerFault };

/** Maximum number of tokens of an answer. Absent if only the server limits it. */
export interface OutputLimit {
  readonly maxOutputTokens?: number | undefined;
}

/** Retries for a reply that was cut off: the next one will often be cut off too. */
const CUT_RETRIES = 1;
/** Maximum length of a quoted answer in a message, in characters. */
const SHOWN = 200;

/** Validates and reads the structured answers to one model call. */
export interface ContractCheck<Output> {
  readonly check: AnswerCheck;
  /** Reads an answer. The one that was checked last is not read again. */
  readonly read: (text: string) => ReturnType<OutputContract<Output>["read"]>;
}

/** Creates the check of one model call. */
export function contractCheck<Output>(contract: OutputContract<Output>): ContractCheck<Output> {
  let last: { readonly text: string; readonly read: ReturnType<OutputContract<Output>["read"]> } | undefined;
  const check: AnswerCheck = (answer, limit) => {
    const text = textOf(answer);
    const parsed = parseAnswer(text);
    const read = contract.read(parsed);
    if (!("output" in read)) {
      const cut = parsed === undefined ? cutFault(answer, limit, isCutJson(text)) : undefined;
      const fault = () => unfit(parsed === undefined ? "it is not JSON" : read.problem, text);
      return { fault: cut ?? { ...fault(), isOffSchema: !hasRequired(parsed, contract.schema) } };
    }
    const json = JSON.stringify(parsed);
    last = { text: json, read };
    const plain = { ...answer, content: [{ type: "text" as const, text: json }] };
    return read.problem === undefined ? { answer: plain } : { answer: plain, fault: unfit(read.problem, text) };
  };
  return { check, read: (text) => (last?.text === text ? last.read : contract.read(parseAnswer(text))) };
}

/** Whether a value is an object with the required keys of a schema. */
function hasRequired(value: unknown, { required }: JsonSchema): boolean {
  return isRecord(value) && (!Array.isArray(required) || required.every((key) => Object.hasOwn(value, String(key))));
}

/** The fault of an answer that breaks its contract. Made only for such an answer: redacting reads the environment. */
function unfit(problem: string, text: string): AnswerFault {
  return { problem, hint: `Use a model that follows JSON schemas; it answered ${shown(text)}` };
}

/** Rejects empty replies and truncated tool calls. Other truncated replies are retried. */
export const checkReply: AnswerCheck = (answer, limit) => {
  const calls = answer.content.filter((part) => part.type === "tool-call");
  const broken = calls.find(({ input }) => input.trim() !== "" && !isRecord(parsedJson(input)));
  const cut = cutFault(answer, limit, false);
  if (broken) {
    const hint = `Use a model that can call tools; it gave ${shown(broken.input)}`;
    return { fault: cut ?? { problem: `its arguments for the tool "${broken.toolName}" are not a JSON object`, hint } };
  }
  if (!cut || calls.length > 0) return { answer };
  return spokenText(textOf(answer)).trim() ? { answer, fault: { ...cut, retries: CUT_RETRIES } } : { fault: cut };
};

/** Returns the fault of a truncated answer; `undefined` for a complete one. */
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
    problem: "its JSON is incomplete",
    hint: "Raise max_tokens (num_predict in Ollama) of the model's server, or check why it truncates answers",
  };
}

function textOf({ content }: Generated): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function shown(text: string): string {
  return JSON.stringify(redact(text).slice(0, SHOWN));
}
