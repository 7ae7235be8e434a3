import type { LanguageModelV3 } from "@ai-sdk/provider";
import { ModelError } from "../../base/errors.ts";
import {
  checkOptions,
  dropPromise,
  isRecord,
  type JsonObject,
  OPTION,
  type OptionRules,
  shown,
} from "../../base/values/mod.ts";
import { type EmbeddedCall, type EmbeddedToolCall, generated, readCall } from "./embedded.ts";
import { embeddedModel } from "./model.ts";
import type { SignatureName } from "./signature.ts";

/**
 * One answer: the signature's output as JSON. For `respond` it is a text or `{ text?, toolCalls: [{ name, arguments }]
 * }`. An `Error` is thrown; a function is called with the input.
 */
export type ScriptedAnswer = unknown;

/**
 * Answers by signature, used in order. Without `respond` every reply is "…". Without `fused` each of its answers is
 * composed of one of `transition` and one of `respond`, so that one script serves all turn modes.
 */
export type ScriptedQueues = { readonly [Name in SignatureName]?: readonly ScriptedAnswer[] };

/** One call that a scripted model answered. */
export interface ScriptedCall {
  readonly signature: SignatureName;
  readonly input: JsonObject;
  readonly output: unknown;
}

/** A model that answers from queues and records its calls. */
export interface ScriptedModel extends LanguageModelV3 {
  /** Every call so far, oldest first. */
  readonly calls: readonly ScriptedCall[];
}

const QUEUES = {
  transition: OPTION.list,
  respond: OPTION.list,
  fused: OPTION.list,
  extract: OPTION.list,
  arguments: OPTION.list,
  caller: OPTION.list,
  judge: OPTION.list,
  replies: OPTION.list,
  audit: OPTION.list,
  traits: OPTION.list,
  persona: OPTION.list,
  flow: OPTION.list,
  diagnosis: OPTION.list,
  repair: OPTION.list,
  scenario: OPTION.list,
  topic: OPTION.list,
} satisfies { readonly [Name in SignatureName]: OptionRules[string] };

/**
 * A deterministic model for tests: answers each signature from its queue.
 *
 * An empty queue throws a {@link ModelError} `empty-queue` that names the signature.
 *
 * @throws {ModelError} `invalid-option` when a queue is not a list, or a name is a misspelt signature.
 *
 * @example
 * ```ts
 * import { conversation, flow, scripted } from "callweave";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const model = scripted({ respond: ["Good morning!"] });
 * await conversation(hello, { models: { agent: model } }).open();
 * console.log(model.calls[0]?.input.state_instructions); // Greet the caller.
 * ```
 */
export function scripted(queues: ScriptedQueues): ScriptedModel {
  checkOptions(queues ?? null, QUEUES, ModelError, "Cannot script a model");
  const calls: ScriptedCall[] = [];
  const used = new Map<SignatureName, number>();
  let toolCallCount = 0;
  const answer = (call: EmbeddedCall): unknown => {
    if (call.signature === "fused" && !queues.fused) {
      const decision = answer({ ...call, signature: "transition" });
      if (decision instanceof Error) return decision;
      const reply = answer({ ...call, signature: "respond" });
      return reply instanceof Error ? reply : { ...(isRecord(decision) ? decision : {}), reply: readReply(reply).text };
    }
    const queue = queues[call.signature];
    if (!queue && call.signature === "respond") return "…";
    const index = used.get(call.signature) ?? 0;
    if (!queue || index >= queue.length) throw emptyQueue(call.signature, index);
    used.set(call.signature, index + 1);
    const entry = queue[index];
    return typeof entry === "function" ? entry(call.input) : entry;
  };
  const model = embeddedModel("scripted", async (options) => {
    const call = readCall("scripted", options);
    const output = answer(call);
    calls.push({ ...call, output });
    if (output instanceof Error) throw output;
    if (call.signature !== "respond") return generated(asJson(output, call.signature));
    const { text, toolCalls } = readReply(output);
    return generated(text, toolCalls, () => `call_${++toolCallCount}`);
  });
  return { ...model, calls };
}

/** Functions in a queue, and plain JavaScript, may return anything. */
function asJson(output: unknown, signature: SignatureName): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(output);
  } catch {
    // circular references and bigints
  }
  if (json !== undefined && !(output instanceof Promise)) return json;
  dropPromise(output);
  const state = output instanceof Promise ? "a promise" : shown(output);
  throw new ModelError(`Cannot answer "${signature}": its queue returned ${state}`, {
    code: "callback-return",
    path: [signature],
    hint: "Return a value that JSON can represent",
  });
}

function readReply(output: unknown): { text: string; toolCalls: readonly EmbeddedToolCall[] } {
  if (!isRecord(output)) return { text: String(output ?? ""), toolCalls: [] };
  const list = Array.isArray(output.toolCalls) ? output.toolCalls.filter(isRecord) : [];
  return {
    text: typeof output.text === "string" ? output.text : "",
    toolCalls: list.map((call) => ({
      name: String(call.name),
      arguments: isRecord(call.arguments) ? call.arguments : {},
    })),
  };
}

function emptyQueue(signature: SignatureName, count: number): ModelError {
  return new ModelError(`Cannot answer "${signature}": its queue is empty after ${count} answers`, {
    code: "empty-queue",
    path: [signature],
    hint: `Add an answer to scripted({ ${signature}: [...] })`,
  });
}
