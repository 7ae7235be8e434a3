import { defined, type JsonObject, own, recordAt, records, sameJson } from "../../../src/base/values/mod.ts";
import { UNREAD_CODES, unreadParts } from "../../../src/document/expressions/mod.ts";
import { type AgentGraph, type AgentNode, isSilent } from "../../../src/document/graph/mod.ts";
import { foreignSettings, foreignToolSettings, isTransferTool } from "../../known/mod.ts";
import { expandSnippets, extractBehind, lower } from "../../lower/mod.ts";
import { type FunctionContext, functionNames, functionsOf, lensOf, newName, workPrompt } from "./functions.ts";
import { FlowLosses } from "./losses.ts";
import { type FlowFunction, type FlowMessage, type FlowModel, type FlowNode, targetsOf } from "./model.ts";
import { type Generation, textOfMessages } from "./to_graph.ts";

/** What a generation of flows can say. */
export interface Abilities extends Generation {
  readonly describes: boolean;
  readonly branches: boolean;
  readonly hasName: boolean;
  /** Whether nodes are a list, and not a map. */
  readonly isOrdered: boolean;
  /** Whether code is written beside the flow. */
  readonly hasCode: boolean;
}

const LITERAL = "Say this word for word, and nothing else: ";
const ENDS: JsonObject = { type: "end_conversation" };

/** Makes a flow of a graph. */
export function fromGraph(source: AgentGraph, abilities: Abilities, imported?: AgentGraph) {
  const isForeign = !source.source_type.startsWith("pipecat");
  const { graph, origins, moved } = extractBehind(lower(source, [expandSnippets]).graph, isForeign);
  const losses = new FlowLosses(origins);
  const reason = "A function stores variables";
  for (const path of moved) losses.emulate("extract-behind", path, reason, "a node with one before the next node");
  const { describes, branches } = abilities;
  const context: FunctionContext = {
    ...{ losses, describes, branches, imported },
    names: functionNames(graph),
    tools: new Map(),
  };
  const nodes = Object.values(graph.nodes).map((node) => writeNode(node, graph, abilities, context));
  const { global_functions: globalFunctions } = recordAt(graph.source_metadata, "pipecat");
  const kept = records(globalFunctions).flatMap((each, index): FlowFunction[] => {
    const { name, isOnly } = each;
    if (typeof name !== "string" || typeof isOnly !== "boolean") return [];
    const made: FlowFunction = { ...each, name, isOnly };
    const gone = targetsOf(made.to).find((to) => own(graph.nodes, to) === undefined);
    if (gone === undefined) return [made];
    const message = `The global function "${name}" is left out, because the node "${gone}" is gone`;
    losses.drop("global-target", ["source_metadata", "pipecat", "global_functions", index], message);
    return [];
  });
  const globals = Object.values(graph.nodes).flatMap((node) => globalOf(node, context));
  reportHead(source, graph, abilities, losses);
  if (!abilities.isOrdered && imported) {
    const [before, now] = [Object.keys(imported.nodes), Object.keys(graph.nodes)];
    const isMoved = before
      .filter((id) => now.includes(id))
      .some((id, index) => now.filter((each) => before.includes(each))[index] !== id);
    const message = "The nodes of a flow are a map, and keep the order of the imported document";
    if (isMoved) losses.drop("node-order", ["nodes"], message);
  }
  for (const node of Object.values(graph.nodes)) reportTools(node, abilities, losses);
  const flow: FlowModel = { initial: graph.entry_node_id, nodes, globals: [...kept, ...globals] };
  /** `graph`: without snippets. */
  return { flow, losses, graph };
}

function writeNode(node: AgentNode, graph: AgentGraph, abilities: Abilities, context: FunctionContext): FlowNode {
  const { id, metadata } = node;
  const { general_prompt: general, begin_message: begin, start_speaker: speaker } = graph.source_metadata;
  const isEntry = id === graph.entry_node_id;
  const settings = recordAt(metadata, "pipecat");
  const functions = functionsOf(node, context);
  const { losses } = context;
  const listens = isEntry && (speaker === "user" || begin === "");
  const isLiteral = node.instruction_type === "static_text" && !isSilent(node) && node.state_prompt !== "";
  // actions are spoken before the caller has said anything
  const isStatic = isLiteral && !listens;
  const told = isLiteral && listens ? { ...node, state_prompt: LITERAL + node.state_prompt } : node;
  const words = isEntry && begin && speaker !== "user" ? [begin] : [];
  const says = [...words, ...(isStatic ? [node.state_prompt] : [])];
  const path = ["nodes", id];
  if (isStatic && words.length > 0) {
    const message = "The entry node says its text at once";
    const instead = "actions that are spoken one after the other";
    losses.emulate("begin-message", ["source_metadata", "begin_message"], message, instead);
  }
  const late = `"${id}" says its text when the caller has spoken (instruction_type)`;
  if (told !== node) losses.emulate("static-text", path, late, "an instruction to say it word for word");
  const alone = `After its text, "${id}" has no instruction (instruction_type)`;
  if (isStatic) losses.emulate("static-text", path, alone, "an action that says the text");
  const role = isEntry ? general || lensOf(graph.source_metadata).role : settings.role_message;
  const given = records(settings.pre_actions);
  const responds = says.length > 0 || listens ? false : settings.respond_immediately;
  return {
    id,
    ...defined({ role: role === null ? undefined : role }),
    messages: isStatic ? [] : messagesOf(told, functions, abilities, words.length > 0),
    functions,
    pre: [...given, ...says.map((text) => ({ type: "tts_say", text }))],
    post: postActions(node, records(settings.post_actions), losses),
    strategy: settings.context_strategy,
    ...(typeof responds === "boolean" ? { responds } : {}),
  };
}

function messagesOf(
  node: AgentNode,
  functions: readonly FlowFunction[],
  { role: usual }: Generation,
  isSpoken: boolean,
): readonly FlowMessage[] {
  const kept = records(lensOf(node.metadata).messages).map(({ role, content }) => ({ role: String(role), content }));
  const work = isSilent(node) ? functions.find(({ code }) => code !== undefined) : undefined;
  const told = work ? workPrompt(node, work.name) : "";
  const isTold = node.node_type === "extract" || node.node_type === "function";
  const text = [told, isTold || !work ? node.state_prompt : ""].filter((each) => each !== "").join("\n\n");
  if (textOfMessages(kept) === text && kept.length > 0) return kept;
  if (text === "") return isSpoken ? [{ role: usual, content: "" }] : [];
  return editedMessages(kept, text) ?? [{ role: kept[0]?.role ?? usual, content: text }];
}

/** The messages with the one changed that an edit of their text has changed. */
function editedMessages(kept: readonly FlowMessage[], text: string): readonly FlowMessage[] | undefined {
  if (kept.length < 2) return undefined;
  for (const [index, { role }] of kept.entries()) {
    const before = index === 0 ? "" : `${textOfMessages(kept.slice(0, index))}\n\n`;
    const after = index === kept.length - 1 ? "" : `\n\n${textOfMessages(kept.slice(index + 1))}`;
    if (text.length < before.length + after.length || !text.startsWith(before) || !text.endsWith(after)) continue;
    return kept.with(index, { role, content: text.slice(before.length, text.length - after.length) });
  }
  return undefined;
}

function postActions(node: AgentNode, given: readonly JsonObject[], losses: FlowLosses): readonly JsonObject[] {
  const isEnd = node.node_type === "end";
  const others = given.filter(({ type }) => isEnd || type !== "end_conversation");
  if (node.node_type === "transfer") {
    const destination = recordAt(recordAt(node.metadata, "pipecat"), "transfer_destination");
    const message = `The program transfers the call of "${node.id}"`;
    losses.emulate("transfer", ["nodes", node.id], message, "an action with the handler transfer_call");
    return [...others, { type: "function", handler: "transfer_call", ...destination }];
  }
  // an end of the visual editor has no action
  if (isEnd && others.length === 0 && lensOf(node.metadata).ends === true) return [];
  return !isEnd || others.some(({ type }) => type === "end_conversation") ? others : [...others, ENDS];
}

function globalOf(node: AgentNode, context: FunctionContext): readonly FlowFunction[] {
  const { global_node_setting: setting, id } = node;
  if (!setting) return [];
  const { losses } = context;
  const path = ["nodes", id, "global_node_setting"];
  for (const [index, { condition }] of setting.go_back_conditions.entries()) {
    const message = `Pipecat has no way back to the node before (go_back_conditions of "${id}"): ${condition.value}`;
    const hint = "Add transitions to the nodes that the call goes on with";
    losses.drop("go-back", [...path, "go_back_conditions", index], message, hint);
  }
  const kept = lensOf(setting.metadata).function;
  const name = typeof kept === "string" ? kept : newName(`to_${id}`, context);
  const words = setting.condition.trim();
  if (words === "")
    losses.emulate("empty-condition", [...path, "condition"], "A function needs a description", "This step is needed");
  return [{ name, description: words === "" ? "This step is needed" : setting.condition, to: id, isOnly: true }];
}

/** Unread parts that are written, or reported here. */
const WRITTEN: readonly string[] = ["transition-unread", "snippet-unused", "transition-description"];

/** Reports what a flow has no place for. */
function reportHead(source: AgentGraph, graph: AgentGraph, abilities: Abilities, losses: FlowLosses): void {
  const head = graph.source_metadata;
  const { hasCode, hasName } = abilities;
  const inCode = (key: string, value: unknown) => {
    const path = ["source_metadata", ...key.split(".")];
    if (hasCode) losses.emulate("in-code", path, `A flow has no ${key}`, "a constant of handlers.py or bot.py");
    else losses.drop("head", path, `A flow has no ${key}: ${JSON.stringify(value)}`);
  };
  if (head.name && !hasName) inCode("name", head.name);
  if (head.begin_message === "" && head.start_speaker)
    losses.drop("start-speaker", ["source_metadata", "start_speaker"], "An empty begin message says who speaks first");
  const defaults = head.default_dynamic_variables;
  if (defaults && Object.keys(defaults).length > 0) inCode("default_dynamic_variables", defaults);
  const settings = recordAt(head, "pipecat");
  const { voice } = settings;
  if (voice !== undefined) inCode("pipecat.voice", voice);
  // the voice of a flow in code, which is the same for all platforms
  const { voice: common } = recordAt(settings, "agent");
  if (common !== undefined) inCode("voice", common);
  for (const name of Object.keys(source.snippets))
    losses.emulate("snippet", ["snippets", name], `Pipecat has no snippets: "${name}"`, "its text in each prompt");
  for (const { code, path, message, hint } of unreadParts(source, UNREAD_CODES))
    if (!WRITTEN.includes(code)) losses.drop(code, path, message, hint);
  for (const { id, transitions } of Object.values(graph.nodes))
    for (const [index, { description }] of transitions.entries())
      if (description?.trim()) {
        const path = ["nodes", id, "transitions", index, "description"];
        const message = `A function has the words of the condition, and not "${description}"`;
        losses.drop("transition-description", path, message);
      }
  const foreign = [...foreignSettings(graph, ["pipecat"]), ...foreignToolSettings(graph, ["pipecat"])];
  for (const { path, names } of foreign) {
    const message = `Pipecat does not support settings of another platform: ${names.join(", ")}`;
    losses.drop("foreign-settings", path, message);
  }
}

/** Keys of a tool that only code has a place for. */
const CODE_KEYS = ["type", "url", "tool_id", "response_variables"] as const;

function reportTools(node: AgentNode, { describes, hasCode }: Abilities, losses: FlowLosses): void {
  const { id, node_type: type, tools } = node;
  for (const [index, tool] of tools.entries()) {
    const place = ["nodes", id, "tools", index];
    const single = `The transfer has one destination, and "${tool.name}" has none of its own`;
    if (type === "transfer" && isTransferTool(tool)) losses.drop("destination", place, single);
    const all = describes ? CODE_KEYS : (["description", "parameters", ...CODE_KEYS] as const);
    const keys = all.filter((key) => tool[key] != null && tool[key] !== "" && !sameJson(tool[key], "custom"));
    if (keys.length === 0) continue;
    const message = `The file of a flow has only the name of the function "${tool.name}", and not its ${keys.join(", ")}`;
    if (hasCode) losses.emulate("in-code", place, message, `the function "${tool.name}" of handlers.py`);
    else losses.drop("tool-schema-in-code", place, message, "Write it in the program's handlers");
  }
  const stored = type === "extract" ? [] : node.variables_to_extract.map(({ name }) => name);
  const message = `Only extract nodes store variables: ${stored.join(", ")}`;
  if (stored.length > 0) losses.drop("variables", ["nodes", id, "variables_to_extract"], message);
}
