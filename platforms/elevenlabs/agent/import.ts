import {
  dropAt,
  getAt,
  isRecord,
  isTexts,
  type JsonObject,
  omit,
  recordAt,
  records,
} from "../../../src/base/values/mod.ts";
import { type AgentGraph, type Finding, parseGraph } from "../../../src/document/graph/mod.ts";
import { mapLoweredNodes } from "../../lower/mod.ts";
import { ELEVENLABS_SERVER_KEYS, filled, lensOf, OWNER, readDestination, readTool } from "../traits/mod.ts";
import { type AgentBody, readAgentBody } from "./document.ts";
import { readTransitions, waysOut } from "./edges.ts";
import { entryBehaviors, INSTRUCTIONS, OVERRIDE, SINGLE_NODE, STEP, waitsForReply } from "./nodes.ts";

/** Imports an agent. */
export function importElevenLabs(document: unknown, report: (finding: Finding) => void = () => {}): AgentGraph {
  const read = readAgentBody(document);
  const { body, agent, prompt, workflow, nodes, edges } = read;
  const start = Object.keys(nodes).find((id) => nodes[id]?.type === "start");
  const opening = start === undefined ? [] : waysOut(start, nodes, edges);
  const [first, ...others] = opening;
  const isEntered = start !== undefined && Object.values(edges).some((edge) => edge.target === start);
  const type = isRecord(first?.condition) ? first.condition.type : "unconditional";
  const isPlain = first !== undefined && others.length === 0 && !isEntered && type === "unconditional";
  const hasGraph = Object.values(nodes).some(({ type }) => type !== "start");
  const tools = readTools(read);
  // a start that asks something is a node of its own
  const listed = Object.entries(nodes).filter(([id]) => id !== start || (hasGraph && !isPlain));
  const made = listed.map(([id, node]) => {
    const transitions = readTransitions(id, nodes, edges);
    if (id === start && transitions.length === 0) return singleNode(id, tools.general, node);
    return { id, transitions, ...readNode(id, node, tools, report) };
  });
  const single = made.length === 0 ? [singleNode(SINGLE_NODE, tools.general, {})] : [];
  const entry = isPlain ? first.target : hasGraph ? (start ?? listed[0]?.[0]) : SINGLE_NODE;
  const { first_message: words } = agent;
  const generates = hasGraph && nodes[entry ?? ""]?.entry_behavior === "generate_immediately";
  const begin = typeof words === "string" ? words : "";
  const { dynamic_variable_placeholders: variables } = recordAt(agent, "dynamic_variables");
  const settings = agentSettings(read);
  const lens = {
    ...(start === undefined || !isPlain ? {} : { start, start_edge: first.edge }),
    ...(isRecord(body.workflow) ? { workflow: true } : {}),
  };
  const graph = parseGraph({
    nodes: Object.fromEntries([...made, ...single].map((node) => [node.id, node])),
    entry_node_id: entry,
    source_type: OWNER,
    source_metadata: {
      ...(typeof body.name === "string" && body.name !== "" ? { name: body.name } : {}),
      ...(typeof prompt.prompt === "string" ? { general_prompt: prompt.prompt } : {}),
      ...(begin === "" && generates ? {} : { begin_message: begin }),
      ...(isRecord(variables) ? { default_dynamic_variables: variables } : {}),
      [OWNER]: {
        ...settings,
        ...(start === undefined || !isPlain
          ? {}
          : filled("start_node", omit(nodes[start] ?? {}, ["type", "position", "edge_order"]))),
        ...filled("workflow", omit(workflow, ["nodes", "edges"])),
        lens,
      },
    },
    ...(typeof prompt.llm === "string" ? { default_model: prompt.llm } : {}),
  });
  return withoutUsual(graph);
}

/** Removes settings that follow from the graph, so that an edit of the graph changes them. */
function withoutUsual(graph: AgentGraph): AgentGraph {
  const behaviors = entryBehaviors(graph);
  return mapLoweredNodes(graph, (node) => {
    const own = recordAt(node.metadata, OWNER);
    const usual = {
      entry_behavior: behaviors.get(node.id)?.behavior ?? "auto",
      wait_for_user_response: waitsForReply(node),
    };
    const left = Object.fromEntries(
      Object.entries(own).filter(([key, value]) => value === undefined || value !== getAt(usual, [key])),
    );
    return { ...node, metadata: { ...node.metadata, [OWNER]: left } };
  });
}

/** The settings of the agent that the graph does not model. */
function agentSettings({ body, config, agent, prompt }: AgentBody): JsonObject {
  const ids = areStored(prompt) || pairedId(prompt) !== undefined ? ["tool_ids"] : [];
  const inPrompt = omit(prompt, ["prompt", "llm", "tools", "built_in_tools", ...ids]);
  const variables = omit(recordAt(agent, "dynamic_variables"), ["dynamic_variable_placeholders"]);
  const inAgent = {
    ...omit(agent, ["first_message", "dynamic_variables", "prompt"]),
    ...filled("dynamic_variables", variables),
    ...filled("prompt", inPrompt),
  };
  const inConfig = { ...omit(config, ["agent"]), ...filled("agent", inAgent) };
  return {
    ...omit(body, ["name", "conversation_config", "workflow", ...ELEVENLABS_SERVER_KEYS]),
    ...filled("conversation_config", inConfig),
  };
}

/** Whether the ids of stored tools are the tools of an agent. The API also returns these tools in full, in `tools`. */
function areStored({ tools, tool_ids: ids }: JsonObject): boolean {
  return isTexts(ids) && ids.length > 0 && records(tools).length === 0;
}

/** The id of the only tool of an agent, which stands in both lists. Which of several tools has which id is not known. */
function pairedId({ tools, tool_ids: ids }: JsonObject): string | undefined {
  const [id, ...others] = isTexts(ids) ? ids : [];
  return others.length === 0 && records(tools).filter(({ type }) => type !== "system").length === 1 ? id : undefined;
}

/** The tools of an agent: those of every node, and all by the id or name that nodes refer to them by. */
interface AgentTools {
  readonly general: readonly JsonObject[];
  readonly named: ReadonlyMap<string, JsonObject>;
}

function readTools({ prompt, nodes }: AgentBody): AgentTools {
  const inline = records(prompt.tools);
  const builtIn = Object.entries(recordAt(prompt, "built_in_tools")).flatMap(([key, tool]) =>
    isRecord(tool) ? [{ key, tool }] : [],
  );
  const referred = new Set<unknown>(Object.values(nodes).flatMap(idsOf));
  const alone = builtIn.filter(({ tool }) => inline.every(({ name }) => name !== tool.name));
  const { tool_ids: ids } = prompt;
  const stored = areStored(prompt) && isTexts(ids) ? ids : [];
  const listed = inline
    .filter(({ name }) => !referred.has(name))
    .map((tool) => {
      const twin = tool.type === "system" ? builtIn.find((each) => each.tool.name === tool.name) : undefined;
      const isStored = tool.type !== "system" && isTexts(ids) && ids.length > 0;
      const id = pairedId(prompt);
      const lens = isStored ? (id === undefined ? { stored: true } : { id }) : twin ? { built_in: twin.key } : {};
      return readTool(tool, { general: "tools", ...lens });
    });
  const general = [
    ...listed,
    ...alone.map(({ key, tool }) => readTool(tool, { general: "built_in_tools", built_in: key })),
    ...stored.map((id) => storedTool(id, { lens: { general: "tool_ids" } })),
  ];
  return { general, named: new Map(inline.map((tool) => [String(tool.name), readTool(tool)])) };
}

function storedTool(id: string, rest: JsonObject = {}): JsonObject {
  return { name: id, description: "", tool_id: id, metadata: { [OWNER]: { tool_id: id, ...rest } } };
}

/** Ids of the tools that a node names. */
function idsOf({ additional_tool_ids: ids, tools }: JsonObject): readonly string[] {
  const located = records(tools).map(({ tool_id: id }) => id);
  return [...(Array.isArray(ids) ? ids : []), ...located].filter((id) => typeof id === "string");
}

function namedTool(id: string, { named }: AgentTools, rest: JsonObject = {}): JsonObject {
  const found = named.get(id);
  if (!found) return storedTool(id, rest);
  const metadata = recordAt(found, "metadata");
  return { ...found, metadata: { ...metadata, [OWNER]: { ...recordAt(metadata, OWNER), ...rest } } };
}

/** The node of an agent without a graph. */
function singleNode(id: string, tools: readonly JsonObject[], node: JsonObject): JsonObject & { readonly id: string } {
  const rest = omit(node, ["type", "edge_order", "position"]);
  const metadata = Object.keys(rest).length > 0 ? { metadata: { [OWNER]: rest } } : {};
  return { id, node_type: "conversation", state_prompt: "", tools, transitions: [], ...metadata };
}

function readNode(id: string, node: JsonObject, tools: AgentTools, report: (finding: Finding) => void): JsonObject {
  const { type, position, label } = node;
  const isLabelled = typeof label === "string";
  const own = { ...(position === undefined ? {} : { position }), ...(isLabelled && label !== id ? { label } : {}) };
  const rest = omit(node, ["type", "position", "edge_order", ...(isLabelled ? ["label"] : [])]);
  const kept = (settings: JsonObject) => ({ metadata: { [OWNER]: { ...settings, lens: own } } });
  switch (type) {
    case "override_agent":
      return { node_type: "conversation", ...readSubagent(rest, tools, kept) };
    case "say":
      return { node_type: "conversation", ...readSay(rest, kept) };
    case "end":
      return { node_type: "end", ...kept(rest) };
    case "tool": {
      const located = records(rest.tools).filter(({ tool_id: id }) => typeof id === "string");
      const all = located.map(({ tool_id: id, ...more }) => namedTool(String(id), tools, more));
      return { node_type: "function", tools: all, ...kept(omit(rest, ["tools"])) };
    }
    case "update_state":
      return readUpdate(rest, kept);
    case "phone_number": {
      const { transfer_destination: to } = rest;
      const destination = isRecord(to) ? { transfer_destination: readDestination(to) } : {};
      return { node_type: "transfer", ...kept({ ...rest, ...destination }) };
    }
    case "standalone_agent":
      return { node_type: "transfer", ...kept({ ...rest, type }) };
    case "start":
      return { node_type: "logic", ...kept({ ...rest, type }) };
    default:
      report({
        code: "unknown-node-type",
        severity: "warning",
        path: ["workflow", "nodes", id, "type"],
        message: `ElevenLabs' node "${id}" has the unknown type "${String(type)}"; it is kept, and calls pass it without a word`,
        hint: "Check the type if you wrote it",
      });
      return { node_type: "logic", ...kept({ ...rest, ...(type === undefined ? {} : { type }) }) };
  }
}

type Keep = (settings: JsonObject) => JsonObject;

/** A node adds its prompt to that of the agent, or replaces it. */
function readSubagent(node: JsonObject, tools: AgentTools, kept: Keep): JsonObject {
  const replaced = getAt(node, [...OVERRIDE, "prompt"]);
  const replaces = typeof replaced === "string" && replaced !== "";
  const added = typeof node.additional_prompt === "string" ? node.additional_prompt : "";
  const builtIn = getAt(node, [...OVERRIDE, "built_in_tools"]);
  const system = isRecord(builtIn) ? Object.entries(builtIn) : [];
  const listed = getAt(node, [...OVERRIDE, "tool_ids"]);
  const isListed = isTexts(listed);
  const own = [
    ...(isListed ? [[...OVERRIDE, "tool_ids"]] : []),
    ...(replaces ? [[...OVERRIDE, "prompt"]] : [["additional_prompt"]]),
    ...system.filter(([, tool]) => isRecord(tool)).map(([key]) => [...OVERRIDE, "built_in_tools", key]),
    ["additional_tool_ids"],
  ].reduce((left: JsonObject, path) => (getAt(left, path) === undefined ? left : dropAt(left, path)), node);
  return {
    state_prompt: replaces ? replaced : added,
    tools: [
      ...(isListed ? tools.general.filter((tool) => isAmong(tool, listed)) : tools.general),
      ...idsOf({ additional_tool_ids: node.additional_tool_ids }).map((id) => namedTool(id, tools)),
      ...system.flatMap(([key, tool]) => (isRecord(tool) ? [readTool(tool, { built_in: key })] : [])),
    ],
    ...kept({ ...withoutEmpty(own), ...(replaces ? { replaces_prompt: true } : {}) }),
  };
}

/** Whether a node that lists its tools has one of the agent's. Built-in tools are in no such list. */
function isAmong({ name, tool_id: id, metadata }: JsonObject, listed: readonly string[]): boolean {
  return lensOf(metadata).general === "built_in_tools" || listed.some((each) => each === name || each === id);
}

/** Removes the objects around an override that is modelled. */
function withoutEmpty(node: JsonObject): JsonObject {
  const { conversation_config: config } = node;
  const isEmpty = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isEmpty);
  return config !== undefined && isEmpty(config) ? omit(node, ["conversation_config"]) : node;
}

function readSay(node: JsonObject, kept: Keep): JsonObject {
  const { message } = node;
  const { type, text, prompt } = isRecord(message) ? message : {};
  const isLiteral = type !== "prompt";
  const spoken = isLiteral ? text : prompt;
  const rest = isRecord(message) ? omit(message, ["type", isLiteral ? "text" : "prompt"]) : {};
  return {
    state_prompt: typeof spoken === "string" ? spoken : "",
    ...(isLiteral ? { instruction_type: "static_text" } : {}),
    ...kept({ ...omit(node, ["message"]), ...filled("message", rest), ...(isLiteral ? {} : { type: "say" }) }),
  };
}

/** Variables that the model fills are those of an extract node; other updates are kept. */
function readUpdate(node: JsonObject, kept: Keep): JsonObject {
  const updates = records(node.updates);
  const [step] = updates;
  const rest = omit(node, ["updates"]);
  if (updates.length === 1 && step?.variable_name === STEP) return { node_type: "logic", ...kept(rest) };
  const filled = updates.filter((update) => schemaOf(update) !== undefined);
  const texts = filled.map((update) => String(schemaOf(update)?.description ?? ""));
  const [, shared] = texts[0]?.split(INSTRUCTIONS) ?? [];
  const suffix =
    shared !== undefined && texts.every((text) => text.endsWith(INSTRUCTIONS + shared)) ? INSTRUCTIONS + shared : "";
  const others = updates.filter((update) => !filled.includes(update));
  return {
    node_type: "extract",
    ...(shared !== undefined && suffix !== "" ? { state_prompt: shared } : {}),
    variables_to_extract: filled.map((update) => {
      const schema = schemaOf(update) ?? {};
      const choices = isTexts(schema.enum) && schema.enum.length > 0 ? { choices: schema.enum } : {};
      const text = String(schema.description ?? "");
      const name = String(update.variable_name);
      const words = suffix === "" ? text : text.slice(0, -suffix.length);
      return {
        name,
        description: words === name ? "" : words,
        type: Object.hasOwn(choices, "choices") ? "enum" : String(schema.type ?? "string"),
        ...choices,
      };
    }),
    ...kept({ ...rest, ...(others.length > 0 ? { updates: others } : {}) }),
  };
}

function schemaOf({ variable_name: name, expression }: JsonObject): JsonObject | undefined {
  if (typeof name !== "string" || !isRecord(expression) || expression.type !== "llm") return undefined;
  return isRecord(expression.value_schema) ? expression.value_schema : undefined;
}
