import { env } from "node:process";
import type { OpenAIProvider } from "@ai-sdk/openai";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { LanguageModelMiddleware } from "ai";
import { ModelError } from "../../base/errors.ts";
import { boundedFetch } from "../../base/http/mod.ts";
import { dropPromise, isRecord, shown } from "../../base/values/mod.ts";
import type { CallClock } from "./call_clock.ts";
import { readCall } from "./embedded.ts";
import { asModel, embeddedModel, type Model, type ModelReference } from "./model.ts";
import { answerByRule } from "./offline/mod.ts";
import { type ProviderPart, packagedModel, variablePrefix } from "./provider_packages.ts";

/** Size limit of a model's answer. */
const MOST_BYTES = 32 * 2 ** 20;

/** Local servers with a default address and no key. */
const LOCAL_SERVERS = new Map([
  ["ollama", "http://127.0.0.1:11434/v1"],
  ["lmstudio", "http://127.0.0.1:1234/v1"],
  ["vllm", "http://127.0.0.1:8000/v1"],
]);

/**
 * Resolves a model reference.
 *
 * `offline` is the embedded model. `openai/NAME` needs `OPENAI_API_KEY`, or an `OPENAI_BASE_URL` of another server. Any
 * other `provider/NAME` is an OpenAI-compatible server at `PROVIDER_BASE_URL`, with `PROVIDER_API_KEY` if it needs one;
 * `ollama`, `lmstudio` and `vllm` default to their local addresses. Without a URL, it is a model of the provider's AI SDK
 * package, such as `@ai-sdk/anthropic`, which reads its own key.
 *
 * @throws {ModelError} `unknown-model`, `missing-key-variable`, `missing-package`.
 */
export async function resolveModel(reference: ModelReference): Promise<Model> {
  if (typeof reference !== "string") return asModel(reference);
  if (reference === "offline" || reference === "callweave/offline") return offline();
  // every compatible server supports the chat-completions API
  return await namedModel(reference, "languageModel", (provider, name) => provider.chat(name), asModel);
}

/**
 * Resolves a `provider/NAME` reference of any kind of model, see {@link resolveModel}.
 *
 * @param compatible Makes it from an OpenAI-compatible provider.
 * @param checked Checks what a package made.
 */
export async function namedModel<Made>(
  reference: string,
  part: ProviderPart,
  compatible: (provider: OpenAIProvider, name: string) => Made,
  checked: (made: unknown) => Made,
): Promise<Made> {
  const named = splitReference(reference);
  const { provider } = named;
  if (provider !== "openai" && addressOf(provider) === undefined)
    return checked(await packagedModel(reference, named, part));
  return compatible(await compatibleProvider(reference, named.provider), named.name);
}

/** Loads the models of a run, see {@link createModelLoader}. */
export type ModelLoader = (reference: ModelReference) => Promise<Model>;

/** Resolves each reference once, so that what one role finds out about a model's server holds for all roles. */
export function createModelLoader(): ModelLoader {
  const loaded = new Map<ModelReference, Promise<Model>>();
  return async (reference) => {
    const model = loaded.get(reference) ?? resolveModel(reference);
    loaded.set(reference, model);
    return await model;
  };
}

/** @throws {ModelError} `unknown-model`. */
function splitReference(reference: string): { readonly provider: string; readonly name: string } {
  const slash = reference.indexOf("/");
  const [provider, name] = [reference.slice(0, slash).toLowerCase(), reference.slice(slash + 1)];
  if (slash <= 0 || !name.trim()) {
    const model = reference.replaceAll("/", "").trim();
    const example = slash > 0 ? `${reference.slice(0, slash)}/gpt-5-mini` : `openai/${model || "gpt-5-mini"}`;
    throw new ModelError(`Cannot use model "${reference}": it has no ${slash > 0 ? "name" : "provider"}`, {
      code: "unknown-model",
      hint: `Write it as provider/model, such as "${example}", or "offline"`,
    });
  }
  return { provider, name };
}

/** @throws {ModelError} `unknown-model`, `missing-key-variable`. */
async function compatibleProvider(reference: string, provider: string): Promise<OpenAIProvider> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  const bounded = boundedFetch({
    mostBytes: MOST_BYTES,
    fail: (state) =>
      new ModelError(`Cannot use model "${reference}": its server ${state}`, {
        code: "model-failed",
        hint: "Set the base URL of the provider to where its API is",
      }),
  });
  return createOpenAI({ name: provider, fetch: bounded, ...connection(provider, reference) });
}

/** The URL of a provider's OpenAI-compatible server, if it is known. */
function addressOf(provider: string): string | undefined {
  return env[`${variablePrefix(provider)}_BASE_URL`] || LOCAL_SERVERS.get(provider);
}

function connection(provider: string, reference: string): { apiKey: string; baseURL?: string } {
  const prefix = variablePrefix(provider);
  const apiKey = env[`${prefix}_API_KEY`];
  const baseURL = addressOf(provider);
  if (baseURL) {
    if (!isHttp(baseURL)) throw noAddress(reference, `${prefix}_BASE_URL`);
    return { baseURL, apiKey: apiKey ?? "none" };
  }
  if (!apiKey) {
    throw new ModelError(`Cannot use model "${reference}": OPENAI_API_KEY is not set`, {
      code: "missing-key-variable",
      hint: 'Set OPENAI_API_KEY, or use the model "offline"',
    });
  }
  return { apiKey };
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Does not quote the variable's value, which may be a key. */
function noAddress(reference: string, variable: string): ModelError {
  return new ModelError(`Cannot use model "${reference}": ${variable} is not a URL`, {
    code: "unknown-model",
    path: [variable],
    hint: "Write the full URL, such as http://127.0.0.1:11434/v1",
  });
}

/**
 * The built-in offline model: deterministic, without key or network. It compares words: conditions with the caller's
 * message, choices, numbers, names and dates. Good enough for smoke tests; its verdicts state that they only match
 * words. Its name in results is `callweave/offline`.
 *
 * @example
 * ```ts
 * import { conversation, flow, offline } from "callweave";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const call = conversation(hello, { models: { agent: offline() } });
 * ```
 */
export function offline(): LanguageModelV3 {
  return embeddedModel("offline", async (options) => answerByRule(readCall("offline", options), options));
}

/** Methods of middleware; an object with at least one of them is middleware. */
const PARTS = ["wrapGenerate", "wrapStream", "transformParams", "overrideProvider", "overrideModelId"] as const;

/**
 * Checks that a value is a list of middleware.
 *
 * @throws {ModelError} `callback-return`.
 */
export function checkedMiddleware(
  middleware: unknown,
  option: "around" | "within",
): readonly LanguageModelMiddleware[] {
  if (Array.isArray(middleware) && middleware.every(isMiddleware)) return middleware;
  for (const each of Array.isArray(middleware) ? middleware : [middleware]) dropPromise(each);
  const odd: unknown = Array.isArray(middleware) ? middleware.find((each) => !isMiddleware(each)) : middleware;
  throw wrong(`${option} gave ${shown(odd)}`, option, "Return a list of AI SDK middleware");
}

/**
 * Checks an answer after all middleware, each of which can replace it.
 *
 * @throws {ModelError} `callback-return` when the answer has another shape.
 */
export function answerGuard(option: "around" | "within"): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ doGenerate }) => {
      const answer = await doGenerate();
      if (isAnswer(answer)) return answer;
      throw wrong(`middleware in ${option} returned ${shown(answer)}`, option, "Return the result of doGenerate()");
    },
  };
}

/**
 * Checks the answer of a model, which may be the user's own object.
 *
 * @throws {ModelError} `model-output`.
 */
export function checkAnswer(answer: unknown, signature: string): void {
  if (isAnswer(answer)) return;
  throw new ModelError(`Cannot use the model's answer to "${signature}": it is ${shown(answer)}`, {
    code: "model-output",
    path: [signature],
    hint: "Return { content, finishReason, usage, warnings }, as AI SDK models do",
  });
}

/** Wraps a clock to check what it returns. */
export function checkedCallClock(clock: CallClock): CallClock {
  if (!isClock(clock)) {
    dropPromise(clock);
    throw wrong(
      `clock.startCall() returned ${shown(clock)}`,
      "clock",
      "Return a clock with now(), pause() and after()",
    );
  }
  const callback = (name: string, value: unknown) => {
    dropPromise(value);
    if (typeof value !== "function")
      throw wrong(`clock.${name}() returned ${shown(value)}`, "clock", "Return a function");
    return () => void value();
  };
  return {
    now: () => {
      const now: unknown = clock.now();
      if (typeof now === "number" && Number.isFinite(now)) return now;
      dropPromise(now);
      throw wrong(`clock.now() returned ${shown(now)}`, "clock", "Return a number of milliseconds");
    },
    pause: () => callback("pause", clock.pause()),
    after: (ms, done) => callback("after", clock.after(ms, done)),
  };
}

function isClock(value: unknown): boolean {
  return isRecord(value) && ["now", "pause", "after"].every((name) => typeof value[name] === "function");
}

function isMiddleware(value: unknown): value is LanguageModelMiddleware {
  if (!isRecord(value)) return false;
  const given = PARTS.filter((part) => value[part] !== undefined);
  return given.length > 0 && given.every((part) => typeof value[part] === "function");
}

function isAnswer(value: unknown): boolean {
  if (!isRecord(value) || !Array.isArray(value.content) || !value.content.every(isPart)) return false;
  const { finishReason, usage, warnings = [] } = value;
  return (
    isRecord(finishReason) &&
    isRecord(usage) &&
    isCount(usage.inputTokens) &&
    isCount(usage.outputTokens) &&
    Array.isArray(warnings) &&
    warnings.every((warning) => isRecord(warning) && typeof warning.type === "string")
  );
}

function isCount(tokens: unknown): boolean {
  return isRecord(tokens) && (tokens.total === undefined || Number.isFinite(tokens.total));
}

function isPart(part: unknown): boolean {
  if (!isRecord(part) || typeof part.type !== "string") return false;
  if (part.type === "text") return typeof part.text === "string";
  return part.type !== "tool-call" || (typeof part.toolName === "string" && typeof part.input === "string");
}

function wrong(state: string, option: string, hint: string): ModelError {
  return new ModelError(`Cannot call the model: ${state}`, { code: "callback-return", path: [option], hint });
}
