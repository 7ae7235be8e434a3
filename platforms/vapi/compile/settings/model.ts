import type { Path } from "../../../../src/base/errors.ts";
import { type JsonObject, omit } from "../../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import { type Fault, modelProvider, needsOnlyModel } from "../../api/mod.ts";
import { modelKeys } from "../../shared/mod.ts";
import type { LossList } from "../common/mod.ts";

/** Model of a member if the graph has none: the default of Vapi's documentation. */
export const DEFAULT_MODEL = { provider: "openai", model: "gpt-4.1" } as const;

/** Converts `provider/model`. Models of a provider that Vapi does not support are requested through OpenRouter. */
export function emitModel(name: string | null | undefined, losses: LossList) {
  if (!name) return DEFAULT_MODEL;
  const [given = "", ...rest] = name.split("/");
  if (rest.length === 0) return { ...DEFAULT_MODEL, model: name }; // imported from Vapi, and not listed
  const provider = modelProvider(given);
  if (provider !== undefined && needsOnlyModel(provider)) return { provider, model: rest.join("/") };
  losses.add("model-provider", ["default_model"], given, name);
  return { provider: "openrouter", model: name };
}

/**
 * Adds the graph's default to a model from another of Vapi's formats if its name is blank or missing. Models of a
 * provider that Vapi does not support are requested through OpenRouter.
 */
export function routeModel(model: JsonObject, graph: AgentGraph, at: Path, faults: Fault[]): JsonObject {
  const name = graph.default_model ?? "";
  const given = name ? modelKeys(name) : {};
  const own = model.model === "" ? { ...omit(model, ["model"]), ...given } : model;
  const named: JsonObject = { ...(name.includes("/") ? given : {}), ...own };
  const { provider } = named;
  if (typeof provider !== "string" || typeof named.model !== "string" || modelProvider(provider)) return named;
  const routed = { provider: "openrouter", model: `${provider}/${named.model}` };
  faults.push({
    kind: "emulated",
    at: [...at, "provider"],
    message: `Vapi does not support the provider "${provider}"`,
    instead: `the model "${routed.model}" of the provider "openrouter"`,
    hint: "Choose a provider that Vapi supports",
  });
  return { ...named, ...routed };
}
