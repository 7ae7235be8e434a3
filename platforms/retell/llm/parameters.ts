import type { AgentGraph, AgentNode, NodeType, VariableExtraction } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, own } from "../../../src/values/mod.ts";
import { keep, ownKeys } from "../shared/mod.ts";

const TYPES = ["string", "number", "integer", "boolean"];

/**
 * The node that an edge's parameters are in the graph: the model fills them while it goes from state to state, and they
 * become dynamic variables, which is what an extract node on the way does. Nothing for a schema that is not a list of plain
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
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, property] of properties) {
    if (!isRecord(property) || typeof property.type !== "string" || !TYPES.includes(property.type)) return undefined;
    variables.push(importVariable(name, property, property.type, required.includes(name)));
  }
  return {
    id: idTo(target),
    node_type: "extract",
    state_prompt: "",
    tools: [],
    transitions: [{ target_node_id: target, condition: { type: "always", value: "" } }],
    variables_to_extract: variables,
    metadata: {},
  };
}

/** What the graph does not have of a property is kept with its variable, as a flow's extract nodes have it. */
function importVariable(name: string, property: JsonObject, type: string, required: boolean): VariableExtraction {
  const description = typeof property.description === "string" ? property.description : "";
  const choices = type === "string" ? choicesOf(property.enum) : undefined;
  const rest = omit(property, ["description", ...(choices ? ["enum"] : []), ...(type === "integer" ? [] : ["type"])]);
  const own = { ...rest, ...(required ? { required } : {}) };
  const metadata = Object.keys(own).length > 0 ? { metadata: keep(own) } : {};
  if (choices) return { name, description, type: "enum", choices, ...metadata };
  return { name, description, type: type === "integer" ? "number" : type, ...metadata };
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
  const all = node.variables_to_extract.map((variable) => {
    const { metadata }: JsonObject = { ...variable };
    return { variable, own: ownKeys(metadata) };
  });
  const required = all.flatMap(({ variable, own }) => (own.required === true ? [variable.name] : []));
  return {
    type: "object",
    properties: Object.fromEntries(all.map(({ variable, own }) => [variable.name, emitVariable(variable, own)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function emitVariable({ type, description, choices }: VariableExtraction, own: JsonObject): JsonObject {
  const plain = type === "number" || type === "boolean" ? type : "string";
  return {
    ...omit(own, ["type", "required"]),
    type: type === "number" && own.type === "integer" ? "integer" : plain,
    ...(description === "" ? {} : { description }),
    ...(choices && choices.length > 0 ? { enum: [...choices] } : {}),
  };
}
