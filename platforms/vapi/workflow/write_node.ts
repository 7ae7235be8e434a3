import { getAt, isRecord, type JsonObject, omit, pick, recordAt, setAt } from "../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, ToolDefinition, VariableExtraction } from "../../../src/document/graph/mod.ts";
import { destinationsFor, isText, textPlace } from "../shared/mod.ts";
import { kindOf, nodeType } from "./keys.ts";
import { globalAt, isDocumentedGlobal, REQUEST_KEYS, toolsAt, wordPlaces } from "./read_node.ts";
import { writeTool } from "./tool.ts";
import { writeVariables } from "./variables.ts";

/** Keys that a node keeps when its type changes. */
const OF_ANY_KIND = ["name", "id", "metadata"];

/** Places of the start node's first message. The first place with a text counts. */
const OPENINGS = [["messagePlan", "firstMessage"], ["firstMessage"]] as const;

/** Returns the first message of a node. */
export function firstMessageOf(raw: JsonObject): string {
  return OPENINGS.map((at) => getAt(raw, at)).find(isText) ?? "";
}

/** Writes a node without its name. Uses its settings, or the newest generation's form for a new node. */
export function writeNode(node: AgentNode, variables: readonly VariableExtraction[], graph: AgentGraph): JsonObject {
  const own = recordAt(node.metadata, "vapi");
  const isOther = isText(own.type) && nodeType(own) !== speechType(node);
  const settings = isOther ? pick(own, OF_ANY_KIND) : own;
  const written = withGlobal(withTools(withWords(settings, node), node), node);
  const extracting = speechType(node) === "conversation" ? writeVariables(variables, written) : written;
  if (node.id !== graph.entry_node_id) return extracting;
  return { ...withOpening(extracting, graph.source_metadata.begin_message ?? ""), isStart: true };
}

/** Returns the type of a node in a workflow, where only function nodes are silent. */
function speechType({ node_type: type }: AgentNode): AgentNode["node_type"] {
  return type === "logic" || type === "extract" ? "conversation" : type;
}

function withWords(settings: JsonObject, node: AgentNode): JsonObject {
  const { state_prompt: words, node_type: type } = node;
  if (type === "end" || type === "transfer") return withLastWords(settings, node);
  if (type === "function" && !isText(settings.type)) return withPrompt({ type: "tool", ...settings }, words);
  if (node.instruction_type === "static_text" && type !== "function") {
    const fixed = kindOf(settings) === "say" ? settings : { ...omit(settings, ["prompt"]), type: "say" };
    return { ...fixed, exact: words };
  }
  const isFixed = kindOf(settings) === "say" && settings.exact !== undefined;
  return withPrompt({ type: "conversation", ...(isFixed ? omit(settings, ["exact", "type"]) : settings) }, words);
}

function withPrompt(json: JsonObject, words: string): JsonObject {
  const at = textPlace(json, wordPlaces(json)) ?? ["prompt"];
  return words === "" && getAt(json, at) === undefined && json.type !== "conversation" ? json : setAt(json, at, words);
}

/** Writes an end or transfer node, with the message that is spoken before. */
function withLastWords(settings: JsonObject, node: AgentNode): JsonObject {
  const tool =
    node.node_type === "end" ? { type: "endCall" } : { type: "transferCall", destinations: destinationsFor(node) };
  const json = isText(settings.type) ? settings : { ...omit(settings, ["destinations"]), type: "tool", tool };
  const { state_prompt: words } = node;
  const at = textPlace(json, wordPlaces(json));
  if (at) return setAt(json, at, words);
  if (words === "") return json;
  const messages = getAt(json, ["tool", "messages"]);
  const spoken = { type: "request-start", content: words, blocking: true };
  return setAt(json, ["tool", "messages"], [...(Array.isArray(messages) ? messages : []), spoken]);
}

function withTools(json: JsonObject, node: AgentNode): JsonObject {
  const [first] = node.tools;
  const at = toolsAt(json);
  const isCalled = kindOf(json) === "apirequest" || isRecord(json.tool) || typeof json.toolId === "string";
  if (node.node_type === "function" && (isCalled || !(at || Array.isArray(json.toolIds)))) {
    const bare = omit(json, ["tool", "toolId"]);
    return first ? withCalled(bare, first, node.id) : bare;
  }
  const ids = node.tools.flatMap(({ tool_id: id }) => id ?? []);
  const withIds = ids.length > 0 || Array.isArray(json.toolIds) ? { ...json, toolIds: ids } : json;
  const own = node.tools.filter(({ tool_id: id }) => !id);
  return own.length > 0 || at ? setAt(withIds, at ?? ["tools"], own.map(writeTool)) : withIds;
}

/** Writes the tool of a function node. An `apiRequest` node is itself the tool, as long as both have the same name. */
function withCalled(json: JsonObject, tool: ToolDefinition, id: string): JsonObject {
  if (tool.tool_id) return { ...json, toolId: tool.tool_id };
  const written = writeTool(tool);
  if (kindOf(json) !== "apirequest") return { ...json, tool: written };
  const { schema, ...plan } = recordAt(written, "variableExtractionPlan");
  if (written.type !== "apiRequest" || tool.name !== id || Object.keys(plan).length > 0)
    return { ...json, type: "tool", tool: written };
  return { ...json, ...pick(written, REQUEST_KEYS), ...(schema === undefined ? {} : { output: schema }) };
}

function withGlobal(json: JsonObject, { global_node_setting: setting }: AgentNode): JsonObject {
  const condition = setting?.condition ?? "";
  const at = globalAt(json);
  if (condition === "") return at ? switchedOff(json) : json;
  if (at) return setAt(json, at, condition);
  const { globalNodePlan: plan } = json;
  if (isDocumentedGlobal(json) && !isRecord(plan))
    return setAt(json, [typeof json.condition === "string" ? "condition" : "enterCondition"], condition);
  const isOn = isRecord(plan) && plan.enabled !== false;
  return {
    ...json,
    globalNodePlan: {
      ...(isOn ? plan : { ...recordAt(json, "globalNodePlan"), enabled: true }),
      enterCondition: condition,
    },
  };
}

/** Makes a node not global, in each form. */
function switchedOff(json: JsonObject): JsonObject {
  const planned = globalAt(json)?.[0] === "globalNodePlan" ? setAt(json, ["globalNodePlan", "enabled"], false) : json;
  if (!globalAt(planned)) return planned;
  const unmarked = planned.isGlobal === true ? { ...planned, isGlobal: false } : planned;
  return unmarked.type === "global" ? { ...unmarked, type: "conversation" } : unmarked;
}

/** Writes the first message to its place. An empty message clears both places. */
function withOpening(json: JsonObject, words: string): JsonObject {
  if (firstMessageOf(json) === words) return json;
  const at = OPENINGS.find((path) => isText(getAt(json, path))) ?? OPENINGS.find((path) => getAt(json, path) === "");
  const written = setAt(json, at ?? ["messagePlan", "firstMessage"], words);
  return words === "" ? withOpening(written, words) : written;
}
