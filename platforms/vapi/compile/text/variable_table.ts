import { bareName } from "../../../../src/expressions/mod.ts";
import type { AgentGraph } from "../../../../src/graph/mod.ts";
import { limits, namePatterns } from "../../api/mod.ts";
import { NamePool, variableSlug } from "../common/mod.ts";
import { platformPath } from "./platform_values.ts";
import { variableKinds } from "./variable_kinds.ts";
import type { VariableNames } from "./variable_names.ts";

/** What Vapi sets in every call, and Liquid's own words: a graph's variable of such a name has to be called otherwise. */
const BUILT_IN =
  "now date time year month day currentDateTime customer phoneNumber call transport assistant messages transcript prompt";
const KEYWORDS = "and or not contains true false nil null empty blank";
const TAKEN = new Set(`${BUILT_IN} ${KEYWORDS}`.split(" "));
const RESERVED = new Set(KEYWORDS.split(" "));

/** How variables are called in what is emitted. */
export interface VariableTable extends VariableNames {
  /** The name in Vapi of a variable that the graph itself fills. */
  readonly emitted: (name: string) => string;
  /** The graph's name to Vapi's, where they differ. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Whether the graph itself fills the variable, or gives it a default. */
  readonly isOwn: (name: string) => boolean;
  /** A name for something of the emitter's own, which no variable of the graph has. */
  readonly fresh: (wanted: string) => string;
}

/** Finds a name for every variable that the graph fills: its own where Vapi takes it. */
export function nameVariables(graph: AgentGraph): VariableTable {
  const owned = ownVariables(graph);
  const kinds = variableKinds(graph);
  const pool = new NamePool();
  const table = new Map<string, string>();
  for (const name of owned) if (isPlain(name)) table.set(name, pool.take(name, limits().alias));
  for (const name of owned)
    if (!isPlain(name)) {
      const wanted = variableSlug(name);
      table.set(name, pool.take(TAKEN.has(wanted) ? `${wanted}_` : wanted, limits().alias));
    }
  const emitted = (name: string) => table.get(name) ?? name;
  return {
    emitted,
    renamed: new Map([...table].filter(([name, other]) => name !== other)),
    isOwn: (name) => table.has(name),
    fresh: (wanted) => pool.take(variableSlug(wanted), limits().alias),
    read: (side) => {
      const name = bareName(side);
      return table.get(name) ?? platformPath(name, graph) ?? (isPath(name) ? name : undefined);
    },
    readRight: (text, left) => {
      const name = bareName(text);
      if (left !== undefined && kinds.choicesOf(bareName(left)).has(text)) return undefined;
      return table.get(name) ?? (isPlain(name) && kinds.isNamed(name) ? name : undefined);
    },
    kindOf: (name) => kinds.kindOf(bareName(name)),
  };
}

/** A name that Liquid reads as a variable or a path into Vapi's own values (`customer.number`). */
function isPath(name: string): boolean {
  const [root = ""] = name.split(".");
  return /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(name) && !RESERVED.has(root) && !root.startsWith("_cw_");
}

function isPlain(name: string): boolean {
  return namePatterns().alias.test(name) && name.length <= limits().alias && !TAKEN.has(name);
}

/**
 * Every variable that the graph fills or gives a default, in the order in which it is met; and those that a call is given
 * and an equation reads, where Liquid could not name them.
 */
function ownVariables(graph: AgentGraph): ReadonlySet<string> {
  const names = new Set(Object.keys(graph.source_metadata.default_dynamic_variables ?? {}));
  for (const node of Object.values(graph.nodes)) {
    for (const variable of node.variables_to_extract) names.add(variable.name);
    for (const tool of node.tools) for (const name of Object.keys(tool.response_variables ?? {})) names.add(name);
  }
  for (const { transitions, global_node_setting: setting } of Object.values(graph.nodes))
    for (const { condition } of [...transitions, ...(setting?.go_back_conditions ?? [])])
      for (const { left } of condition.type === "equation" ? (condition.equations ?? []) : []) {
        const name = bareName(left);
        if (name !== "" && !isPath(name) && platformPath(name, graph) === undefined) names.add(name);
      }
  return names;
}
