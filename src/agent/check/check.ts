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
  missingDestinations,
} from "../../../platforms/mod.ts";
import { PlatformError } from "../../base/errors.ts";
import { checkOptions, isRecord, OPTION, rule } from "../../base/values/mod.ts";
import { type AgentGraph, nodeNames, toGraph } from "../../document/graph/mod.ts";
import type { PolicySource } from "../../document/scenario/mod.ts";
import { withTakenOut } from "../../document/secrets/mod.ts";
import { checkGraph, policyFindings, type Suppression, suppressFindings } from "../analysis/mod.ts";
import { consequencesIn } from "./consequences.ts";

/** Options of {@link check}. */
export interface CheckOptions<Name extends AnyFormatName = FormatName> {
  /** Also find what this format rejects or cannot represent. */
  readonly target?: Name & CheckFormat<Name>;
  /** Suppressions, in addition to those of the graph itself. */
  readonly suppress?: readonly Suppression[];
  /** Policies for every call; each is checked on all paths of the graph. */
  readonly policies?: readonly PolicySource[];
}

const RULES = {
  policies: OPTION.list,
  target: OPTION.text,
  suppress: rule("a list of { code, node?, reason }", (value) => Array.isArray(value) && value.every(isSuppression)),
};

function isSuppression(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.code === "string" &&
    typeof value.reason === "string" &&
    (value.node === undefined || typeof value.node === "string")
  );
}

/**
 * Finds mistakes in an agent, by the rules of graphs, of the platform it was imported from, and of a target. A
 * feature that the target does not support is a `warning` if it is dropped, and an `info` if it is emulated.
 * Suppressed findings are left out, and those that are only consequences of others.
 *
 * @throws {GraphError} `not-a-graph` for other values; for an incomplete document, the errors of `parseGraph`.
 * @throws {PlatformError} `unknown-format`, `invalid-option`.
 * @throws {ScenarioError} `invalid-policy`.
 */
export function check<const Name extends AnyFormatName = FormatName>(
  source: AgentGraph,
  options: CheckOptions<Name> = {},
): readonly Finding[] {
  const graph = toGraph(source, "Cannot check graph");
  checkOptions(options, RULES, PlatformError, "Cannot check graph");
  const findings = [...allFindings(graph, options.target), ...policyFindings(graph, options.policies ?? [])];
  const hidden = consequencesIn(graph, findings, referenceKeys([graph.source_type, options.target]));
  const left = suppressFindings(graph, findings, options.suppress).filter((finding) => !hidden.has(finding));
  return namedFindings(graph, left);
}

/** Keys of the documents of these formats that name other parts. */
function referenceKeys(names: readonly unknown[]): readonly string[] {
  const known = formats().filter(({ name }) => names.includes(name));
  return known.flatMap(({ name }) => Object.keys(formatNamed(name).shape?.references ?? {}));
}

/** Hints that say what to write: an id in them stays. */
const WRITES = /^(?:Did you mean|Set ")/;

/** Findings that name nodes as people do. Their paths have the ids. */
function namedFindings(graph: AgentGraph, findings: readonly Finding[]): readonly Finding[] {
  const { inText } = nodeNames(graph);
  return findings.map((finding) => ({
    ...finding,
    message: inText(finding.message),
    ...(finding.instead === undefined ? {} : { instead: inText(finding.instead) }),
    ...(finding.hint === undefined || WRITES.test(finding.hint) ? {} : { hint: inText(finding.hint) }),
  }));
}

function allFindings(graph: AgentGraph, targetName: string | undefined): readonly Finding[] {
  const findings = checkGraph(graph);
  const target = targetName === undefined ? undefined : formatNamed(targetName);
  if (!Object.hasOwn(graph.nodes, graph.entry_node_id)) return findings; // every platform's document has an entry node
  const emitted = withTakenOut(graph, []); // as emit() passes it to a format
  const origin = formats().find(({ name }) => name === graph.source_type && name !== target?.name);
  const ofPlatforms = [
    ...(origin ? checkFormat(origin.name, emitted).findings : []),
    ...(target ? findingsFor(target, emitted) : []),
  ];
  const ofAll = missingDestinations(graph).filter((finding) => !isSaid(finding, ofPlatforms));
  return [...findings, ...ofAll, ...ofPlatforms];
}

function findingsFor({ name, title }: Format, graph: AgentGraph): readonly Finding[] {
  const { findings, losses } = checkFormat(name, graph);
  return [...findings, ...losses.filter((loss) => !isSaid(loss, findings)).map((loss) => findingOf(loss, title))];
}

/** Whether a finding with the same code is at the same place, or inside of it. */
function isSaid({ code, path }: Pick<Finding, "code" | "path">, findings: readonly Finding[]): boolean {
  return findings.some((each) => each.code === code && path.every((key, index) => each.path[index] === key));
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
