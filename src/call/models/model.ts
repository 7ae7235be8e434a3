import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { LanguageModel } from "ai";
import { ModelError } from "../../base/errors.ts";
import { isRecord, shown } from "../../base/values/mod.ts";

/** Any language model of the AI SDK, or a `provider/model` string. */
export type ModelReference = LanguageModel | string;

/** A model that can be called: the AI SDK's object, never a string. */
export type Model = Exclude<LanguageModel, string>;

/** The models of a run. */
export interface Models {
  /** Decides, extracts and speaks for the agent. */
  readonly agent: ModelReference;
  /** Plays the caller of scenarios that have a persona. Absent: the agent's model. */
  readonly caller?: ModelReference;
  /** Judges. Absent: the agent's model. */
  readonly judge?: ModelReference;
}

/** Returns the name of a model in results: `openai/gpt-5`, `callweave/offline`. */
export function modelName(reference: ModelReference): string {
  if (typeof reference === "string") return reference;
  const { provider, modelId } = asModel(reference);
  const dot = provider.indexOf(".");
  return `${dot < 0 ? provider : provider.slice(0, dot)}/${modelId}`;
}

/**
 * Checks that a value is a model.
 *
 * @throws {ModelError} `unknown-model`.
 */
export function asModel(given: unknown): Model {
  if (isModel(given)) return given;
  const called = typeof given === "function" ? "a function, not the model that it makes" : shown(given);
  throw new ModelError(`Cannot use the model: it is ${called}`, {
    code: "unknown-model",
    hint: 'Pass "provider/model", "offline", or a model of the AI SDK such as openai("gpt-5-mini")',
  });
}

function isModel(given: unknown): given is Model {
  return isRecord(given) && typeof given.doGenerate === "function" && typeof given.provider === "string";
}

/** Creates a model that runs inside Callweave. */
export function embeddedModel(modelId: string, doGenerate: LanguageModelV3["doGenerate"]): LanguageModelV3 {
  return {
    specificationVersion: "v3",
    provider: "callweave",
    modelId,
    supportedUrls: {},
    doGenerate,
    doStream: async (options) => {
      const { content, finishReason, usage, warnings } = await doGenerate(options);
      return {
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: "stream-start", warnings });
            for (const [index, part] of content.entries()) {
              if (part.type === "text") {
                const id = String(index);
                controller.enqueue({ type: "text-start", id });
                controller.enqueue({ type: "text-delta", id, delta: part.text });
                controller.enqueue({ type: "text-end", id });
              } else if (part.type === "tool-call") controller.enqueue(part);
            }
            controller.enqueue({ type: "finish", finishReason, usage });
            controller.close();
          },
        }),
      };
    },
  };
}
