import type { Path } from "../../../../src/errors.ts";
import { bareName, placeholderContents } from "../../../../src/expressions/mod.ts";
import type { AgentGraph, EquationClause } from "../../../../src/graph/mod.ts";
import { omit, own } from "../../../../src/values/mod.ts";
import { limits, namePatterns } from "../../api/mod.ts";
import { type LossList, NamePool, variableSlug } from "../common/mod.ts";
import { givenName, platformPath } from "./platform_values.ts";

/** Names that Vapi sets in every call. */
const BUILT_IN =
  "now date time year month day currentDateTime customer phoneNumber call transport assistant messages transcript prompt";
/** Liquid's own words. */
const KEYWORDS = "and or not contains true false nil null empty blank";
const TAKEN = new Set(`${BUILT_IN} ${KEYWORDS}`.split(" "));
const RESERVED = new Set(KEYWORDS.split(" "));

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
  /** The graph's name to Vapi's, where they differ. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Whether the graph itself fills the variable, or gives it a default. */
  readonly isOwn: (name: string) => boolean;
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
  const { filled, types, choices, answered } = variableSources(graph);
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  const clauses = clausesOf(graph);
  const texts = JSON.stringify([graph.nodes, graph.snippets, omit(graph.source_metadata, ["original"])]);
  const named = new Set([...placeholderContents(texts), ...clauses.map(({ name }) => name)]);
  // variables that a call is given and an equation reads need a name where Liquid could not name them
  const unnamed = clauses.filter(({ name }) => name && !isPath(name) && platformPath(name, graph) === undefined);
  const owned = new Set([...Object.keys(defaults), ...filled, ...unnamed.map(({ name }) => name)]);
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
    renamed: new Map([...table].filter(([name, other]) => name !== other)),
    isOwn: (name) => table.has(name),
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
      const isSure = others.length === 0 && !answered.has(name) && fits;
      return {
        type: isSure && (type === "number" || type === "boolean" || type === "text") ? type : "unknown",
        mayBeEmpty: types.has(name) || answered.has(name),
      };
    },
  };
}

/** What fills the variables of a graph: extractions, with their types and choices, and answers of tools. */
function variableSources(graph: AgentGraph) {
  const filled = new Set<string>();
  const types = new Map<string, Set<string>>();
  const choices = new Map<string, Set<string>>();
  const answered = new Set<string>();
  for (const { variables_to_extract: variables, tools } of Object.values(graph.nodes)) {
    for (const { name, type, choices: listed = [] } of variables) {
      filled.add(name);
      const isText = listed?.length || type === "string" || type === "enum";
      types.set(name, (types.get(name) ?? new Set()).add(isText ? "text" : type === "integer" ? "number" : type));
      choices.set(name, new Set([...(choices.get(name) ?? []), ...(listed ?? [])]));
    }
    for (const name of tools.flatMap((tool) => Object.keys(tool.response_variables ?? {}))) {
      filled.add(name);
      answered.add(name);
    }
  }
  return { filled, types, choices, answered };
}

/** A name that Liquid reads as a variable or a path into Vapi's own values (`customer.number`). */
function isPath(name: string): boolean {
  const [root = ""] = name.split(".");
  return /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(name) && !RESERVED.has(root) && !root.startsWith("_cw_");
}

function isPlain(name: string): boolean {
  return namePatterns().alias.test(name) && name.length <= limits().alias && !TAKEN.has(name);
}

/** Reports equations that read variables which only another platform gives every call. */
export function reportAskedValues(graph: AgentGraph, { isOwn }: VariableTable, losses: LossList): void {
  for (const { name } of clausesOf(graph)) {
    const given = isOwn(name) ? undefined : givenName(name, graph);
    if (given !== undefined) losses.add("platform-variable", ["variables", name], name, { given });
  }
}

/** One comparison of an equation of the graph. */
interface PlacedClause extends Pick<EquationClause, "operator"> {
  /** Name of the variable on the left. */
  readonly name: string;
  /** Path of the transition or go-back condition. */
  readonly path: Path;
}

/** All comparisons in the equations of a graph. */
export function clausesOf({ nodes }: AgentGraph): readonly PlacedClause[] {
  return Object.values(nodes).flatMap(({ id, transitions, global_node_setting: setting }) =>
    Object.entries({ transitions, go_backs: setting?.go_back_conditions ?? [] }).flatMap(([list, conditions]) =>
      conditions.flatMap(({ condition: { type, equations } }, index) =>
        (type === "equation" ? (equations ?? []) : []).map(({ left, operator }) => {
          const at = list === "transitions" ? [list] : ["global_node_setting", "go_back_conditions"];
          return { name: bareName(left), operator, path: ["nodes", id, ...at, index] };
        }),
      ),
    ),
  );
}
