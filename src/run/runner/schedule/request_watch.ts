import type { LanguageModelMiddleware } from "ai";
import { isCallweaveError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/values/mod.ts";
import { isOverloaded, modelName } from "../../../call/models/mod.ts";
import type { AdaptiveLimit } from "./adaptive_limit.ts";

/** Middleware that reports requests to an adaptive limit. */
export interface RequestWatch {
  /** Goes around the run's own request limits. */
  readonly outer: LanguageModelMiddleware;
  /** Goes inside them, next to the request. */
  readonly inner: LanguageModelMiddleware;
}

export interface RequestWatchOptions {
  /** Returns the number of calls that run. */
  readonly running: () => number;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  /** Sends a request as soon as not too many are in flight. */
  readonly gate: <Result>(send: () => PromiseLike<Result>) => Promise<Result>;
  /** Called after a request was reported to the limit. */
  readonly onAnswer: () => void;
}

/**
 * Watches the requests of all calls. Models inside Callweave are ignored, because no server answers them; so are
 * requests that fail for other reasons than too much load.
 */
export function createRequestWatch(
  adaptive: AdaptiveLimit,
  { running, now, gate, onAnswer }: RequestWatchOptions,
): RequestWatch {
  const waiting = new Set<object>();
  return {
    outer: {
      specificationVersion: "v3",
      wrapGenerate: async ({ doGenerate, model, params }) => {
        if (isEmbedded(model)) return await doGenerate();
        waiting.add(params);
        try {
          return await doGenerate();
        } finally {
          waiting.delete(params); // a request that was aborted while it waited
        }
      },
    },
    inner: {
      specificationVersion: "v3",
      wrapGenerate: async ({ doGenerate, model, params }) => {
        if (isEmbedded(model)) return await doGenerate();
        waiting.delete(params);
        return await gate(async () => {
          params.abortSignal?.throwIfAborted(); // aborted while it waited
          const begun = now();
          const epoch = adaptive.begin();
          const end = (refused: boolean) => {
            const kind = `${modelName(model)} ${signatureOf(params.providerOptions)}`;
            const latencyMs = now() - begun;
            adaptive.end({ epoch, kind, latencyMs, refused, running: running(), waiting: waiting.size > 0 });
          };
          try {
            const answer = await doGenerate();
            end(false);
            return answer;
          } catch (error) {
            if (isOverloaded(error)) end(true);
            else if (isCallweaveError(error) && error.code === "model-timeout") end(false); // the slowest of answers
            throw error;
          } finally {
            onAnswer();
          }
        });
      },
    },
  };
}

function isEmbedded({ provider }: { readonly provider: string }): boolean {
  return provider === "callweave";
}

function signatureOf(options: unknown): string {
  const own = isRecord(options) && isRecord(options.callweave) ? options.callweave.signature : undefined;
  return typeof own === "string" ? own : "";
}
