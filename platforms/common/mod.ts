import type { Path } from "../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, nearLanguage, omit, recordAt, sameJson } from "../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, Metadata, ToolDefinition } from "../../src/document/graph/mod.ts";
import type { Destination, PlatformFacts } from "../facts.ts";
import {
  ALL_TRAITS,
  destinationsIn,
  destinationsOf,
  isOpenTool,
  NEUTRAL,
  otherKeys,
  type Transfer,
  withoutDestinations,
} from "../known/mod.ts";
import { nameTools } from "../lower/mod.ts";
import { expandModel } from "../models.ts";
import type { Format, Loss } from "../platform.ts";

/**
 * Adds support for `language`, `voice`, `transfer_to`, `default_model` and names of tools to the emitter and the checks of
 * a platform's format.
 */
export function withCommonSettings<Name extends string>(format: Format<Name>, facts: PlatformFacts): Format<Name> {
  const { emitGraph, checkGraph, name } = format;
  if (!emitGraph) return format;
  const expanded = (graph: AgentGraph, imported?: AgentGraph) => {
    const common = expandCommon(graph, facts);
    const named = withToolNames(common.graph, facts, name, imported);
    return { graph: named.graph, losses: [...common.losses, ...named.losses] };
  };
  return {
    ...format,
    emitGraph: (graph, options, imported) => {
      const { graph: common, losses: found } = expanded(graph, imported);
      const emitted = emitGraph(common, options, imported);
      const lost = imported ? containerLosses(common, imported, facts) : [];
      return { ...emitted, losses: [...found, ...lost, ...emitted.losses] };
    },
    ...(checkGraph ? { checkGraph: (graph, config) => checkGraph(expanded(graph, graph).graph, config) } : {}),
  };
}

/** Renames tools whose names the platform does not accept, except for those of an imported document. */
function withToolNames(
  graph: AgentGraph,
  { title, settings: { toolNameLimit: limitOf } }: PlatformFacts,
  format: string,
  imported: AgentGraph | undefined,
) {
  const isNative = graph.source_type === format;
  const known = new Set(Object.values(imported?.nodes ?? {}).flatMap(({ tools }) => tools.map((tool) => tool.name)));
  const { graph: named, renamed } = nameTools(graph, {
    limitOf,
    isKept: (name) => isNative && known.has(name),
    allowsTwins: isNative,
  });
  const losses = renamed.map(
    ({ path, from, to }): Loss => ({
      code: "tool-renamed",
      kind: "emulated",
      path,
      message: `${title} does not accept the tool name "${from}", or not twice at a node`,
      instead: `the tool "${to}"`,
      hint: 'Use unique names of letters, digits, "_" and "-" that are not too long',
    }),
  );
  return { graph: named, losses };
}

/** Reports settings of the agent, if the graph was imported from a document without the agent. */
function containerLosses(
  { source_metadata: source }: AgentGraph,
  imported: AgentGraph,
  { name, settings: { container } }: PlatformFacts,
): readonly Loss[] {
  if (container === null) return [];
  const at = [name, container];
  if (getAt(imported.source_metadata, at) !== undefined) return [];
  const message = `The imported document has no ${container} around it`;
  const rest = { message, hint: `Set it in the ${container}, or import the ${container} with it` };
  const lost = [["name"], at].filter((each) => getAt(source, each));
  return lost.map((each): Loss => ({ code: container, kind: "dropped", path: ["source_metadata", ...each], ...rest }));
}

/** A graph for one platform, with the losses of its common settings. */
interface Expanded {
  readonly graph: AgentGraph;
  readonly losses: readonly Loss[];
}

/**
 * Converts `language`, `voice`, `transfer_to` and `default_model` of a graph to a platform's own settings. In code,
 * existing settings for that platform take precedence. An imported graph only has the first three if they were added,
 * so they replace the settings that were imported.
 */
function expandCommon(source: AgentGraph, facts: PlatformFacts): Expanded {
  const { name: platform, title, settings: write } = facts;
  const { language, voice } = source.source_metadata;
  const losses: Loss[] = [];
  const isImported = source.source_type.split("-")[0] === platform;
  const { key } = write;
  const lists = { title, ...write.models() };
  const graph = expandModel(expandDestinations(source, facts, isImported, losses), lists, isImported, losses);
  if (language == null && voice == null) return { graph, losses };
  const own = recordAt(graph.source_metadata, platform);
  const languageTag = typeof language === "string" ? languageFor(facts, language, losses) : undefined;
  const voiceValue = isRecord(voice) ? voiceFor(facts, voice, losses) : undefined;
  const common: JsonObject = {
    ...(languageTag === undefined ? {} : write.language(languageTag)),
    ...(voiceValue === undefined ? {} : write.voice(voiceValue)),
  };
  const settings: JsonObject = isImported ? { ...recordAt(own, key), ...common } : { ...common, ...recordAt(own, key) };
  for (const [name, value] of Object.entries(common).filter(([name, value]) => !sameJson(settings[name], value))) {
    const message = `The ${platform} option sets ${name}, so ${JSON.stringify(value)} is left out`;
    const path = ["source_metadata", name.startsWith("voice") ? "voice" : "language"];
    const hint = "Set one of them";
    losses.push({ code: "overridden", kind: "dropped", path, message, instead: JSON.stringify(settings[name]), hint });
  }
  const isSet = languageTag !== undefined || voiceValue !== undefined;
  return {
    graph: {
      ...graph,
      source_metadata: {
        ...omit(graph.source_metadata, ["language", "voice"]),
        ...(isSet ? { [platform]: { ...own, [key]: settings } } : {}),
      },
    },
    losses,
  };
}

function languageFor({ name, title, settings }: PlatformFacts, language: string, losses: Loss[]): string | undefined {
  const path = ["source_metadata", "language"];
  const found = nearLanguage(settings.languages(), language);
  const message = `${title} does not support the language "${language}"`;
  if (found === undefined) {
    const hint = `Set a language of ${title} in the ${name} option`;
    losses.push({ code: "language", kind: "dropped", path, message, hint });
  } else if (language.includes("-") && !isSameSpeech(found, language)) {
    losses.push({ code: "language", kind: "emulated", path, message, instead: `"${found}"` });
  }
  return found;
}

/** Whether two language tags differ only in case or in the language's home region: `de`, `de-DE`. */
function isSameSpeech(found: string, wanted: string): boolean {
  return [found, `${found}-${found}`].some((tag) => tag.toLowerCase() === wanted.toLowerCase());
}

function voiceFor({ name, title }: PlatformFacts, voice: JsonObject, losses: Loss[]): unknown {
  const found = voice[name] ?? undefined;
  if (found === undefined) {
    const message = `The flow has no voice for ${title}`;
    const [path, hint] = [["source_metadata", "voice"], `Add ${name} to the voice`];
    losses.push({ code: "voice", kind: "dropped", path, message, hint });
  }
  return found;
}

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
function expandDestinations(graph: AgentGraph, facts: PlatformFacts, isImported: boolean, losses: Loss[]) {
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
    if (!first?.to) return metadata;
    const written =
      first.owner === platform ? metadata : transfers.write(metadata, { ...first, to: first.to }, isImported);
    // emitters that report settings of destinations read those of all owners; for the others, the chosen ones are written
    // and the rest is reported here
    const others = transfers.reportsSettings ? [] : Object.keys(ALL_TRAITS).filter((owner) => owner !== platform);
    return others.reduce(
      (left, owner) => (destinationsIn(left, owner).length > 0 ? withoutDestinations(left, owner) : left),
      written,
    );
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
