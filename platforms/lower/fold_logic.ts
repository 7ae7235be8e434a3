import { type AgentNode, isSilent, isTerminal, type Transition } from "../../src/graph/mod.ts";
import { own } from "../../src/values/mod.ts";
import { ALWAYS, all, equationGuard, type Guard, none } from "./guard.ts";
import type { LoweredGraph, LoweredNode } from "./pass.ts";
import type { Route } from "./route.ts";

/** What is known in a call beside the graph's own variables. */
export interface CallState {
  /** When a `tool_call` transition is open; `undefined` where no variable says what the tool came to. */
  readonly outcome: (node: AgentNode, transition: Transition) => Guard | undefined;
  /** The same in words. */
  readonly outcomeWords: (node: AgentNode, transition: Transition) => string;
  /** Condition for leaving a node: its tool has run. */
  readonly work: (node: AgentNode) => Guard | undefined;
}

/** A graph whose silent nodes are folded into routes, each of which is computed when it is asked for. */
interface FoldedGraph {
  /** The ways out of a node: none out of an end, nor out of a transfer, whose failure Vapi does not route. */
  readonly routes: (id: string) => readonly Route[];
}

/**
 * Folds the silent nodes of a graph into the transitions of the nodes that stay: each way through them is one route, with
 * a guard that says when the graph takes it. A route is no transition of an AgentGraph, which has an LLM condition or
 * equations and cannot say that an equation is false: hence the {@link Guard}.
 *
 * @param stays Whether a node stays; routes end there. Ends and transfers stay, and so does a silent node of a circle.
 */
export function foldLogic(graph: LoweredGraph, stays: (id: string) => boolean, state: CallState): FoldedGraph {
  const follow = (step: Route): readonly Route[] => {
    const node = own(graph.nodes, step.target);
    if (!node || stays(step.target) || isTerminal(node)) return [step];
    return stepsOf(node, state).flatMap((next) => follow(joined(step, next)));
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

/** A route that goes on behind a silent node. */
function joined(step: Route, next: Route): Route {
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

/** What variables say of each transition; nothing where the model has to judge. */
function knownGuards(node: LoweredNode, state: CallState): readonly (Guard | undefined)[] {
  return node.transitions.map((transition) => {
    const { condition, back } = transition;
    if (condition.type === "tool_call") return state.outcome(node, transition);
    if (condition.type !== "equation") return undefined;
    return back ? all([isSet(back.variable), equationGuard(condition)]) : equationGuard(condition);
  });
}

/** A node's own transitions as routes, each guarded against those that come first. */
function stepsOf(node: LoweredNode, state: CallState): readonly Route[] {
  const silent = isSilent(node);
  const known = knownGuards(node, state);
  const backIds = node.transitions.map(({ back }) => back?.id);
  /** The guards before a transition. The ways back on one condition count once: only one of them is ever open. */
  const before = (most: number) =>
    known.slice(0, most).flatMap((guard, index) => {
      const id = backIds[index];
      return guard && (id === undefined || (id !== backIds[most] && backIds.indexOf(id) === index)) ? [guard] : [];
    });
  const judged = node.transitions.some(({ condition }) => condition.type === "llm_prompt");
  const isElse = ({ timing }: Transition) => silent || timing === "else";
  const fallbacks = [true, false].map((wanted) =>
    node.transitions.findIndex((each) => each.condition.type === "always" && isElse(each) === wanted),
  );
  return node.transitions.flatMap((transition, index): Route[] => {
    const { condition, target_node_id: target, sets = {}, back, madeFrom } = transition;
    const hop = `${index} ${node.id}`;
    const route = {
      target,
      through: [],
      path: madeFrom ?? ["nodes", node.id, "transitions", index],
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
    if (back || !fallbacks.includes(index)) return [];
    const asked = judged && (silent || transition.timing === "else");
    const waits = silent || transition.timing === "else";
    const answered = !silent && transition.timing === "else" ? ["the caller has answered"] : [];
    const texts = asked ? ["none of the other conditions holds"] : answered;
    const choices = silent && !asked ? [] : route.choices;
    return [{ ...route, guard: waits ? otherwise : ALWAYS, texts, forced: !asked, choices }];
  });
}

/** That a variable has a value. */
function isSet(variable: string): Guard {
  return { kind: "clause", clause: { left: variable, operator: "exists" } };
}
