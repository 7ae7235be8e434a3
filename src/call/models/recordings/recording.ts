import { createHash } from "node:crypto";
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
} from "@ai-sdk/provider";
import * as v from "valibot";
import { createRedactor } from "../../../base/redaction/mod.ts";
import { canonicalJson, isRecord, shorten } from "../../../base/values/mod.ts";
import { SIGNATURE_NAMES, type SignatureName } from "../signature.ts";

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

const Content = v.variant("type", [
  v.object({ type: v.literal("text"), text: v.string() }),
  v.object({ type: v.literal("tool-call"), toolCallId: v.string(), toolName: v.string(), input: v.string() }),
]);

/** The part of a recording that a replay returns. */
export const RecordedAnswer = v.object({
  content: v.array(Content),
  finish_reason: v.picklist(["stop", "length", "content-filter", "tool-calls", "error", "interrupted", "other"]),
});

/** One recording, as stored in files and databases. */
export const RecordingDocument = v.object({
  key: v.string(),
  role: v.picklist(["agent", "caller", "judge"]),
  signature: v.picklist(SIGNATURE_NAMES),
  model: v.string(),
  /** Absent in recordings of older versions. */
  scenario: v.optional(v.string()),
  trial: v.number(),
  occurrence: v.number(),
  slice: v.string(),
  request: v.array(v.string()),
  ...RecordedAnswer.entries,
});

const Time = v.pipe(v.string(), v.isoTimestamp());

/** The start time of a recorded call. */
export const ClockDocument = v.object({ scenario: v.string(), trial: v.number(), started_at: Time });

/** A file of recordings. Version 1 had neither scenarios nor clocks. */
export const RecordingsDocument = v.variant("version", [
  v.pipe(
    v.object({ version: v.literal(1), recordings: v.array(RecordingDocument) }),
    v.transform(({ recordings }) => ({ version: 2 as const, clocks: [], recordings })),
  ),
  v.object({ version: v.literal(2), clocks: v.array(ClockDocument), recordings: v.array(RecordingDocument) }),
]);

/** The start time of a recorded call. */
export type RecordedClock = v.InferOutput<typeof ClockDocument>;

/** Lines of a request that hold JSON Schemas: of answers and of tools. */
const SCHEMA = /^\[(?:answer|tool)\] (.*)$/s;

/**
 * Redacts a recording. Names and choices in its schemas stay even if an environment variable has the same value,
 * because a replayed answer must use them.
 */
export function redacted(recording: Recording): Recording {
  const { text } = createRedactor({ shown: recording.request.flatMap(offeredIn) });
  return {
    ...recording,
    request: redactedLines(recording.request, text),
    content: recording.content.map((part) =>
      part.type === "text" ? { ...part, text: text(part.text) } : { ...part, input: text(part.input) },
    ),
  };
}

/**
 * Redacts the lines of a request. The redacted lines identify the recording, so that it is found after a key has
 * changed.
 */
export function redactedRequest(request: readonly string[]): string[] {
  return redactedLines(request, createRedactor({ shown: request.flatMap(offeredIn) }).text);
}

/** Redacts the lines as one text, because a private key spans several. */
function redactedLines(lines: readonly string[], clean: (text: string) => string): string[] {
  const whole = lines.join("\n");
  const redacted = clean(whole);
  return redacted === whole ? [...lines] : redacted.split("\n");
}

function offeredIn(line: string): readonly string[] {
  const json = SCHEMA.exec(line)?.[1];
  if (json === undefined) return [];
  try {
    return namesIn(JSON.parse(json));
  } catch {
    return []; // a line of a prompt that looks like the start of a schema
  }
}

/** Returns the keys of a schema and the strings that an answer may contain: tool names, enumerations, constants. */
function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (key === "enum" && Array.isArray(item)) return item.filter((choice) => typeof choice === "string");
    if ((key === "const" || key === "name") && typeof item === "string") return [item];
    return [key, ...namesIn(item)];
  });
}

/** Describes the recording nearest to a call that was not recorded, and the difference. */
export function describeNearest(
  recordings: readonly Recording[],
  identity: CallIdentity,
  request: readonly string[],
): string {
  let nearest: Recording | undefined;
  let most = -1;
  const lines = new Set(request);
  for (const recording of recordings) {
    const shared = recording.request.filter((line) => lines.has(line)).length;
    const sameCall = recording.scenario === identity.scenario && recording.trial === identity.trial;
    // among equally near ones, prefers the same call
    const likeness = shared / Math.max(recording.request.length, request.length, 1) + (sameCall ? 1e-9 : 0);
    if (likeness > most) [nearest, most] = [recording, likeness];
  }
  if (!nearest) return "Nothing of its kind was recorded";
  return `The nearest recording ${difference(nearest, identity, request)}`;
}

function difference(recording: Recording, identity: CallIdentity, request: readonly string[]): string {
  const line = request.findIndex((text, index) => text !== recording.request[index]);
  if (line >= 0)
    return `has in line ${line + 1} ${quoted(recording.request[line])} instead of ${quoted(request[line])}`;
  if (recording.request.length > request.length) return `goes on with ${quoted(recording.request[request.length])}`;
  if (recording.model !== identity.model) return `is of the model ${recording.model} instead of ${identity.model}`;
  if (recording.scenario !== identity.scenario)
    return `is of scenario ${quoted(recording.scenario)} instead of ${quoted(identity.scenario)}`;
  if (recording.trial !== identity.trial) return `is of trial ${recording.trial} instead of ${identity.trial}`;
  if (recording.slice !== identity.slice) return "is of the node as it was before it was edited";
  return `is number ${recording.occurrence + 1} of its kind in the call instead of ${identity.occurrence + 1}`;
}

function quoted(line: string | undefined): string {
  if (line === undefined) return "nothing";
  return JSON.stringify(shorten(line, 120));
}
