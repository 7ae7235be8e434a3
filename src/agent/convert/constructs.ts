import type { Finding, Loss } from "../../../platforms/mod.ts";
import type { Path } from "../../base/errors.ts";
import { isRecord } from "../../base/values/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { PortedState } from "../check/mod.ts";

/** What a part of an agent is. */
export type ConstructKind = "node" | "transition" | "tool" | "variable" | "setting";

/** A part of an agent, and how the target represents it. */
export interface Construct {
  readonly kind: ConstructKind;
  /** Its path in the graph. */
  readonly path: Path;
  readonly state: PortedState;
}

/** Keys of `source_metadata` that are not settings of an agent. */
const NO_SETTINGS = new Set(["original"]);
const WORSE: readonly PortedState[] = ["exact", "emulated", "dropped", "refused"];

/**
 * Lists every part of a graph. A part has the worst state of the losses and findings at it or inside of it, and of those
 * of a whole that it belongs to: a node that is dropped drops its transitions.
 */
export function constructsOf(
  graph: AgentGraph,
  losses: readonly Pick<Loss, "path" | "kind">[],
  findings: readonly Pick<Finding, "path" | "severity">[],
): readonly Construct[] {
  const marks: readonly { readonly path: Path; readonly state: PortedState }[] = [
    ...losses.map(({ path, kind }) => ({ path, state: kind })),
    ...findings.flatMap(({ path, severity }) => (severity === "error" ? [{ path, state: "refused" as const }] : [])),
  ];
  const parts = partsOf(graph);
  const known = new Set(parts.map(({ path }) => JSON.stringify(path)));
  return parts.map(({ kind, path }) => {
    const states = marks.filter((mark) => concerns(mark.path, path, known)).map(({ state }) => state);
    const worst = states.reduce<PortedState>(
      (left, right) => (WORSE.indexOf(right) > WORSE.indexOf(left) ? right : left),
      "exact",
    );
    return { kind, path, state: worst };
  });
}

/** Whether a mark is of a part: at it, around it, or inside of it and not inside of a smaller part. */
function concerns(mark: Path, part: Path, known: ReadonlySet<string>): boolean {
  const begins = (long: Path, short: Path) => short.every((key, index) => String(long[index]) === String(key));
  if (mark.length <= part.length) return begins(part, mark);
  if (!begins(mark, part)) return false;
  for (let length = mark.length; length > part.length; length -= 1)
    if (known.has(JSON.stringify(mark.slice(0, length)))) return false;
  return true;
}

/** Settings of platforms in the metadata of a part: what they lose, the part does not. */
function settingsIn(metadata: object | null | undefined, path: Path): readonly Omit<Construct, "state">[] {
  const owners = Object.entries(metadata ?? {}).filter(([, settings]) => isRecord(settings));
  return owners.map(([owner]) => ({ kind: "setting" as const, path: [...path, "metadata", owner] }));
}

function partsOf(graph: AgentGraph): readonly Omit<Construct, "state">[] {
  const nodes = Object.entries(graph.nodes).flatMap(([id, node]) => {
    const path = ["nodes", id];
    const inside = (key: string, kind: ConstructKind, list: readonly unknown[]) =>
      list.map((_, index) => ({ kind, path: [...path, key, index] }));
    const items = (["transitions", "tools"] as const).flatMap((key) =>
      node[key].flatMap(({ metadata }, index) => settingsIn(metadata, [...path, key, index])),
    );
    return [
      { kind: "node" as const, path },
      ...settingsIn(node.metadata, path),
      ...items,
      ...inside("transitions", "transition", node.transitions),
      ...inside("tools", "tool", node.tools),
      ...inside("variables_to_extract", "variable", node.variables_to_extract ?? []),
    ];
  });
  const settings = Object.entries(graph.source_metadata).flatMap(([key, value]) => {
    if (NO_SETTINGS.has(key) || value === null || value === undefined) return [];
    return [{ kind: "setting" as const, path: ["source_metadata", key] }];
  });
  const rest = (["default_model", "snippets"] as const).flatMap((key) => {
    const value: unknown = graph[key];
    const isSet = isRecord(value) ? Object.keys(value).length > 0 : value !== undefined && value !== null;
    return isSet ? [{ kind: "setting" as const, path: [key] }] : [];
  });
  return [...nodes, ...settings, ...rest];
}
