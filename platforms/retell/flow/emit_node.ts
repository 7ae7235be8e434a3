import type { AgentNode, ToolDefinition } from "../../../src/graph/mod.ts";
import { type JsonObject, omit, sameJson } from "../../../src/values/mod.ts";
import { ownKeys, retellTables } from "../shared/mod.ts";
import { completeTool } from "./complete_tool.ts";
import { COMPONENT } from "./component_of.ts";
import type { EmitContext } from "./emit_context.ts";
import { writeEdges } from "./emit_edges.ts";
import { emptyNode, type RetellNode } from "./empty_node.ts";
import { writeExamples } from "./examples.ts";
import { putFields } from "./fields.ts";
import { writeGlobalSetting } from "./global_setting.ts";
import { readTools, VARIABLE_FIELDS } from "./import_node.ts";
import { writeInstruction } from "./instruction.ts";
import { loss } from "./losses.ts";
import { canonicalType, factsOf, type TypeFacts } from "./node_types.ts";
import { writeTool } from "./tools.ts";

/** Writes one node: the graph's word where it has one, the node's own where it has none, Retell's default elsewhere. */
export function writeNode(node: AgentNode, context: EmitContext): RetellNode {
  const own = omit(ownKeys(node.metadata), [COMPONENT]);
  const type = typeOf(node, own);
  const facts = factsOf(type, node.node_type === "conversation");
  const text = node.state_prompt;
  const written: JsonObject = {
    ...emptyNode(type, node.id),
    ...defaultsOf(node, type, context),
    ...own,
    ...writeExamples(node),
    id: node.id,
    type,
    ...writeInstruction(node, facts, text, context.foreign),
    ...writeSpeaking(node, own, text),
    ...writeTools(node, type, context),
    ...writeEdges(node, facts, context),
    ...(type === "extract_dynamic_variables" && node.variables_to_extract.length > 0
      ? { variables: writeVariables(node, context) }
      : {}),
    ...(node.global_node_setting
      ? { global_node_setting: writeGlobalSetting(node.global_node_setting, node.id, context) }
      : {}),
  };
  nodeLosses(node, facts, type, own, context);
  standInLosses(node, type, written, context);
  return written as JsonObject & RetellNode; // what an import kept or an option gave is as open as the platform itself
}

/** Defaults that depend on the graph: the place on the canvas, and for tools without a name of their own the node's. */
function defaultsOf(node: AgentNode, type: string, context: EmitContext): JsonObject {
  const [tool] = node.tools;
  return {
    ...(emptyNode(type, "") ? { display_position: context.positionOf(node.id) } : {}),
    ...(tool && (type === "code" || type === "sms") ? { name: tool.name } : {}),
  };
}

/** The node's own type where it still is one for what the node does; of types that nobody knows, what they are read as. */
function typeOf(node: AgentNode, { type }: JsonObject): string {
  if (typeof type !== "string" || type === "") return canonicalType(node);
  const talks = node.node_type === "conversation";
  return factsOf(type, talks).node_type === node.node_type ? type : canonicalType(node);
}

/** An end or a transfer with something to say says it. */
function writeSpeaking(node: AgentNode, own: JsonObject, text: string): JsonObject {
  if (text === "" || !["end", "transfer"].includes(node.node_type)) return {};
  return own.speak_during_execution === undefined || own.speak_during_execution === false
    ? { speak_during_execution: true }
    : {};
}

/** What comes from elsewhere may name types that Retell's API refuses; calls read them as texts. */
function writeVariables(node: AgentNode, { foreign, lose }: EmitContext): JsonObject[] {
  return node.variables_to_extract.map((variable, index) => {
    const choosable = variable.type !== "enum" || (variable.choices ?? []).length > 0;
    const known = choosable && retellTables().variable_types.includes(variable.type);
    const type = known || !foreign ? variable.type : variable.type === "integer" ? "number" : "string";
    if (type !== variable.type) lose(loss("variable-type", ["nodes", node.id, "variables_to_extract", index, "type"]));
    const view: JsonObject = { ...variable, type };
    return putFields(view, VARIABLE_FIELDS, ownKeys(view.metadata));
  });
}

function writeTools(node: AgentNode, type: string, context: EmitContext): JsonObject {
  const [first] = node.tools;
  switch (type) {
    case "function":
      return first ? { tool_id: refer(first, context, ["nodes", node.id, "tools", 0]) } : {};
    case "code":
      return first?.response_variables ? { response_variables: first.response_variables } : {};
    case "mcp":
      return {
        ...(first ? { mcp_tool_name: first.name } : {}),
        ...(first?.response_variables ? { response_variables: first.response_variables } : {}),
      };
    case "subagent":
      return writeSubagentTools(node, context);
    default:
      return {};
  }
}

function writeSubagentTools(node: AgentNode, context: EmitContext): JsonObject {
  const ids: string[] = [];
  const inline: JsonObject[] = [];
  for (const [index, tool] of node.tools.entries()) {
    const path = ["nodes", node.id, "tools", index];
    const held = !context.foreign || retellTables().flow_tools.includes(tool.type ?? "custom");
    if (typeof tool.tool_id === "string" && held) ids.push(refer(tool, context, path));
    else inline.push(completeTool(writeTool(tool), tool, context, path));
  }
  return { ...(ids.length > 0 ? { tool_ids: ids } : {}), ...(inline.length > 0 ? { tools: inline } : {}) };
}

/** The id of a tool that is held by the flow, where it is registered. */
function refer(tool: ToolDefinition, context: EmitContext, path: readonly (string | number)[]): string {
  const written = completeTool(writeTool(tool), tool, context, path, retellTables().flow_tools);
  return context.tools.add(tool, written, tool.tool_id ?? `tool-${tool.name}`);
}

/** Types that say no more of their tool than its name, if that. */
const STAND_INS = ["code", "mcp", "sms", "press_digit"];
const HAVE_TOOLS = [...STAND_INS, "function", "subagent"];

/** Says what a tool that stands for its node's own work has and the node cannot say. */
function standInLosses(node: AgentNode, type: string, written: JsonObject, { lose }: EmitContext): void {
  if (!STAND_INS.includes(type)) return;
  const scope = { ids: new Set<string>(), tools: new Map<string, JsonObject>() };
  const back = readTools(written, type, node.id, scope).value.map((tool) => omit(tool, ["metadata"]));
  const most = type === "press_digit" ? node.tools.length : 1;
  for (const [index, tool] of node.tools.slice(0, most).entries())
    if (!back.some((each) => sameJson(each, omit({ ...tool }, ["metadata"]))))
      lose(loss("tool-detail", ["nodes", node.id, "tools", index], tool.name));
}

function nodeLosses(node: AgentNode, facts: TypeFacts, type: string, own: JsonObject, context: EmitContext): void {
  const { lose, foreign } = context;
  const path = ["nodes", node.id];
  if (node.state_prompt !== "" && facts.instruction.length === 0) lose(loss("node-prompt", [...path, "state_prompt"]));
  const isFixed = foreign && node.instruction_type === "static_text" && facts.instruction.length > 0;
  if (isFixed && !facts.instruction.includes("static_text")) lose(loss("static-text", [...path, "instruction_type"]));
  if (node.variables_to_extract.length > 0 && type !== "extract_dynamic_variables")
    lose(loss("variables", [...path, "variables_to_extract"]));
  if (type === "function" && node.tools.length === 0 && !Object.hasOwn(own, "tool_id"))
    lose(loss("function-without-tool", path));
  if (facts.node_type === "function" && node.tools.length > 1) lose(loss("function-tools", [...path, "tools"]));
  if (!HAVE_TOOLS.includes(type) && node.tools.length > 0) lose(loss("node-tools", [...path, "tools"]));
  for (const [index, { condition }] of (node.global_node_setting?.go_back_conditions ?? []).entries())
    if (condition.type !== "llm_prompt" && condition.type !== "equation")
      lose(loss("go-back-kind", [...path, "global_node_setting", "go_back_conditions", index]));
}
