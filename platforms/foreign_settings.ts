import type { Path } from "../src/base/errors.ts";
import { isRecord, type JsonObject, omit, pick, recordAt } from "../src/base/values/mod.ts";
import type { AgentGraph, Metadata } from "../src/document/graph/mod.ts";
import { RETELL_SERVER_KEYS, VAPI_SERVER_KEYS } from "./server_keys.ts";

/** Keys without an effect on calls: what servers add, names that the graph also has, and records of the importers. */
const NO_SETTINGS = new Set([
  ...[...VAPI_SERVER_KEYS, ...RETELL_SERVER_KEYS, "name", "metadata", "lens", "agent_name", "response_engine"],
  ...["display_position", "begin_tag_display_position", "notes", "is_start", "start"],
]);

/** Keys of a model that the graph models, and settings of a workflow's node that other platforms may lack. */
const MODEL_KEYS = ["provider", "model", "messages", "tools", "toolIds", "systemPrompt"];
const WORKFLOW_NODE_SETTINGS = ["model", "voice", "transcriber", "messagePlan"];

/**
 * Returns the names of another platform's settings that affect calls: `voice`, `model.temperature`,
 * `maxDurationSeconds`. Empty if nothing but the document's spelling is kept.
 *
 * @param settings The value under `owner` in the metadata of a graph, node or tool.
 */
export function settingNames(owner: string, settings: unknown): readonly string[] {
  if (!isRecord(settings)) return [];
  const names = owner === "vapi" ? vapiSettings(settings) : named(settings, ["agent", "rest"]);
  return [...new Set(names)];
}

/** Settings of another platform in a graph or a node. */
export interface ForeignSettings {
  readonly path: Path;
  readonly names: readonly string[];
}

/** Finds the settings of other platforms in a graph and its nodes. `known`: owners and keys that the target has. */
export function foreignSettings(graph: AgentGraph, known: readonly string[]): readonly ForeignSettings[] {
  const kept = [...known, "voicetest", "callweave", "name", "description", "general_prompt", "begin_message"];
  const skipped = [...kept, "start_speaker", "default_dynamic_variables"];
  const find = (path: Path, metadata: Metadata) =>
    Object.entries(metadata).flatMap(([owner, settings]): readonly ForeignSettings[] => {
      const names = skipped.includes(owner) ? [] : settingNames(owner, settings);
      return names.length > 0 ? [{ path: [...path, owner], names }] : [];
    });
  const nodes = Object.values(graph.nodes).map(({ id, metadata }) => find(["nodes", id, "metadata"], metadata));
  return [...find(["source_metadata"], graph.source_metadata), ...nodes.flat()];
}

/** Returns the settings of a graph, node or tool from Vapi. Importers group them by the part of the document. */
function vapiSettings(settings: JsonObject): readonly string[] {
  if (settings.kind === "workflow") return named(omit(settings, ["kind"]));
  const ofTool = named(omit(recordAt(settings, "tool"), ["type", "function", "server", "destinations"]));
  // nodes of workflows have `type` or `of`; assistants have neither
  if (typeof settings.type === "string" || Object.hasOwn(settings, "of"))
    return [...named(pick(settings, WORKFLOW_NODE_SETTINGS)), ...ofTool];
  const parts = ["home", "squad", "call", "tool", "kind"];
  if (!parts.some((part) => Object.hasOwn(settings, part))) return named(settings);
  const home = recordAt(settings, "home");
  const squad = recordAt(settings, "squad");
  const overrides = [home.assistantOverrides, squad.membersOverrides, squad.memberOverrides].filter(isRecord);
  return [
    ...named(recordAt(home, "assistant")),
    ...named(omit(squad, ["members", "membersOverrides", "memberOverrides"])),
    ...overrides.flatMap((each) => named(omit(each, ["variableValues"]))),
    ...ofTool,
  ];
}

/** Whether a value is a blank: the placeholder of Vapi's importers for a value of the graph. */
function isBlank(value: unknown): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}

/** Returns the keys of an object that are settings; for its model and its `parts`, the keys inside. */
function named(settings: JsonObject, parts: readonly string[] = []): readonly string[] {
  return Object.entries(settings).flatMap(([key, value]) => {
    if (NO_SETTINGS.has(key) || value === null || value === undefined || isBlank(value)) return [];
    if (parts.includes(key) && isRecord(value)) return named(value);
    if (key !== "model" || !isRecord(value)) return [key];
    const isOwn = typeof value.model === "string" && value.model !== "";
    const kept = Object.keys(omit(value, MODEL_KEYS)).map((each) => `model.${each}`);
    return [...(isOwn ? ["model.model"] : []), ...kept];
  });
}
