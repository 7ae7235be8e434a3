import type { AgentGraph, AgentNode, ToolDefinition, VariableExtraction } from "../../src/document/graph/mod.ts";
import { mapLoweredNodes, type Pass, variablesAfterExtraction } from "./pass.ts";

/** Description of a tool that extracts variables, for a model. */
export interface Extraction {
  readonly description: string;
  /** Schemas by variable name. */
  readonly properties: { readonly [name: string]: ExtractionSchema };
  /** Variables without which the call cannot continue. */
  readonly required: readonly string[];
}

interface ExtractionSchema {
  readonly type: "string" | "number" | "boolean" | "integer";
  readonly description?: string;
  readonly enum?: string[];
}

/**
 * Returns the tool that replaces extract nodes: the model calls it with the values that the caller gave.
 *
 * @param group All nodes that share the tool, `node` included. They extract the same variables.
 */
export function extractionByTool(node: AgentNode, group: readonly AgentNode[], graph: AgentGraph): Extraction {
  const needed = variablesAfterExtraction(group, graph);
  const names = [...new Set(node.variables_to_extract.map(({ name }) => name))];
  const required = names.filter((name) => needed.has(name));
  const isOptional = required.length < names.length;
  const optional = isOptional ? " Leave out what the caller has not said: never make a value up." : "";
  const prompt = node.node_type === "extract" ? node.state_prompt : "";
  return {
    description: `Notes what the caller has said.${optional} ${prompt}`.trim(),
    properties: Object.fromEntries(node.variables_to_extract.map((variable) => [variable.name, schemaOf(variable)])),
    required,
  };
}

function schemaOf({ type, description, choices }: VariableExtraction): ExtractionSchema {
  const told = description ? { description } : {};
  if (choices && choices.length > 0) return { type: "string", ...told, enum: [...choices] };
  return { type: type === "number" || type === "boolean" || type === "integer" ? type : "string", ...told };
}

/** Metadata key of a tool that returns its arguments. The platform must run it as code, or on a server. */
export const ECHOES = "echoes";

/** Replaces extract nodes by function nodes whose tool returns its arguments. */
export const extractByTool: Pass = {
  name: "extract-by-tool",
  run: (graph) => ({
    graph: mapLoweredNodes(graph, (node) => {
      if (node.node_type !== "extract" || node.variables_to_extract.length === 0) return node;
      const { description, properties, required } = extractionByTool(node, [node], graph);
      // JSON paths cannot contain names with dots or brackets
      const keys = new Map(
        Object.keys(properties).map((name, index) => [name, /^[\w-]+$/.test(name) ? name : `variable_${index + 1}`]),
      );
      const tool: ToolDefinition = {
        name: `extract_${node.id}`,
        description,
        parameters: {
          type: "object",
          properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [keys.get(name), each])),
          required: required.map((name) => keys.get(name)),
        },
        response_variables: Object.fromEntries([...keys].map(([name, key]) => [name, `$.${key}`])),
        metadata: { [ECHOES]: true },
      };
      return { ...node, node_type: "function", variables_to_extract: [], tools: [tool, ...node.tools] };
    }),
  }),
};
