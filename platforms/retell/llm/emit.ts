import type { AgentCreateParams, AgentResponse } from "retell-sdk/resources/agent";
import type { LlmCreateParams } from "retell-sdk/resources/llm";
import type { Path } from "../../../src/errors.ts";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { lower, snippetUses } from "../../lower/mod.ts";
import type { PlainEmitted } from "../../platform.ts";
import { bodyKeys, EXPORT_KEYS, LLM_PASSES, ownAgent, UNNAMED } from "../shared/mod.ts";
import { settingsLosses } from "./emit_settings.ts";
import { callTools, emitState, globalCallTools } from "./emit_states.ts";
import { emitTool } from "./emit_tools.ts";
import type { EmitContext } from "./exits.ts";
import { createLosses, type Losses } from "./losses.ts";
import { planLlm } from "./plan.ts";
import { llmKeys, pick, sharedSettings } from "./schema.ts";

/** An agent as Retell's dashboard exports and imports it. */
export type LlmAgent = LlmAgentSettings & { readonly retellLlmData: LlmCreateParams };

/** What an export has beside what the API takes to create an agent. */
type LlmAgentSettings = AgentCreateParams & Partial<Pick<AgentResponse, "agent_id" | "version" | "is_published">>;

/** Writes a graph as a Retell LLM in an agent, as the dashboard exports and imports it. */
export function emitLlm(graph: AgentGraph): PlainEmitted<LlmAgent> {
  const losses = createLosses();
  const body = emitBody(graph, losses);
  const agent = newAgent(ownAgent(graph) ?? {}, graph.source_metadata.name, body.states);
  return { config: { ...agent, [EXPORT_KEYS.llm]: body }, losses: losses.all() };
}

/** The LLM alone, as the API takes it. */
function emitBody(source: AgentGraph, losses: Losses): LlmCreateParams {
  const { graph } = lower(source, LLM_PASSES);
  const plan = planLlm(graph);
  const native = graph.source_type === "retell-llm";
  const context: EmitContext = { graph, plan, losses, native };
  for (const { path } of snippetUses(source))
    losses.add("snippet-inlined", path, "Retell has no snippets", "the snippet's text");

  const [main] = plan.states;
  const plain = plan.single && main ? main.tools : plan.generalTools;
  const general = [
    ...plain.map((tool) => emitTool(tool, toolPath(graph, tool.name), losses, native)),
    ...(plan.single && main ? callTools(main, context) : []),
    ...globalCallTools(context),
  ];
  const states = plan.single ? [] : plan.states.map((node) => emitState(node, context));
  settingsLosses(graph, plan, losses, native);
  const ofRetell = bodyKeys(graph);
  return oneModel(graph, losses, {
    ...(native ? { ...llmKeys(graph.source_metadata), ...pick(ofRetell, sharedSettings()) } : flowSettings(ofRetell)),
    ...head(graph, context),
    ...(general.length > 0 ? { general_tools: general } : {}),
    ...(states.length > 0
      ? { states, starting_state: plan.names.get(graph.entry_node_id) ?? graph.entry_node_id }
      : {}),
  });
}

/** An LLM has a model or a speech-to-speech model. */
function oneModel(graph: AgentGraph, losses: Losses, body: LlmCreateParams): LlmCreateParams {
  if (!body.model || !body.s2s_model) return body;
  const both = `An LLM has a model or a speech-to-speech model, not "${body.model}" and "${body.s2s_model}"`;
  // the option of a flow in code is meant for Retell; of an imported LLM the model is what was edited
  const isEdited = graph.source_type === "retell-llm";
  const [kept, rest] = isEdited ? [body.model, { s2s_model: null }] : [body.s2s_model, { model: null }];
  losses.add("model-beside-s2s", ["default_model"], both, `"${kept}" alone`);
  return { ...body, ...rest };
}

/** Settings of its own that a flow in code can give for an LLM. */
const LLM_SETTINGS = ["is_transfer_llm", "model_high_priority", "s2s_model"];

/** A flow's temperature may be null, an LLM's may only be absent: both leave it to Retell. */
function flowSettings(ofRetell: JsonObject): JsonObject {
  return omit(
    pick(ofRetell, [...sharedSettings(), ...LLM_SETTINGS]),
    ofRetell.model_temperature === null ? ["model_temperature"] : [],
  );
}

function head(graph: AgentGraph, { native, losses }: EmitContext): LlmCreateParams {
  const { general_prompt, begin_message, start_speaker, default_dynamic_variables: variables } = graph.source_metadata;
  const model = graph.default_model;
  const written: LlmCreateParams = {
    ...(model === undefined ? {} : { model: native ? openModel(model) : modelName(model) }),
    ...(general_prompt === undefined ? {} : { general_prompt }),
    ...(begin_message === undefined ? {} : { begin_message }),
    ...(start_speaker ? { start_speaker } : native ? {} : { start_speaker: "agent" }),
    ...(variables && !native ? { default_dynamic_variables: textVariables(variables, losses) } : {}),
  };
  const asItCame: JsonObject = {
    ...(start_speaker === null && native ? { start_speaker } : {}),
    ...(variables === null || (variables && native) ? { default_dynamic_variables: variables } : {}),
  };
  return { ...asItCame, ...written };
}

/** Retell's own name of a model: without the provider that a `provider/model` string begins with. */
function modelName(model: string | null): LlmCreateParams["model"] {
  return openModel(model === null ? null : model.slice(model.indexOf("/") + 1));
}

function openModel(model: string | null): LlmCreateParams["model"] {
  return model as LlmCreateParams["model"]; // Retell adds and retires models faster than its types
}

function textVariables(variables: { readonly [name: string]: unknown }, losses: Losses): { [name: string]: string } {
  const entries = Object.entries(variables).map(([name, value]) => {
    if (typeof value === "string") return [name, value] as const;
    const written = typeof value === "object" ? JSON.stringify(value) : String(value);
    const path = ["source_metadata", "default_dynamic_variables", name];
    losses.add("variable-as-text", path, "Retell's variables are text", JSON.stringify(written));
    return [name, written] as const;
  });
  return Object.fromEntries(entries);
}

/** The agent around an LLM that did not come in one, as the dashboard exports it. Its ids are the dashboard's to give. */
function newAgent(
  agent: JsonObject,
  name: string | null | undefined,
  states: LlmCreateParams["states"],
): LlmAgentSettings {
  const engine = agent.response_engine;
  const keeps = isRecord(engine) && engine.type === "retell-llm";
  const settings: JsonObject = {
    agent_id: "",
    channel: "voice",
    agent_name: name || (states ? UNNAMED.multi : UNNAMED.single),
    language: "en-US",
    voice_id: "retell-Cimo",
    version: 0,
    is_published: false,
    ...agent,
    ...(keeps ? {} : { response_engine: { type: "retell-llm", version: 0, llm_id: "" } }),
  };
  return settings as unknown as LlmAgentSettings; // an agent that came along is as open as the platform is
}

function toolPath(graph: AgentGraph, name: string): Path {
  for (const node of Object.values(graph.nodes)) {
    const index = node.tools.findIndex((tool) => tool.name === name);
    if (index >= 0) return ["nodes", node.id, "tools", index];
  }
  return ["nodes"];
}
