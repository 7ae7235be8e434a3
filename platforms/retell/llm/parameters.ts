import { isRecord, isTexts, type JsonObject, omit, own } from "../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, NodeType, VariableExtraction } from "../../../src/document/graph/mod.ts";
import { isString, ownKeys, withMetadata } from "../shared/mod.ts";

const TYPES: readonly unknown[] = ["string", "number", "integer", "boolean"];

/**
 * Creates the extract node for the parameters of an edge. The model sets them with the transition, and they become
 * dynamic variables. `undefined` for a schema with other than plain values, which is kept with the edge.
 */
export function importParameters(
  schema: unknown,
  newId: () => string,
  target: string,
): (JsonObject & { readonly id: string }) | undefined {
  if (!isRecord(schema) || schema.type !== "object" || !isRecord(schema.properties)) return undefined;
  const properties = Object.entries(schema.properties);
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const variables = properties.flatMap(([name, property]) =>
    isRecord(property) && TYPES.includes(property.type) ? importVariable(name, property, required.includes(name)) : [],
  );
  if (variables.length === 0 || variables.length < properties.length) return undefined;
  return {
    id: newId(),
    node_type: "extract",
    transitions: [{ target_node_id: target, condition: { type: "always", value: "" } }],
    variables_to_extract: variables,
  };
}

/** Keeps keys of a property that the graph does not model, and `required`, in the variable's metadata. */
function importVariable(name: string, property: JsonObject, required: boolean): JsonObject {
  const { type, enum: choices } = property;
  const description = isString(property.description) ? property.description : "";
  const hasChoices = type === "string" && isTexts(choices) && choices.length > 0;
  const known = ["description", ...(hasChoices ? ["enum"] : []), ...(type === "integer" ? [] : ["type"])];
  const kept = { ...omit(property, known), ...(required ? { required } : {}) };
  const kind = hasChoices ? { type: "enum", choices } : { type: type === "integer" ? "number" : type };
  return withMetadata({ name, description, ...kind }, kept);
}

/** Node types that become states. An extract node may become parameters of an edge instead. */
const STATES: readonly NodeType[] = ["conversation", "logic", "function"];

/** Returns the extract nodes between two states that become parameters of the edges to them. */
export function parameterNodes(graph: AgentGraph): ReadonlySet<string> {
  const all = Object.values(graph.nodes);
  const ways = all.flatMap(({ node_type: type, transitions }) =>
    transitions.map(({ target_node_id: target, condition }) => ({
      target,
      isEdge: type === "conversation" && condition.type === "llm_prompt",
    })),
  );
  const found = all.filter((node) => {
    if (node.node_type !== "extract") return false;
    const { id, variables_to_extract: variables } = node;
    const toNode = ways.filter(({ target }) => target === id);
    const [only, ...others] = node.transitions;
    const next = own(graph.nodes, only?.target_node_id ?? "");
    const isBetween = toNode.length > 0 && toNode.every(({ isEdge }) => isEdge);
    const isEntry = id === graph.entry_node_id || node.global_node_setting;
    const leadsOn = others.length === 0 && only?.condition.type === "always" && next && STATES.includes(next.node_type);
    const onlyExtracts = node.state_prompt === "" && node.tools.length === 0;
    const names = new Set(variables.map(({ name }) => name));
    return isBetween && !isEntry && leadsOn && onlyExtracts && names.size > 0 && names.size === variables.length;
  });
  return new Set(found.map(({ id }) => id));
}

/** Emits the parameters of an edge: the inverse of {@link importParameters}. */
export function extractionParameters({ variables_to_extract: variables }: AgentNode): JsonObject {
  const required = variables.filter((variable) => ownKeys(variable).required === true).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(variables.map((variable) => [variable.name, emitVariable(variable)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Returns the type of a variable without choices. */
export function plainType(type: string): string {
  return type === "number" || type === "boolean" ? type : "string";
}

function emitVariable(variable: VariableExtraction): JsonObject {
  const { type, description, choices } = variable;
  const kept = ownKeys(variable);
  return {
    ...omit(kept, ["type", "required"]),
    type: type === "number" && kept.type === "integer" ? "integer" : plainType(type),
    ...(description === "" ? {} : { description }),
    ...(choices && choices.length > 0 ? { enum: [...choices] } : {}),
  };
}
