import { formatNamed } from "../../../../platforms/mod.ts";
import { isRecord, own, records } from "../../../../src/base/values/mod.ts";
import { equationHolds } from "../../../../src/document/expressions/mod.ts";
import { type AgentGraph, type AgentNode, parseGraph, type Transition } from "../../../../src/document/graph/mod.ts";

/** A number from 0 to 1. */
export type Random = () => number;

/** A function that a model calls, and what its tool answers. */
export interface Step {
  readonly function: string;
  readonly arguments: { readonly [name: string]: unknown };
  readonly result: { readonly [name: string]: unknown };
  readonly succeeded: boolean;
}

/** The calls of functions on a way through a flow, and the nodes of the graph on that way. */
export interface Walk {
  readonly steps: readonly Step[];
  readonly visited: readonly string[];
}

const VALUES = ["gold", "silver", "3", "12", "-1.50", "", "a b"];
const OPERATORS = ["==", "!=", ">", ">=", "<", "<=", "contains", "not_contains", "exists", "not_exist"];
const VARIABLES = ["plan", "seats", "note"];

const pick = <Item>(items: readonly Item[], random: Random): Item | undefined =>
  items[Math.floor(random() * items.length)];

/** A repeatable source of random numbers. */
export function randomFrom(seed: number): Random {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return ((state >>> 8) % 65_536) / 65_536;
  };
}

/** A graph with nodes of every type that a flow says in code. */
export function randomGraph(random: Random): AgentGraph {
  const ids = Array.from(
    { length: 3 + Math.floor(random() * 6) },
    (_, index) => `node ${index}${random() < 0.2 ? "é" : ""}`,
  );
  const all = [...ids, "end"];
  const target = () => pick(all, random) ?? "end";
  const clause = () => ({
    left: pick(VARIABLES, random),
    operator: pick(OPERATORS, random),
    right: random() < 0.2 ? "{{seats}}" : pick(VALUES, random),
  });
  const equation = () => ({
    target_node_id: target(),
    condition: {
      type: "equation",
      value: "",
      equations: Array.from({ length: 1 + Math.floor(random() * 2) }, clause),
      logical_operator: random() < 0.5 ? "or" : "and",
    },
  });
  const some = <Item>(most: number, make: (index: number) => Item) =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, (_, index) => make(index));
  const always = () => ({ target_node_id: target(), condition: { type: "always", value: "" } });
  const nodes = ids.map((id, index) => {
    const type = index === 0 ? "conversation" : pick(["conversation", "logic", "extract", "function"], random);
    const said = (at: number) => ({
      target_node_id: target(),
      condition: { type: "llm_prompt", value: `Caller says ${at} at ${id}` },
    });
    const outcome = (which: string) => ({
      target_node_id: target(),
      condition: { type: "tool_call", value: "", outcome: which },
    });
    return [
      id,
      {
        node_type: type,
        state_prompt: type === "conversation" ? `At ${id}, help {{plan}}.` : "",
        variables_to_extract:
          type === "extract" ? VARIABLES.map((name) => ({ name, description: `The ${name}`, type: "string" })) : [],
        tools:
          type === "function"
            ? [{ name: `tool_${index}`, description: "Looks up", response_variables: { plan: "$.order.plan" } }]
            : [],
        transitions:
          type === "conversation"
            ? [said(1), ...some(2, (at) => said(at + 2))]
            : [...(type === "function" ? some(1, () => outcome("failed")) : []), ...some(3, equation), always()],
      },
    ];
  });
  return parseGraph({
    entry_node_id: ids[0],
    nodes: { ...Object.fromEntries(nodes), end: { node_type: "end", state_prompt: "Bye." } },
  });
}

/** Walks through a graph with random decisions, and names the functions of the flow that make the same ones. */
export function randomWalk(graph: AgentGraph, random: Random, most = 12): Walk {
  const emitted = formatNamed("pipecat").emitGraph?.(graph)?.config;
  const variables: { [name: string]: unknown } = {};
  const steps: Step[] = [];
  const visited = [graph.entry_node_id];
  while (steps.length < most) {
    const node = own(graph.nodes, visited.at(-1) ?? "");
    if (!node || node.node_type === "end") break;
    const step = stepFrom(node, emitted, random);
    if (node.node_type === "extract") Object.assign(variables, step.arguments);
    const { plan } = isRecord(step.result.order) ? step.result.order : {};
    if (node.node_type === "function" && step.succeeded && plan !== undefined) variables.plan = plan;
    const taken = node.node_type === "conversation" ? chosen(node, emitted, step) : decided(node, variables, step);
    if (!taken) break;
    steps.push(step);
    visited.push(taken.target_node_id);
  }
  return { steps, visited };
}

function functionsAt(node: AgentNode, emitted: unknown) {
  const { nodes } = isRecord(emitted) ? emitted : {};
  const written = isRecord(nodes) ? own(nodes, node.id) : undefined;
  return isRecord(written) ? records(written.functions) : [];
}

function stepFrom(node: AgentNode, emitted: unknown, random: Random): Step {
  const functions = functionsAt(node, emitted);
  const isWork = node.node_type !== "conversation";
  const called = isWork ? functions.find(({ transition_only: only }) => only !== true) : pick(functions, random);
  const given = VARIABLES.filter(() => random() < 0.7).map((name) => [name, pick(VALUES, random)]);
  const succeeded = random() < 0.7;
  return {
    function: String(called?.name),
    arguments: node.node_type === "extract" ? Object.fromEntries(given) : {},
    result: succeeded ? { order: { plan: pick(VALUES, random) } } : { error: "not found" },
    succeeded,
  };
}

/** The transition whose function was called: functions of a conversation are in the order of its transitions. */
function chosen(node: AgentNode, emitted: unknown, { function: name }: Step): Transition | undefined {
  return node.transitions[functionsAt(node, emitted).findIndex((each) => each.name === name)];
}

function decided(node: AgentNode, variables: { readonly [name: string]: unknown }, { succeeded }: Step) {
  return node.transitions.find(({ condition }) => {
    if (condition.type === "equation") return equationHolds(condition, variables);
    if (condition.type === "tool_call") return (condition.outcome === "succeeded") === succeeded;
    return condition.type === "always";
  });
}
