import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from "@ai-sdk/provider";
import type { LanguageModelMiddleware } from "ai";
import { isRecord, madeOnceFor, untilAborted } from "../../../base/values/mod.ts";
import type { JsonSchema } from "../../../document/graph/mod.ts";
import type { CallClock } from "../call_clock.ts";
import { type Model, modelName } from "../model.ts";
import type { SignatureName } from "../signature.ts";
import { jsonLine } from "../text/mod.ts";
import type { AnswerCheck, Generated } from "./answer_check.ts";
import { providerWords } from "./provider_words.ts";
import { refusesForm } from "./refusal.ts";
import type { Retry } from "./retry.ts";

/** Options of {@link structuredAnswers}. */
export interface StructuredAnswersOptions {
  readonly signature: SignatureName;
  readonly clock?: CallClock | undefined;
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/**
 * How an answer is asked for: with its JSON schema; with the schema without {@link OPTIONAL_KEYWORDS}; in JSON mode; as
 * a tool call; as a text that is JSON. The last two but the tool call have the schema in the prompt.
 */
type AnswerWay = "schema" | "plain-schema" | "json" | "tool" | "text";

/** Keywords that some servers reject. Answers are validated against them anyway. */
const OPTIONAL_KEYWORDS: readonly string[] = ["minItems", "maxItems"];
const TOOL = "answer";

/**
 * Asks for structured answers in whatever way the model's server accepts. A refusal is followed by a request in the next
 * way at once; what is found out holds for the model. While one call finds it out, the others wait for it, so that a
 * server refuses each way once. After an answer that could not be used, the prompt names the problem and has the schema.
 */
export function structuredAnswers(
  model: Model,
  { signature, clock, onRetry }: StructuredAnswersOptions,
): { readonly middleware: LanguageModelMiddleware; readonly checked: (check: AnswerCheck) => AnswerCheck } {
  const known = answersOf(model);
  let here: AnswerWay | undefined;
  let problem: string | undefined;
  let isSchemaTold = false;
  let refusals = 0;

  const waitFor = async (finding: Promise<void>, signal: AbortSignal | undefined) => {
    const goOn = clock?.pause(); // such a wait says nothing about the agent
    try {
      await untilAborted(finding, signal);
    } finally {
      goOn?.();
    }
  };

  const ask = async (params: LanguageModelV3CallOptions, schema: JsonSchema, inner: Inner): Promise<Generated> => {
    for (;;) {
      const way = here ?? known.own.get(signature) ?? known.way;
      isSchemaTold = known.isTold || problem !== undefined || way === "json" || way === "text";
      try {
        const answer = await inner.doGenerate(asked(params, schema, way, { isSchemaTold, problem }));
        if (!known.isKnown) [known.way, known.isKnown] = [way, true];
        else if (way !== known.way) known.own.set(signature, way);
        return withoutTool(answer, way);
      } catch (error) {
        const refuses = refusesForm(error);
        if (refuses === "no" || (refuses === "perhaps" && known.isKnown)) throw error;
        here = nextWay(way, error);
        if (!here) known.isKnown = true; // it refuses for another cause, or all ways
        if (!here) throw error;
        refusals += 1;
        onRetry?.({ signature, retry: refusals, reason: providerWords(error) });
      }
    }
  };

  return {
    checked: (check) => (answer, limit) => {
      const checked = check(answer, limit);
      problem = checked.fault?.problem;
      if (!isSchemaTold && !checked.fault) known.isKept = true;
      else if (!isSchemaTold && checked.fault?.isOffSchema) [known.isKept, known.isTold] = [false, !known.isKept];
      return checked;
    },
    middleware: {
      specificationVersion: "v3",
      wrapGenerate: async ({ params, model: inner }) => {
        const { responseFormat } = params;
        if (responseFormat?.type !== "json" || !responseFormat.schema) return await inner.doGenerate(params);
        const schema = { ...responseFormat.schema };
        if (!known.isKnown && known.finding) await waitFor(known.finding, params.abortSignal);
        if (known.isKnown || known.finding) return await ask(params, schema, inner);
        const asking = ask(params, schema, inner);
        const finding = asking.then(
          () => {},
          () => {},
        );
        known.finding = finding;
        try {
          return await asking;
        } finally {
          if (known.finding === finding) known.finding = undefined;
        }
      },
    },
  };
}

/** How a model gives structured answers, as far as its calls have shown. */
interface ModelAnswers {
  way: AnswerWay;
  /** Whether the server has accepted the way. */
  isKnown: boolean;
  /** Whether the last answer kept to its schema without the schema in the prompt. */
  isKept: boolean;
  /** Whether prompts repeat the schema, because the server does not enforce it. */
  isTold: boolean;
  /** The call that finds out the way; others wait for it. */
  finding: Promise<void> | undefined;
  /** Ways of signatures whose schema the server refuses although it accepts others. */
  readonly own: Map<SignatureName, AnswerWay>;
}

/** One for each model, as long as it exists, so that the calls and roles of a run share what one of them finds out. */
const answersOf = madeOnceFor(
  (_model: Model): ModelAnswers => ({
    way: "schema",
    isKnown: false,
    isKept: false,
    isTold: false,
    finding: undefined,
    own: new Map(),
  }),
);

/** A notice, in one sentence, for a model that does not answer by JSON schema; else `undefined`. */
export function answerNotice(model: Model): string | undefined {
  const { way, isTold } = answersOf(model);
  const name = modelName(model);
  if (way === "json")
    return `The server of "${name}" refuses JSON schemas: answers are requested in JSON mode, with the schema in the prompt`;
  if (way === "tool")
    return `The server of "${name}" refuses JSON schemas and JSON mode: answers are requested as tool calls`;
  if (way === "text")
    return `The server of "${name}" refuses JSON schemas, JSON mode and tool calls: answers are read from its texts`;
  return isTold ? `"${name}" does not keep to JSON schemas by itself: prompts repeat them` : undefined;
}

type Inner = Parameters<NonNullable<LanguageModelMiddleware["wrapGenerate"]>>[0]["model"];

function nextWay(way: AnswerWay, error: unknown): AnswerWay | undefined {
  if (way === "schema" && refusesKeyword(error)) return "plain-schema";
  if (way === "json") return "tool";
  if (way === "tool") return "text";
  return way === "text" ? undefined : "json";
}

function refusesKeyword(error: unknown): boolean {
  if (!isRecord(error)) return false;
  const words = `${String(error.message ?? "")} ${String(error.responseBody ?? "")}`;
  return OPTIONAL_KEYWORDS.some((keyword) => words.includes(keyword));
}

/** The request in one of the ways. */
function asked(
  params: LanguageModelV3CallOptions,
  schema: JsonSchema,
  way: AnswerWay,
  { isSchemaTold, problem }: { readonly isSchemaTold: boolean; readonly problem: string | undefined },
): LanguageModelV3CallOptions {
  const { responseFormat, ...rest } = params;
  const prompt = isSchemaTold ? withSchema(params.prompt, schema, problem) : params.prompt;
  if (way === "schema") return isSchemaTold ? { ...params, prompt } : params;
  if (way === "plain-schema")
    return { ...rest, prompt, responseFormat: { ...responseFormat, type: "json", schema: plain(schema) } };
  if (way === "json") return { ...rest, prompt, responseFormat: { type: "json" } };
  if (way === "text") return { ...rest, prompt };
  const tool = { type: "function", name: TOOL, description: "Gives your answer", inputSchema: schema } as const;
  return { ...rest, prompt, tools: [tool], toolChoice: { type: "tool", toolName: TOOL } };
}

/** Appends the schema to the last message of the user. */
function withSchema(prompt: LanguageModelV3Prompt, schema: JsonSchema, problem?: string): LanguageModelV3Prompt {
  const wrong = problem === undefined ? "" : `\n\n## problem_of_your_last_answer\n${jsonLine(problem)}`;
  const text = `## answer\n(Answer with one JSON object and nothing else. It must fit this JSON Schema.)\n${jsonLine(schema)}${wrong}`;
  const at = prompt.findLastIndex(({ role }) => role === "user");
  const message = prompt[at];
  const part = { type: "text", text } as const;
  if (message?.role !== "user") return [...prompt, { role: "user", content: [part] }];
  return prompt.with(at, { ...message, content: [...message.content, part] });
}

/** The arguments of the tool call, as the text of the answer. */
function withoutTool(answer: Generated, way: AnswerWay): Generated {
  const call = way === "tool" ? answer.content.find((part) => part.type === "tool-call") : undefined;
  if (call?.type !== "tool-call") return answer;
  const finishReason = answer.finishReason.unified === "length" ? answer.finishReason : STOP;
  return { ...answer, content: [{ type: "text", text: call.input }], finishReason };
}

const STOP = { unified: "stop", raw: undefined } as const;

/** A schema without the optional keywords. Properties of the same names are kept. */
function plain(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (OPTIONAL_KEYWORDS.includes(keyword)) return [];
    if (keyword === "properties" && isRecord(value)) {
      const properties = Object.entries(value).map(([name, part]) => [name, isRecord(part) ? plain(part) : part]);
      return [[keyword, Object.fromEntries(properties)]];
    }
    return [[keyword, keyword === "items" && isRecord(value) ? plain(value) : value]];
  });
  return Object.fromEntries(entries);
}
