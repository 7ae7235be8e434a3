import { defined, isRecord, type JsonObject, sameJson } from "../../../src/base/values/mod.ts";
import { type AgentGraph, type Finding, parseGraph } from "../../../src/document/graph/mod.ts";
import { checkModel, type FlowFunction, type FlowMessage, type FlowModel, type FlowNode } from "./model.ts";

/** How a generation of flows differs for the graph. */
export interface Generation {
  readonly name: string;
  /** That of errors. */
  readonly title: string;
  /** Role of a node's only message. */
  readonly role: string;
}

/** The text of messages: one paragraph for each. */
export function textOfMessages(messages: readonly FlowMessage[]): string {
  return messages.map(({ content }) => (typeof content === "string" ? content : "")).join("\n\n");
}

/** The only text of a `tts_say` that stands for a text of the graph. */
export function spokenText({ pre, responds }: FlowNode): string | undefined {
  const [action, ...more] = pre;
  const isPlain = action !== undefined && more.length === 0 && sameJson(Object.keys(action).sort(), ["text", "type"]);
  if (!isPlain || responds !== false || action.type !== "tts_say") return undefined;
  return typeof action.text === "string" && action.text !== "" ? action.text : undefined;
}

const ENDS: JsonObject = { type: "end_conversation" };

/** What is said of a function as a condition, where the flow has no words for it. */
export function conditionOf({ name, description }: FlowFunction): string {
  return description?.trim() ? description : `"${name}" was called`;
}

/** The beginning of the condition of a case, before its value. */
export function caseWords(name: string, field: string, operator = "=="): string {
  return `"${name}" was called, and ${field} ${operator} `;
}

/** The end of the condition of the default of a branch. */
export const OTHERWISE = ", and no other case holds";

/** Makes a graph of a flow. What the graph lacks is kept in the metadata. */
export function toGraph(
  flow: FlowModel,
  generation: Generation,
  report: (finding: Finding) => void = () => {},
): AgentGraph {
  checkModel(generation.title, flow);
  const entry = flow.nodes.find(({ id }) => id === flow.initial);
  const globalOf = new Map<string, FlowFunction>();
  const others = flow.globals.filter((each) => {
    const isFirst = each.isOnly && typeof each.to === "string" && !globalOf.has(each.to);
    if (isFirst && typeof each.to === "string") globalOf.set(each.to, each);
    return !isFirst;
  });
  for (const { name } of others)
    report({
      code: "global-function",
      severity: "info",
      path: ["global_functions"],
      message: `The global function "${name}" stays in the flow, and simulated calls do not have it`,
      hint: "Add the tool to nodes to test it",
    });
  const words = entry && entry.messages.length > 0 ? spokenText(entry) : undefined;
  const listens = entry?.responds === false && entry.pre.length === 0;
  const own = defined({ global_functions: others.length > 0 ? others : undefined });
  const role = entry?.role;
  const lens = defined({ role: role === undefined || typeof role === "string" ? undefined : role });
  return parseGraph({
    source_type: generation.name,
    entry_node_id: flow.initial,
    source_metadata: {
      ...defined({ name: flow.name, general_prompt: typeof role === "string" ? role : undefined }),
      ...(words === undefined ? {} : { begin_message: words }),
      ...(listens ? { start_speaker: "user" } : {}),
      ...metadataOf(own, lens),
    },
    nodes: Object.fromEntries(
      flow.nodes.map((node) => [node.id, nodeOf(node, node === entry, globalOf.get(node.id), generation, report)]),
    ),
  });
}

function nodeOf(
  node: FlowNode,
  isEntry: boolean,
  global: FlowFunction | undefined,
  generation: Generation,
  report: (finding: Finding) => void,
): JsonObject {
  const { id, messages, functions, pre, post, strategy, responds } = node;
  const spoken = spokenText(node);
  const isStatic = spoken !== undefined && messages.length === 0;
  const isModelled = isStatic || (isEntry && (spoken !== undefined || (responds === false && pre.length === 0)));
  const isEnd = node.ends === true || post.some(({ type }) => type === "end_conversation");
  if (messages.some(({ content }) => typeof content !== "string"))
    report({
      code: "include",
      severity: "info",
      path: ["nodes", id],
      message: `"${id}" includes a text from a file, which is not read`,
      hint: "Write the text into the prompt to test it",
    });
  const isPlain = messages.length === 0 || (messages.length === 1 && messages[0]?.role === generation.role);
  const isText = messages.every(({ content }) => typeof content === "string");
  const own = defined({
    role_message: isEntry || node.role === undefined ? undefined : node.role,
    pre_actions: pre.length > 0 && !isModelled ? pre : undefined,
    post_actions: post.length > 0 && !(post.length === 1 && sameJson(post[0], ENDS)) ? post : undefined,
    context_strategy: strategy ?? undefined,
    respond_immediately: responds === undefined || isModelled ? undefined : responds,
  });
  const tools = functions.filter(({ isOnly }) => !isOnly);
  return {
    id,
    node_type: isEnd ? "end" : "conversation",
    state_prompt: isStatic ? spoken : textOfMessages(messages),
    ...(isStatic ? { instruction_type: "static_text" } : {}),
    tools: tools.map(({ name, description = "", parameters, note: action }) => ({
      ...{ name, description, ...defined({ parameters }) },
      ...(action === undefined ? {} : { metadata: { pipecat: { lens: { action } } } }),
    })),
    transitions: functions.flatMap(transitionsOf),
    ...(global ? { global_node_setting: globalSetting(global) } : {}),
    metadata: metadataOf(
      own,
      defined({
        messages: isPlain && isText ? undefined : messages,
        ends: node.ends && post.length === 0 ? true : undefined,
      }),
    ),
  };
}

function globalSetting({ name, description = "" }: FlowFunction): JsonObject {
  return { condition: description, go_back_conditions: [], metadata: { pipecat: { lens: { function: name } } } };
}

function transitionsOf(each: FlowFunction): readonly JsonObject[] {
  const { name, to, isOnly, description } = each;
  const edge = (target: string, value: string, lens: JsonObject, type = "llm_prompt") => ({
    target_node_id: target,
    condition: { type, value },
    metadata: { pipecat: { lens: { function: name, ...lens } } },
  });
  if (to === undefined) return [];
  // a function that is described in code alone has no words in the flow: its call moves on
  if (typeof to === "string" && !isOnly && description === undefined) return [edge(to, name, {}, "tool_call")];
  if (typeof to === "string") return [edge(to, conditionOf(each), {})];
  const { field, cases, fallback } = to;
  return [
    ...cases.map(({ value, target, operator }) =>
      edge(target, caseWords(name, field, operator) + value, { field, value, ...defined({ operator }) }),
    ),
    ...(fallback === undefined ? [] : [edge(fallback, conditionOf(each) + OTHERWISE, { field })]),
  ];
}

function metadataOf(own: JsonObject, lens: JsonObject): JsonObject {
  const all = { ...own, ...(Object.keys(lens).length > 0 ? { lens } : {}) };
  return Object.keys(all).length > 0 && isRecord(all) ? { pipecat: all } : {};
}
