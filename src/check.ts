import { type Finding, formatNamed, type Loss } from "../platforms/mod.ts";
import { checkGraph } from "./analysis/mod.ts";
import { PlatformError } from "./errors.ts";
import { type AgentGraph, checkOptions, OPTION, toGraph } from "./graph/mod.ts";

/** What {@link check} can be told. */
export interface CheckOptions {
  /** A format: what it refuses and what it cannot hold is found as well. */
  readonly target?: string;
}

/**
 * What the owner of an agent should know about it, and about emitting it for a target. What a target cannot hold is a
 * `warning` where it is dropped and an `info` where something else does its work.
 *
 * @throws {GraphError} `not-a-graph`, for what is no graph at all; for a document that is not complete what `parseGraph`
 *   throws.
 * @throws {PlatformError} `unknown-format`, `invalid-option`.
 */
export function check(source: AgentGraph, options: CheckOptions = {}): readonly Finding[] {
  const graph = toGraph(source, "Cannot check graph");
  checkOptions(options, { target: OPTION.text }, PlatformError, "Cannot check graph");
  const findings = checkGraph(graph);
  if (options.target === undefined) return findings;
  const format = formatNamed(options.target);
  if (!Object.hasOwn(graph.nodes, graph.entry_node_id)) return findings; // Vapi's documents are nothing without it
  return [
    ...findings,
    ...(format.checkGraph?.(graph) ?? []),
    ...(format.emitGraph?.(graph).losses ?? []).map((loss) => findingOf(loss, format.title)),
  ];
}

function findingOf({ code, kind, path, message, instead, hint }: Loss, title: string): Finding {
  return {
    code,
    severity: kind === "dropped" ? "warning" : "info",
    path,
    message: `${title}: ${message} (instead: ${instead})`,
    hint,
  };
}
