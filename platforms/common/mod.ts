import type { Format } from "../platform.ts";
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
      return { config, losses: [...expanded.losses, ...losses] };
    },
    ...(checkGraph ? { checkGraph: (graph, config) => checkGraph(expandCommon(graph, platform).graph, config) } : {}),
  };
}
