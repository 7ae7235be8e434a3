import { createHash } from "node:crypto";
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
} from "@ai-sdk/provider";
import { canonicalJson } from "../../values/mod.ts";
import type { SignatureName } from "../signature.ts";

/** Who a model call speaks for. */
export type Role = "agent" | "caller" | "judge";

/** Which call of a run a model call belongs to. */
export interface RecordedCallName {
  readonly scenario: string;
  /** Of a scenario that is run several times, counted from 1. */
  readonly trial: number;
}

/** What makes a model call the same call. */
export interface CallIdentity {
  readonly role: Role;
  readonly signature: SignatureName;
  /** `provider/model`. */
  readonly model: string;
  /** Absent outside of runs, and in recordings of before 0.2. */
  readonly scenario?: string | undefined;
  /** Of a scenario that is run several times, counted from 1. */
  readonly trial: number;
  /** How often the same call was made before in its scenario. */
  readonly occurrence: number;
  /** A hash of what of the graph can influence the call. */
  readonly slice: string;
}

/** A model call and its answer, as it is kept. Headers and keys are no part of it. */
export interface Recording extends CallIdentity {
  readonly key: string;
  /** What the model was asked, line by line, so that a diff shows what changed. */
  readonly request: readonly string[];
  readonly content: readonly RecordedContent[];
  /** `interrupted` is known to version 7 of the AI SDK only. */
  readonly finish_reason: LanguageModelV3GenerateResult["finishReason"]["unified"] | "interrupted";
}

/** The parts of an answer that a call uses. */
export type RecordedContent = Extract<LanguageModelV3Content, { type: "text" | "tool-call" }>;

/** Settings that change what a model answers; Callweave sets none of them, but middleware around a call may. */
const SETTINGS = [
  "maxOutputTokens",
  "temperature",
  "stopSequences",
  "topP",
  "topK",
  "presencePenalty",
  "frequencyPenalty",
  "seed",
  "reasoning", // of version 7 of the AI SDK only
] as const satisfies readonly (keyof LanguageModelV3CallOptions | "reasoning")[];

/** What a request asks, line by line: the prompt, the tools, the shape of the answer. No headers, no keys. */
export function requestLines(options: LanguageModelV3CallOptions): string[] {
  const { prompt, tools, responseFormat } = options;
  const lines = prompt.flatMap((message) => {
    if (typeof message.content === "string") return [`[${message.role}]`, ...message.content.split("\n")];
    return message.content.flatMap((part) => [
      `[${message.role}]`,
      ...(part.type === "text" ? part.text.split("\n") : [canonicalJson(part)]),
    ]);
  });
  const offered = (tools ?? []).map((tool) => `[tool] ${canonicalJson(tool)}`);
  const shape = responseFormat?.type === "json" ? [`[answer] ${canonicalJson(responseFormat.schema ?? {})}`] : [];
  const given: { readonly [Name in (typeof SETTINGS)[number]]?: unknown } = options;
  const settings = SETTINGS.flatMap((name) =>
    given[name] === undefined ? [] : [`[${name}] ${canonicalJson(given[name])}`],
  );
  return [...lines, ...offered, ...shape, ...settings, ...choiceLine(options), ...optionsLine(options)];
}

/** Which tools may be called; any that is offered, unless it is said. */
function choiceLine({ toolChoice = { type: "auto" } }: LanguageModelV3CallOptions): string[] {
  return toolChoice.type === "auto" ? [] : [`[toolChoice] ${canonicalJson(toolChoice)}`];
}

/** A provider's own options, but for those that every call is made with. As a hash, since some hold keys. */
function optionsLine({ providerOptions = {} }: LanguageModelV3CallOptions): string[] {
  const { callweave: _asked, openai = {}, ...others } = providerOptions;
  const { strictJsonSchema: _strict, ...added } = openai;
  const options = { ...others, ...(Object.keys(added).length > 0 ? { openai: added } : {}) };
  return Object.keys(options).length === 0 ? [] : [`[providerOptions] ${hashOf(canonicalJson(options)).slice(0, 16)}`];
}

/**
 * The name of a call: equal for equal identities and requests. 32 hexadecimal digits. Without a scenario it is the name
 * that the call had before recordings knew their scenario.
 */
export function recordingKey({ scenario, ...identity }: CallIdentity, request: readonly string[]): string {
  return hashOf(canonicalJson({ ...identity, request, ...(scenario ? { scenario } : {}) })).slice(0, 32);
}

/** The name under which the clock of a call is kept. */
export function clockKey({ scenario, trial }: RecordedCallName): string {
  return hashOf(canonicalJson({ clock: { scenario, trial } })).slice(0, 32);
}

/** SHA-256 of a text, in hexadecimal. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** What is kept of an answer. */
export function recordedContent(content: readonly LanguageModelV3Content[]): RecordedContent[] {
  return content.flatMap((part): RecordedContent[] => {
    if (part.type === "text") return [{ type: part.type, text: part.text }];
    if (part.type !== "tool-call") return [];
    return [{ type: part.type, toolCallId: part.toolCallId, toolName: part.toolName, input: part.input }];
  });
}
