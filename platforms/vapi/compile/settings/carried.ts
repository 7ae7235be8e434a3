import type { Path } from "../../../../src/errors.ts";
import type { AgentGraph, AgentNode } from "../../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, recordAt } from "../../../../src/values/mod.ts";
import { type Fault, fitModel, fitSettings, modelProvider, settingKeys } from "../../api/mod.ts";
import { HELD_BY_ASSISTANT, HELD_BY_WORKFLOW, PROMPT_KEYS } from "./extras_keys.ts";

/** Formats that keep their own document under `metadata.vapi`, in which it is no wish of an author. */
const OWN_DOCUMENTS = ["vapi-squad", "vapi-assistant"];

/** One object of another of Vapi's formats whose settings hold for a node. */
interface Part {
  readonly raw: JsonObject;
  readonly at: Path;
}

/** Whether what a graph keeps for Vapi is a squad or an assistant that it was read from. */
export const isOwnDocument = (graph: AgentGraph) => OWN_DOCUMENTS.includes(graph.source_type);

/** Whether what a graph keeps for Vapi is a workflow that it was read from. */
export const isWorkflow = (graph: AgentGraph) => recordAt(graph.source_metadata, "vapi").kind === "workflow";

/**
 * The settings that a node brings along from another of Vapi's formats, held to what an assistant of today may have.
 *
 * @param faults Gets what could not stay as it was.
 */
export function carriedSettings(graph: AgentGraph, node: AgentNode, faults: Fault[]): JsonObject {
  const parts = partsOf(graph, node);
  const settings = parts.map((part) => settingsOf(part, graph, faults));
  const model = modelOf(parts, graph, faults);
  return { ...Object.assign({}, ...settings), ...(Object.keys(model).length > 0 ? { model } : {}) };
}

/** What of a node's settings in another of Vapi's formats has no place in an assistant of today. */
export function lostSettings(graph: AgentGraph, node: AgentNode): readonly { at: Path; keys: readonly string[] }[] {
  const held = isOwnDocument(graph) ? HELD_BY_ASSISTANT : HELD_BY_WORKFLOW;
  return partsOf(graph, node).flatMap(({ raw, at }) => {
    const plan = Object.keys(recordAt(raw, "messagePlan")).filter((key) => key !== "firstMessage");
    const own = Object.entries(raw).filter(([key, value]) => value !== null && !isKnown(key, held));
    const { messages } = recordAt(raw, "model");
    const more = Array.isArray(messages) && messages.length > 1 ? ["model.messages after the first"] : [];
    const keys = [...own.map(([key]) => key), ...plan.map((key) => `messagePlan.${key}`), ...more];
    return keys.length > 0 ? [{ at, keys }] : [];
  });
}

/** What a workflow's node has besides that only an assistant could have, when it is a tool or a guard of others. */
export function lostOfTool(graph: AgentGraph, node: AgentNode): readonly { at: Path; keys: readonly string[] }[] {
  const [, part] = isWorkflow(graph) ? partsOf(graph, node) : [];
  const keys = Object.entries(part?.raw ?? {}).flatMap(([key, value]) =>
    value === null || HELD_BY_WORKFLOW.includes(key) ? [] : [key],
  );
  return part && keys.length > 0 ? [{ at: part.at, keys }] : [];
}

const isKnown = (key: string, held: readonly string[]) => settingKeys().includes(key) || held.includes(key);

/** In the order in which Vapi applies them: the last one that says something counts. */
function partsOf(graph: AgentGraph, node: AgentNode): readonly Part[] {
  const head = recordAt(graph.source_metadata, "vapi");
  const kept = recordAt(node.metadata, "vapi");
  const top = ["source_metadata", "vapi"];
  const own = ["nodes", node.id, "metadata", "vapi"];
  if (isOwnDocument(graph)) {
    const home = recordAt(kept, "home");
    if (!isRecord(kept.home)) return [];
    const squad = recordAt(head, "squad");
    return [
      { raw: recordAt(home, "assistant"), at: [...own, "home", "assistant"] },
      { raw: recordAt(home, "assistantOverrides"), at: [...own, "home", "assistantOverrides"] },
      { raw: recordAt(squad, "membersOverrides"), at: [...top, "squad", "membersOverrides"] },
    ];
  }
  if (!isWorkflow(graph)) return [];
  return [
    { raw: head, at: top },
    { raw: kept, at: own },
  ];
}

function settingsOf({ raw, at }: Part, graph: AgentGraph, faults: Fault[]): JsonObject {
  const kept = Object.entries(raw).filter(([key, value]) => settingKeys().includes(key) && value !== null);
  const fitted = fitSettings(Object.fromEntries(kept), at, faults);
  if (!isOwnDocument(graph)) return fitted;
  // which part of a graph it stood for, Callweave says anew
  const metadata = omit(recordAt(raw, "metadata"), ["callweave"]);
  return { ...fitted, ...serverOf(raw, at, faults), ...(Object.keys(metadata).length > 0 ? { metadata } : {}) };
}

/** Where assistants had their server before it was an object. */
function serverOf(raw: JsonObject, at: Path, faults: Fault[]): JsonObject {
  const { server, serverUrl } = raw;
  if (typeof serverUrl !== "string" || serverUrl === "" || isRecord(server)) return {};
  faults.push({
    kind: "emulated",
    at: [...at, "serverUrl"],
    message: 'Vapi has no "serverUrl" any more',
    instead: "server.url",
  });
  return { server: { url: serverUrl } };
}

function modelOf(parts: readonly Part[], graph: AgentGraph, faults: Fault[]): JsonObject {
  const named = parts.filter(({ raw }) => isRecord(raw.model));
  const raw: JsonObject = Object.assign({}, ...named.map((part) => recordAt(part.raw, "model")));
  const at = [...(named.at(-1)?.at ?? []), "model"];
  const model = omit(raw, isOwnDocument(graph) ? PROMPT_KEYS : [...PROMPT_KEYS, "toolIds"]);
  if (Object.keys(model).length === 0) return {};
  return fitModel(withName(withDefault(model, graph), graph, at, faults), at, faults);
}

/** Where a member has a blank for its model, the graph's default holds. */
function withDefault(model: JsonObject, { default_model: name }: AgentGraph): JsonObject {
  if (model.model !== "") return model;
  const [provider, ...rest] = (name ?? "").split("/");
  const isWhole = rest.length > 0;
  return {
    ...omit(model, ["model"]),
    ...(isWhole ? { provider, model: rest.join("/") } : name ? { model: name } : {}),
  };
}

/** A model of a provider that Vapi does not have is reached through OpenRouter. */
function withName(model: JsonObject, graph: AgentGraph, at: Path, faults: Fault[]): JsonObject {
  const [family = "", ...rest] = (graph.default_model ?? "").split("/");
  const shared = rest.length > 0 ? { provider: family, model: rest.join("/") } : {};
  const named: JsonObject = { ...shared, ...model };
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
