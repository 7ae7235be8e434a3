import { bareName, placeholderContents } from "../../../../src/expressions/mod.ts";
import type { AgentGraph } from "../../../../src/graph/mod.ts";
import { own } from "../../../../src/values/mod.ts";
import type { VariableKind } from "./variable_names.ts";

/** What a graph says of its variables' values. */
export interface VariableKinds {
  readonly kindOf: (name: string) => VariableKind;
  /** The choices of a variable that is one of them. */
  readonly choicesOf: (name: string) => ReadonlySet<string>;
  /** Whether the graph mentions a variable of that name: in a placeholder, or on the left of an equation. */
  readonly isNamed: (name: string) => boolean;
}

/** Reads from the nodes which values variables can have. */
export function variableKinds(graph: AgentGraph): VariableKinds {
  const types = new Map<string, Set<string>>();
  const choices = new Map<string, Set<string>>();
  const answered = new Set<string>();
  const named = new Set<string>();
  for (const node of Object.values(graph.nodes)) {
    for (const variable of node.variables_to_extract) {
      const { name, type } = variable;
      const isChoice = (variable.choices ?? []).length > 0 || type === "string" || type === "enum";
      types.set(name, (types.get(name) ?? new Set()).add(isChoice ? "text" : type === "integer" ? "number" : type));
      const known = choices.get(name) ?? new Set();
      for (const choice of variable.choices ?? []) known.add(choice);
      choices.set(name, known);
    }
    for (const tool of node.tools) for (const name of Object.keys(tool.response_variables ?? {})) answered.add(name);
    const conditions = [...node.transitions, ...(node.global_node_setting?.go_back_conditions ?? [])];
    for (const { condition } of conditions) for (const { left } of condition.equations ?? []) named.add(bareName(left));
  }
  for (const name of placeholdersOf(graph)) named.add(name);
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  return {
    kindOf: (name) => {
      const [type, ...others] = types.get(name) ?? [];
      const given = own(defaults, name);
      const fits =
        given === undefined || (type === "number" ? Number.isFinite(Number(given)) && given !== "" : type === "text");
      const isSure = type !== undefined && others.length === 0 && !answered.has(name) && fits;
      return {
        type: isSure && (type === "number" || type === "boolean" || type === "text") ? type : "unknown",
        mayBeEmpty: types.has(name) || answered.has(name),
      };
    },
    choicesOf: (name) => choices.get(name) ?? new Set(),
    isNamed: (name) => named.has(name),
  };
}

function placeholdersOf(graph: AgentGraph): ReadonlySet<string> {
  const { general_prompt: general, begin_message: begin } = graph.source_metadata;
  const texts = [
    general,
    begin,
    ...Object.values(graph.snippets),
    ...Object.values(graph.nodes).flatMap(({ state_prompt, transitions, tools }) => [
      state_prompt,
      ...transitions.map(({ condition }) => condition.value),
      ...transitions.flatMap(({ condition }) => (condition.equations ?? []).map(({ right }) => String(right ?? ""))),
      ...tools.flatMap(({ description, url }) => [description, url ?? ""]),
    ]),
  ];
  return new Set(texts.flatMap((text) => placeholderContents(text ?? "")));
}
