import type { Path } from "../../../../src/errors.ts";
import type { AgentGraph } from "../../../../src/graph/mod.ts";
import { type JsonObject, omit } from "../../../../src/values/mod.ts";
import { type Fault, modelProvider, needsOnlyModel } from "../../api/mod.ts";
import type { LossList } from "../common/mod.ts";

/** The model of a member when the graph names none: the one that Vapi's documentation starts from. */
export const DEFAULT_MODEL = { provider: "openai", model: "gpt-4.1" } as const;

/** Providers of models that are named without one. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^claude/, "anthropic"],
  [/^gemini/, "google"],
  [/^grok/, "xai"],
  [/^deepseek/, "deep-seek"],
];

/** A model as Vapi's assistants name it. */
interface ModelName {
  readonly provider: string;
  readonly model: string;
}

/**
 * Converts a `provider/model` string, or a platform's bare model name. OpenRouter stands in for a provider that Vapi
 * does not have.
 */
export function emitModel(name: string | null | undefined, path: Path, losses: LossList): ModelName {
  if (!name) return DEFAULT_MODEL;
  const given = splitName(name);
  if (!given) {
    return { provider: FAMILIES.find(([family]) => family.test(name))?.[1] ?? DEFAULT_MODEL.provider, model: name };
  }
  const provider = modelProvider(given.provider);
  if (provider !== undefined && needsOnlyModel(provider)) return { ...given, provider };
  losses.add("model-provider", path, given.provider, name);
  return { provider: "openrouter", model: name };
}

/**
 * Completes a model from another of Vapi's formats with the graph's default, where it has a blank or nothing. OpenRouter
 * stands in for a provider that Vapi does not have.
 */
export function routeModel(model: JsonObject, graph: AgentGraph, at: Path, faults: Fault[]): JsonObject {
  const name = graph.default_model ?? "";
  const shared = splitName(name);
  const blank = shared ?? (name ? { model: name } : {});
  const named: JsonObject = { ...shared, ...(model.model === "" ? { ...omit(model, ["model"]), ...blank } : model) };
  const { provider } = named;
  if (typeof provider !== "string" || typeof named.model !== "string" || modelProvider(provider)) return named;
  const routed = { provider: "openrouter", model: `${provider}/${named.model}` };
  faults.push({
    kind: "emulated",
    at: [...at, "provider"],
    message: `Vapi has no provider "${provider}"`,
    instead: `the model "${routed.model}" of the provider "openrouter"`,
    hint: "Choose a provider that Vapi has",
  });
  return { ...named, ...routed };
}

function splitName(name: string): ModelName | undefined {
  const [provider = "", ...rest] = name.split("/");
  return rest.length > 0 ? { provider, model: rest.join("/") } : undefined;
}
