import type { Path } from "../../../../src/errors.ts";
import { bareName, placeholderContents } from "../../../../src/expressions/mod.ts";
import type { AgentGraph, Transition } from "../../../../src/graph/mod.ts";
import { Names, omit, own } from "../../../../src/values/mod.ts";
import { type LoweredGraph, transitionPath } from "../../../lower/mod.ts";
import { limits, namePatterns } from "../../api/mod.ts";
import { variableSlug } from "../common/mod.ts";
import { platformPath, VAPIS } from "./platform_values.ts";

/** Reserved words of Liquid. */
const RESERVED = new Set("and or not contains true false nil null empty blank".split(" "));
const TAKEN = new Set([...VAPIS, ...RESERVED]);

/** Values that a variable can have. */
export interface VariableKind {
  /** `number` and `boolean`: only extractions and defaults of that type set the variable. */
  readonly type: "text" | "number" | "boolean" | "unknown";
  /** Whether a tool may set it to an empty text, which counts as not set. */
  readonly mayBeEmpty: boolean;
}

/** Names of variables in the emitted document. */
export interface VariableTable {
  /** Returns the name in Vapi of a variable that the graph sets. */
  readonly emitted: (name: string) => string;
  /** Names in Vapi of the variables that the graph sets or has a default for, by their names in the graph. */
  readonly names: ReadonlyMap<string, string>;
  /** Returns an unused name for a variable of the emitter. */
  readonly fresh: (wanted: string) => string;
  /** Returns the name of a left side in Liquid; `undefined` if Liquid does not allow it, so that it is never set. */
  readonly read: (name: string) => string | undefined;
  /** Returns the name of a right side in Liquid if it may be a variable; `undefined` for a literal. */
  readonly readRight: (text: string, left?: string) => string | undefined;
  readonly kindOf: (name: string) => VariableKind;
}

/** Assigns a name to every variable that the graph sets: its own if Vapi accepts it. */
export function nameVariables(graph: AgentGraph): VariableTable {
  const { types, choices } = variableSources(graph);
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  const clauses = clausesOf(graph);
  const texts = JSON.stringify([graph.nodes, graph.snippets, omit(graph.source_metadata, ["original"])]);
  const named = new Set([...placeholderContents(texts), ...clauses.map(({ name }) => name)]);
  // a variable that the call is given needs another name if an equation reads it and Liquid does not allow its name
  const unnamed = clauses.filter(({ name }) => name && !isPath(name) && platformPath(name, graph) === undefined);
  const owned = new Set([...Object.keys(defaults), ...types.keys(), ...unnamed.map(({ name }) => name)]);
  const pool = new Names([], { joint: "_", limit: limits().alias });
  const ordered = [...[...owned].filter(isPlain), ...[...owned].filter((name) => !isPlain(name))];
  const table = new Map(
    ordered.map((name) => {
      const wanted = isPlain(name) ? name : variableSlug(name);
      return [name, pool.take(TAKEN.has(wanted) ? `${wanted}_` : wanted)];
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

/** Returns the types of the values that each variable can get, and its choices. Tool results have an unknown type. */
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

/** Whether Liquid reads a name as a variable or as a path into Vapi's own values (`customer.number`). */
function isPath(name: string): boolean {
  const [root = ""] = name.split(".");
  return /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(name) && !RESERVED.has(root) && !root.startsWith("_cw_");
}

function isPlain(name: string): boolean {
  return namePatterns().alias.test(name) && name.length <= limits().alias && !TAKEN.has(name);
}

/** Returns all comparisons in equations of a graph, with the path of their transition or go-back condition. */
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
