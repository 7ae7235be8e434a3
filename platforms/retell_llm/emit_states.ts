import type { LlmCreateParams } from "retell-sdk/resources/llm";
import type { Path } from "../../src/errors.ts";
import {
  type AgentGraph,
  type AgentNode,
  type JsonObject,
  own,
  sameJson,
  type Transition,
} from "../../src/graph/mod.ts";
import { checkDestination, emitCall } from "./emit_calls.ts";
import { functionPrompt, nodeTool } from "./emit_function.ts";
import { emitTool, extractTool, type LlmTool, type Placed, placeTools, putBack } from "./emit_tools.ts";
import type { Losses } from "./losses.ts";
import { emitParameters } from "./parameters.ts";
import { isCall, isMarkedGeneral, type Plan } from "./plan.ts";
import { keptFor, pick, readKept, restOf } from "./schema.ts";
import { conditionInWords, silentPrompt } from "./words.ts";

type State = LlmCreateParams.State;
type Edge = LlmCreateParams.State.Edge;

/** What writing a node needs to know. */
export interface EmitContext {
  readonly graph: AgentGraph;
  readonly plan: Plan;
  readonly losses: Losses;
  /** Whether the graph came from an LLM: then what is there goes back as it was, valid or not. */
  readonly native: boolean;
  /** A prompt as Retell takes it: with snippets put in. */
  readonly text: (prompt: string, path: Path) => string;
}

/** An edge before edges to the same state become one. */
interface Exit {
  readonly target: string;
  readonly edge: JsonObject & { readonly description?: string };
  readonly path: Path;
  /** Whether it may stand beside another one to the same state, as it did where it came from. */
  readonly repeated: boolean;
}

/** One state of a multi-prompt LLM. */
export function emitState(node: AgentNode, context: EmitContext): State {
  const { plan, losses } = context;
  const notes = keptFor(node.metadata);
  const name = plan.names.get(node.id) ?? node.id;
  const exits = exitsOf(node, context);
  const edges = mergeExits([...exits, ...globalExits(node, context)], losses);
  const tools = stateTools(node, context);
  const prompt = promptOf(node, [...exits, ...callExits(node, context)], context);
  const allEdges = putBack(edges, readKept(notes.kept_edges)) as Edge[]; // kept items are what the document had there
  const state: State = {
    name,
    ...(prompt === "" ? {} : { state_prompt: prompt }),
    ...(allEdges.length > 0 ? { edges: allEdges } : {}),
    ...(tools.length > 0 ? { tools } : {}),
  };
  return { ...restOf(notes), ...state };
}

/** The tools that only one state has. */
function stateTools(node: AgentNode, context: EmitContext): LlmTool[] {
  const { plan } = context;
  const path = ["nodes", node.id, "tools"];
  const plain = node.tools.flatMap((tool, index) =>
    isMarkedGeneral(tool) && plan.generalTools.some((general) => sameJson(general, tool))
      ? []
      : [{ tool: emitTool(nodeTool(node, tool, index), [...path, index], context.losses, context.native) }],
  );
  const filling = node.variables_to_extract.length > 0 ? [{ tool: extracting(node) }] : [];
  const kept = readKept(keptFor(node.metadata).kept_tools);
  const tools: Placed[] = [...plain, ...filling, ...callTools(node, context), ...ownCall(node, context)];
  return placeTools(tools, kept);
}

/** The tools by which a node's transitions end or transfer the call. */
export function callTools(node: AgentNode, context: EmitContext): Placed[] {
  return node.transitions.flatMap((transition, index) => {
    const target = context.graph.nodes[transition.target_node_id];
    if (!target || !isCall(target) || isCall(node) || target.id === context.graph.entry_node_id) return [];
    const path = ["nodes", node.id, "transitions", index];
    const description = describe(transition, node, path, context);
    return [callTool(target, { description, metadata: transition.metadata }, context)];
  });
}

/** The tools by which the call can be ended or transferred from everywhere. */
export function globalCallTools(context: EmitContext): Placed[] {
  return context.plan.globalCalls.map((node) => {
    const { condition = "", metadata, go_back_conditions: back = [] } = node.global_node_setting ?? {};
    if (back.length > 0) {
      const path = ["nodes", node.id, "global_node_setting", "go_back_conditions"];
      context.losses.add("go-back-dropped", path, `Nothing goes back from "${node.id}"`, "nothing");
    }
    return callTool(node, { description: condition, metadata }, context);
  });
}

function callTool(
  node: AgentNode,
  way: { description: string; metadata: Transition["metadata"] },
  context: EmitContext,
): Placed {
  const path = ["nodes", node.id];
  checkDestination(node, path, context.losses);
  for (const [index, transition] of node.transitions.entries()) {
    const at = [...path, "transitions", index];
    if (node.node_type === "transfer" && transition.condition.outcome === "failed")
      context.losses.add(
        "transfer-outcome",
        at,
        `A failed transfer leads nowhere of its own`,
        "the agent stays in the state that called the tool and goes on from there",
      );
    else context.losses.add("transition-dropped", at, `Nothing leads on from "${node.id}"`, "nothing");
  }
  return emitCall(node, context.plan.names.get(node.id) ?? node.id, way, (prompt) =>
    context.text(prompt, [...path, "state_prompt"]),
  );
}

/** An end or transfer at the entry is a state that takes its own tool. */
function ownCall(node: AgentNode, context: EmitContext): Placed[] {
  if (!isCall(node)) return [];
  const path = ["nodes", node.id];
  context.losses.add("entry-as-state", path, "A call cannot begin with its end", "a state that calls the tool at once");
  return [callTool(node, { description: "Call this at once", metadata: undefined }, context)];
}

function describe(transition: Transition, node: AgentNode, path: Path, { losses }: EmitContext): string {
  const description = conditionInWords(transition, node);
  const { type } = transition.condition;
  const silent = node.node_type !== "conversation";
  if (type === "equation") losses.add("equation-as-prompt", path, "An LLM has no equations", `"${description}"`);
  if (type === "tool_call") losses.add("outcome-as-prompt", path, "An LLM has no outcomes", `"${description}"`);
  if (type === "always" && !silent) losses.add("always-as-prompt", path, "An LLM decides", `"${description}"`);
  return description;
}

function exitsOf(node: AgentNode, context: EmitContext): Exit[] {
  if (isCall(node)) return [];
  return node.transitions.flatMap((transition, index) => {
    const target = context.graph.nodes[transition.target_node_id];
    if (!target || (isCall(target) && target.id !== context.graph.entry_node_id)) return [];
    const path = ["nodes", node.id, "transitions", index];
    const notes = keptFor(transition.metadata);
    const rest = restOf(notes);
    const description = describe(transition, node, path, context);
    const unsaid = Object.hasOwn(rest, "description") || (Array.isArray(notes.absent) && notes.absent.length > 0);
    const said = description === "" && unsaid ? {} : { description };
    const { state, parameters } = destination(target, context);
    const name = context.plan.names.get(state) ?? state;
    const repeated = notes.repeated === true;
    const edge = { ...rest, destination_state_name: name, ...said, ...parameters };
    return [{ target: name, edge, path, repeated }];
  });
}

/** The state that a transition leads to in the end, and what is filled on the way there. */
function destination(target: AgentNode, { graph, plan, losses, native }: EmitContext) {
  const after = target.transitions[0]?.target_node_id;
  if (!plan.parameters.has(target.id) || after === undefined) return { state: target.id, parameters: {} };
  const path = ["nodes", target.id];
  if (!native) losses.add("extract-as-parameters", path, "An LLM has no extract nodes", "parameters of the edge");
  return { state: own(graph.nodes, after)?.id ?? after, parameters: { parameters: emitParameters(target) } };
}

/** Edges that stand for what can happen everywhere: global nodes, and the way back from them. */
function globalExits(node: AgentNode, { graph, plan, losses }: EmitContext): Exit[] {
  if (isCall(node)) return [];
  const exit = (target: AgentNode, description: string, path: Path): Exit => {
    const name = plan.names.get(target.id) ?? target.id;
    return { target: name, edge: { destination_state_name: name, description }, path, repeated: false };
  };
  const globals = node.node_type === "conversation" ? plan.globalStates.filter(({ id }) => id !== node.id) : [];
  const entries = globals.map((global) => {
    const path = ["nodes", global.id, "global_node_setting"];
    losses.add("global-as-edges", path, "An LLM has no global states", "an edge from every state");
    return exit(global, global.global_node_setting?.condition ?? "", path);
  });
  const backs = (node.global_node_setting?.go_back_conditions ?? []).flatMap(({ condition }, index) => {
    const path = ["nodes", node.id, "global_node_setting", "go_back_conditions", index];
    losses.add("go-back-as-edges", path, "An LLM does not remember where it came from", "an edge to every state");
    const when = conditionInWords({ target_node_id: "", condition }, node);
    return plan.states
      .filter(({ id, node_type: type }) => id !== node.id && type === "conversation" && Object.hasOwn(graph.nodes, id))
      .map((state) => exit(state, `${when}, and the conversation was at ${plan.names.get(state.id)} before`, path));
  });
  return [...entries, ...backs];
}

/** Retell takes one edge from a state to another: several become one that says either. */
function mergeExits(exits: readonly Exit[], losses: Losses): JsonObject[] {
  const edges: (JsonObject & { description?: string })[] = [];
  const places = new Map<string, number>();
  for (const { target, edge, path, repeated } of exits) {
    const place = repeated ? undefined : places.get(target);
    const before = place === undefined ? undefined : edges[place];
    if (place === undefined || !before) {
      if (!places.has(target)) places.set(target, edges.length);
      edges.push(edge);
      continue;
    }
    const texts = [before.description, edge.description].filter(Boolean);
    losses.add("edges-merged", path, `Retell takes one edge to "${target}"`, "one edge that says either");
    edges[place] = { ...edge, ...before, description: texts.join(", or: ") };
  }
  return edges;
}

function callExits(node: AgentNode, { graph, plan }: EmitContext): Exit[] {
  return node.transitions.flatMap((transition) => {
    const target = graph.nodes[transition.target_node_id];
    if (!target || !isCall(target) || target.id === graph.entry_node_id) return [];
    const name = `${plan.names.get(target.id) ?? target.id} (call the tool of this name)`;
    return [{ target: name, edge: { description: conditionInWords(transition, node) }, path: [], repeated: false }];
  });
}

function promptOf(node: AgentNode, exits: readonly Exit[], context: EmitContext): string {
  const { losses } = context;
  const path = ["nodes", node.id];
  const prompt = context.text(node.state_prompt, [...path, "state_prompt"]);
  const told = exits.map(({ target, edge }) => [target, edge.description ?? ""] as const);
  const silent = { ...node, state_prompt: prompt };
  switch (node.node_type) {
    case "logic":
      losses.add("logic-as-state", path, "An LLM has no logic nodes", "a silent state that the model leaves at once");
      return silentPrompt(silent, "", told);
    case "extract":
      losses.add("extract-as-state", path, "An LLM has no extract nodes", "a silent state with an extracting tool");
      return silentPrompt(silent, `Call ${extracting(node).name} at once.`, told);
    case "function": {
      losses.add("function-as-state", path, "An LLM has no function nodes", "a silent state with the tool");
      const tool = node.tools[0]?.name;
      const spoken = { ...silent, state_prompt: functionPrompt(silent) };
      return silentPrompt(spoken, tool === undefined ? "" : `Call ${tool} at once.`, told);
    }
    default:
      if (node.variables_to_extract.length > 0)
        losses.add(
          "extract-with-state",
          path,
          "A state fills no variables by itself",
          "a tool that the model can call",
        );
      if (node.instruction_type !== "static_text" || isCall(node) || prompt === "") return prompt;
      losses.add("static-text-as-prompt", path, "An LLM has no static text", "a prompt that asks for the exact words");
      return `Say exactly this, word for word, and nothing else: "${prompt}"`;
  }
}

function extracting(node: AgentNode): LlmTool {
  const known = pick({ prompt: node.state_prompt }, ["prompt"]).prompt;
  const description = typeof known === "string" && known !== "" ? known : "Record what the caller has said";
  return extractTool(`extract_${node.id}`, description, node.variables_to_extract);
}
