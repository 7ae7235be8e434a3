import { getAt } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import { nameTools } from "../lower/mod.ts";
import type { Format, Loss } from "../platform.ts";
import { expandCommon, PLATFORMS, type Platform } from "./expand.ts";

/**
 * Adds support for `language`, `voice`, `transfer_to`, `default_model` and names of tools to a format's emitter and
 * checks. Formats of neither Retell nor Vapi are returned unchanged.
 */
export function withCommonSettings<Name extends string>(format: Format<Name>): Format<Name> {
  const { emitGraph, checkGraph, name } = format;
  const platform = name.startsWith("retell") ? "retell" : name.startsWith("vapi") ? "vapi" : undefined;
  if (!emitGraph || platform === undefined) return format;
  const expanded = (graph: AgentGraph, imported?: AgentGraph) => {
    const common = expandCommon(graph, platform);
    const named = withToolNames(common.graph, platform, name, imported);
    return { graph: named.graph, losses: [...common.losses, ...named.losses] };
  };
  return {
    ...format,
    emitGraph: (graph, options, imported) => {
      const { graph: common, losses: found } = expanded(graph, imported);
      const { config, losses } = emitGraph(common, options, imported);
      const lost = platform === "retell" && imported ? agentLosses(common, imported) : [];
      return { config, losses: [...found, ...lost, ...losses] };
    },
    ...(checkGraph ? { checkGraph: (graph, config) => checkGraph(expanded(graph, graph).graph, config) } : {}),
  };
}

/** Renames tools whose names the platform does not accept, except for those of an imported document. */
function withToolNames(graph: AgentGraph, platform: Platform, format: string, imported: AgentGraph | undefined) {
  const { title, toolNameLimit: limitOf } = PLATFORMS[platform];
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

/** Reports settings of the agent, if the graph was imported from a flow or an LLM of Retell without its agent. */
function agentLosses({ source_metadata: source }: AgentGraph, imported: AgentGraph): readonly Loss[] {
  if (getAt(imported.source_metadata, AGENT) !== undefined) return [];
  const message = "The imported document is a flow or an LLM without its agent";
  const rest = { message, hint: "Set it in the agent, or import the agent with its flow" };
  const lost = [["name"], AGENT].filter((at) => getAt(source, at));
  return lost.map((at): Loss => ({ code: "agent", kind: "dropped", path: ["source_metadata", ...at], ...rest }));
}

const AGENT = ["retell", "agent"];
