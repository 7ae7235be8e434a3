import type { AgentGraph } from "../../src/graph/mod.ts";
import { getAt } from "../../src/values/mod.ts";
import type { Format, Loss } from "../platform.ts";
import { expandCommon } from "./expand.ts";

/**
 * Adds support for `language`, `voice` and `transfer_to` to a format's emitter and checks. Formats of neither Retell
 * nor Vapi are returned unchanged.
 */
export function withCommonSettings<Name extends string>(format: Format<Name>): Format<Name> {
  const { emitGraph, checkGraph, name } = format;
  const platform = name.startsWith("retell") ? "retell" : name.startsWith("vapi") ? "vapi" : undefined;
  if (!emitGraph || platform === undefined) return format;
  return {
    ...format,
    emitGraph: (graph, options, imported) => {
      const expanded = expandCommon(graph, platform);
      const { config, losses } = emitGraph(expanded.graph, options, imported);
      const lost = platform === "retell" && imported ? agentLosses(expanded.graph, imported) : [];
      return { config, losses: [...expanded.losses, ...lost, ...losses] };
    },
    ...(checkGraph ? { checkGraph: (graph, config) => checkGraph(expandCommon(graph, platform).graph, config) } : {}),
  };
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
