import { own } from "../src/base/values/mod.ts";
import type { AgentGraph } from "../src/document/graph/mod.ts";
import type { Loss } from "./platform.ts";

/** The models that a platform publishes. */
export interface ModelLists {
  /** Names by provider; a list under `""` has names without a provider. */
  readonly models: { readonly [provider: string]: readonly string[] };
  /** Returns the platform's name of a provider; `undefined` for a provider that it does not have. */
  readonly providerOf: (name: string) => string | undefined;
}

/**
 * Converts the default model to the platform's name for it. Platforms spell a model's name in their own ways:
 * `claude-4.6-sonnet`, `anthropic/claude-sonnet-4-6`. A model that the platform does not list is a loss. It is kept only
 * if the graph was imported from the platform, which may have newer models than it publishes.
 */
export function expandModel(
  graph: AgentGraph,
  lists: ModelLists & { readonly title: string },
  isImported: boolean,
  losses: Loss[],
): AgentGraph {
  const { default_model: name, ...rest } = graph;
  if (!name) return graph;
  const lose = (kind: Loss["kind"], message: string, instead: string) => {
    const hint = `Choose a model that ${lists.title} lists, or set it in the platform's own option`;
    losses.push({ code: "unknown-model", kind, path: ["default_model"], message, instead, hint });
  };
  const found = platformModelOf(name, lists);
  if (found === undefined) {
    const message = `${lists.title} does not list the model "${name}"`;
    lose(isImported ? "emulated" : "dropped", message, isImported ? "the name as it is" : `${lists.title}'s default`);
    return isImported ? graph : rest;
  }
  const [, region] = name.split(":");
  if (region && !found.includes(":"))
    lose("emulated", `${lists.title} does not list the model "${name}" with a region`, `"${found}"`);
  return found === name ? graph : { ...rest, default_model: found };
}

/** Returns the platform's name of a model, with its provider if the platform has providers. */
export function platformModelOf(name: string, { models, providerOf }: ModelLists): string | undefined {
  const slash = name.indexOf("/");
  const given = slash < 0 ? undefined : name.slice(0, slash);
  const model = name.slice(slash + 1);
  const plain = own(models, "");
  if (plain) return listed(plain, model.slice(model.lastIndexOf("/") + 1));
  if (given !== undefined) {
    const provider = providerOf(given);
    const names = provider === undefined ? undefined : own(models, provider);
    // providers without a list accept any name; the emitter routes models of unknown providers
    if (provider === undefined || names === undefined) return name;
    const found = listed(names, model);
    return found && `${provider}/${found}`;
  }
  for (const find of [exactly, listed])
    for (const [provider, names] of Object.entries(models)) {
      const found = find(names, model);
      if (found !== undefined) return `${provider}/${found}`;
    }
  return undefined;
}

const exactly = (names: readonly string[], model: string) => names.find((each) => each === model);

/** Returns the name in a list that means a model. Of several dated versions, the last one listed. */
function listed(names: readonly string[], model: string): string | undefined {
  const wanted = meaningOf(model);
  return exactly(names, model) ?? names.findLast((each) => !each.includes(":") && meaningOf(each) === wanted);
}

/** Returns the words and numbers of a model's name, without a region, a date, a `preview` mark and a version's `.0`. */
function meaningOf(model: string): string {
  const plain = model
    .toLowerCase()
    .replace(/:.*$/s, "")
    .replace(/-(?:\d{8}|\d{4}-\d\d-\d\d)$/, "")
    .replace(/-(?:preview|latest)$/, "")
    .replace(/(\d)\.0(?!\d)/g, "$1");
  const parts = plain.split(/[^a-z0-9]+/).filter((part) => part !== "");
  const [numbers, words] = [/^\d/, /^\D/].map((kind) => parts.filter((part) => kind.test(part)));
  return JSON.stringify([words?.sort(), numbers]);
}
