import type { Path } from "../../../../src/errors.ts";
import { modelProvider, needsOnlyModel } from "../../api/mod.ts";
import type { LossList } from "../common/mod.ts";

/** What a member runs on when the graph names nothing: the model that Vapi's documentation starts from. */
export const DEFAULT_MODEL = { provider: "openai", model: "gpt-4.1" } as const;

/** Providers of models that are named without one. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^claude/, "anthropic"],
  [/^gemini/, "google"],
  [/^grok/, "xai"],
  [/^deepseek/, "deep-seek"],
];

/** Provider and model as Vapi's assistants name them. */
export interface ModelName {
  readonly provider: string;
  readonly model: string;
}

/**
 * A `provider/model` string, or a platform's bare model name, as Vapi writes it. A provider that Vapi does not have is
 * reached through OpenRouter.
 */
export function emitModel(name: string | null | undefined, path: Path, losses: LossList): ModelName {
  if (!name) return DEFAULT_MODEL;
  const slash = name.indexOf("/");
  if (slash < 0) {
    return { provider: FAMILIES.find(([family]) => family.test(name))?.[1] ?? DEFAULT_MODEL.provider, model: name };
  }
  const provider = modelProvider(name.slice(0, slash));
  if (provider !== undefined && needsOnlyModel(provider)) return { provider, model: name.slice(slash + 1) };
  losses.emulated(
    "model-provider",
    path,
    `Vapi has no provider "${name.slice(0, slash)}"`,
    `the model "${name}" of the provider "openrouter"`,
    "Set the model under metadata.vapi of the node, or choose a provider that Vapi has",
  );
  return { provider: "openrouter", model: name };
}
