import type { Path } from "../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, omit, own, recordAt } from "../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, Finding, Metadata, ToolDefinition } from "../../src/document/graph/mod.ts";
import type { Destination, PlatformTraits } from "../facts.ts";
import { findingsOf } from "../findings.ts";
import { ALL_TRAITS } from "./all_traits.ts";

/** A transfer node, or a tool that transfers. */
export type Transfer = Pick<ToolDefinition, "metadata"> &
  Partial<Pick<AgentNode, "node_type" | "tools" | "transfer_to">>;

const TARGET_KEYS = ["type", "number", "extension", "prompt", "numberE164CheckEnabled", "sipUri"];
const ASSISTANT_KEYS = ["assistantId", "assistantName"];

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
export function isPlaceless({ metadata }: Pick<AgentNode, "metadata">): boolean {
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

/** Key of metadata for destinations of no platform. */
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
    const to = others ? undefined : (textOf(json.sipUri) ?? textOf(json.number));
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
