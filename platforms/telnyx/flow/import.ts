import type { Path } from "../../../src/base/errors.ts";
import {
  freeName,
  isRecord,
  isTexts,
  type JsonObject,
  omit,
  own,
  recordAt,
  records,
} from "../../../src/base/values/mod.ts";
import { type AgentGraph, type Finding, parseGraph, type ToolDefinition } from "../../../src/document/graph/mod.ts";
import { unknownShape } from "../../platform.ts";
import { INSTRUCTIONS, INSTRUCTIONS_TAG, isFlow, isText, keep, OWNER, openAssistant, SINGLE } from "../shared/mod.ts";
import { ENDING_TOOLS, GENERATED_GREETING, TELNYX_SERVER_KEYS } from "../traits/mod.ts";
import { type RawEdge, readEdge } from "./edges.ts";
import { readTool, unknownTool } from "./tools.ts";

const TITLE = "Telnyx assistant";

type Report = (finding: Finding) => void;

/** Keys of settings that only Telnyx's assistants have. */
const OWN_KEYS: readonly string[] = [
  ...["conversation_flow", "telephony_settings", "enabled_features", "voice_settings", "insight_settings"],
  ...["dynamic_variables_webhook_url", "messaging_settings", "a2a_agents"],
];

/** Returns the likelihood that a document is an assistant of Telnyx, or its flow. */
export function detectTelnyx(document: unknown): number {
  const { body } = openAssistant(document) ?? {};
  if (!body) return 0;
  if (isFlow(body.conversation_flow)) return 1;
  if (!isText(body.instructions)) return 0;
  const isOwn = (key: string) => isRecord(body[key]) || (key !== "voice_settings" && body[key] != null);
  return OWN_KEYS.some(isOwn) ? 0.95 : 0;
}

/**
 * Imports an assistant with its flow, or as one node if it has none.
 *
 * @throws {PlatformError} `unknown-shape` with the first problem.
 */
export function importTelnyx(document: unknown, report: Report = () => {}): AgentGraph {
  const opened = openAssistant(document);
  if (!opened)
    throw unknownShape(TITLE, 'it has no "instructions" and no flow', [], 'Pass an assistant with "instructions"');
  const { body, path } = opened;
  const { name, instructions, model, greeting, dynamic_variables: variables, conversation_flow: flow } = body;
  for (const key of ["instructions", "name", "model", "greeting"])
    if (body[key] != null && !isText(body[key]))
      throw wrong([...path, key], `"${key}" is not a text`, "Make it a text");
  if (flow != null && !isRecord(flow))
    throw wrong(
      [...path, "conversation_flow"],
      '"conversation_flow" is not an object',
      'Give it "nodes" and "start_node_id"',
    );
  const tools = assistantTools(body, path, report);
  const read = isRecord(flow)
    ? readFlow(flow, isText(instructions) ? instructions : "", tools, [...path, "conversation_flow"], report)
    : {
        nodes: [singleNode(isText(instructions) ? instructions : "", tools)],
        entry: SINGLE,
        general: {},
        settings: {},
      };
  const { general_prompt, snippet } = { general_prompt: undefined, snippet: undefined, ...read.general };
  const modelled = ["conversation_flow", "tools", "tool_ids", "name", "greeting", "model", "dynamic_variables"];
  const settings = {
    ...omit(body, [
      ...TELNYX_SERVER_KEYS,
      ...modelled.filter((key) => key !== "tools" || Array.isArray(body.tools)),
      ...(general_prompt === undefined && snippet === undefined && isRecord(flow) ? [] : ["instructions"]),
    ]),
    ...(isRecord(variables) || variables === undefined ? {} : { dynamic_variables: variables }),
  };
  const lens = isRecord(flow) && tools.length > 0 ? { tools } : {};
  return parseGraph({
    nodes: Object.fromEntries(read.nodes.map((node) => [node.id, node])),
    entry_node_id: read.entry,
    source_type: OWNER,
    source_metadata: {
      ...(isText(name) ? { name } : {}),
      ...(general_prompt === undefined ? {} : { general_prompt }),
      ...readGreeting(greeting),
      ...(isRecord(variables) ? { default_dynamic_variables: variables } : {}),
      ...keep(settings, lens),
    },
    ...(snippet === undefined ? {} : { snippets: { [INSTRUCTIONS]: snippet } }),
    ...(isText(model) ? { default_model: model } : {}),
  });
}

const wrong = (path: Path, state: string, hint: string) => unknownShape(TITLE, state, path, hint);

function readGreeting(greeting: unknown): JsonObject {
  if (!isText(greeting) || greeting.trim() === GENERATED_GREETING) return {};
  return greeting === "" ? { start_speaker: "user" } : { begin_message: greeting };
}

/** Reads the tools of the assistant itself. Shared ones have their ids in the order of `tool_ids`. */
function assistantTools(body: JsonObject, path: Path, report: Report): readonly ToolDefinition[] {
  const { tools, tool_ids: given } = body;
  if (tools != null && !Array.isArray(tools))
    report(finding("tools-unread", [...path, "tools"], '"tools" is not a list, so its tools are kept but not read'));
  const list: readonly unknown[] = Array.isArray(tools) ? tools : [];
  const ids = isTexts(given) ? given : [];
  const shared = records(list).filter((tool) => tool.shared === true);
  const isPaired = shared.length === ids.length;
  const read = records(list).map((tool) => readTool(tool, isPaired ? ids[shared.indexOf(tool)] : undefined));
  return isPaired ? read : [...read, ...ids.map((id) => unknownTool(id))];
}

const finding = (code: string, path: Path, message: string, hint = "Change it if calls need it"): Finding => ({
  ...{ code, severity: "warning", path, message, hint },
});

function singleNode(instructions: string, tools: readonly ToolDefinition[]) {
  return { id: SINGLE, node_type: "conversation", state_prompt: instructions, tools, transitions: [], metadata: {} };
}

/** A node of a flow before it is a node of the graph. */
interface RawNode {
  readonly id: string;
  readonly node: JsonObject;
  readonly type: string;
  readonly path: Path;
}

/** Reads a flow. `general`: the assistant's instructions as the graph has them. */
function readFlow(
  flow: JsonObject,
  instructions: string,
  shared: readonly ToolDefinition[],
  path: Path,
  report: Report,
) {
  const raw = rawNodes(flow, path, report);
  const ids = new Set(raw.map(({ id }) => id));
  const { start_node_id: start } = flow;
  if (!isText(start) || !ids.has(start)) {
    const at = [...path, "start_node_id"];
    if (start != null)
      throw wrong(at, `there is no start node "${String(start)}"`, 'Set "start_node_id" to the id of a node');
    throw wrong(at, 'it has no "start_node_id"', 'Set "start_node_id" to the id of a node');
  }
  const { edges, assistants } = rawEdges(flow, ids, path, report);
  const prompts = raw.filter(({ node }) => (node.type ?? "prompt") === "prompt");
  const appends = ({ node }: RawNode) => node.instructions_mode === "append";
  const all = prompts.length > 0 && prompts.every(appends);
  // without instructions it makes no difference which nodes append to them
  const some = !all && instructions !== "" && prompts.some(appends);
  const nodes = raw.map((each) => {
    const mine = edges.filter(({ from }) => from === each.id);
    return readNode(each, mine, { shared, tagged: some && appends(each) ? instructions : undefined }, report);
  });
  const others = [...assistants].map(([assistant, id]) => ({
    ...{ id, node_type: "transfer", state_prompt: "", tools: [], transitions: [] },
    metadata: keep({ assistant_id: assistant }),
  }));
  const general = all ? { general_prompt: instructions } : some ? { snippet: instructions } : {};
  return { nodes: [...nodes, ...others], entry: start, general };
}

function rawNodes(flow: JsonObject, path: Path, report: Report): readonly RawNode[] {
  const at = [...path, "nodes"];
  if (!Array.isArray(flow.nodes)) throw wrong(at, '"nodes" is not a list', 'Make it a list of objects with "id"');
  if (flow.nodes.length === 0) throw wrong(at, '"nodes" is empty', "Add the node where calls start");
  const seen = new Set<string>();
  return flow.nodes.map((node: unknown, index): RawNode => {
    const place = [...at, index];
    if (!isRecord(node)) throw wrong(place, `node ${index} is not an object`, 'Give it "id" and "instructions"');
    const { id } = node;
    if (!isText(id)) throw wrong([...place, "id"], `node ${index} has no "id"`, 'Set a unique "id", a text');
    if (seen.has(id)) throw wrong([...place, "id"], `two nodes have the id "${id}"`, "Give each node a unique id");
    seen.add(id);
    const text = node.type === "speak" ? "message" : "instructions";
    if (node[text] != null && !isText(node[text]))
      throw wrong([...place, text], `"${text}" of node "${id}" is not a text`, "Make it a text");
    const type = node.type ?? "prompt";
    const known = ["prompt", "tool", "speak"].includes(String(type));
    if (!known) {
      const message = `Node "${id}" has the type "${String(type)}", which is not known; it is kept, and read as a prompt`;
      report(finding("unknown-node-type", [...place, "type"], message, "Calls here may differ from Telnyx's"));
    }
    return { id, node, type: known ? String(type) : "prompt", path: place };
  });
}

/** Reads the edges that lead somewhere, and gives each other assistant a node. */
function rawEdges(flow: JsonObject, ids: ReadonlySet<string>, path: Path, report: Report) {
  const assistants = new Map<string, string>();
  if (flow.edges != null && !Array.isArray(flow.edges))
    throw wrong(
      [...path, "edges"],
      '"edges" is not a list',
      'Make it a list of objects with "start_node_id" and "target"',
    );
  const edges = (Array.isArray(flow.edges) ? flow.edges : []).flatMap((edge: unknown, index): readonly RawEdge[] => {
    const at = [...path, "edges", index];
    const { start_node_id: from, target } = isRecord(edge) ? edge : {};
    const { node_id: node, assistant_id: assistant } = isRecord(target) ? target : {};
    if (isRecord(edge) && isText(from) && ids.has(from)) {
      if (isText(node) && ids.has(node)) return [{ edge, from, to: node, path: at }];
      if (isText(assistant)) {
        const id = assistants.get(assistant) ?? freeName(assistant, (name) => ids.has(name));
        assistants.set(assistant, id);
        return [{ edge, from, to: id, path: at }];
      }
    }
    const words = isText(from) && ids.has(from) ? "leads nowhere" : "starts nowhere";
    report(
      finding("loose-edge", at, `Edge ${index} ${words}; it is kept, and no call takes it`, "Name nodes that exist"),
    );
    return [];
  });
  return { edges, assistants };
}

interface FlowTools {
  readonly shared: readonly ToolDefinition[];
  /** The assistant's instructions, if this node appends to them and others do not. */
  readonly tagged: string | undefined;
}

function readNode(
  { id, node, type, path }: RawNode,
  edges: readonly RawEdge[],
  { shared, tagged }: FlowTools,
  report: Report,
) {
  const isSpeak = type === "speak";
  const { tools, inherits } = nodeTools(node, type, shared);
  const [only] = tools;
  const ending = type === "tool" && edges.length === 0 ? ENDING_TOOLS.get(endingType(only)) : undefined;
  const node_type = ending === "end_call" ? "end" : ending ? "transfer" : type === "tool" ? "function" : "conversation";
  const transitions = edges.map((edge, index) => readEdge(edge, { type, index, report }));
  if (isSpeak && edges.some(({ edge }) => recordAt(edge, "condition").type !== "default"))
    report(finding("speak-edges", path, `Speak node "${id}" has conditions; calls here take only its default edge`));
  const text = own(node, isSpeak ? "message" : "instructions");
  const words = isText(text) ? text : "";
  const modelled = ["id", "instructions", "instructions_mode", "shared_tool_ids", "tools_mode", "tools"];
  const keys = { prompt: modelled, speak: ["id", "message"], tool: ["id", "shared_tool_id", "tool"] }[type] ?? modelled;
  const settings = omit(node, isTexts(node.shared_tool_ids) || type !== "prompt" ? keys : omitIds(keys));
  const isMixed = node.instructions_mode === "append" && tagged === undefined;
  return {
    id,
    node_type,
    state_prompt: tagged === undefined ? words : `${INSTRUCTIONS_TAG}\n\n${words}`,
    ...(isSpeak ? { instruction_type: "static_text" } : {}),
    tools,
    transitions,
    metadata: keep(settings, { ...(inherits ? { inherits } : {}), ...(isMixed ? { mode: "append" } : {}) }),
  };
}

/** An ids list of another type stays with the node. */
const omitIds = (keys: readonly string[]) => keys.filter((key) => key !== "tools");

const endingType = (tool: ToolDefinition | undefined) => {
  const type = recordAt(tool?.metadata ?? {}, OWNER).type;
  return isText(type) ? type : "";
};

/** Reads the tools of a node: those that it refers to, and those of the assistant if it does not replace them. */
function nodeTools(node: JsonObject, type: string, shared: readonly ToolDefinition[]) {
  if (type === "tool") {
    const { shared_tool_id: id, tool } = node;
    const [json] = Array.isArray(tool) ? records(tool) : records([tool]);
    return { tools: json ? [readTool(json, id)] : isText(id) ? [unknownTool(id)] : [], inherits: "" };
  }
  if (type !== "prompt") return { tools: [], inherits: "" };
  const ids = isTexts(node.shared_tool_ids) ? node.shared_tool_ids : undefined;
  const listed: readonly unknown[] = Array.isArray(node.tools) ? node.tools.flat() : [];
  const resolved = records(listed);
  const own = (ids ?? []).map((id, index) => {
    const there = resolved[index];
    const json = resolved.find((each) => each.id === id) ?? (isText(there?.id) ? undefined : there);
    return json ? readTool(json, id) : unknownTool(id);
  });
  const inherits = ids === undefined ? "all" : node.tools_mode === "append" ? "append" : "";
  const marked = inherits === "" ? [] : shared.map((tool) => inherited(tool));
  return { tools: [...marked, ...own], inherits };
}

/** Marks a tool of the assistant at a node. */
export function inherited(tool: ToolDefinition): ToolDefinition {
  const own = recordAt(tool.metadata ?? {}, OWNER);
  return {
    ...tool,
    metadata: { ...tool.metadata, [OWNER]: { ...own, lens: { ...recordAt(own, "lens"), inherited: true } } },
  };
}
