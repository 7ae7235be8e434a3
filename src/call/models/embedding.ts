import type { EmbeddingModel } from "ai";
import { ModelError } from "../../base/errors.ts";
import { SYSTEM_CLOCK } from "../../base/values/mod.ts";
import { aiSdk } from "./ai_sdk.ts";
import { DEFAULT_TRY_TIMEOUT_MS, type RequestOptions } from "./call_options.ts";
import { answerInTime } from "./middleware/mod.ts";
import { compatibleProvider } from "./resolve.ts";

/** An embedding model of the AI SDK, or `provider/model`. */
export type EmbeddingReference = EmbeddingModel;

/** Texts per request. Servers limit them: OpenAI to 2,048, others to less. */
const MOST_TEXTS = 256;

/**
 * Embeds texts with a model: one vector for each, in order.
 *
 * @throws {ModelError} `unknown-model`, `missing-key-variable`, `model-failed`, `model-timeout`, `key-refused`, `aborted`.
 */
export async function embedTexts(
  reference: EmbeddingReference,
  texts: readonly string[],
  {
    tryTimeoutMs = DEFAULT_TRY_TIMEOUT_MS,
    retry = {},
    signal,
  }: Pick<RequestOptions, "tryTimeoutMs" | "retry"> & { readonly signal?: AbortSignal } = {},
): Promise<readonly (readonly number[])[]> {
  const model = typeof reference === "string" ? await namedModel(reference) : reference;
  const { embedMany } = await aiSdk();
  const request = { policy: retry, signature: "embedding", timers: SYSTEM_CLOCK, signal };
  const found: (readonly number[])[] = [];
  for (let from = 0; from < texts.length; from += MOST_TEXTS) {
    const values = texts.slice(from, from + MOST_TEXTS);
    const send = async (abortSignal: AbortSignal) => {
      const { embeddings } = await embedMany({ model, values, maxRetries: 0, abortSignal });
      if (embeddings.length !== values.length) throw missing(values.length, embeddings.length);
      return embeddings;
    };
    found.push(...(await answerInTime(send, { ...request, tryTimeoutMs })));
  }
  return found;
}

async function namedModel(reference: string) {
  const { provider, name } = await compatibleProvider(reference);
  return provider.textEmbeddingModel(name);
}

function missing(asked: number, given: number): ModelError {
  return new ModelError(`Cannot finish "embedding": the model gave ${given} vectors for ${asked} texts`, {
    code: "model-output",
    path: ["embedding"],
    hint: "Use another embedding model",
  });
}
