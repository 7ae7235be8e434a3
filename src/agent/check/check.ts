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

/**
 * How a target represents a part of an agent: `exact`; `emulated` by other means; `dropped`; or `refused`, because the
 * platform is known to reject what would be emitted. A part with several losses has the last of these that applies.
 */
export type PortedState = "exact" | "emulated" | "dropped" | "refused";

/** How one target represents an agent. */
export interface Ported {
  readonly target: FormatName;
  /** The target's name for people. */
  readonly title: string;
  /** The error if nothing can be emitted. */
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
  /** Every node by id. */
  readonly nodes: { readonly [id: string]: PortedState };
  /**
   * Parts outside of nodes by key: `snippets`, `default_model`, keys of `source_metadata` such as `begin_message`, and
   * `nodes` for losses of all nodes together.
   */
  readonly settings: { readonly [key: string]: PortedState };
  /** The losses behind `emulated` and `dropped`. */
  readonly losses: readonly Loss[];
  /** The findings behind `refused`, and other findings of the platform. */
  readonly findings: readonly Finding[];
}

/** Options of {@link portability}. */
export interface PortabilityOptions {
  /** Names of formats. Default: all platforms' formats that can be emitted. */
  readonly targets?: readonly AnyFormatName[];
}

const WORSE: readonly PortedState[] = ["exact", "emulated", "dropped", "refused"];
/** Keys of `source_metadata` that are not settings of an agent. */
const NO_SETTINGS = new Set(["name", "original"]);

/**
 * Compares how platforms represent an agent: for each target, which nodes and settings are exact, emulated, dropped or
 * refused.
 *
 * @throws {GraphError} `not-a-graph` for other values; for an incomplete document, the errors of `parseGraph`.
 * @throws {PlatformError} `unknown-format`, `invalid-option`.
 */
export function portability(source: AgentGraph, options: PortabilityOptions = {}): readonly Ported[] {
  const graph = toGraph(source, "Cannot compare platforms");
  checkOptions(options, { targets: OPTION.texts }, PlatformError, "Cannot compare platforms");
  const emitted = withTakenOut(graph, []); // as emit() passes it to a format
  const names = options.targets?.map((name) => formatNamed(name).name) ?? platformFormats();
  return [...new Set(names)].map((name) => portedTo(name, emitted));
}

/** The formats of platforms: not Callweave's own document, and not pictures. */
function platformFormats(): readonly FormatName[] {
  return formats()
    .filter(({ emits, imports, name }) => emits && imports && name !== "graph")
    .map(({ name }) => name);
}

function portedTo(target: FormatName, graph: AgentGraph): Ported {
  const { title } = formatNamed(target);
  try {
    const { findings, losses } = checkFormat(target, graph);
    return { target, title, ...statesOf(graph, findings, losses), losses, findings };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const { code, message, hint } = error;
    const refused = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, "refused" as const]));
    const states = { nodes: refused(Object.keys(graph.nodes)), settings: refused(settingsOf(graph)) };
    return { target, title, error: { code, message, hint }, ...states, losses: [], findings: [] };
  }
}

function statesOf(graph: AgentGraph, findings: readonly Finding[], losses: readonly Loss[]) {
  const exact = (keys: readonly string[]) => new Map(keys.map((key) => [key, "exact" as PortedState]));
  const nodes = exact(Object.keys(graph.nodes));
  const settings = exact(settingsOf(graph));
  const lower = (path: Loss["path"], state: PortedState) => {
    const [first, second] = path.map(String);
    const ofNode = first === "nodes" && second !== undefined && nodes.has(second);
    const [states, key] = ofNode ? [nodes, second] : [settings, (first === "source_metadata" && second) || first];
    const known = states.get(key ?? "graph") ?? "exact";
    if (WORSE.indexOf(state) >= WORSE.indexOf(known)) states.set(key ?? "graph", state);
  };
  for (const { path, kind } of losses) lower(path, kind);
  for (const { path, severity } of findings) if (severity === "error") lower(path, "refused");
  return { nodes: Object.fromEntries(nodes), settings: Object.fromEntries(settings) };
}

function settingsOf({ source_metadata: metadata, snippets, default_model: model }: AgentGraph): readonly string[] {
  const isSet = (value: unknown) => value !== undefined && value !== null;
  return [
    ...Object.keys(metadata).filter((key) => !NO_SETTINGS.has(key) && isSet(metadata[key])),
    ...(Object.keys(snippets).length > 0 ? ["snippets"] : []),
    ...(isSet(model) ? ["default_model"] : []),
  ];
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
