import type { AgentGraph, AgentNode, Transition } from "../../../src/graph/mod.ts";
import { promoteBusy } from "./busy.ts";
import { mergeChains } from "./chains.ts";
import { ALWAYS, all, equationGuard, type Guard, none } from "./guard.ts";
import { isSilent, isTerminal } from "./kinds.ts";
import { nodeOf } from "./names.ts";
import type { Route } from "./route.ts";
import { ambiguousEnds } from "./shared_ends.ts";
import { promoteShared } from "./shared_tools.ts";

/** Which nodes become members, and how one leads to the other. */
export interface Plan {
  /** Ids of the members, the entry node first. */
  readonly members: readonly string[];
  readonly routes: ReadonlyMap<string, readonly Route[]>;
  /** The ways back out of a global node, by its id, in the order of its go-back conditions; their target is empty. */
  readonly backs: ReadonlyMap<string, readonly Route[]>;
  /** Ids of the members that callers may ask for anywhere. */
  readonly globals: readonly string[];
  /** When the model decides where a member leads: while none of its equations does. */
  readonly undecided: ReadonlyMap<string, Guard>;
  /** Ids of nodes that are the rest of a member's work, by the member. */
  readonly merged: ReadonlyMap<string, readonly string[]>;
}

/** What is known in a call beside the graph's own variables. */
export interface CallState {
  /** When a `tool_call` transition is open; `undefined` where no variable says what the tool came to. */
  readonly outcome: (node: AgentNode, transition: Transition) => Guard | undefined;
  /** The same in words. */
  readonly outcomeWords: (node: AgentNode, transition: Transition) => string;
  /** What must hold before a call goes on behind a node: its tool has run. */
  readonly work: (node: AgentNode) => Guard | undefined;
  /** Whether the caller has come to a global node from somewhere. */
  readonly hasOrigin: (id: string) => Guard;
}

/**
 * Lays a graph out as members and routes. Conversation nodes, the entry node and global nodes are members; `logic`,
 * `extract` and `function` nodes are passed through on the way, and `end` and `transfer` nodes are tools of those who
 * lead there, unless that would leave open which one is meant.
 *
 * @param contract Whether a node that only ever follows one other is merged into it.
 */
export function planGraph(graph: AgentGraph, state: CallState, contract = false): Plan {
  const promoted = new Set<string>([graph.entry_node_id]);
  for (const [id, node] of Object.entries(graph.nodes)) if (node.global_node_setting?.condition) promoted.add(id);
  promoteBusy(graph, promoted);
  const merged = contract ? mergeChains(graph, promoted) : new Map<string, readonly string[]>();
  const inner = new Set([...merged.values()].flat());
  promoteShared(graph, promoted, merged);

  const isMember = (id: string) => {
    const node = nodeOf(graph, id);
    return node !== undefined && !inner.has(id) && (promoted.has(id) || node.node_type === "conversation");
  };
  const walker = new Walker(graph, isMember, state);
  const routesOf = (id: string) => walker.from(merged.get(id)?.at(-1) ?? id).map((route) => afterWork(id, route));
  const afterWork = (id: string, route: Route): Route => {
    const work = [id, ...route.through].flatMap((each) => nodeOf(graph, each) ?? []).map(state.work);
    return { ...route, guard: all([...work.filter((guard) => guard !== undefined), route.guard]) };
  };
  const ids = Object.keys(graph.nodes);
  const routes = new Map(ids.filter(isMember).map((id) => [id, routesOf(id)]));
  for (const id of ambiguousEnds(graph, routes, merged)) {
    promoted.add(id);
    routes.set(id, routesOf(id));
  }
  const order = [graph.entry_node_id, ...ids.filter((id) => id !== graph.entry_node_id && isMember(id))];
  const backs = new Map(
    order.flatMap((id) => {
      const node = nodeOf(graph, id);
      return node?.global_node_setting?.go_back_conditions.length ? [[id, walker.backs(node)] as const] : [];
    }),
  );
  const globals = ids.filter((id) => isMember(id) && nodeOf(graph, id)?.global_node_setting?.condition);
  const undecided = new Map(order.map((id) => [id, walker.undecided(merged.get(id)?.at(-1) ?? id)]));
  return { members: order, routes, backs, globals, merged, undecided };
}

/** Walks the transitions of a member through the silent nodes behind it. */
class Walker {
  readonly #graph: AgentGraph;
  readonly #isMember: (id: string) => boolean;
  readonly #state: CallState;

  constructor(graph: AgentGraph, isMember: (id: string) => boolean, state: CallState) {
    this.#graph = graph;
    this.#isMember = isMember;
    this.#state = state;
  }

  /** A node's go-back conditions are asked after its own equations, and before its LLM conditions. */
  backs(node: AgentNode): readonly Route[] {
    const backs = backTransitions(node);
    const all = this.#steps({ ...node, transitions: [...node.transitions, ...backs], global_node_setting: null });
    const path = (index: number) => ["nodes", node.id, "global_node_setting", "go_back_conditions", index];
    return all.filter(({ target }) => target === "").map((route, index) => ({ ...route, path: path(index) }));
  }

  /** Nothing leads away from an end. Nor from a transfer: Vapi does not ask where the call goes when one fails. */
  from(id: string): readonly Route[] {
    const node = nodeOf(this.#graph, id);
    if (!node || isTerminal(node)) return [];
    return this.#steps(node).flatMap((step) => this.#follow(step));
  }

  /** While this holds, no equation of a node, nor of its ways back, decides where a call goes. */
  undecided(id: string): Guard {
    const node = nodeOf(this.#graph, id);
    if (!node) return ALWAYS;
    const own = this.#known(node).filter((guard) => guard !== undefined);
    return none([...own, ...this.#backEquations(node)]);
  }

  #follow(step: Route): readonly Route[] {
    const node = nodeOf(this.#graph, step.target);
    if (!node || this.#isMember(step.target) || isTerminal(node)) return [step];
    const through = [...step.through, step.target];
    return this.#steps(node).flatMap((next) =>
      this.#follow({
        target: next.target,
        guard: all([step.guard, next.guard]),
        texts: [...step.texts, ...next.texts],
        through,
        forced: step.forced && next.forced,
        waits: step.waits,
        path: step.path,
        hops: [...step.hops, ...next.hops],
        choices: [...step.choices, ...next.choices],
      }),
    );
  }

  /** The go-back equations of a node, which hold for something only when there is somewhere to go back to. */
  #backEquations(node: AgentNode): readonly Guard[] {
    const equations = backTransitions(node).filter(({ condition }) => condition.type === "equation");
    return equations.map(({ condition }) => all([this.#state.hasOrigin(node.id), equationGuard(condition)]));
  }

  /** What variables say of each transition; nothing where the model has to judge. */
  #known(node: AgentNode): readonly (Guard | undefined)[] {
    return node.transitions.map((transition) => {
      if (transition.condition.type === "equation") return equationGuard(transition.condition);
      return transition.condition.type === "tool_call" ? this.#state.outcome(node, transition) : undefined;
    });
  }

  /** A node's own transitions as routes, each guarded against those that come first. */
  #steps(node: AgentNode): readonly Route[] {
    const silent = isSilent(node);
    const known = this.#known(node);
    const decided = [...known.filter((guard) => guard !== undefined), ...this.#backEquations(node)];
    const judged = node.transitions.some(({ condition }) => condition.type === "llm_prompt");
    const isElse = ({ timing }: Transition) => silent || timing === "else";
    const fallbacks = [true, false].map((wanted) =>
      node.transitions.findIndex((each) => each.condition.type === "always" && isElse(each) === wanted),
    );
    return node.transitions.flatMap((transition, index): Route[] => {
      const { condition, target_node_id: target } = transition;
      const hop = `${index} ${node.id}`;
      const route = {
        target,
        through: [],
        path: ["nodes", node.id, "transitions", index],
        hops: [hop],
        choices: [hop],
        waits: !silent && condition.type === "always" && (transition.timing ?? "after_speech") === "after_speech",
      };
      const own = known[index];
      const words = condition.type === "tool_call" ? this.#state.outcomeWords(node, transition) : condition.value;
      if (own) {
        const earlier = known.slice(0, index).filter((guard) => guard !== undefined);
        const texts = condition.type === "tool_call" ? [words] : [];
        return [{ ...route, guard: all([own, none(earlier)]), texts, forced: true, choices: [] }];
      }
      const otherwise = none(decided);
      if (condition.type !== "always") {
        return [{ ...route, guard: otherwise, texts: [words], forced: false }];
      }
      if (!fallbacks.includes(index))
        return target === "" ? [{ ...route, guard: { kind: "any", guards: [] }, texts: [], forced: true }] : [];
      const asked = judged && (silent || transition.timing === "else");
      const waits = silent || transition.timing === "else";
      const answered = !silent && transition.timing === "else" ? ["the caller has answered"] : [];
      const texts = asked ? ["none of the other conditions holds"] : answered;
      const choices = silent && !asked ? [] : route.choices;
      return [{ ...route, guard: waits ? otherwise : ALWAYS, texts, forced: !asked, choices }];
    });
  }
}

function backTransitions(node: AgentNode): readonly Transition[] {
  const backs = node.global_node_setting?.go_back_conditions ?? [];
  return backs.map(({ condition }) => ({ target_node_id: "", condition }));
}
