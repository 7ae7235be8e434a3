import type { Path } from "../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, omit, own, recordAt, sameJson } from "../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, Finding, Metadata, ToolDefinition } from "../../src/document/graph/mod.ts";
import type { CallMoment, Destination, PlatformTraits, RequestPart, RequestWriter } from "../facts.ts";
import { findingsOf } from "../findings.ts";
import { headersPart, methodPart, timeoutPart } from "../request_parts.ts";
import { settingsIn } from "../setting_names.ts";
import { ALL_TRAITS } from "./all_traits.ts";

/**
 * Returns values for the platforms' own variables, as they are at the start of a call. Variables that change during a
 * call, such as the agent's state, the session duration and the transcript, are left out.
 */
export function systemValues(names: ReadonlySet<string>, moment: CallMoment): { readonly [name: string]: string } {
  return Object.fromEntries(
    [...names].flatMap((name) => {
      for (const { variables } of Object.values(ALL_TRAITS)) {
        const value = variables.valueOf(name, moment);
        if (value !== undefined) return [[name, value] as const];
      }
      return [];
    }),
  );
}

/** Keys of metadata that are no owners of settings. */
const NO_OWNERS = [
  ...["voicetest", "callweave", "name", "description", "general_prompt", "begin_message"],
  ...["start_speaker", "default_dynamic_variables"],
];

/** Whether a key of metadata is the owner of settings, such as a platform. */
export const isOwner = (key: string): boolean => !NO_OWNERS.includes(key);

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
  // the target's own settings take precedence
  const request = { ...requestSettings(carried), ...recordAt(tool.metadata ?? {}, target) };
  const isWritten = (part: JsonObject) => Object.entries(part).every(([key, value]) => sameJson(request[key], value));
  return Object.entries(tool.metadata ?? {}).flatMap(([owner, settings]): readonly ForeignToolSettings[] => {
    if (skipped.includes(owner) || !isRecord(settings)) return [];
    const traits = own<PlatformTraits>(ALL_TRAITS, owner);
    const all = traits ? traits.toolSettingNames(settings) : settingNames(owner, settings);
    const places = traits?.destinations.places ?? [];
    const isCarried = (name: string) =>
      carried.some((each) => each.owner === owner && each.setting === name && isWritten(each.written));
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

/** A transfer node, or a tool that transfers. */
export type Transfer = Pick<ToolDefinition, "metadata"> &
  Partial<Pick<AgentNode, "node_type" | "tools" | "transfer_to">>;

const TARGET_KEYS = ["type", "number", "to", "extension", "prompt", "numberE164CheckEnabled", "sipUri", "sip_address"];
const ASSISTANT_KEYS = ["assistantId", "assistantName"];

/** Keys with a number or an address, by precedence. */
const PLACE_KEYS = ["sipUri", "number", "to", "sip_address"];

/** Keys of a destination that change with its number, address or assistant. */
export const ADDRESS_KEYS = [...TARGET_KEYS, ...ASSISTANT_KEYS];

/** Types of destinations without a number or an address, and their keys. */
const NUMBERLESS: { readonly [type: string]: readonly string[] } = { assistant: ASSISTANT_KEYS, inferred: ["prompt"] };

const textOf = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value : undefined);
/** Whether a text is a telephone number in E.164 form. */
export const isE164 = (to: string) => /^\+[1-9]\d{1,14}$/.test(to);

/** Whether a tool transfers the call. */
export function isTransferTool({ type, metadata }: ToolDefinition): boolean {
  return Object.entries(ALL_TRAITS).some(
    ([
      owner,
      {
        destinations: { toolTypes },
      },
    ]) => {
      const types: readonly unknown[] = toolTypes;
      return types.includes(type) || types.includes(getAt(metadata, [owner, "type"]));
    },
  );
}

/** Whether a tool transfers the call and is not saved in the organisation, which then knows its destination. */
export function isOpenTool(tool: ToolDefinition): boolean {
  const isSaved = Object.keys(ALL_TRAITS).some((owner) => typeof getAt(tool.metadata, [owner, "toolId"]) === "string");
  return isTransferTool(tool) && !isSaved;
}

/** Whether a transfer node needs no number: it hands the call to another agent, or to the one that waits. */
function isPlaceless({ metadata }: Pick<AgentNode, "metadata">): boolean {
  return Object.entries(ALL_TRAITS).some(([owner, { destinations }]) =>
    destinations.isPlaceless(recordAt(metadata, owner)),
  );
}

/** Returns the destinations that an owner's settings of a node or tool contain; of a node, also those of its tools. */
export function destinationsOf({ metadata, node_type: type, tools }: Transfer, owner: string): readonly Destination[] {
  const own = destinationsIn(metadata ?? {}, owner);
  if (own.length > 0 || type !== "transfer") return own;
  return (tools ?? []).filter(isTransferTool).flatMap((tool) => destinationsIn(tool.metadata ?? {}, owner));
}

/** Key of metadata for destinations and requests of no platform. */
export const NEUTRAL = "callweave";

/** Paths of destinations in an owner's settings. A destination is read nowhere else. */
function placesOf(owner: string): readonly Path[] {
  if (owner === NEUTRAL) return [["destinations"], ["destination"]];
  return own<PlatformTraits>(ALL_TRAITS, owner)?.destinations.places ?? [];
}

/** Returns the destinations in an owner's settings. */
export function destinationsIn(metadata: Metadata, owner: string): readonly Destination[] {
  const settings = recordAt(metadata, owner);
  const found = placesOf(owner)
    .flatMap((at) => [getAt(settings, at)].flat())
    .filter(isRecord);
  return found.flatMap((json) => {
    const { [String(json.type)]: others } = NUMBERLESS;
    const to = others ? undefined : PLACE_KEYS.map((key) => textOf(json[key])).find(Boolean);
    const extension = textOf(json.extension);
    const leads = to ?? (others ?? ASSISTANT_KEYS).map((key) => textOf(json[key])).find(Boolean);
    return leads ? [{ owner, json, ...(to ? { to } : {}), ...(to && extension ? { extension } : {}) }] : [];
  });
}

/** Removes the destinations from an owner's settings. */
export function withoutDestinations(metadata: Metadata, owner: string): Metadata {
  const settings = recordAt(metadata, owner);
  const keys = new Set(placesOf(owner).map((at) => String(at.at(-1))));
  const bare = omit(settings, [...keys]);
  const rest = isRecord(bare.tool) ? { ...bare, tool: omit(bare.tool, [...keys]) } : bare;
  return { ...metadata, [owner]: rest };
}

/** Whether a setting of a platform is where a transfer leads. */
export function isDestinationSetting(owner: string, name: string): boolean {
  return placesOf(owner).some((at) => at.at(-1) === name);
}

/** Returns the keys of a destination besides its number, address or assistant. */
export function otherKeys(json: JsonObject): readonly string[] {
  const known = [...ADDRESS_KEYS, "description"];
  return Object.keys(json).filter((key) => !known.includes(key) && json[key] !== "" && json[key] !== null);
}

/** Reports each transfer without a destination. The platform decides whether that is an error. */
export function missingDestinations({ nodes }: AgentGraph): readonly Finding[] {
  return findingsOf((report) => {
    for (const node of Object.values(nodes)) {
      const path = ["nodes", node.id];
      const hint = "Set `to` of the transfer node";
      if (node.node_type === "transfer" && !isPlaceless(node) && !textOf(node.transfer_to) && !leads(node))
        report("destination-missing", path, `Transfer "${node.id}" has no destination`, hint, "warning");
      for (const [index, tool] of node.tools.entries()) {
        if (node.node_type === "transfer" || !isOpenTool(tool) || leads(tool)) continue;
        const message = `The tool "${tool.name}" has no destination for its transfer`;
        const advice = "Set a destination in the tool's settings for the platform";
        report("destination-missing", [...path, "tools", index], message, advice, "warning");
      }
    }
  });
}

const leads = (transfer: Transfer) =>
  [...Object.keys(ALL_TRAITS), NEUTRAL].some((owner) => destinationsOf(transfer, owner).length > 0);

/** Types of tools that make a request, by their names on every platform. A tool without a type makes one, too. */
const REQUEST_TYPES = Object.values(ALL_TRAITS).flatMap(({ requests }) => requests.toolTypes);

/** A part of a request that a platform can write, and where it comes from. */
interface CarriedPart {
  readonly owner: string;
  readonly setting: string;
  readonly written: JsonObject;
}

/**
 * Finds the request of a tool in the settings that other platforms have of it.
 *
 * @param target The platform that is written.
 * @param write Its settings for each part; `undefined` for a part that it cannot have.
 */
export function carriedRequest(tool: ToolDefinition, target: string, write: RequestWriter): readonly CarriedPart[] {
  if (!tool.url || !(tool.type == null || REQUEST_TYPES.includes(tool.type))) return [];
  return Object.entries(tool.metadata ?? {}).flatMap(([owner, settings]) => {
    if (owner === target || !isRecord(settings)) return [];
    return partsOf(owner, settings).flatMap((part): readonly CarriedPart[] => {
      const written = writtenPart(part, write);
      return written ? [{ owner, setting: part.setting, written }] : [];
    });
  });
}

function partsOf(owner: string, settings: JsonObject): readonly RequestPart[] {
  if (owner !== NEUTRAL) return own<PlatformTraits>(ALL_TRAITS, owner)?.requests.read(settings) ?? [];
  const { method, timeout_ms: milliseconds, headers } = settings;
  return [
    ...methodPart("method", method),
    ...timeoutPart("timeout_ms", milliseconds),
    ...headersPart("headers", headers),
  ];
}

function writtenPart(part: RequestPart, write: RequestWriter): JsonObject | undefined {
  switch (part.kind) {
    case "method":
      return write.method(part.value);
    case "timeoutMs":
      return write.timeoutMs(part.value);
    case "headers":
      return write.headers(part.value);
  }
}

/** Merges the parts of a request. The first of each setting counts. */
export function requestSettings(parts: readonly CarriedPart[]): JsonObject {
  return Object.assign({}, ...parts.map(({ written }) => written).toReversed());
}

/** Whether a value that is sent contains a setting; objects may have more keys. */
export function holdsSetting(sent: unknown, setting: unknown): boolean {
  if (!isRecord(setting)) return setting === null || sameJson(sent, setting);
  return isRecord(sent) && Object.entries(setting).every(([key, value]) => holdsSetting(sent[key], value));
}
