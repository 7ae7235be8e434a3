import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { keep } from "../shared/mod.ts";
import { readEdges } from "./edges.ts";
import { EXAMPLES, readExamples } from "./examples.ts";
import { type Field, isText, isTextList, isTextMap, readFields } from "./fields.ts";
import { readGlobalSetting } from "./global_setting.ts";
import { readInstruction } from "./instruction.ts";
import { BASE_TYPES, factsOf, SLOTS } from "./node_types.ts";
import { readInlineTool, readTool, standIn, toolName } from "./tools.ts";

/** What a node of a flow or component can refer to. */
export interface Scope {
  readonly ids: ReadonlySet<string>;
  readonly tools: ReadonlyMap<string, JsonObject>;
}

/** A part of a node in the graph's terms, with the keys that it accounts for. */
interface Part<Value> {
  readonly value: Value;
  readonly takes: readonly string[];
}

/** Reads one node, whatever its type: of types that nobody knows yet, whatever it has in common with the others. */
export function readNode(node: JsonObject, id: string, scope: Scope): JsonObject {
  const type = typeof node.type === "string" ? node.type : "";
  const facts = factsOf(type, isRecord(node.instruction) && isText(node.instruction.text));
  const instruction = readInstruction(node, facts);
  const tools = readTools(node, type, id, scope);
  const global = isRecord(node.global_node_setting) ? readGlobalSetting(node.global_node_setting) : undefined;
  const variables = type === "extract_dynamic_variables" ? readVariables(node.variables) : undefined;
  const { transitions, own: examples } = readExamples(node, readEdges(node, facts, scope.ids));
  const own = omit(node, [
    ...["id", "component", EXAMPLES, ...SLOTS, ...tools.takes],
    ...(instruction ? ["instruction"] : []),
    ...(global ? ["global_node_setting"] : []),
    ...(variables ? ["variables"] : []),
    ...(BASE_TYPES[facts.node_type] === type ? ["type"] : []),
  ]);
  return {
    id,
    node_type: facts.node_type,
    ...(instruction ?? { state_prompt: "" }),
    tools: tools.value,
    transitions,
    variables_to_extract: variables ?? [],
    ...(global ? { global_node_setting: global } : {}),
    metadata: keep({ ...own, ...examples }),
  };
}

const PRESSED = {
  type: "object",
  properties: { digits: { type: "string", description: "The keys to press" } },
  required: ["digits"],
};

/** Reads the tools of a node, its own or those that it refers to. */
export function readTools(node: JsonObject, type: string, id: string, scope: Scope): Part<JsonObject[]> {
  const refer = (toolId: string): JsonObject => {
    const tool = scope.tools.get(toolId);
    return tool ? readTool(tool) : { ...standIn(toolId, "custom"), tool_id: toolId };
  };
  const results = isTextMap(node.response_variables) ? { response_variables: node.response_variables } : {};
  switch (type) {
    case "function":
      return isText(node.tool_id) && (node.tool_id !== "" || scope.tools.has(""))
        ? { value: [refer(node.tool_id)], takes: ["tool_id"] }
        : { value: [], takes: [] };
    case "code":
      return { value: [standIn(toolName(node, id), type, results)], takes: Object.keys(results) };
    case "mcp": {
      if (isText(node.mcp_tool_name))
        return {
          value: [standIn(node.mcp_tool_name, type, results)],
          takes: [...Object.keys(results), "mcp_tool_name"],
        };
      return { value: [standIn(toolName(node, id), type, results)], takes: Object.keys(results) };
    }
    case "sms":
      return { value: [standIn(toolName(node, id), "send_sms")], takes: [] };
    case "press_digit":
      return { value: [standIn(type, type, { parameters: PRESSED })], takes: [] };
    case "subagent":
      return readSubagentTools(node, refer);
    default:
      return { value: [], takes: [] };
  }
}

function readSubagentTools(node: JsonObject, refer: (toolId: string) => JsonObject): Part<JsonObject[]> {
  const ids = isTextList(node.tool_ids) && node.tool_ids.length > 0 ? node.tool_ids : undefined;
  const inline =
    Array.isArray(node.tools) && node.tools.length > 0 && node.tools.every(isRecord) ? node.tools : undefined;
  return {
    value: [...(ids ?? []).map(refer), ...(inline ?? []).map(readInlineTool)],
    takes: [...(ids ? ["tool_ids"] : []), ...(inline ? ["tools"] : [])],
  };
}

/** Fields of a variable that a node extracts. */
export const VARIABLE_FIELDS: readonly Field[] = [
  { graph: "name", retell: "name", fits: isText },
  { graph: "description", retell: "description", fits: isText, fallback: "" },
  { graph: "type", retell: "type", fits: isText, fallback: "string" },
  { graph: "choices", retell: "choices", fits: isTextList },
];

function readVariables(variables: unknown): JsonObject[] | undefined {
  if (!Array.isArray(variables) || !variables.every((item) => isRecord(item) && isText(item.name))) return undefined;
  return variables.map((variable) => readFields(variable, VARIABLE_FIELDS));
}
