import type { Path } from "../../../../src/errors.ts";
import { bareName, placeholderContents } from "../../../../src/expressions/mod.ts";
import type { AgentGraph, Transition } from "../../../../src/graph/mod.ts";
import { omit, own } from "../../../../src/values/mod.ts";
import { type LoweredGraph, transitionPath } from "../../../lower/mod.ts";
import { limits, namePatterns } from "../../api/mod.ts";
import { NamePool, variableSlug } from "../common/mod.ts";
import { platformPath, VAPIS } from "./platform_values.ts";

/** Liquid's own words. */
const RESERVED = new Set("and or not contains true false nil null empty blank".split(" "));
const TAKEN = new Set([...VAPIS, ...RESERVED]);

/** Values that a variable can have. */
export interface VariableKind {
  /** `number` and `boolean`: only an extraction of that type, or a default like it, fills the variable. */
  readonly type: "text" | "number" | "boolean" | "unknown";
  /** Whether a tool may set it to an empty text, which stands for "not set". */
  readonly mayBeEmpty: boolean;
}

/** Names of variables in what is emitted. */
export interface VariableTable {
  /** The name in Vapi of a variable that the graph itself fills. */
  readonly emitted: (name: string) => string;
  /** Names in Vapi of the variables that the graph itself fills or gives a default, by their names in the graph. */
  readonly names: ReadonlyMap<string, string>;
  /** A name for a variable of the emitter, different from all variables of the graph. */
  readonly fresh: (wanted: string) => string;
  /** Where a left side is read; `undefined`: Liquid cannot name it, so it is never set. */
  readonly read: (name: string) => string | undefined;
  /** Where a right side is read if a variable of that name is set; `undefined`: it is a literal. */
  readonly readRight: (text: string, left?: string) => string | undefined;
  readonly kindOf: (name: string) => VariableKind;
}

/** Finds a name for every variable that the graph fills: its own where Vapi accepts it. */
export function nameVariables(graph: AgentGraph): VariableTable {
  const { types, choices } = variableSources(graph);
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  const clauses = clausesOf(graph);
  const texts = JSON.stringify([graph.nodes, graph.snippets, omit(graph.source_metadata, ["original"])]);
  const named = new Set([...placeholderContents(texts), ...clauses.map(({ name }) => name)]);
  // variables that a call is given and an equation reads need a name where Liquid could not name them
  const unnamed = clauses.filter(({ name }) => name && !isPath(name) && platformPath(name, graph) === undefined);
  const owned = new Set([...Object.keys(defaults), ...types.keys(), ...unnamed.map(({ name }) => name)]);
  const pool = new NamePool();
  const ordered = [...[...owned].filter(isPlain), ...[...owned].filter((name) => !isPlain(name))];
  const table = new Map(
    ordered.map((name) => {
      const wanted = isPlain(name) ? name : variableSlug(name);
      return [name, pool.take(TAKEN.has(wanted) ? `${wanted}_` : wanted, limits().alias)];
    }),
  );
  return {
    emitted: (name) => table.get(name) ?? name,
    names: table,
    fresh: (wanted) => pool.take(variableSlug(wanted), limits().alias),
    read: (side) => {
      const name = bareName(side);
      return table.get(name) ?? platformPath(name, graph) ?? (isPath(name) ? name : undefined);
    },
    readRight: (text, left) => {
      const name = bareName(text);
      if (left !== undefined && choices.get(bareName(left))?.has(text)) return undefined;
      return table.get(name) ?? (isPlain(name) && named.has(name) ? name : undefined);
    },
    kindOf: (side) => {
      const name = bareName(side);
      const [type, ...others] = types.get(name) ?? [];
      const given = own(defaults, name);
      const fits =
        given === undefined || (type === "number" ? Number.isFinite(Number(given)) && given !== "" : type === "text");
      const isSure = others.length === 0 && fits;
      return {
        type: isSure && (type === "number" || type === "boolean" || type === "text") ? type : "unknown",
        mayBeEmpty: types.has(name),
      };
    },
  };
}

/** The types that fill each variable of a graph, where a tool's answer has none that is known, and its choices. */
function variableSources(graph: AgentGraph) {
  const types = new Map<string, ReadonlySet<string>>();
  const choices = new Map<string, ReadonlySet<string>>();
  const add = (found: Map<string, ReadonlySet<string>>, name: string, values: readonly string[]) =>
    found.set(name, new Set([...(found.get(name) ?? []), ...values]));
  for (const { variables_to_extract: variables, tools } of Object.values(graph.nodes)) {
    for (const { name, type, choices: listed } of variables) {
      const isText = listed?.length || type === "string" || type === "enum";
      add(types, name, [isText ? "text" : type === "integer" ? "number" : type]);
      add(choices, name, listed ?? []);
    }
    for (const name of tools.flatMap((tool) => Object.keys(tool.response_variables ?? {})))
      add(types, name, ["unknown"]);
  }
  return { types, choices };
}

/** A name that Liquid reads as a variable or a path into Vapi's own values (`customer.number`). */
function isPath(name: string): boolean {
  const [root = ""] = name.split(".");
  return /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(name) && !RESERVED.has(root) && !root.startsWith("_cw_");
}

function isPlain(name: string): boolean {
  return namePatterns().alias.test(name) && name.length <= limits().alias && !TAKEN.has(name);
}

/** All comparisons in equations of a graph: the variable, the operator, and where the transition or go-back condition is. */
export function clausesOf({ nodes }: LoweredGraph) {
  const placed = ({ condition: { type, equations } }: Pick<Transition, "condition">, path: Path) =>
    (type === "equation" ? (equations ?? []) : []).map(({ left, operator }) => ({
      name: bareName(left),
      operator,
      path,
    }));
  return Object.values(nodes).flatMap((node) => [
    ...node.transitions.flatMap((each, index) => placed(each, transitionPath(node, index))),
    ...(node.global_node_setting?.go_back_conditions ?? []).flatMap((each, index) =>
      placed(each, ["nodes", node.id, "global_node_setting", "go_back_conditions", index]),
    ),
  ]);
}
