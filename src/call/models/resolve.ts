import { env } from "node:process";
import type { OpenAIProvider } from "@ai-sdk/openai";
import { ModelError } from "../../base/errors.ts";
import { boundedFetch } from "../../base/http/mod.ts";
import { asModel, type Model, type ModelReference } from "./model.ts";
import { offline } from "./offline.ts";

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
 * `ollama`, `lmstudio` and `vllm` default to their local addresses.
 *
 * @throws {ModelError} `unknown-model`, `missing-key-variable`.
 */
export async function resolveModel(reference: ModelReference): Promise<Model> {
  if (typeof reference !== "string") return asModel(reference);
  if (reference === "offline" || reference === "callweave/offline") return offline();
  const { provider, name } = await compatibleProvider(reference);
  // every compatible server supports the chat-completions API
  return provider.chat(name);
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

/**
 * The provider and the model's name of a `provider/NAME` reference, see {@link resolveModel}.
 *
 * @throws {ModelError} `unknown-model`, `missing-key-variable`.
 */
export async function compatibleProvider(
  reference: string,
): Promise<{ readonly provider: OpenAIProvider; readonly name: string }> {
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
  const { createOpenAI } = await import("@ai-sdk/openai");
  const bounded = boundedFetch({
    mostBytes: MOST_BYTES,
    fail: (state) =>
      new ModelError(`Cannot use model "${reference}": its server ${state}`, {
        code: "model-failed",
        hint: "Set the base URL of the provider to where its API is",
      }),
  });
  return { provider: createOpenAI({ name: provider, fetch: bounded, ...connection(provider, reference) }), name };
}

function connection(provider: string, reference: string): { apiKey: string; baseURL?: string } {
  const prefix = provider.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
  const apiKey = env[`${prefix}_API_KEY`];
  const baseURL = env[`${prefix}_BASE_URL`] ?? LOCAL_SERVERS.get(provider);
  if (baseURL) {
    if (!isHttp(baseURL)) throw noAddress(reference, `${prefix}_BASE_URL`);
    return { baseURL, apiKey: apiKey ?? "none" };
  }
  if (provider !== "openai") {
    throw new ModelError(`Cannot use model "${reference}": the URL of "${provider}" is unknown`, {
      code: "unknown-model",
      hint: `Set ${prefix}_BASE_URL to its OpenAI-compatible URL, or pass an AI SDK model`,
    });
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
