import type { AgentGraph, AgentNode, SourceMetadata, Transition } from "../../../src/graph/mod.ts";
import type { JsonObject } from "../../../src/values/mod.ts";
import { isRecord, omit } from "../../../src/values/mod.ts";
import { keep, openContainer, readName } from "../shared/mod.ts";
import { type CallNodes, createCallNodes } from "./import_calls.ts";
import { importTools, type SplitTools, splitTools } from "./import_tools.ts";
import { createNames, type Names } from "./names.ts";
import { importParameters } from "./parameters.ts";
import { callersOf } from "./plan.ts";
import { OWNER, pick, readStates, SINGLE_NODE, sharedSettings, unknownShape, unlessEmpty } from "./schema.ts";

/**
 * Reads a Retell LLM, single or multi prompt, in any container it comes in.
 *
 * @throws {PlatformError} `unknown-shape` with the first thing that is no LLM's.
 */
export function importLlm(document: unknown): AgentGraph {
  const opened = openContainer(document);
  if (opened?.kind !== "llm") {
    const hint = 'Pass an LLM with "general_prompt" or "states", or an agent export with "retellLlmData"';
    throw unknownShape("it has no LLM's keys", [], hint);
  }
  const { body, agent, path } = opened;
  const states = readStates(body, path);
  const names = createNames();
  const ids = states.length > 0 ? states.map((state) => names.take(state.name)) : [names.take(SINGLE_NODE)];
  const first = ids[0] ?? SINGLE_NODE;
  const targets = new Map(states.map((state, index) => [state.name, ids[index] ?? first] as const).reverse());
  const calls = createCallNodes(names);
  const generalTools = splitTools(body.general_tools);

  const nodes =
    states.length > 0
      ? multiPrompt(states, ids, targets, generalTools, calls, names)
      : [singlePrompt(first, generalTools, calls)];
  const start = typeof body.starting_state === "string" ? targets.get(body.starting_state) : undefined;
  const retell = {
    ...pick(body, sharedSettings()),
    // the engine is what would change if the agent became a conversation flow, so that it is no setting of the agent
    ...(agent ? { agent: omit(agent, ["response_engine"]) } : {}),
  };
  const llm = omit(body, [...MODELLED, ...sharedSettings()]);
  return {
    nodes: Object.fromEntries([...nodes, ...withWaysBack(calls.nodes(), nodes)].map((node) => [node.id, node])),
    entry_node_id: start ?? first,
    source_type: "retell-llm",
    source_metadata: {
      ...readName(agent),
      ...modelledHead(body),
      ...keep(retell),
      ...(unlessEmpty(llm) ? { [OWNER]: llm } : {}),
    },
    snippets: {},
    ...(isText(body.model) ? { default_model: body.model } : {}),
  };
}

function multiPrompt(
  states: readonly (JsonObject & { readonly name: string })[],
  ids: readonly string[],
  targets: ReadonlyMap<string, string>,
  generalTools: SplitTools,
  calls: CallNodes,
  names: Names,
): AgentNode[] {
  const between: AgentNode[] = [];
  const general = importTools(generalTools.plain, { general: true });
  for (const call of generalTools.calls) calls.addGlobal(call);
  const nodes = states.map((state, index) => {
    const id = ids[index] ?? state.name;
    const tools = splitTools(state.tools);
    const edges = importEdges(state.edges, targets, (target) => names.take(`${id}_to_${target}`));
    between.push(...edges.between);
    const taken = new Set<string>();
    return {
      ...emptyNode(id),
      state_prompt: typeof state.state_prompt === "string" ? state.state_prompt : "",
      tools: [...general, ...importTools(tools.plain)],
      transitions: [...edges.transitions, ...tools.calls.map((call) => calls.add(call, taken))],
    };
  });
  return [...nodes, ...between];
}

function singlePrompt(id: string, tools: SplitTools, calls: CallNodes): AgentNode {
  const taken = new Set<string>();
  return {
    ...emptyNode(id),
    tools: importTools(tools.plain),
    transitions: tools.calls.map((call) => calls.add(call, taken)),
  };
}

/** Reads the edges to states that are there. */
function importEdges(
  value: unknown,
  targets: ReadonlyMap<string, string>,
  idTo: (target: string) => string,
): { transitions: readonly Transition[]; between: readonly AgentNode[] } {
  const between: AgentNode[] = [];
  const transitions: Transition[] = [];
  const taken = new Set<string>();
  for (const edge of Array.isArray(value) ? value.filter(isRecord) : []) {
    const { destination_state_name: name, description } = edge;
    const target = typeof name === "string" ? targets.get(name) : undefined;
    if (target === undefined) continue;
    const filling = importParameters(edge.parameters, idTo, target);
    if (filling) between.push(filling);
    const own = {
      ...omit(edge, ["destination_state_name", "description", ...(filling ? ["parameters"] : [])]),
      ...(taken.has(target) ? { repeated: true } : {}),
    };
    taken.add(target);
    transitions.push({
      target_node_id: filling?.id ?? target,
      condition: { type: "llm_prompt", value: typeof description === "string" ? description : "" },
      ...(unlessEmpty(own) ? { metadata: { [OWNER]: own } } : {}),
    });
  }
  return { transitions, between };
}

/** Keys of an LLM that the graph says itself. */
const MODELLED = [
  ...["general_prompt", "begin_message", "start_speaker", "default_dynamic_variables", "model"],
  ...["states", "starting_state", "general_tools"],
];

/** The head's keys that the graph has too. One of another type is kept, and none of the graph's. */
function modelledHead(body: JsonObject): SourceMetadata {
  const { general_prompt, begin_message, start_speaker, default_dynamic_variables } = body;
  return {
    ...(isText(general_prompt) ? { general_prompt } : {}),
    ...(isText(begin_message) ? { begin_message } : {}),
    ...(isSpeaker(start_speaker) ? { start_speaker } : {}),
    ...(isRecord(default_dynamic_variables) || default_dynamic_variables === null ? { default_dynamic_variables } : {}),
  };
}

/** A transfer that fails leaves the agent in the state that called it: known where only one state can. */
function withWaysBack(calls: readonly AgentNode[], states: readonly AgentNode[]): readonly AgentNode[] {
  const callers = callersOf(states);
  return calls.map((node) => {
    const [source, ...others] = callers.get(node.id) ?? [];
    if (node.node_type !== "transfer" || source === undefined || others.length > 0 || node.global_node_setting)
      return node;
    const condition = { type: "tool_call", value: "", outcome: "failed" } as const;
    return { ...node, transitions: [{ target_node_id: source, condition }] };
  });
}

function emptyNode(id: string): AgentNode {
  return {
    id,
    node_type: "conversation",
    state_prompt: "",
    tools: [],
    transitions: [],
    variables_to_extract: [],
    metadata: {},
  };
}

function isText(value: unknown): value is string | null {
  return typeof value === "string" || value === null;
}

function isSpeaker(value: unknown): value is "agent" | "user" | null {
  return value === "agent" || value === "user" || value === null;
}
