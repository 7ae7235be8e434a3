import {
  type AnyFormatName,
  checkFormat,
  type Finding,
  type FormatName,
  formatNamed,
  formats,
  type Loss,
} from "../../../platforms/mod.ts";
import { PlatformError } from "../../base/errors.ts";
import { checkOptions, OPTION } from "../../base/values/mod.ts";
import { type AgentGraph, toGraph } from "../../document/graph/mod.ts";
import { withTakenOut } from "../../document/secrets/mod.ts";

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
