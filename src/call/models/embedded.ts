import type {
  JSONObject,
  JSONValue,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
} from "@ai-sdk/provider";
import { ModelError } from "../../base/errors.ts";
import { isRecord, type JsonObject } from "../../base/values/mod.ts";
import { SIGNATURE_NAMES, type SignatureName } from "./signature.ts";

/** The signature and the input of a call, for models that do not read the rendered prompt. */
export interface EmbeddedCall {
  readonly signature: SignatureName;
  readonly input: JsonObject;
}

/** A tool call that an embedded model makes. */
export interface EmbeddedToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/**
 * The call for the options of a request. The input holds the whole conversation, so it is copied only when a model or a
 * middleware reads it; models of providers do not.
 */
export function askedOf(signature: SignatureName, signatureInput: object): JSONObject {
  let input: JSONObject | undefined;
  return {
    signature,
    get input() {
      input ??= jsonRecord(signatureInput);
      return input;
    },
  };
}

/**
 * Reads the call from the options that Callweave gives every model call.
 *
 * @throws {ModelError} `model-failed` when the model is called by other code than Callweave.
 */
export function readCall(model: string, options: LanguageModelV3CallOptions): EmbeddedCall {
  const call = options.providerOptions?.callweave;
  if (call && isSignature(call.signature) && "input" in call) {
    const { signature } = call;
    return {
      signature,
      get input() {
        return isRecord(call.input) ? call.input : {};
      },
    };
  }
  throw new ModelError(`Cannot answer with the ${model} model: the request does not come from Callweave`, {
    code: "model-failed",
    hint: "Pass the model to conversation() or run()",
  });
}

/** An answer for the AI SDK: a text, or tool calls with or without a text. */
export function generated(
  text: string,
  toolCalls: readonly EmbeddedToolCall[] = [],
  ids: () => string = () => "call",
): LanguageModelV3GenerateResult {
  return {
    content: [
      ...(text ? [{ type: "text" as const, text }] : []),
      ...toolCalls.map((call) => ({
        type: "tool-call" as const,
        toolCallId: ids(),
        toolName: call.name,
        input: JSON.stringify(call.arguments),
      })),
    ],
    finishReason: { unified: toolCalls.length > 0 ? "tool-calls" : "stop", raw: undefined },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
    warnings: [],
  };
}

function isSignature(value: unknown): value is SignatureName {
  return SIGNATURE_NAMES.some((name) => name === value);
}

/** Copies a value like a JSON round trip, in a fraction of the time: the input of a model call holds the whole history. */
function jsonCopy(value: unknown): JSONValue {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (Array.isArray(value)) return value.map(jsonCopy);
  if (!isRecord(value) || typeof value.toJSON === "function") return JSON.parse(JSON.stringify(value) ?? "null");
  return jsonRecord(value);
}

/** {@link jsonCopy} of an object. */
function jsonRecord(source: object): Record<string, JSONValue> {
  const copy: Record<string, JSONValue> = {};
  for (const [key, item] of Object.entries(source)) {
    if (item === undefined || typeof item === "function" || typeof item === "symbol") continue;
    if (key === "__proto__") {
      Object.defineProperty(copy, key, { value: jsonCopy(item), enumerable: true, writable: true, configurable: true });
    } else copy[key] = jsonCopy(item);
  }
  return copy;
}
