import { type Path, PlatformError } from "../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, omit, pick, recordAt, setAt } from "../../../src/base/values/mod.ts";
import { snippetUses } from "../../../src/document/expressions/mod.ts";
import type { AgentGraph, AgentNode, ToolDefinition, VariableExtraction } from "../../../src/document/graph/mod.ts";
import { foreignSettings, foreignToolSettings } from "../../known/mod.ts";
import { expandSnippets, lower } from "../../lower/mod.ts";
import type { Loss, PlainEmitted } from "../../platform.ts";
import { destinationsFor, isText, modelKeys, textPlace, withSpeech } from "../shared/mod.ts";
import { fitsLiquid, writeEdge } from "./conditions.ts";
import { kindOf, nodeType } from "./keys.ts";
import { extractionLosses, nameNodes, ownerOf, targetOf, variablesOf } from "./names.ts";
import { globalAt, isDocumentedGlobal, REQUEST_KEYS, toolsAt, wordPlaces } from "./read_node.ts";
import { writeTool } from "./tool.ts";
import { writeVariables } from "./variables.ts";

/**
 * Emits a graph as a workflow, if it was imported from one. Other graphs are rejected, because Vapi no longer runs
 * workflows.
 *
 * @throws {PlatformError} `format-not-emitted` for a graph that was not imported from a workflow.
 */
export function emitWorkflow(source: AgentGraph): PlainEmitted<unknown> {
  const { graph } = lower(source, [expandSnippets]);
  const { kind, membersOverrides: _, ...settings } = recordAt(graph.source_metadata, "vapi");
  if (kind !== "workflow") {
    throw new PlatformError(`Cannot emit Vapi workflow: the graph has the source type "${graph.source_type}"`, {
      code: "format-not-emitted",
      hint: "Emit vapi-squad instead: Vapi retired workflows in August 2026",
    });
  }
  const natives = Object.values(graph.nodes).filter((node) => ownerOf(node, graph) === undefined);
  const ids = new Set(natives.map(({ id }) => id));
  const written = natives.map((node) => {
    const variables = variablesOf(node, graph);
    const json = writeNode(node, variables, graph);
    return { node, json, losses: [...extractionLosses(node, graph, variables), ...nodeLosses(node, json)] };
  });
  const edges = natives.flatMap(({ id, transitions }) =>
    transitions.map((transition) => ({ transition, from: id, to: targetOf(transition, graph) })),
  );
  const valid = edges.filter(({ to }) => ids.has(to));
  const { named, nameOf } = nameNodes(written, new Set(valid.flatMap(({ from, to }) => [from, to])));
  const { name, general_prompt: prompt } = graph.source_metadata;
  const config = {
    ...withSpeech(settings, graph),
    ...(name ? { name } : {}),
    ...(prompt ? { globalPrompt: prompt } : {}),
    ...modelOf(graph, settings),
    nodes: named,
    edges: valid.map(({ transition, from, to }) => writeEdge(transition, { from, to }, nameOf)),
  };
  return {
    config,
    losses: [
      ...graphLosses(graph),
      ...foreignLosses(graph),
      ...snippetLosses(source),
      ...written.flatMap(({ losses }) => losses),
    ],
  };
}

function modelOf({ default_model: name }: AgentGraph, settings: JsonObject): JsonObject {
  const kept = recordAt(settings, "model");
  if (!name) return kept.model === "" ? { model: omit(kept, ["model"]) } : {};
  return { model: { ...kept, ...modelKeys(name) } };
}

const HINT = "Emit vapi-squad instead";

function graphLosses({ source_metadata: source }: AgentGraph): readonly Loss[] {
  const lose = (code: string, path: Path, message: string): Loss => ({
    code,
    kind: "dropped",
    path,
    message,
    hint: HINT,
  });
  const defaults = Object.keys(source.default_dynamic_variables ?? {}).map((name) => {
    const path = ["source_metadata", "default_dynamic_variables", name];
    return lose("variable-default", path, "A workflow cannot store a variable's default value");
  });
  const overrides = Object.keys(recordAt(recordAt(source, "vapi"), "membersOverrides"));
  const shared = overrides.flatMap((key) => {
    const path = ["source_metadata", "vapi", "membersOverrides", key];
    const isWritten = key === "voice" || key === "transcriber"; // by withSpeech()
    return isWritten ? [] : [lose("workflow-settings", path, `A workflow has no overrides of members: ${key}`)];
  });
  const found = [...defaults, ...shared];
  if (source.start_speaker !== "user" && source.begin_message !== "") return found;
  const message = "A workflow has no setting for who speaks first";
  return [lose("start-speaker", ["source_metadata", "start_speaker"], message), ...found];
}

function foreignLosses(graph: AgentGraph): readonly Loss[] {
  return [...foreignSettings(graph, ["vapi"]), ...foreignToolSettings(graph, ["vapi"])].map(({ path, names }) => {
    const message = `Workflows do not support settings of another platform: ${names.join(", ")}`;
    return { code: "foreign-settings", kind: "dropped", path, message, hint: HINT };
  });
}

function snippetLosses(graph: AgentGraph): readonly Loss[] {
  const uses = snippetUses(graph);
  const unused = Object.keys(graph.snippets).filter((name) => uses.every((use) => use.name !== name));
  return [
    ...uses.map(({ name, path }): Loss => {
      const message = `Workflows do not support snippets such as "${name}"`;
      return { code: "snippet-inlined", kind: "emulated", path, message, instead: "the snippet's text" };
    }),
    ...unused.map((name): Loss => {
      const message = `No text uses the snippet "${name}"`;
      return { code: "snippet-unused", kind: "dropped", path: ["snippets", name], message };
    }),
  ];
}

function nodeLosses(node: AgentNode, json: JsonObject): readonly Loss[] {
  const { id, node_type: type, tools, transitions, global_node_setting: global } = node;
  const losses: Loss[] = [];
  const lose = (code: string, kind: Loss["kind"], at: Path, message: string, instead?: string, hint = HINT) =>
    losses.push({ code, kind, path: ["nodes", id, ...at], message, ...(instead ? { instead } : {}), hint });
  const isStatic = node.instruction_type === "static_text";
  if (["end", "transfer"].includes(type) && node.state_prompt !== "" && !isStatic)
    lose("prompt-spoken", "emulated", [], "A tool of a workflow speaks a fixed text", "the prompt, spoken verbatim");
  for (const index of ["end", "transfer"].includes(type) ? tools.keys() : [])
    lose("node-tools", "dropped", ["tools", index], "A node of a workflow that ends the call has no tools");
  if (global?.go_back_conditions.length)
    lose(
      "go-back",
      "dropped",
      ["global_node_setting", "go_back_conditions"],
      "A call does not return from a global node of a workflow",
    );
  if (speechType(node) !== "conversation" && node.variables_to_extract.length > 0)
    lose("variables", "dropped", ["variables_to_extract"], "Only conversation nodes of a workflow extract variables");
  for (const [index, { tool_id: saved, ...tool }] of tools.entries())
    for (const [key, value] of saved ? Object.entries(tool) : [])
      if (value !== "" && value !== saved && key !== "metadata")
        lose("tool-settings", "dropped", ["tools", index, key], "A workflow has only the id of a saved tool");
  if (type === "logic" || type === "extract")
    lose("silent-node", "emulated", [], `A workflow has no node of type "${type}"`, "a conversation node");
  if (tools.length > 1 && (isRecord(json.tool) || typeof json.toolId === "string")) {
    const hint = "Give each tool a function node of its own";
    lose("function-tools", "dropped", ["tools"], "A tool node of a workflow calls one tool", "its first tool", hint);
  }
  const usual = isStatic ? "skip_response" : "else";
  for (const [index, { condition, timing, description }] of transitions.entries()) {
    const at = ["transitions", index];
    if (description) lose("transition-description", "dropped", at, "An edge of a workflow has no description");
    if (type === "conversation" && condition.type === "always" && timing !== usual)
      lose("timing", "emulated", at, "An edge of a workflow has no timing", `the timing "${usual}"`);
    if (condition.type === "equation" && !fitsLiquid(condition))
      lose("equation-in-words", "emulated", at, "Liquid cannot compare with a part-filled text", "an LLM condition");
    const message = "An edge of a workflow can only wait for a tool to fail";
    if (condition.type === "tool_call" && condition.outcome !== "failed")
      lose("tool-outcome", "emulated", at, message, "an edge without a condition");
  }
  return losses;
}

/** Keys that a node keeps when its type changes. */
const OF_ANY_KIND = ["name", "id", "metadata"];

/** Places of the start node's first message. The first place with a text counts. */
const OPENINGS = [["messagePlan", "firstMessage"], ["firstMessage"]] as const;

/** Returns the first message of a node. */
export function firstMessageOf(raw: JsonObject): string {
  return OPENINGS.map((at) => getAt(raw, at)).find(isText) ?? "";
}

/** Writes a node without its name. Uses its settings, or the newest generation's form for a new node. */
function writeNode(node: AgentNode, variables: readonly VariableExtraction[], graph: AgentGraph): JsonObject {
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
