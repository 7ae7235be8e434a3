import type { Path } from "../../../../src/base/errors.ts";
import { Names, own } from "../../../../src/base/values/mod.ts";
import { bareName, clauseVariables, isPlatformVariable } from "../../../../src/document/expressions/mod.ts";
import type { AgentGraph, Transition } from "../../../../src/document/graph/mod.ts";
import { type LoweredGraph, transitionPath } from "../../../lower/mod.ts";
import { limits, namePatterns } from "../../api/mod.ts";
import { VAPI_VARIABLES } from "../../traits/mod.ts";
import { type LossList, variableSlug } from "../common/mod.ts";

/** Reserved words of Liquid. */
const RESERVED = new Set("and or not contains true false nil null empty blank".split(" "));

/** Names that Vapi sets in every call. */
const VAPIS: ReadonlySet<string> = new Set(VAPI_VARIABLES.names);

const TAKEN = new Set([...VAPIS, ...RESERVED]);

/** Values that a variable can have. */
export interface VariableValues {
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
  /** Returns the name in Liquid of a variable in an equation; `undefined` if Liquid does not allow it, so that it is never set. */
  readonly read: (name: string) => string | undefined;
  readonly kindOf: (name: string) => VariableValues;
}

/** Assigns a name to every variable that the graph sets: its own if Vapi accepts it. */
export function nameVariables(graph: AgentGraph): VariableTable {
  const types = typesOf(graph);
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  // a variable that the call is given needs another name if an equation reads it and Liquid does not allow its name
  const compared = clausesOf(graph).flatMap(({ names }) => names);
  const unnamed = compared.filter((name) => name && !isPath(name) && platformPath(name, graph) === undefined);
  const owned = new Set([...Object.keys(defaults), ...types.keys(), ...unnamed]);
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

/** Returns the types of the values that each variable can get. Tool results have an unknown type. */
function typesOf(graph: AgentGraph): ReadonlyMap<string, ReadonlySet<string>> {
  const types = new Map<string, ReadonlySet<string>>();
  const add = (name: string, type: string) => types.set(name, new Set([...(types.get(name) ?? []), type]));
  for (const { variables_to_extract: variables, tools } of Object.values(graph.nodes)) {
    for (const { name, type, choices: listed } of variables) {
      const isText = listed?.length || type === "string" || type === "enum";
      add(name, isText ? "text" : type === "integer" ? "number" : type);
    }
    for (const name of tools.flatMap((tool) => Object.keys(tool.response_variables ?? {}))) add(name, "unknown");
  }
  return types;
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
    (type === "equation" ? (equations ?? []) : []).map((clause) => ({
      names: clauseVariables(clause),
      operator: clause.operator,
      path,
    }));
  return Object.values(nodes).flatMap((node) => [
    ...node.transitions.flatMap((each, index) => placed(each, transitionPath(node, index))),
    ...(node.global_node_setting?.go_back_conditions ?? []).flatMap((each, index) =>
      placed(each, ["nodes", node.id, "global_node_setting", "go_back_conditions", index]),
    ),
  ]);
}

/** Retell's system variables that Vapi has under another name. */
const PATHS: ReadonlyMap<string, string> = new Map([
  ["user_number", "customer.number"],
  ["agent_number", "phoneNumber.number"],
  ["call_id", "call.id"],
  ["session_type", "transport.conversationType"],
]);

/** LiquidJS formats of Retell's clock variables: `Thursday, March 28, 2024 at 11:46:04 PM`, and `23`. */
const CLOCKS: ReadonlyMap<string, string> = new Map([
  ["time", "%A, %B %-d, %Y at %-I:%M:%S %p"],
  ["hour", "%H"],
]);
const CLOCK = /^current_(time|hour)(?:_([A-Za-z0-9_+/-]+))?$/;
/** Default time zone of Retell's clock variables. */
const ZONE = "America/Los_Angeles";

/**
 * Returns Vapi's name for another platform's system variable: Vapi's equivalent, or the name under which calls can set
 * it. In graphs from Vapi's formats, such a name is an ordinary variable.
 */
function platformPath(name: string, { source_type }: AgentGraph): string | undefined {
  const isForeign = !source_type.startsWith("vapi") && isPlatformVariable(name) && !VAPIS.has(name);
  return isForeign ? (PATHS.get(name) ?? variableSlug(name)) : undefined;
}

/** Reports another platform's system variable that Vapi's calls have only if it is set for the call. */
export function reportGiven(name: string, graph: AgentGraph, losses: LossList): void {
  const given = PATHS.has(name) ? undefined : platformPath(name, graph);
  if (given !== undefined) losses.add("platform-variable", ["variables", name], name, { given });
}

/**
 * Returns the Liquid that replaces another platform's system variable; `undefined` for any other name.
 *
 * @see https://docs.retellai.com/build/dynamic-variables (system variables)
 * @see https://docs.vapi.ai/assistants/dynamic-variables (default variables, dates with a zone)
 */
export function platformText(name: string, graph: AgentGraph, losses: LossList): string | undefined {
  const path = platformPath(name, graph);
  if (path === undefined) return undefined;
  const [, kind = "", zone = ZONE] = CLOCK.exec(name) ?? [];
  const format = CLOCKS.get(kind);
  if (format) losses.add("platform-variable", ["variables", name], name, { zone });
  else reportGiven(name, graph, losses);
  return format ? `{{ "now" | date: "${format}", "${zone}" }}` : `{{${path}}}`;
}
