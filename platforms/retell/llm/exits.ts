import type { Path } from "../../../src/errors.ts";
import type { AgentNode, Transition } from "../../../src/graph/mod.ts";
import { type JsonObject, omit, own } from "../../../src/values/mod.ts";
import type { LoweredGraph, LoweredNode } from "../../lower/mod.ts";
import type { Losses } from "./losses.ts";
import { emitParameters } from "./parameters.ts";
import { callName, isCall, isRepeated, type Plan } from "./plan.ts";
import { llmKeys } from "./schema.ts";
import { conditionInWords } from "./words.ts";

/** What writing a node needs to know. */
export interface EmitContext {
  readonly graph: LoweredGraph;
  readonly plan: Plan;
  readonly losses: Losses;
  /** Whether the graph came from an LLM: then what is there goes back as it was, valid or not. */
  readonly native: boolean;
}

/** An edge before edges to the same state become one. */
export interface Exit {
  readonly target: string;
  readonly edge: JsonObject & { readonly description?: string };
  readonly path: Path;
  /** Whether it may stand beside another one to the same state, as it did where it came from. */
  readonly repeated: boolean;
}

/** When a transition is taken, in words, and the loss where words say less than the graph. */
export function describe(transition: Transition, node: AgentNode, path: Path, { losses }: EmitContext): string {
  const description = conditionInWords(transition, node);
  const { type } = transition.condition;
  const silent = node.node_type !== "conversation";
  if (type === "equation") losses.add("equation-as-prompt", path, "An LLM has no equations", `"${description}"`);
  if (type === "tool_call") losses.add("outcome-as-prompt", path, "An LLM has no outcomes", `"${description}"`);
  if (type === "always" && !silent)
    losses.add(
      "always-as-prompt",
      path,
      "An LLM has no transition without a decision of the model",
      `"${description}"`,
    );
  return description;
}

/** A node's own edges: transitions to what is a state. */
export function exitsOf(node: LoweredNode, context: EmitContext): Exit[] {
  if (isCall(node)) return [];
  return node.transitions.flatMap((transition, index) => {
    const target = context.graph.nodes[transition.target_node_id];
    if (!target || (isCall(target) && target.id !== context.graph.entry_node_id)) return [];
    const path = transition.madeFrom ?? ["nodes", node.id, "transitions", index];
    if (transition.madeFrom)
      context.losses.add("global-as-edges", path, "An LLM has no global states", "an edge from every state");
    const description = describe(transition, node, path, context);
    const { state, parameters } = destination(target, context);
    const name = context.plan.names.get(state) ?? state;
    const repeated = isRepeated(transition);
    const own = omit(llmKeys(transition.metadata), ["repeated"]);
    const edge = { ...own, destination_state_name: name, description, ...parameters };
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

/** The ways back out of a global node: an edge to every state, since an LLM does not remember where it came from. */
export function waysBack(node: AgentNode, { plan, losses }: EmitContext): Exit[] {
  if (isCall(node)) return [];
  return (node.global_node_setting?.go_back_conditions ?? []).flatMap(({ condition }, index) => {
    const path = ["nodes", node.id, "global_node_setting", "go_back_conditions", index];
    losses.add("go-back-as-edges", path, "An LLM does not remember where it came from", "an edge to every state");
    const when = conditionInWords({ target_node_id: "", condition }, node);
    return plan.states
      .filter(({ id, node_type: type }) => id !== node.id && type === "conversation")
      .map(({ id }) => {
        const name = plan.names.get(id) ?? id;
        const description = `${when}, and the conversation was at ${name} before`;
        return { target: name, edge: { destination_state_name: name, description }, path, repeated: false };
      });
  });
}

/** Retell takes one edge from a state to another: several become one that says either. */
export function mergeExits(exits: readonly Exit[], losses: Losses): JsonObject[] {
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

/** A node's transitions to ends and transfers, for the prompt of a state that stands for a silent node. */
export function callExits(node: AgentNode, { graph, plan }: EmitContext): Exit[] {
  return node.transitions.flatMap((transition) => {
    const target = graph.nodes[transition.target_node_id];
    if (!target || !isCall(target) || target.id === graph.entry_node_id) return [];
    const name = `${callName(plan, target, transition)} (call the tool of this name)`;
    return [{ target: name, edge: { description: conditionInWords(transition, node) }, path: [], repeated: false }];
  });
}
