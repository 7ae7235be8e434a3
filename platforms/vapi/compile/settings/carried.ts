import type { Path } from "../../../../src/base/errors.ts";
import { isRecord, type JsonObject, omit, quotedList, recordAt } from "../../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../src/document/graph/mod.ts";
import {
  type Fault,
  fitModel,
  fitSettings,
  modelProvider,
  needsOnlyModel,
  settingKeys,
  withUnknownKeys,
} from "../../api/mod.ts";
import { modelKeys } from "../../shared/mod.ts";
import { VAPI_SERVER_KEYS } from "../../traits/mod.ts";
import type { LossList } from "../common/mod.ts";

/** Keys of a model that the graph models. */
const PROMPT_KEYS = ["messages", "systemPrompt", "systemMessage", "tools", "functions"];

/** Keys of an assistant that the graph models or that Vapi's server adds. */
const HELD_BY_ASSISTANT: readonly string[] = [
  ...VAPI_SERVER_KEYS,
  ...["name", "model", "metadata", "firstMessage", "firstMessageMode", "systemPrompt", "tools", "functions"],
  ...["tools:append", "serverUrl"],
];

/** Keys of a workflow and its nodes that the graph models or that Vapi's server adds. */
const HELD_BY_WORKFLOW: readonly string[] = [
  ...VAPI_SERVER_KEYS,
  ...["kind", "of", "membersOverrides", "name", "nodes", "edges", "globalPrompt", "model", "metadata", "type"],
  ...["prompt", "systemPrompt", "instructions", "literalTemplate", "exact", "isStart", "globalNodePlan", "isGlobal"],
  ...["condition", "enterCondition", "variableExtractionPlan", "extractVariables", "output", "tools", "toolIds"],
  ...["tool", "toolId", "messages", "destination", "url", "method", "headers", "body", "messagePlan"],
  ...["firstMessage", "position"],
];

const TODAYS_PLACES =
  "Set its replacement in Vapi's API: hooks for silence and idle messages, plans for turn-taking and artifacts";

/** An object in another of Vapi's formats with settings for a node. */
interface Part {
  readonly raw: JsonObject;
  readonly at: Path;
}

/** Whether the graph was imported from a squad or an assistant, so that `metadata.vapi` contains their JSON. */
export const isOwnDocument = ({ source_type }: AgentGraph) =>
  source_type === "vapi-squad" || source_type === "vapi-assistant";

/** Whether the graph was imported from a workflow, so that `metadata.vapi` contains its JSON. */
export const isWorkflow = (graph: AgentGraph) => recordAt(graph.source_metadata, "vapi").kind === "workflow";

/**
 * Converts a node's settings from another of Vapi's formats to settings that the current API accepts for an assistant.
 *
 * @param faults Receives the settings that were changed or removed.
 */
export function carriedSettings(graph: AgentGraph, node: AgentNode, faults: Fault[]): JsonObject {
  const parts = partsOf(graph, node);
  const settings = parts.map((part) => settingsOf(part, graph, faults));
  const model = modelOf(parts, graph, faults);
  return { ...Object.assign({}, ...settings), ...(Object.keys(model).length > 0 ? { model } : {}) };
}

/** Reports settings from another format that were changed or removed. */
export function reportFaults(
  faults: readonly Fault[],
  losses: LossList,
  dropped: "setting-dropped" | "tool-dropped" | "workflow-settings" = "setting-dropped",
): void {
  const emulated = dropped === "workflow-settings" ? dropped : "setting-corrected";
  for (const fault of faults) losses.add(fault.kind === "dropped" ? dropped : emulated, fault.at, fault);
}

/**
 * Returns a node's settings from another of Vapi's formats that assistants do not support.
 *
 * @param isSpoken Whether the node has an assistant. A workflow's node without one also loses settings of assistants.
 */
export function lostSettings(graph: AgentGraph, node: AgentNode, isSpoken: boolean): readonly Fault[] {
  if (!isSpoken && !isWorkflow(graph)) return [];
  const held = isOwnDocument(graph) ? HELD_BY_ASSISTANT : HELD_BY_WORKFLOW;
  const isHeld = (key: string) =>
    held.includes(key) || (isSpoken && (isOwnDocument(graph) || settingKeys().includes(key)));
  return partsOf(graph, node)
    .slice(isSpoken ? 0 : 1)
    .flatMap(({ raw, at }): readonly Fault[] => {
      const own = Object.keys(raw).filter((key) => raw[key] !== null && !isHeld(key));
      const plan = Object.keys(recordAt(raw, "messagePlan")).filter((key) => key !== "firstMessage");
      const { messages } = recordAt(raw, "model");
      const more = Array.isArray(messages) && messages.length > 1 ? ["model.messages after the first"] : [];
      const keys = isSpoken ? [...own, ...plan.map((key) => `messagePlan.${key}`), ...more] : own;
      const message = `Assistants have no ${quotedList(keys)}`;
      return keys.length > 0 ? [{ kind: "dropped", at, message, hint: TODAYS_PLACES }] : [];
    });
}

/** Returns the objects in the order in which Vapi applies them: later ones override earlier ones. */
function partsOf(graph: AgentGraph, node: AgentNode): readonly Part[] {
  const head = recordAt(graph.source_metadata, "vapi");
  const kept = recordAt(node.metadata, "vapi");
  const part = (owner: JsonObject, at: Path, ...keys: readonly string[]): Part => ({
    raw: keys.reduce(recordAt, owner),
    at: [...at, ...keys],
  });
  const [top, own] = [
    ["source_metadata", "vapi"],
    ["nodes", node.id, "metadata", "vapi"],
  ];
  if (isWorkflow(graph)) return [part(head, top), part(kept, own)];
  if (!isOwnDocument(graph) || !isRecord(kept.home)) return [];
  return [
    part(kept, own, "home", "assistant"),
    part(kept, own, "home", "assistantOverrides"),
    part(head, top, "squad", "membersOverrides"),
  ];
}

function settingsOf({ raw, at }: Part, graph: AgentGraph, faults: Fault[]): JsonObject {
  const isOwn = isOwnDocument(graph);
  const isKept = (key: string) => (isOwn ? !HELD_BY_ASSISTANT.includes(key) : settingKeys().includes(key));
  const kept = Object.fromEntries(Object.entries(raw).filter(([key, value]) => isKept(key) && value !== null));
  if (!isOwn) return fitSettings(kept, at, faults);
  const found: Fault[] = [];
  const fitted = withUnknownKeys(fitSettings(kept, at, found), kept, at, found);
  faults.push(...found);
  // the emitter writes the graph's metadata again
  const metadata = omit(recordAt(raw, "metadata"), ["callweave"]);
  return { ...fitted, ...serverOf(raw, at, faults), ...(Object.keys(metadata).length > 0 ? { metadata } : {}) };
}

/** Converts `serverUrl`, which `server` has replaced. */
function serverOf({ server, serverUrl }: JsonObject, at: Path, faults: Fault[]): JsonObject {
  if (typeof serverUrl !== "string" || serverUrl === "" || isRecord(server)) return {};
  const message = 'Vapi has no "serverUrl" any more';
  faults.push({ kind: "emulated", at: [...at, "serverUrl"], message, instead: "server.url" });
  return { server: { url: serverUrl } };
}

function modelOf(parts: readonly Part[], graph: AgentGraph, faults: Fault[]): JsonObject {
  const named = parts.filter(({ raw }) => isRecord(raw.model));
  const raw: JsonObject = Object.assign({}, ...named.map((part) => recordAt(part.raw, "model")));
  const at = [...(named.at(-1)?.at ?? []), "model"];
  const model = omit(raw, isOwnDocument(graph) ? PROMPT_KEYS : [...PROMPT_KEYS, "toolIds"]);
  if (Object.keys(model).length === 0) return {};
  const routed = routeModel(model, graph, at, faults);
  const found: Fault[] = [];
  const fitted = fitModel(routed, at, found);
  const whole = isOwnDocument(graph) ? withUnknownKeys(fitted, routed, at, found) : fitted;
  faults.push(...found);
  return whole;
}

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
function routeModel(model: JsonObject, graph: AgentGraph, at: Path, faults: Fault[]): JsonObject {
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
