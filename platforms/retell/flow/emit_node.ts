import { type JsonObject, omit, own as ownOf } from "../../../src/base/values/mod.ts";
import type { AgentNode } from "../../../src/document/graph/mod.ts";
import { isString, ownKeys, putFields, requiredDefaults, retellTables, VARIABLE_FIELDS } from "../shared/mod.ts";
import { writeEdges } from "./edges.ts";
import type { FlowContext } from "./emit_context.ts";
import { writeExamples } from "./examples.ts";
import { writeGlobalSetting } from "./global_setting.ts";
import { COMPONENT_KEY } from "./inline_components.ts";
import { hasTools, loseStandIn, writeNodeTools } from "./node_tools.ts";
import { BASE_TYPES, canonicalType, type TypeFacts, typeFactsOf } from "./node_types.ts";

/** Writes a node: the values of the graph, then the node's own keys, then Retell's defaults. */
export function writeFlowNode(node: AgentNode, context: FlowContext): JsonObject {
  const own = omit(ownKeys(node), [COMPONENT_KEY]);
  const type = typeOf(node, own);
  const facts = typeFactsOf(type, node.node_type === "conversation");
  const variables = type === BASE_TYPES.extract ? writeVariables(node, context) : [];
  const setting = node.global_node_setting;
  const written: JsonObject = {
    ...defaultsOf(node, type, context),
    ...own,
    ...writeExamples(node),
    id: node.id,
    type,
    ...writeInstruction(node, facts, context),
    ...writeSpeaking(node, own),
    ...writeNodeTools(node, type, context),
    ...writeEdges(node, facts, context),
    ...(variables.length > 0 ? { variables } : {}),
    ...(setting ? { global_node_setting: writeGlobalSetting(setting, node.id, context) } : {}),
  };
  loseParts(node, facts, type, context);
  loseStandIn(node, type, written, context);
  return written;
}

/** Returns the imported type of a node if it still fits the node. */
function typeOf(node: AgentNode, { type }: JsonObject): string {
  const isUsable = isString(type) && type !== "";
  if (isUsable && typeFactsOf(type, node.node_type === "conversation").node_type === node.node_type) return type;
  return canonicalType(node);
}

/** Returns the defaults of keys that the type requires. A node with a tool of its own has the tool's name. */
function defaultsOf({ id, tools }: AgentNode, type: string, context: FlowContext): JsonObject {
  const table = ownOf(retellTables().nodes, type);
  if (!table) return {};
  const name = type === "code" || type === "sms" ? (tools[0]?.name ?? id) : id;
  return {
    ...{ id, name, display_position: context.positionOf(id), type },
    ...requiredDefaults(table),
    ...(table.keys.includes("wait_for_result") ? { speak_during_execution: false } : {}),
  };
}

function writeInstruction(node: AgentNode, facts: TypeFacts, { foreign }: FlowContext): JsonObject {
  const text = node.state_prompt;
  if (facts.instruction.length === 0 || (text === "" && !facts.speaks)) return {};
  const wanted = node.instruction_type === "static_text" ? "static_text" : "prompt";
  // a document can have a type that Retell's SDK does not list
  return { instruction: { type: !foreign || facts.instruction.includes(wanted) ? wanted : "prompt", text } };
}

/** An end or a transfer with a prompt speaks. */
function writeSpeaking({ node_type: type, state_prompt: text }: AgentNode, own: JsonObject): JsonObject {
  const { speak_during_execution: speaks = false } = own;
  const isSilent = text === "" || (type !== "end" && type !== "transfer");
  return isSilent || speaks !== false ? {} : { speak_during_execution: true };
}

/** Writes the variables of an extract node. Types of other platforms become `string`, as in calls. */
function writeVariables(node: AgentNode, { foreign, losses }: FlowContext): JsonObject[] {
  return node.variables_to_extract.map((variable, index) => {
    const isChoosable = variable.type !== "enum" || (variable.choices ?? []).length > 0;
    const isKnown = isChoosable && retellTables().variable_types.includes(variable.type);
    if (isKnown || !foreign) return putFields(variable, VARIABLE_FIELDS);
    const type = variable.type === "integer" ? "number" : "string";
    const path = ["nodes", node.id, "variables_to_extract", index, "type"];
    const message = "Retell extracts only texts, numbers, booleans and choices";
    losses.add("variable-type", path, message, "a number for an integer, a text for anything else");
    return putFields({ ...variable, type }, VARIABLE_FIELDS);
  });
}

/** Reports the parts of a node that Retell does not support for its type. */
function loseParts(node: AgentNode, facts: TypeFacts, type: string, context: FlowContext): void {
  const { losses, foreign } = context;
  const path = ["nodes", node.id];
  const hasWords = facts.instruction.length > 0;
  const isStatic = foreign && node.instruction_type === "static_text";
  if (node.state_prompt !== "" && !hasWords)
    losses.add("node-prompt", [...path, "state_prompt"], "This type of node has no instruction at Retell");
  if (isStatic && hasWords && !facts.instruction.includes("static_text")) {
    const message = "This type of node has no static text";
    losses.add("static-text", [...path, "instruction_type"], message, "the text as a prompt");
  }
  if (node.variables_to_extract.length > 0 && type !== BASE_TYPES.extract)
    losses.add("variables", [...path, "variables_to_extract"], "Only extract nodes extract variables at Retell");
  if (facts.node_type === "function" && node.tools.length === 0 && !Object.hasOwn(ownKeys(node), "tool_id")) {
    const instead = type === "function" ? "a function node that Retell rejects" : `the ${type} node, which still works`;
    losses.add("function-without-tool", path, "A function node needs a tool", instead);
  }
  if (facts.node_type === "function" && node.tools.length > 1)
    losses.add("function-tools", [...path, "tools"], "A function node runs one tool", "its first tool");
  if (!hasTools(type) && node.tools.length > 0)
    losses.add("node-tools", [...path, "tools"], "Only conversation and function nodes have tools at Retell");
}
