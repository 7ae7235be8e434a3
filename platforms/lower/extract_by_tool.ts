import type { AgentGraph, AgentNode, ToolDefinition, VariableExtraction } from "../../src/graph/mod.ts";
import { neededVariables } from "./needed_variables.ts";
import { mapNodes, type Pass } from "./pass.ts";

/** How a tool that takes variables down is described to a model. */
export interface Extraction {
  readonly description: string;
  /** Schemas by the names of the variables. */
  readonly properties: { readonly [name: string]: ExtractionSchema };
  /** Names of the variables without which the call could not go on. */
  readonly required: readonly string[];
}

interface ExtractionSchema {
  readonly type: "string" | "number" | "boolean" | "integer";
  readonly description?: string;
  readonly enum?: string[];
}

/**
 * The tool that does the work of extract nodes: a model calls it with what the caller has said.
 *
 * @param node One of the nodes.
 * @param group All nodes that the tool is for; they extract the same.
 */
export function extractionOf(node: AgentNode, group: readonly AgentNode[], graph: AgentGraph): Extraction {
  const needed = neededVariables(group, graph);
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

/** Marks a tool whose answer is its arguments; the platform needs a tool that runs code, or a server that answers so. */
export const ECHOES = "echoes";

/** Replaces extract nodes by function nodes whose tool gives its arguments back. */
export const extractByTool: Pass = {
  name: "extract-by-tool",
  run: (graph) => ({
    graph: mapNodes(graph, (node) => {
      if (node.node_type !== "extract" || node.variables_to_extract.length === 0) return node;
      const { description, properties, required } = extractionOf(node, [node], graph);
      // a path into the answer has no way to write dots and brackets
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
