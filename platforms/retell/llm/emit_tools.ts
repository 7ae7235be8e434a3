import type { LlmCreateParams } from "retell-sdk/resources/llm";
import type { Path } from "../../../src/errors.ts";
import type { AgentNode, ToolDefinition } from "../../../src/graph/mod.ts";
import { omit } from "../../../src/values/mod.ts";
import { completeTool, type Losses, retellName, writeTool, writeVariable } from "../shared/mod.ts";
import type { LossCode } from "./losses.ts";

/** A tool as an LLM has it. */
export type LlmTool = NonNullable<LlmCreateParams["general_tools"]>[number];

/**
 * Emits a tool. A tool that was imported from an LLM is emitted as it was.
 *
 * @param at Path of the tool in the graph.
 */
export function emitTool(tool: ToolDefinition, at: Path, losses: Losses<LossCode>, native: boolean): LlmTool {
  const written = omit(writeTool(tool), tool.description === "" ? ["description"] : []);
  const emitted = native ? written : complete(written, tool, at, losses);
  return emitted as unknown as LlmTool; // what was imported may be newer than the SDK's types
}

function complete(
  written: object,
  { name: given, type, metadata }: ToolDefinition,
  at: Path,
  losses: Losses<LossCode>,
) {
  const { tool, isKnown, missing } = completeTool({ ...written }, metadata);
  if (!isKnown) losses.add("tool-kind", at, `Retell has no tool of the kind "${type}"`, 'a tool of the kind "custom"');
  for (const [key, value] of Object.entries(missing)) {
    const code = key === "url" ? "tool-url-missing" : "tool-setting-missing";
    losses.add(code, at, `Tool "${given}" has no ${key}`, `${key} ${JSON.stringify(value)}`);
  }
  const name = retellName(given);
  if (name !== given) losses.add("name-changed", at, `Retell takes no tool named "${given}"`, `"${name}"`);
  return { ...omit(tool, ["tool_id", ...(tool.type === "custom" ? [] : ["url"])]), name };
}

/** The tool that fills the variables of a node. */
export function extractTool({ id, state_prompt: prompt, variables_to_extract: variables }: AgentNode): LlmTool {
  const written = variables.map((variable) => {
    const { choices, type } = variable;
    if (choices && choices.length > 0) return writeVariable({ ...variable, type: "enum" });
    const plain = type === "number" || type === "boolean" ? type : "string";
    return writeVariable({ ...variable, type: plain, choices: null });
  });
  const tool = {
    type: "extract_dynamic_variable",
    name: retellName(`extract_${id}`),
    description: prompt || "Record what the caller has said",
    variables: written,
  };
  return tool as unknown as LlmTool; // variables are written by the fields that flows have too
}
