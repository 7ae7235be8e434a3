import { getAt } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import type { PlatformFacts } from "../facts.ts";
import { nameTools } from "../lower/mod.ts";
import type { Format, Loss } from "../platform.ts";
import { expandCommon } from "./expand.ts";

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
      const { config, losses } = emitGraph(common, options, imported);
      const lost = imported ? containerLosses(common, imported, facts) : [];
      return { config, losses: [...found, ...lost, ...losses] };
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
