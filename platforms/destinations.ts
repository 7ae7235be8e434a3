import type { Path } from "../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, omit, pick, recordAt } from "../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, Finding, Metadata, ToolDefinition } from "../src/document/graph/mod.ts";
import { findingsOf } from "./findings.ts";

/** A destination of a transfer in a platform's JSON, and the number or address in it. */
export interface Destination {
  /** Key of the metadata that contains it. */
  readonly owner: string;
  readonly json: JsonObject;
  /** A phone number, a SIP URI, or a text with variables. Absent: an assistant, or a prompt that finds a number. */
  readonly to?: string;
  readonly extension?: string;
}

/** A transfer node, or a tool that transfers. */
export type Transfer = Pick<ToolDefinition, "metadata"> &
  Partial<Pick<AgentNode, "node_type" | "tools" | "transfer_to">>;

/** Places of destinations in the metadata of a node or a tool, by owner. A destination is read nowhere else. */
const PLACES: { readonly [owner: string]: readonly Path[] } = {
  vapi: [["tool", "destination"], ["destination"], ["tool", "destinations"], ["destinations"]],
  callweave: [["destinations"], ["destination"]],
  retell: [["transfer_destination"]],
};

/** Keys of a destination that change with its number or address. */
const TARGET_KEYS = ["type", "number", "extension", "prompt", "numberE164CheckEnabled", "sipUri"];
const ASSISTANT_KEYS = ["assistantId", "assistantName"];

/** Types of destinations without a number or an address, and their keys. */
const NUMBERLESS: { readonly [type: string]: readonly string[] } = { assistant: ASSISTANT_KEYS, inferred: ["prompt"] };

/** Nodes of Retell that transfer without a destination of their own. */
const PLACELESS: readonly unknown[] = ["agent_swap", "bridge_transfer"];

const textOf = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value : undefined);
const isSip = (to: string) => /^sips?:/i.test(to);
const isE164 = (to: string) => /^\+[1-9]\d{1,14}$/.test(to);

/** Whether a tool transfers the call. */
export function isTransferTool({ type, metadata }: ToolDefinition): boolean {
  const raw = getAt(metadata, ["vapi", "type"]);
  return type === "transfer_call" || type === "transferCall" || raw === "transferCall";
}

/** Whether a tool transfers the call and is not saved in the organisation, which then knows its destination. */
export function isOpenTool(tool: ToolDefinition): boolean {
  return isTransferTool(tool) && typeof recordAt(tool.metadata ?? {}, "vapi").toolId !== "string";
}

/** Whether a transfer node needs no number: it hands the call to another agent, or to the one that waits. */
export function isPlaceless({ metadata }: Pick<AgentNode, "metadata">): boolean {
  return PLACELESS.includes(recordAt(metadata, "retell").type);
}

/** Returns the destinations that an owner's settings of a node or tool contain; of a node, also those of its tools. */
export function destinationsOf({ metadata, node_type: type, tools }: Transfer, owner: string): readonly Destination[] {
  const own = destinationsIn(metadata ?? {}, owner);
  if (own.length > 0 || type !== "transfer") return own;
  return (tools ?? []).filter(isTransferTool).flatMap((tool) => destinationsIn(tool.metadata ?? {}, owner));
}

function destinationsIn(metadata: Metadata, owner: string): readonly Destination[] {
  const settings = recordAt(metadata, owner);
  const found = (PLACES[owner] ?? []).flatMap((at) => [getAt(settings, at)].flat()).filter(isRecord);
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
  const keys = new Set((PLACES[owner] ?? []).map((at) => String(at.at(-1))));
  const bare = omit(settings, [...keys]);
  const rest = isRecord(bare.tool) ? { ...bare, tool: omit(bare.tool, [...keys]) } : bare;
  return { ...metadata, [owner]: rest };
}

/** Returns the keys of a destination besides its number, address or assistant. */
export function otherKeys(json: JsonObject): readonly string[] {
  const known = [...TARGET_KEYS, ...ASSISTANT_KEYS, "description"];
  return Object.keys(json).filter((key) => !known.includes(key) && json[key] !== "" && json[key] !== null);
}

/** Writes Retell's settings for a destination. `before`: the destination that it replaces. */
export function retellDestination(to: string, extension?: string, before: JsonObject = {}): JsonObject {
  const rest = omit(before, [...TARGET_KEYS, ...ASSISTANT_KEYS]);
  const destination = { type: "predefined", number: to, ...(extension ? { extension } : {}), ...rest };
  const isUnchecked = !isE164(to) && !to.includes("{{");
  return { transfer_destination: destination, ...(isUnchecked ? { ignore_e164_validation: true } : {}) };
}

/** Writes a destination in Vapi's JSON. `before`: the destination that it replaces. */
export function vapiDestination(to: string, extension?: string, before: JsonObject = {}): JsonObject {
  const rest = omit(before, [...TARGET_KEYS, ...ASSISTANT_KEYS]);
  if (isSip(to)) return { type: "sip", sipUri: to, ...rest };
  const unchecked = isE164(to) ? {} : { numberE164CheckEnabled: false };
  return { type: "number", number: to, ...(extension ? { extension } : {}), ...unchecked, ...rest };
}

/** Returns the destinations of a transfer in Vapi's JSON: Vapi's own, else those of another platform. */
export function destinationsFor(transfer: Transfer): readonly JsonObject[] {
  const found = ["vapi", "callweave", "retell"].map((owner) => destinationsOf(transfer, owner));
  return (found.find((list) => list.some(({ to, owner }) => to || owner === "vapi")) ?? []).flatMap(
    ({ owner, json, to, extension }) => {
      if (owner === "retell") return to ? [vapiDestination(to, extension)] : [];
      return [to ? { ...json, ...vapiDestination(to, extension), ...pick(json, ["numberE164CheckEnabled"]) } : json];
    },
  );
}

/** Replaces the destinations in Vapi's settings of an imported node. */
export function replaceVapiDestination(settings: JsonObject, to: string): JsonObject {
  const [owned] = destinationsIn({ vapi: settings }, "vapi");
  const tool = isRecord(settings.tool) ? settings.tool : undefined;
  const holder = tool ?? settings;
  const written = vapiDestination(to, undefined, owned?.json);
  const isAlone = isRecord(holder.destination);
  const bare = recordAt(withoutDestinations({ vapi: settings }, "vapi"), "vapi");
  const place = isAlone ? { destination: written } : { destinations: [written] };
  return tool ? { ...bare, tool: { ...recordAt(bare, "tool"), ...place } } : { ...bare, ...place };
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

const leads = (transfer: Transfer) => Object.keys(PLACES).some((owner) => destinationsOf(transfer, owner).length > 0);
