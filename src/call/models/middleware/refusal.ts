import { isRecord } from "../../../base/values/mod.ts";
import { providerWords } from "./provider_words.ts";

const FORMAT =
  /response[ _]?format|json[ _-]?(?:schema|object|mode|output)|structured[ _-]?output|output[ _-]?(?:format|config)|\bschemas?\b|\bgrammar|\bguided[ _]/i;
const TOOLS = /\btools?\b|tool_choice|\bfunctions?\b|function[ _-]call/i;
const LENGTH =
  /context[ _-]?(?:length|window|size)|maximum context|too many (?:input |prompt )?tokens|(?:prompt|input|request) is too (?:long|large)|exceeds? .{0,40}\btokens\b/i;
const CONTENT = /content[ _-]?(?:policy|filter|management)|safety (?:system|settings)|moderation/i;
const MODEL =
  /model_not_found|\b(?:no such|unknown|invalid) model\b|\bmodel\b.{0,80}(?:does not exist|do not have access|not found)/i;
/** A refusal that names no cause. */
const NO_CAUSE =
  /^\W*(?:error|bad request|invalid[ _]request(?:[ _]error)?|unprocessable (?:entity|content)|(?:feature |parameter |request |type )?(?:is )?(?:not (?:supported|implemented)|unsupported))?\W*$/i;
/** Where FastAPI, OpenAI and others say which part of the request they refuse. */
const PLACES = /"(?:loc|param|code)"\s*:\s*(?:"[^"]*"|\[[^\]]*\])/g;

/** The texts of a JSON body without a message. */
const VALUES = /:\s*"([^"]*)"/g;

/** Why a server refuses a request. */
export type RefusalCause = "length" | "content" | "model" | "format" | "tools" | "unclear" | "other";

/** Finds the cause of a refused request by the provider's message. */
export function refusalCause(error: unknown): RefusalCause {
  const body = isRecord(error) && typeof error.responseBody === "string" ? error.responseBody : "";
  const words = providerWords(error);
  const told = `${words} ${(body.match(PLACES) ?? []).join(" ")}`;
  if (LENGTH.test(told)) return "length";
  if (CONTENT.test(told)) return "content";
  if (MODEL.test(told)) return "model";
  if (FORMAT.test(told)) return "format";
  if (TOOLS.test(told)) return "tools";
  const parts = words.includes("{") ? [...words.matchAll(VALUES)].map(([, value = ""]) => value) : words.split(": ");
  return parts.every((part) => NO_CAUSE.test(part)) ? "unclear" : "other";
}

/** Whether a server refuses the way in which a structured answer was asked for. */
export function refusesForm(error: unknown): "yes" | "perhaps" | "no" {
  if (error instanceof Error && error.name === "AI_UnsupportedFunctionalityError") return "yes";
  const status = isRecord(error) ? error.statusCode : undefined;
  const isRefused = status === 400 || status === 415 || status === 422;
  if (!isRefused && status !== 404 && status !== 500 && status !== 501) return "no";
  const cause = refusalCause(error);
  if (cause === "format" || (cause === "tools" && status !== 500)) return "yes";
  return cause === "unclear" && (isRefused || status === 501) ? "perhaps" : "no";
}
