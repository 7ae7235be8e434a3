import type { AgentGraph, AgentNode, NodeType, VariableExtraction } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, own } from "../../../src/values/mod.ts";
import { keptFor, OWNER, onlyFull, restOf, unlessEmpty } from "./schema.ts";

const TYPES = ["string", "number", "integer", "boolean"];

/**
 * The node that an edge's parameters are in the graph: the model fills them while it goes from state to state, and they
 * become dynamic variables, which is what an extract node on the way does. Nothing for a schema that is no list of plain
 * values; it is kept with the edge.
 */
export function importParameters(
  schema: unknown,
  idTo: (target: string) => string,
  target: string,
): AgentNode | undefined {
  if (!isRecord(schema) || schema.type !== "object" || !isRecord(schema.properties)) return undefined;
  const properties = Object.entries(schema.properties);
  if (properties.length === 0) return undefined;
  const variables: VariableExtraction[] = [];
  const left: (readonly [name: string, rest: JsonObject])[] = [];
  for (const [name, property] of properties) {
    if (!isRecord(property) || typeof property.type !== "string" || !TYPES.includes(property.type)) return undefined;
    const variable = importVariable(name, property, property.type);
    variables.push(variable);
    const modelled = ["type", ...(variable.description ? ["description"] : []), ...(variable.choices ? ["enum"] : [])];
    const rest = omit(property, property.type === "integer" ? modelled.slice(1) : modelled);
    if (Object.keys(rest).length > 0) left.push([name, rest]);
  }
  // names of the parameters go when their variables go; a list of anything else stays as it is
  const regular = isNames(schema.required, new Set(properties.map(([name]) => name)));
  const notes = unlessEmpty({
    ...onlyFull({ rest: omit(schema, ["type", "properties", ...(regular ? ["required"] : [])]) }),
    ...(regular ? { required: schema.required } : {}),
    ...onlyFull({ properties: Object.fromEntries(left) }),
  });
  return {
    id: idTo(target),
    node_type: "extract",
    state_prompt: "",
    tools: [],
    transitions: [{ target_node_id: target, condition: { type: "always", value: "" } }],
    variables_to_extract: variables,
    metadata: notes ? { [OWNER]: notes } : {},
  };
}

function importVariable(name: string, property: JsonObject, type: string): VariableExtraction {
  const description = typeof property.description === "string" ? property.description : "";
  const choices = choicesOf(property.enum);
  if (type === "string" && choices) return { name, description, type: "enum", choices };
  return { name, description, type: type === "integer" ? "number" : type };
}

function isNames(value: unknown, names: ReadonlySet<unknown>): boolean {
  return Array.isArray(value) && value.every((name) => names.has(name));
}

function choicesOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const texts = value.filter((item): item is string => typeof item === "string");
  return texts.length === value.length ? texts : undefined;
}

/** Nodes that are states for certain: an extract node could itself be no more than parameters. */
const STATES: readonly NodeType[] = ["conversation", "logic", "function"];

/** The nodes that are parameters of the edges to them: they fill variables on the way from state to state, and no more. */
export function parameterNodes(graph: AgentGraph): ReadonlySet<string> {
  const waysTo = new Map<string, boolean>();
  for (const node of Object.values(graph.nodes))
    for (const { target_node_id: target, condition } of node.transitions)
      waysTo.set(
        target,
        (waysTo.get(target) ?? true) && node.node_type === "conversation" && condition.type === "llm_prompt",
      );
  const found = Object.values(graph.nodes).filter((node) => {
    const [only, ...others] = node.transitions;
    const target = only && own(graph.nodes, only.target_node_id);
    return (
      node.node_type === "extract" &&
      node.id !== graph.entry_node_id &&
      waysTo.get(node.id) === true &&
      others.length === 0 &&
      only?.condition.type === "always" &&
      target !== undefined &&
      STATES.includes(target.node_type) &&
      node.state_prompt === "" &&
      node.tools.length === 0 &&
      !node.global_node_setting &&
      node.variables_to_extract.length > 0 &&
      new Set(node.variables_to_extract.map(({ name }) => name)).size === node.variables_to_extract.length
    );
  });
  return new Set(found.map(({ id }) => id));
}

/** The parameters that an extract node is: the inverse of {@link importParameters}. */
export function emitParameters(node: AgentNode): JsonObject & { type: "object"; properties: JsonObject } {
  const notes = keptFor(node.metadata);
  const left = isRecord(notes.properties) ? notes.properties : {};
  const properties = node.variables_to_extract.map((variable) => {
    const rest = own(left, variable.name);
    return [variable.name, emitVariable(variable, isRecord(rest) ? rest : {})] as const;
  });
  const names = new Set(node.variables_to_extract.map(({ name }) => name));
  const required = Array.isArray(notes.required) ? notes.required.filter((name) => names.has(name)) : undefined;
  return {
    ...restOf(notes),
    ...(required ? { required } : {}),
    type: "object",
    properties: Object.fromEntries(properties),
  };
}

function emitVariable({ type, description, choices }: VariableExtraction, rest: JsonObject): JsonObject {
  const plain = type === "number" || type === "boolean" ? type : "string";
  const kept = type === "number" && rest.type === "integer" ? "integer" : plain;
  return {
    ...omit(rest, ["type"]),
    type: kept,
    ...(description === "" ? {} : { description }),
    ...(choices && choices.length > 0 ? { enum: [...choices] } : {}),
  };
}
