import type { Path } from "../../../src/base/errors.ts";
import { type JsonObject, omit, pick, recordAt, sameJson } from "../../../src/base/values/mod.ts";
import { isUnread, snippetUses, type UnreadCode, unreadParts } from "../../../src/document/expressions/mod.ts";
import type { AgentGraph, AgentNode } from "../../../src/document/graph/mod.ts";
import { expandSnippets, isTerminal, type LoweredNode, lower, multiplySpeakingGlobals } from "../../lower/mod.ts";
import type { EmitOptions, PlainEmitted } from "../../platform.ts";
import {
  bodyKeys,
  completeTool,
  createLosses,
  dashboardAgent,
  EXPORT_KEYS,
  LLM_OWNER,
  loseForeignSettings,
  loseVariableTypes,
  ownKeys,
  putFields,
  textVariables,
  UNNAMED,
  withRequests,
} from "../shared/mod.ts";
import { RETELL_SERVER_KEYS } from "../traits/mod.ts";
import {
  CALL_TOOLS,
  callKeys,
  emitLlmTool,
  extractTool,
  functionPrompt,
  functionSettings,
  nodeTool,
  sharedSettings,
} from "./emit_tools.ts";
import { exitsBack, exitsOf, type LlmContext, mergeExits, type StateExit, silentPrompt } from "./exits.ts";
import { LLM_FIELDS } from "./import.ts";
import { LLM_LOSSES, type LlmLossCode } from "./losses.ts";
import { exitToolName, planLlm } from "./plan.ts";

/** Parts that no call reads and that an LLM has no place for. Those of `LLM_LOSSES` are reported here. */
const UNREAD = [
  ...(["snippet-unused", "transition-description", "global-unread", "choices-type"] as const),
  ...(["transition-unread", "variables-unread", "go-back-unread"] as const),
] satisfies readonly UnreadCode[];

const isOneOf = <Key extends string>(key: string, table: { readonly [each in Key]: unknown }): key is Key =>
  Object.hasOwn(table, key);

/** Emits a graph as a Retell LLM in an agent, as the dashboard exports and imports it. */
export function emitLlm(source: AgentGraph, _options?: EmitOptions, imported?: AgentGraph): PlainEmitted<JsonObject> {
  const losses = createLosses<LlmLossCode>(LLM_LOSSES);
  const graph = withRequests(lower(source, [expandSnippets, multiplySpeakingGlobals]).graph);
  const plan = planLlm(graph, imported);
  const unread = unreadParts(source, UNREAD);
  for (const { code, path, message } of unread) if (isOneOf(code, LLM_LOSSES)) losses.add(code, path, message);
  for (const { path } of snippetUses(source))
    if (!isUnread(path, unread)) losses.add("snippet-inlined", path, "Retell has no snippets", "the snippet's text");
  const body = emitBody({ graph, plan, losses, native: graph.source_type === "retell-llm" });
  const engine = { type: "retell-llm", version: 0, llm_id: "" };
  const agent = dashboardAgent(graph, engine, body.states ? UNNAMED.multi : UNNAMED.single);
  return { config: { ...agent, [EXPORT_KEYS.llm]: body }, losses: losses.all() };
}

/** Emits only the LLM, as the body of an API request. */
function emitBody(context: LlmContext): JsonObject {
  const { graph, plan } = context;
  const [main] = plan.states;
  const plain = plan.single && main ? main.tools : plan.generalTools;
  const general = [
    ...plain.flatMap((tool) => emitLlmTool(tool, toolPath(graph, tool.name), context)),
    ...(plan.single && main ? callTools(exitsOf(main, "tool", context), context) : []),
    ...globalCallTools(context),
  ];
  const states = plan.single ? [] : plan.states.map((node) => emitState(node, context));
  reportUnsupported(context);
  const start = plan.names.get(graph.entry_node_id) ?? graph.entry_node_id;
  const { default_model: model } = graph;
  return oneModel(context, {
    ...putFields(head(context), LLM_FIELDS, settings(context)),
    ...(model == null ? {} : { model }),
    ...(general.length > 0 ? { general_tools: general } : {}),
    ...(states.length > 0 ? { states, starting_state: start } : {}),
  });
}

/** Emits the model: an LLM has either a model or a speech-to-speech model. */
function oneModel({ losses, native }: LlmContext, body: JsonObject): JsonObject {
  if (!body.model || !body.s2s_model) return body;
  const both = `An LLM has a model or a speech-to-speech model, not "${body.model}" and "${body.s2s_model}"`;
  // in code, the retell option takes precedence; in an imported LLM, the edited model does
  const [kept, rest] = native ? [body.model, { s2s_model: null }] : [body.s2s_model, { model: null }];
  losses.add("model-beside-s2s", ["default_model"], both, `"${kept}" alone`);
  return { ...body, ...rest };
}

/** Settings for an LLM that a flow in code can set. */
const LLM_SETTINGS = ["is_transfer_llm", "model_high_priority", "s2s_model"];

/** Returns settings that the graph does not model. A temperature may be null only in a flow. */
function settings({ graph, native }: LlmContext): JsonObject {
  const held = pick(bodyKeys(graph), [...sharedSettings(), ...(native ? [] : LLM_SETTINGS)]);
  if (native) return { ...recordAt(graph.source_metadata, LLM_OWNER), ...held };
  return omit(held, held.model_temperature === null ? ["model_temperature"] : []);
}

/** Adds what an LLM of other origin needs to the source metadata: a start speaker, and variables as text. */
function head({ graph: { source_metadata: source }, losses, native }: LlmContext): JsonObject {
  if (native) return source;
  const { default_dynamic_variables: variables, start_speaker: speaker } = source;
  const texts = variables ? { default_dynamic_variables: textVariables(variables) } : {};
  loseVariableTypes(variables ?? {}, ["source_metadata", "default_dynamic_variables"], losses);
  return { ...source, start_speaker: speaker ?? "agent", ...texts };
}

function toolPath({ nodes }: AgentGraph, name: string): Path {
  for (const { id, tools } of Object.values(nodes)) {
    const index = tools.findIndex((tool) => tool.name === name);
    if (index >= 0) return ["nodes", id, "tools", index];
  }
  return ["nodes"];
}

/** Emits a state of a multi-prompt LLM. */
function emitState(node: LoweredNode, context: LlmContext): JsonObject {
  const { plan, losses } = context;
  const exits = exitsOf(node, "edge", context);
  const calls = exitsOf(node, "tool", context);
  const edges = mergeExits([...exits, ...exitsBack(node, context)], ({ name, path }) =>
    losses.add("edges-merged", path, `Retell allows one edge to "${name}"`, "one edge that says either"),
  ).map(({ own, name, description }) => ({ ...own, destination_state_name: name, description }));
  const tools = [...stateTools(node, context), ...callTools(calls, context), ...ownCall(node, context)];
  const called = calls.map((exit) => ({ ...exit, name: `${exit.name} (call the tool of this name)` }));
  const prompt = promptOf(node, [...exits, ...called], context);
  return {
    name: plan.names.get(node.id) ?? node.id,
    ...(prompt === "" ? {} : { state_prompt: prompt }),
    ...(edges.length > 0 ? { edges } : {}),
    ...(tools.length > 0 ? { tools } : {}),
  };
}

/** Emits the tools of a node that are not general, and the tool that extracts its variables. */
function stateTools(node: AgentNode, context: LlmContext): JsonObject[] {
  const plain = node.tools.flatMap((tool, index) => {
    if (context.plan.generalTools.some((general) => sameJson(general, tool))) return [];
    return emitLlmTool(nodeTool(node, tool, index), ["nodes", node.id, "tools", index], context);
  });
  return [...plain, ...(node.variables_to_extract.length > 0 ? [extractTool(node)] : [])];
}

/** Emits the tools with which a state ends or transfers the call. */
function callTools(exits: readonly StateExit[], context: LlmContext): JsonObject[] {
  const { plan, losses } = context;
  const merged = mergeExits(exits, ({ name, path }) => {
    const message = `The model would have two tools named "${name}"`;
    losses.add("edges-merged", path, message, "one tool with both conditions");
  });
  return merged.map(({ target, name, description, path }) => {
    const message = `"${target.id}" is already a general tool`;
    if (name !== exitToolName(plan, target)) losses.add("tool-beside-general", path, message, `a tool named "${name}"`);
    return emitCall(target, name, description, context);
  });
}

/** Emits the general tools that end or transfer the call. */
function globalCallTools(context: LlmContext): JsonObject[] {
  return context.plan.globalCalls.map((node) => {
    const { condition = "", go_back_conditions: backs = [] } = node.global_node_setting ?? {};
    const path = ["nodes", node.id, "global_node_setting", "go_back_conditions"];
    const message = `A call does not return from "${node.id}", which is a tool of the LLM`;
    if (backs.length > 0) context.losses.add("go-back-dropped", path, message);
    return emitCall(node, exitToolName(context.plan, node), condition, context);
  });
}

/** Emits the tool of an entry node that ends or transfers the call; the entry is a state that calls it at once. */
function ownCall(node: AgentNode, context: LlmContext): JsonObject[] {
  if (!isTerminal(node)) return [];
  const message = "An LLM cannot start with an end or a transfer";
  context.losses.add("entry-as-state", ["nodes", node.id], message, "a state that calls the tool at once");
  return [emitCall(node, exitToolName(context.plan, node), "Call this at once", context)];
}

function promptOf(node: AgentNode, exits: readonly StateExit[], { losses }: LlmContext): string {
  const path = ["nodes", node.id];
  const prompt = node.state_prompt;
  const [tool] = node.tools;
  switch (node.node_type) {
    case "extract":
      losses.add("extract-as-state", path, "An LLM has no extract nodes", "a silent state with an extracting tool");
      return silentPrompt(prompt, `Call ${extractTool(node).name} at once.`, exits);
    case "function":
      losses.add("function-as-state", path, "An LLM has no function nodes", "a silent state with the tool");
      return silentPrompt(functionPrompt(node), tool ? `Call ${tool.name} at once.` : "", exits);
    case "conversation":
    case "end":
    case "transfer":
      if (node.variables_to_extract.length > 0) {
        const message = "A state does not extract variables by itself";
        losses.add("extract-with-state", path, message, "a tool that the model can call");
      }
      if (node.instruction_type !== "static_text" || isTerminal(node) || prompt === "") return prompt;
      losses.add("static-text-as-prompt", path, "An LLM has no static text", "a prompt that asks for the exact words");
      return `Say exactly this, word for word, and nothing else: "${prompt}"`;
    default:
      losses.add("logic-as-state", path, "An LLM has no logic nodes", "a silent state that the model leaves at once");
      return silentPrompt(prompt, "", exits);
  }
}

/** Required settings whose defaults are Retell's own, and the destination, which is reported for every format. */
const IMPLIED = ["transfer_option", "post_call_analysis_setting", "transfer_destination"];

/** Emits an end or transfer node as a tool. */
function emitCall(node: AgentNode, name: string, description: string, context: LlmContext): JsonObject {
  const own = ownKeys(node);
  const transfer = own.type === "agent_swap" ? "agent_swap" : "transfer_call";
  const type = node.node_type === "end" ? "end_call" : transfer;
  const said = {
    ...{ type, name },
    ...(description === "" ? {} : { description }),
    ...message(node),
    ...pick(own, callKeys(type)),
  };
  const { tool, missing } = completeTool(said);
  for (const [key, value] of Object.entries(omit(missing, [...IMPLIED, ...Object.keys(said)]))) {
    const message = `Transfer "${node.id}" has no ${key}`;
    context.losses.add("tool-setting-missing", ["nodes", node.id], message, JSON.stringify(value));
  }
  loseParts(node, context);
  return { ...tool, ...said };
}

function message(node: AgentNode): JsonObject {
  if (node.state_prompt === "") return {};
  return {
    speak_during_execution: true,
    execution_message_description: node.state_prompt,
    ...(node.instruction_type ? { execution_message_type: node.instruction_type } : {}),
  };
}

/** Reports parts of a node that a tool does not support. After a failed transfer, the agent stays in the same state. */
function loseParts(node: AgentNode, { graph, plan, losses }: LlmContext): void {
  const callers = plan.callers.get(node.id);
  for (const key of ["tools", "variables_to_extract"] as const) {
    const message = `"${node.id}" becomes a tool of the LLM, which cannot call tools or extract variables`;
    if (node[key].length > 0) losses.add("tools-dropped", ["nodes", node.id, key], message);
  }
  for (const [index, transition] of node.transitions.entries()) {
    const at = ["nodes", node.id, "transitions", index];
    const { type, outcome } = transition.condition;
    const failed = node.node_type === "transfer" && type === "tool_call" && outcome !== "succeeded";
    const isAnywhere = node.global_node_setting || node.id === graph.entry_node_id;
    const goesBack = callers?.size === 1 && callers.has(transition.target_node_id) && !isAnywhere;
    const instead = "the agent stays in the state that called the tool";
    if (!failed) losses.add("transition-dropped", at, `"${node.id}" is a tool of the LLM, which has no transitions`);
    else if (!goesBack) {
      const message = `An LLM has no edge for a transfer that fails, such as that to "${transition.target_node_id}"`;
      losses.add("transfer-outcome", at, message, instead);
    }
  }
}

/** Settings of a flow that do not affect calls, or that an LLM has in another place. */
const SILENT = new Set([
  ...RETELL_SERVER_KEYS,
  ...["begin_tag_display_position", "display_position", "is_transfer_llm", "model_choice"],
  ...["model_high_priority", "name", "notes", "s2s_model", "start_speaker", "type"],
]);

/** Reports settings and nodes that an LLM does not support. */
function reportUnsupported({ graph, plan, losses, native }: LlmContext): void {
  const carried = new Set([...SILENT, ...sharedSettings()]);
  const body = bodyKeys(graph);
  const flow = Object.keys(body).filter((key) => !carried.has(key) && (key !== "is_transfer_cf" || body[key] === true));
  if (flow.length > 0 && !native)
    losses.add("flow-settings", ["source_metadata", "retell"], `An LLM does not support ${flow.join(", ")}`);
  loseForeignSettings(graph, losses);

  const left = plan.states.filter((node) => !isTerminal(node)).flatMap((node) => node.transitions);
  const reached = new Set(left.map(({ target_node_id: target }) => target));
  for (const node of Object.values(graph.nodes)) {
    const path = ["nodes", node.id];
    const own = ownKeys(node);
    const ofTool = isTerminal(node) ? Object.keys(CALL_TOOLS).flatMap(callKeys) : functionSettings();
    const held = isTerminal(node) || (node.node_type === "function" && node.tools.length > 0) ? ofTool : [];
    const settings = Object.keys(own).filter(
      (key) => !SILENT.has(key) && (!held.includes(key) || (key === "wait_for_result" && own[key] === false)),
    );
    if (settings.length > 0)
      losses.add("node-settings", [...path, "metadata", "retell"], `A state does not support ${settings.join(", ")}`);
    const globalKeys = ownKeys(node.global_node_setting ?? {});
    const ofGlobal = Object.keys(globalKeys).filter((key) => globalKeys[key] !== null);
    if (ofGlobal.length > 0) {
      const at = [...path, "global_node_setting", "metadata", "retell"];
      losses.add("node-settings", at, `An LLM does not support ${ofGlobal.join(", ")} of a global node`);
    }
    const name = plan.names.get(node.id);
    if (name !== undefined && name !== node.id && !native)
      losses.add("name-changed", path, `Retell does not accept the name "${node.id}"`, `"${name}"`);
    if (isTerminal(node) && !reached.has(node.id) && !node.global_node_setting && node.id !== graph.entry_node_id)
      losses.add("unreachable-node", path, `No state leads to "${node.id}"`);
  }
}
