import { own } from "../../src/base/values/mod.ts";
import {
  type AgentNode,
  isSilent,
  isTerminal,
  type Transition,
  waysAfterHearing,
  waysAfterSpeech,
  waysAfterWork,
} from "../../src/document/graph/mod.ts";
import {
  ALWAYS,
  all,
  equationGuard,
  type Guard,
  type LoweredGraph,
  type LoweredNode,
  none,
  type Pass,
  type Route,
  transitionPath,
} from "./pass.ts";

/**
 * Merges chains of conversation nodes into one node with a prompt of numbered steps. In a chain, each node has one
 * successor and one predecessor. Nodes with static text, global nodes and nodes that route by a tool's outcome are not
 * merged.
 *
 * @param canJoin Whether the platform allows two nodes to be merged: for example, only nodes with the same voice.
 */
export const contractChains = (canJoin: (node: AgentNode, next: AgentNode) => boolean): Pass => ({
  name: "contract-chains",
  run: (graph) => {
    const merged = chainsOf(graph, canJoin);
    const inner = new Set([...merged.values()].flat());
    const nodes = Object.values(graph.nodes).flatMap((node) => {
      const rest = (merged.get(node.id) ?? []).flatMap((id) => own(graph.nodes, id) ?? []);
      return inner.has(node.id) ? [] : [[node.id, rest.length > 0 ? joined([node, ...rest]) : node] as const];
    });
    return { graph: { ...graph, nodes: Object.fromEntries(nodes) }, merged };
  },
});

/** Merges the nodes of a chain. */
function joined(steps: readonly LoweredNode[]): LoweredNode {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) throw new TypeError("a chain has nodes");
  const texts = steps.map(({ state_prompt: text, transitions: [next] }, index) => {
    const done =
      next?.condition.type === "llm_prompt" ? `until this holds: ${next.condition.value}` : "once it is said";
    const more = index < steps.length - 1 ? `\nStay with this step ${done}; then take the next one.` : "";
    return `## Step ${index + 1}\n${text}${more}`;
  });
  return {
    ...first,
    state_prompt: texts.join("\n\n"),
    tools: steps.flatMap(({ tools }) => tools),
    variables_to_extract: steps.flatMap(({ variables_to_extract: variables }) => variables),
    transitions: last.transitions.map((each, index) => ({ ...each, madeFrom: transitionPath(last, index) })),
  };
}

/** Returns the other nodes of each chain in order, by the id of its first node. */
function chainsOf(
  graph: LoweredGraph,
  canJoin: (node: AgentNode, next: AgentNode) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, Set<string>>();
  for (const { id, transitions } of Object.values(graph.nodes))
    for (const { target_node_id: target } of transitions)
      sources.set(target, (sources.get(target) ?? new Set()).add(id));
  const next = new Map<string, string>();
  for (const node of Object.values(graph.nodes)) {
    const [only, ...others] = node.transitions;
    const target = only && own(graph.nodes, only.target_node_id);
    if (!only || others.length > 0 || !target || target.id === graph.entry_node_id) continue;
    if (sources.get(target.id)?.size !== 1) continue;
    if (only.condition.type !== "llm_prompt" && only.condition.type !== "always") continue;
    if (isMergeable(node) && isMergeable(target) && canJoin(node, target)) next.set(node.id, target.id);
  }
  const followers = new Set(next.values());
  const chains = new Map<string, readonly string[]>();
  for (const id of next.keys()) {
    if (followers.has(id)) continue;
    const rest: string[] = [];
    for (let at = next.get(id); at !== undefined; at = next.get(at)) rest.push(at);
    chains.set(id, rest);
  }
  return chains;
}

/** Whether a node can be a step. A node that routes by a tool's outcome cannot, because the outcome belongs to it. */
function isMergeable(node: AgentNode): boolean {
  if (node.transitions.some(({ condition }) => condition.type === "tool_call")) return false;
  return node.node_type === "conversation" && node.instruction_type !== "static_text" && !node.global_node_setting;
}

/** Guards that depend on the platform: what it knows of tool calls and finished work. */
export interface PlatformGuards {
  /** Guard of a `tool_call` transition; `undefined` if no variable stores the tool's outcome. */
  readonly outcome: (node: AgentNode, transition: Transition) => Guard | undefined;
  /** The same condition as text for the model. */
  readonly outcomeWords: (node: AgentNode, transition: Transition) => string;
  /** Guard for leaving a node, such as "its tool has run"; `undefined` if there is none. */
  readonly work: (node: AgentNode) => Guard | undefined;
}

/** A graph whose silent nodes are folded into routes. Routes are computed on request. */
interface FoldedGraph {
  /** Routes out of a node. Ends and transfers have none: Vapi does not route failed transfers. */
  readonly routes: (id: string) => readonly Route[];
}

/**
 * Folds silent nodes into the transitions of the kept nodes: each path through silent nodes becomes a route. A route
 * has a {@link Guard} because a transition of an AgentGraph cannot negate an equation.
 *
 * @param isKept Whether routes end at a node. Ends and transfers are always kept. Each cycle of silent nodes needs a
 * kept node.
 */
export function foldLogic(graph: LoweredGraph, isKept: (id: string) => boolean, state: PlatformGuards): FoldedGraph {
  const follow = (step: Route): readonly Route[] => {
    const node = own(graph.nodes, step.target);
    if (!node || isKept(step.target) || isTerminal(node)) return [step];
    return stepsOf(node, state).flatMap((next) => follow(joinedTransitions(step, next)));
  };
  const workOf = (id: string) => {
    const node = own(graph.nodes, id);
    return (node && state.work(node)) ?? ALWAYS;
  };
  return {
    routes: (id) => {
      const node = own(graph.nodes, id);
      if (!node || isTerminal(node)) return [];
      const ways = stepsOf(node, state).flatMap(follow);
      return ways.map((route) => ({ ...route, guard: all([...[id, ...route.through].map(workOf), route.guard]) }));
    },
  };
}

/** Extends a route by a step out of its silent target. */
function joinedTransitions(step: Route, next: Route): Route {
  return {
    ...step,
    target: next.target,
    guard: all([step.guard, next.guard]),
    texts: [...step.texts, ...next.texts],
    through: [...step.through, step.target],
    forced: step.forced && next.forced,
    sets: next.sets,
    hops: [...step.hops, ...next.hops],
    choices: [...step.choices, ...next.choices],
  };
}

/** Returns the guard of each transition; `undefined` if the model decides. */
function knownGuards(node: LoweredNode, state: PlatformGuards): readonly (Guard | undefined)[] {
  return node.transitions.map((transition) => {
    const { condition, back } = transition;
    if (condition.type === "tool_call") return state.outcome(node, transition);
    if (condition.type !== "equation") return undefined;
    return back ? all([isSet(back.variable), equationGuard(condition)]) : equationGuard(condition);
  });
}

/** Returns the transitions of a node as routes. Each guard requires that no earlier transition holds. */
function stepsOf(node: LoweredNode, state: PlatformGuards): readonly Route[] {
  const silent = isSilent(node);
  const known = knownGuards(node, state);
  const backIds = node.transitions.map(({ back }) => back?.id);
  /** Guards of earlier transitions. Go-backs with the same condition count once, because only one of them is open. */
  const before = (most: number) =>
    known.slice(0, most).flatMap((guard, index) => {
      const id = backIds[index];
      return guard && (id === undefined || (id !== backIds[most] && backIds.indexOf(id) === index)) ? [guard] : [];
    });
  const judged = node.transitions.some(({ condition }) => condition.type === "llm_prompt");
  const ways = silent ? [waysAfterWork(node)] : [waysAfterHearing(node), waysAfterSpeech(node)];
  return node.transitions.flatMap((transition, index): Route[] => {
    const { condition, target_node_id: target, sets = {}, back } = transition;
    const hop = `${index} ${node.id}`;
    const route = {
      target,
      through: [],
      path: transitionPath(node, index),
      sets,
      ...(back ? { back } : {}),
      hops: [hop],
      choices: [hop],
      waits: !silent && condition.type === "always" && (transition.timing ?? "after_speech") === "after_speech",
    };
    const came: Guard = back ? { kind: "is", variable: back.variable, value: back.origin } : ALWAYS;
    const mine = known[index];
    const words = condition.type === "tool_call" ? state.outcomeWords(node, transition) : condition.value;
    if (mine) {
      const texts = condition.type === "tool_call" ? [words] : [];
      return [{ ...route, guard: all([came, mine, none(before(index))]), texts, forced: true, choices: [] }];
    }
    const otherwise = all([came, none(before(known.length))]);
    if (condition.type !== "always") {
      return [{ ...route, guard: otherwise, texts: [words], forced: false }];
    }
    if (back || ways.every(({ otherwise }) => otherwise !== transition)) return [];
    const asked = judged && (silent || transition.timing === "else");
    const waits = silent || transition.timing === "else";
    const answered = !silent && transition.timing === "else" ? ["the caller has answered"] : [];
    const texts = asked ? ["none of the other conditions holds"] : answered;
    const choices = silent && !asked ? [] : route.choices;
    return [{ ...route, guard: waits ? otherwise : ALWAYS, texts, forced: !asked, choices }];
  });
}

/** Guard that requires a variable to have a value. */
function isSet(variable: string): Guard {
  return { kind: "clause", clause: { left: variable, operator: "exists" } };
}
