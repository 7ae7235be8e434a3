import { createHash } from "node:crypto";
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
} from "@ai-sdk/provider";
import { canonicalJson } from "../../../base/values/mod.ts";
import type { SignatureName } from "../signature.ts";

/** The part that a model plays. */
export type Role = "agent" | "caller" | "judge";

/** The call of a run that a model call belongs to. */
export interface RecordedCallName {
  readonly scenario: string;
  /** The number of the repetition, from 1. */
  readonly trial: number;
}

/** Fields that identify a model call. */
export interface CallIdentity {
  readonly role: Role;
  readonly signature: SignatureName;
  /** `provider/model`. */
  readonly model: string;
  /** Absent outside runs, and in recordings of older versions. */
  readonly scenario?: string | undefined;
  /** The number of the repetition, from 1. */
  readonly trial: number;
  /** The number of equal calls before this one in the scenario. */
  readonly occurrence: number;
  /** A hash of the parts of the graph that can influence the call. */
  readonly slice: string;
}

/** A recorded model call with its answer, without headers and keys. */
export interface Recording extends CallIdentity {
  readonly key: string;
  /** The request, line by line for readable diffs. */
  readonly request: readonly string[];
  readonly content: readonly RecordedContent[];
  /** Only version 7 of the AI SDK has `interrupted`. */
  readonly finish_reason: LanguageModelV3GenerateResult["finishReason"]["unified"] | "interrupted";
}

/** The parts of an answer that a call uses. */
export type RecordedContent = Extract<LanguageModelV3Content, { type: "text" | "tool-call" }>;

/** Settings that affect a model's answer. Callweave sets none of them, but middleware around a call may. */
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

/** The lines of a request: prompt, tools and schema of the answer, without headers and keys. */
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

/** The tool choice. Default: `auto`. */
function choiceLine({ toolChoice = { type: "auto" } }: LanguageModelV3CallOptions): string[] {
  return toolChoice.type === "auto" ? [] : [`[toolChoice] ${canonicalJson(toolChoice)}`];
}

/** Hashes the provider options, because some contain keys. Options that every call has are left out. */
function optionsLine({ providerOptions = {} }: LanguageModelV3CallOptions): string[] {
  const { callweave: _asked, openai = {}, ...others } = providerOptions;
  const { strictJsonSchema: _strict, ...added } = openai;
  const options = { ...others, ...(Object.keys(added).length > 0 ? { openai: added } : {}) };
  return Object.keys(options).length === 0
    ? []
    : [`[providerOptions] ${sha256Of(canonicalJson(options)).slice(0, 16)}`];
}

/**
 * The key of a call, 32 hexadecimal digits; equal for equal identities and requests. Without a scenario it is the key
 * of recordings of older versions.
 */
export function recordingKey({ scenario, ...identity }: CallIdentity, request: readonly string[]): string {
  return sha256Of(canonicalJson({ ...identity, request, ...(scenario ? { scenario } : {}) })).slice(0, 32);
}

/** The key of the start time of a call. */
export function clockKey({ scenario, trial }: RecordedCallName): string {
  return sha256Of(canonicalJson({ clock: { scenario, trial } })).slice(0, 32);
}

/** SHA-256 of a text, in hexadecimal. */
export function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The parts of an answer that are recorded. */
export function recordedContent(content: readonly LanguageModelV3Content[]): RecordedContent[] {
  return content.flatMap((part): RecordedContent[] => {
    if (part.type === "text") return [{ type: part.type, text: part.text }];
    if (part.type !== "tool-call") return [];
    return [{ type: part.type, toolCallId: part.toolCallId, toolName: part.toolName, input: part.input }];
  });
}
