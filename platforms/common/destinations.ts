import type { Path } from "../../src/base/errors.ts";
import { isRecord, omit, recordAt } from "../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, Metadata, ToolDefinition } from "../../src/document/graph/mod.ts";
import {
  type Destination,
  destinationsOf,
  isOpenTool,
  isPlaceless,
  otherKeys,
  replaceVapiDestination,
  retellDestination,
  type Transfer,
  withoutDestinations,
} from "../destinations.ts";
import type { Loss } from "../platform.ts";

type Platform = "retell" | "vapi";
const TITLES = { retell: "Retell", vapi: "Vapi" };
/** What a transfer without a destination becomes. */
const NOWHERE = {
  retell: "an empty number, which Retell refuses",
  vapi: "a transferCall tool without destinations: Vapi asks your server for one (transfer-destination-request)",
};

/** Destinations of a transfer: those that the target gets, and others. */
interface Choice {
  readonly chosen: readonly Destination[];
  readonly others: readonly Destination[];
}

/**
 * Writes the destinations of transfer nodes and tools where the target's emitters read them. The target's own settings
 * take precedence, then `transfer_to`, then the settings of another platform. Reports destinations that are left out.
 *
 * @param isImported Whether the graph was imported from the platform. Its `transfer_to` then is an edit.
 */
export function expandDestinations(graph: AgentGraph, platform: Platform, isImported: boolean, losses: Loss[]) {
  const nodes = Object.entries(graph.nodes).map(([id, node]) => {
    const path = ["nodes", id];
    const tools = node.tools.map((tool, index) => {
      const at = [...path, "tools", index];
      return node.node_type !== "transfer" && isOpenTool(tool) ? expandTool(tool, at) : tool;
    });
    return [
      id,
      expandNode(tools.some((tool, index) => tool !== node.tools[index]) ? { ...node, tools } : node),
    ] as const;
  });
  return nodes.every(([id, node]) => node === graph.nodes[id]) ? graph : { ...graph, nodes: Object.fromEntries(nodes) };

  function expandTool(tool: ToolDefinition, path: Path): ToolDefinition {
    const { chosen, others } = choose(tool, platform, isImported);
    report(chosen, others, path, false);
    if (chosen.length === 0) loseDestination(path, `The tool "${tool.name}"`);
    const metadata = withChosen(tool.metadata ?? {}, chosen);
    return metadata === (tool.metadata ?? {}) ? tool : { ...tool, metadata };
  }

  function expandNode(node: AgentNode): AgentNode {
    const { transfer_to: to, ...rest } = node;
    const path = ["nodes", node.id];
    if (node.node_type !== "transfer") {
      if (to) lose([...path, "transfer_to"], `Only transfer nodes have a destination, and "${to}" is left out`);
      return to ? rest : node;
    }
    const { chosen, others } = choose(node, platform, isImported);
    report(chosen, others, path, Boolean(to));
    if (chosen.length === 0 && !(platform === "retell" && isPlaceless(node)))
      loseDestination(path, `Transfer "${node.id}"`);
    const metadata = withChosen(node.metadata, chosen);
    return metadata === node.metadata && to === undefined ? node : { ...rest, metadata };
  }

  function withChosen(metadata: Metadata, chosen: readonly Destination[]): Metadata {
    const [first] = chosen;
    if (!first?.to || first.owner === platform) return metadata;
    const own = recordAt(metadata, platform);
    if (isImported && first.owner === "graph" && platform === "vapi" && isRecord(metadata.vapi))
      return { ...metadata, vapi: replaceVapiDestination(own, first.to) };
    if (platform === "vapi" && first.owner !== "graph") return metadata; // its emitters read all owners
    const retell = recordAt(metadata, "retell");
    const written = retellDestination(first.to, first.extension, recordAt(isImported ? retell : {}, KEY));
    const kept = platform === "vapi" ? omit(metadata, ["callweave"]) : withoutDestinations(metadata, "vapi");
    const settings = platform === "vapi" ? { [KEY]: written[KEY] } : written;
    return { ...kept, retell: { ...retell, ...settings } };
  }

  function report(chosen: readonly Destination[], others: readonly Destination[], path: Path, hasTo: boolean): void {
    for (const { to, json } of others) {
      const place = to ?? json.assistantName ?? json.assistantId ?? json.prompt;
      const instead = chosen[0]?.to === undefined ? undefined : `"${chosen[0].to}"`;
      const state = chosen.length > 0 ? "one destination of a transfer is emitted" : "it has no such destination";
      lose(path, `${TITLES[platform]}: ${state}, and "${String(place)}" is left out`, instead);
    }
    if (platform === "vapi" && !hasTo) return; // the emitter reports settings of destinations
    const keys = [...new Set(chosen.flatMap(({ owner, json }) => (owner === platform ? [] : otherKeys(json))))];
    if (keys.length > 0)
      lose(path, `${TITLES[platform]} does not support the settings ${keys.join(", ")} of a destination`);
  }

  function loseDestination(path: Path, what: string): void {
    const hint = "Set `to` of the transfer node, or the destination in the tool's settings";
    const lost = { message: `${what} has no destination for ${TITLES[platform]}`, instead: NOWHERE[platform], hint };
    losses.push({ code: "destination-missing", kind: "dropped", path, ...lost });
  }

  function lose(path: Path, message: string, instead?: string): void {
    const hint = "Set one destination, with `to` of the transfer node";
    losses.push({ code: "destination", kind: "dropped", path, message, ...(instead ? { instead } : {}), hint });
  }
}

const KEY = "transfer_destination";

function choose(transfer: Transfer, platform: Platform, isImported: boolean): Choice {
  const { transfer_to: to } = transfer;
  const given = to ? [{ owner: "graph", json: {}, to }] : [];
  const owners = ["vapi", "callweave", "retell"].filter((owner) => owner !== platform);
  const own = destinationsOf(transfer, platform);
  const found = [isImported && to ? [] : own, given, ...owners.map((owner) => destinationsOf(transfer, owner))];
  const canHold = (each: Destination) => each.to !== undefined || each.owner === platform;
  const group = found.find((list) => list.some(canHold)) ?? [];
  const fitting = group.filter(canHold);
  const chosen = platform === "vapi" ? fitting : fitting.slice(0, 1);
  const isChosen = (each: Destination) => chosen.some((one) => one === each || (one.to && one.to === each.to));
  return { chosen, others: found.flat().filter((each) => !isChosen(each)) };
}
