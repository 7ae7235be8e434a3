import type { Path } from "../../src/base/errors.ts";
import { isRecord, omit, own } from "../../src/base/values/mod.ts";
import type { AgentGraph, Metadata, ToolDefinition } from "../../src/document/graph/mod.ts";
import type { PlatformTraits, RequestWriter } from "../facts.ts";
import { settingsIn } from "../setting_names.ts";
import { ALL_TRAITS } from "./all_traits.ts";
import { carriedRequest } from "./requests.ts";

/** Keys of metadata that are no owners of settings. */
const NO_OWNERS = [
  ...["voicetest", "callweave", "name", "description", "general_prompt", "begin_message"],
  ...["start_speaker", "default_dynamic_variables"],
];

/** Keys with which documents tell their edges apart and refer to nodes. */
const EDGE_KEYS = ["id", "from", "to", "general", "repeated", "destination_node_id", "transition_condition"];

/** Settings of another platform in a graph, a node, a transition or the setting of a global node. */
export interface ForeignSettings {
  readonly path: Path;
  readonly names: readonly string[];
}

/**
 * Finds the settings of other platforms in a graph, its nodes, their transitions and settings of global nodes.
 *
 * @param known Owners and keys that the target has.
 */
export function foreignSettings(graph: AgentGraph, known: readonly string[]): readonly ForeignSettings[] {
  const skipped = [...known, ...NO_OWNERS];
  const find = (path: Path, metadata: Metadata) =>
    Object.entries(metadata).flatMap(([owner, settings]): readonly ForeignSettings[] => {
      const names = skipped.includes(owner) ? [] : settingNames(owner, settings);
      return names.length > 0 ? [{ path: [...path, owner], names }] : [];
    });
  const nodes = Object.values(graph.nodes).flatMap(({ id, metadata, transitions, global_node_setting: setting }) => {
    const at = ["nodes", id];
    const edges = transitions.flatMap((each, index) =>
      find([...at, "transitions", index, "metadata"], withoutEdgeKeys(each.metadata ?? {})),
    );
    const ofGlobal = find([...at, "global_node_setting", "metadata"], setting?.metadata ?? {});
    return [...find([...at, "metadata"], metadata), ...edges, ...ofGlobal];
  });
  return [...find(["source_metadata"], graph.source_metadata), ...nodes];
}

function withoutEdgeKeys(metadata: Metadata): Metadata {
  const entries = Object.entries(metadata).map(([owner, settings]) => [
    owner,
    isRecord(settings) ? omit(settings, EDGE_KEYS) : settings,
  ]);
  return Object.fromEntries(entries);
}

/** Settings of another platform in a tool. */
export interface ForeignToolSettings extends ForeignSettings {
  readonly tool: ToolDefinition;
}

/**
 * Finds the settings of other platforms in the tools of a graph, except for where a transfer leads, and for the parts of
 * requests that the target writes.
 *
 * @param known Owners that the target has, its own name first.
 */
export function foreignToolSettings(
  graph: AgentGraph,
  known: readonly string[],
  write?: RequestWriter,
): readonly ForeignToolSettings[] {
  return Object.values(graph.nodes).flatMap(({ id, tools }) =>
    tools.flatMap((tool, index) => settingsOfTool(tool, ["nodes", id, "tools", index], known, write)),
  );
}

/** The same for one tool, at a path. */
export function settingsOfTool(
  tool: ToolDefinition,
  path: Path,
  known: readonly string[],
  write?: RequestWriter,
): readonly ForeignToolSettings[] {
  const [target = ""] = known;
  const skipped = [...known, ...NO_OWNERS];
  const carried = write ? carriedRequest(tool, target, write) : [];
  return Object.entries(tool.metadata ?? {}).flatMap(([owner, settings]): readonly ForeignToolSettings[] => {
    if (skipped.includes(owner) || !isRecord(settings)) return [];
    const traits = own<PlatformTraits>(ALL_TRAITS, owner);
    const all = traits ? traits.toolSettingNames(settings) : settingNames(owner, settings);
    const places = traits?.destinations.places ?? [];
    const isCarried = (name: string) => carried.some((part) => part.owner === owner && part.setting === name);
    const names = all.filter((name) => !places.some((at) => at.at(-1) === name) && !isCarried(name));
    return names.length > 0 ? [{ path: [...path, "metadata", owner], names, tool }] : [];
  });
}

/** Names of the settings of an owner, which may be a platform that is not known here. */
function settingNames(owner: string, settings: unknown): readonly string[] {
  if (!isRecord(settings)) return [];
  const traits: PlatformTraits | undefined = own<PlatformTraits>(ALL_TRAITS, owner);
  return [...new Set(traits ? traits.settingNames(settings) : settingsIn(settings, SERVER_KEYS, ["agent", "rest"]))];
}

const SERVER_KEYS = Object.values(ALL_TRAITS).flatMap(({ serverKeys }) => serverKeys);
