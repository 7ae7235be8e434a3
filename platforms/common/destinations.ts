import type { Path } from "../../src/base/errors.ts";
import { recordAt } from "../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, Metadata, ToolDefinition } from "../../src/document/graph/mod.ts";
import type { Destination, PlatformFacts } from "../facts.ts";
import {
  ALL_TRAITS,
  destinationsOf,
  isOpenTool,
  NEUTRAL,
  otherKeys,
  type Transfer,
  withoutDestinations,
} from "../known/mod.ts";
import type { Loss } from "../platform.ts";

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
export function expandDestinations(graph: AgentGraph, facts: PlatformFacts, isImported: boolean, losses: Loss[]) {
  const { name: platform, title, transfers } = facts;
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
    const { chosen, others } = choose(tool, facts, isImported);
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
    const { chosen, others } = choose(node, facts, isImported);
    report(chosen, others, path, Boolean(to));
    if (chosen.length === 0 && !facts.destinations.isPlaceless(recordAt(node.metadata, platform)))
      loseDestination(path, `Transfer "${node.id}"`);
    const metadata = withChosen(node.metadata, chosen);
    return metadata === node.metadata && to === undefined ? node : { ...rest, metadata };
  }

  function withChosen(metadata: Metadata, chosen: readonly Destination[]): Metadata {
    const [first] = chosen;
    if (!first?.to || first.owner === platform) return metadata;
    const others = transfers.takesSeveral ? [] : Object.keys(ALL_TRAITS).filter((owner) => owner !== platform);
    const bare = others.reduce(
      (left, owner) => (Object.hasOwn(left, owner) ? withoutDestinations(left, owner) : left),
      metadata,
    );
    return transfers.write(bare, { ...first, to: first.to }, isImported);
  }

  function report(chosen: readonly Destination[], others: readonly Destination[], path: Path, hasTo: boolean): void {
    for (const { to, json } of others) {
      const place = to ?? json.assistantName ?? json.assistantId ?? json.prompt;
      const instead = chosen[0]?.to === undefined ? undefined : `"${chosen[0].to}"`;
      const state = chosen.length > 0 ? "one destination of a transfer is emitted" : "it has no such destination";
      lose(path, `${title}: ${state}, and "${String(place)}" is left out`, instead);
    }
    if (transfers.reportsSettings && !hasTo) return; // the emitter reports settings of destinations
    const keys = [...new Set(chosen.flatMap(({ owner, json }) => (owner === platform ? [] : otherKeys(json))))];
    if (keys.length > 0) lose(path, `${title} does not support the settings ${keys.join(", ")} of a destination`);
  }

  function loseDestination(path: Path, what: string): void {
    const hint = "Set `to` of the transfer node, or the destination in the tool's settings";
    const lost = { message: `${what} has no destination for ${title}`, instead: transfers.nowhere, hint };
    losses.push({ code: "destination-missing", kind: "dropped", path, ...lost });
  }

  function lose(path: Path, message: string, instead?: string): void {
    const hint = "Set one destination, with `to` of the transfer node";
    losses.push({ code: "destination", kind: "dropped", path, message, ...(instead ? { instead } : {}), hint });
  }
}

function choose(transfer: Transfer, { name, transfers }: PlatformFacts, isImported: boolean): Choice {
  const { transfer_to: to } = transfer;
  const given = to ? [{ owner: "graph", json: {}, to }] : [];
  const owners = [NEUTRAL, ...Object.keys(ALL_TRAITS)].filter((owner) => owner !== name);
  const own = destinationsOf(transfer, name);
  const found = [isImported && to ? [] : own, given, ...owners.map((owner) => destinationsOf(transfer, owner))];
  const canHold = (each: Destination) => each.to !== undefined || each.owner === name;
  const group = found.find((list) => list.some(canHold)) ?? [];
  const fitting = group.filter(canHold);
  const chosen = transfers.takesSeveral ? fitting : fitting.slice(0, 1);
  const isChosen = (each: Destination) => chosen.some((one) => one === each || (one.to && one.to === each.to));
  return { chosen, others: found.flat().filter((each) => !isChosen(each)) };
}
