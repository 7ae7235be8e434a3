import type { Path } from "../../../src/base/errors.ts";
import { type JsonObject, omit, pick, recordAt } from "../../../src/base/values/mod.ts";
import { isUnread, snippetUses, type UnreadCode, unreadParts } from "../../../src/document/expressions/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { expandSnippets, lower, multiplySpeakingGlobals } from "../../lower/mod.ts";
import type { EmitOptions, PlainEmitted } from "../../platform.ts";
import {
  bodyKeys,
  createLosses,
  dashboardAgent,
  EXPORT_KEYS,
  LLM_OWNER,
  loseVariableTypes,
  putFields,
  textVariables,
  UNNAMED,
  withRequests,
} from "../shared/mod.ts";
import { reportUnsupported } from "./emit_settings.ts";
import { callTools, emitState, globalCallTools } from "./emit_states.ts";
import { emitLlmTool } from "./emit_tools.ts";
import { exitsOf, type LlmContext } from "./exits.ts";
import { LLM_FIELDS } from "./import.ts";
import { LLM_LOSSES, type LlmLossCode } from "./losses.ts";
import { planLlm } from "./plan.ts";
import { sharedSettings } from "./schema.ts";

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
  const { graph, plan, losses, native } = context;
  const [main] = plan.states;
  const plain = plan.single && main ? main.tools : plan.generalTools;
  const general = [
    ...plain.map((tool) => emitLlmTool(tool, toolPath(graph, tool.name), losses, native)),
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
