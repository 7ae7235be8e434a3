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
import { ALWAYS, all, equationGuard, type Guard, none } from "./guard.ts";
import type { LoweredGraph, LoweredNode } from "./pass.ts";
import { type Route, transitionPath } from "./route.ts";

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

/** Extends a route by a step out of its silent target. */
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
