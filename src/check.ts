import {
  type AnyFormatName,
  type CheckFormat,
  checkFormat,
  type Finding,
  type Format,
  type FormatName,
  formatNamed,
  formats,
  type Loss,
} from "../platforms/mod.ts";
import { checkGraph } from "./analysis/mod.ts";
import { PlatformError } from "./errors.ts";
import { type AgentGraph, toGraph } from "./graph/mod.ts";
import { withTakenOut } from "./secrets/mod.ts";
import { checkOptions, OPTION } from "./values/mod.ts";

/** Options of {@link check}. */
export interface CheckOptions<Name extends AnyFormatName = FormatName> {
  /** Also find what this format refuses and cannot hold. */
  readonly target?: Name & CheckFormat<Name>;
}

/**
 * Finds mistakes in an agent: by the rules of the graph, by those of the platform that it was imported from, and by
 * those of a target. What the target cannot hold is a `warning` where it is dropped and an `info` where it is emulated.
 *
 * @throws {GraphError} `not-a-graph`, for what is no graph at all; for a document that is not complete what `parseGraph`
 *   throws.
 * @throws {PlatformError} `unknown-format`, `invalid-option`.
 */
export function check<const Name extends AnyFormatName = FormatName>(
  source: AgentGraph,
  options: CheckOptions<Name> = {},
): readonly Finding[] {
  const graph = toGraph(source, "Cannot check graph");
  checkOptions(options, { target: OPTION.text }, PlatformError, "Cannot check graph");
  const findings = checkGraph(graph);
  const target = options.target === undefined ? undefined : formatNamed(options.target);
  if (!Object.hasOwn(graph.nodes, graph.entry_node_id)) return findings; // no platform's document is without it
  const emitted = withTakenOut(graph, []); // as emit() hands it to a format
  const origin = formats().find(({ name }) => name === graph.source_type && name !== target?.name);
  return [
    ...findings,
    ...(origin ? checkFormat(origin.name, emitted).findings : []),
    ...(target ? findingsFor(target, emitted) : []),
  ];
}

function findingsFor({ name, title }: Format, graph: AgentGraph): readonly Finding[] {
  const { findings, losses } = checkFormat(name, graph);
  return [...findings, ...losses.map((loss) => findingOf(loss, title))];
}

function findingOf({ code, kind, path, message, instead, hint }: Loss, title: string): Finding {
  return {
    code,
    severity: kind === "dropped" ? "warning" : "info",
    path,
    message: `${title}: ${message}`,
    ...(instead === undefined ? {} : { instead }),
    ...(hint === undefined ? {} : { hint }),
  };
}
