import { own } from "../../../base/values/mod.ts";
import type { TurnMode } from "../../../call/engine/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  canFuse,
  canSpeakNext,
  endingOf,
  goesOnAtOnce,
  isOverAtOnce,
  isStatic,
  MOST_HOPS,
  openingOf,
  speaks,
  type ToolDefinition,
  type Transition,
  wayAfterFailedTransfer,
  waysAfterHearing,
  waysAfterSpeech,
  waysAfterWork,
  waysBack,
  workQuestion,
} from "../../../document/graph/mod.ts";

/** A model call that the agent makes. */
export interface Ask {
  readonly signature: "transition" | "fused" | "respond" | "extract" | "arguments";
  readonly node: AgentNode;
  /** Turns of the caller before this call. */
  readonly turn: number;
}

/** How a bound is computed: which side, for which turns, and with which weight for each model call. */
export interface Bound {
  readonly side: "least" | "most";
  readonly mode: TurnMode;
  /** Number of turns that the caller takes. */
  readonly turns: number;
  /** Whether the caller may hang up before the last turn. */
  readonly mayHangUp: boolean;
  /** Returns what one model call counts, including the requests it may need. */
  readonly weigh: (ask: Ask) => number;
  /** Returns what a speculative request counts, which may be discarded. */
  readonly weighAhead: (ask: Ask) => number;
  /** Added for each turn in which the caller's model is asked. Default: 0. */
  readonly perTurn?: number;
  /** Whether a reply written by a fused call always saves a request. It does not when the reply may be empty. */
  readonly trustsFused: boolean;
}

/** Maximum number of turns to compute. */
const MOST_TURNS = 2_000;

/**
 * Computes a lower or upper bound of what the agent's model calls count in one call, for all possible model answers and
 * variable values. It follows all paths through the graph at once, from the caller's last turn to the first. The bound
 * always holds but may be loose: equations may be true or false, and a go-back may lead to any node.
 *
 * @returns `Infinity` when there is no upper bound, or when the call is too long to compute one.
 */
export function boundOf(graph: AgentGraph, bound: Bound): number {
  const most = bound.side === "most";
  if (bound.turns > MOST_TURNS)
    return most ? Number.POSITIVE_INFINITY : boundOf(graph, { ...bound, turns: MOST_TURNS });
  const pick = (values: readonly number[]) => values.reduce((a, b) => (most ? Math.max(a, b) : Math.min(a, b)));
  const { perTurn = 0 } = bound;
  let waiting = (_node: AgentNode, _spoken: boolean) => 0;
  for (let turn = bound.turns - 1; turn >= 0; turn--) {
    const hear = hearing(graph, { ...bound, turn, pick, waiting });
    const [unspoken, afterWords] = [new Map<AgentNode, number>(), new Map<AgentNode, number>()];
    waiting = (node, spoken) => {
      const known = spoken ? afterWords : unspoken;
      const value = known.get(node) ?? perTurn + pick([hear(node, spoken), ...(bound.mayHangUp ? [0] : [])]);
      known.set(node, value);
      return value;
    };
    // compute all nodes of each turn here: computing them on demand would recurse once per turn
    for (const node of Object.values(graph.nodes)) for (const spoken of [false, true]) waiting(node, spoken);
  }
  const entry = own(graph.nodes, graph.entry_node_id);
  if (!entry) return 0;
  const opening = openingOf(graph);
  if (opening === "caller") return waiting(entry, false);
  const { walk, afterSpeech } = walking(graph, { ...bound, turn: 0, pick, waiting });
  if (opening === "node") return walk(entry, MOST_HOPS, false, false);
  const begin = graph.source_metadata.begin_message ?? "";
  if (begin.trim() === "") return waiting(entry, false);
  const begun = () => {
    if (entry.node_type === "conversation") return afterSpeech(entry, MOST_HOPS, false, false);
    return isOverAtOnce(entry) ? walk(entry, MOST_HOPS, false, false) : waiting(entry, false);
  };
  return pick([begun(), ...(canBeEmpty(begin) ? [waiting(entry, false)] : [])]);
}

interface TurnBound extends Bound {
  readonly turn: number;
  readonly pick: (values: readonly number[]) => number;
  /** Returns the bound for the rest of the call when the agent waits for the caller at a node. */
  readonly waiting: (node: AgentNode, spoken: boolean) => number;
}

/**
 * Computes the bound of a turn from a node on. `ahead` means that the first request of the reply is already counted.
 */
function walking(graph: AgentGraph, bound: TurnBound) {
  const { side, turn, pick, waiting, weigh, weighAhead, trustsFused } = bound;
  const known = new Map<AgentNode, (number | undefined)[]>();
  const ask = (signature: Ask["signature"], node: AgentNode) => weigh({ signature, node, turn });

  const walk = (node: AgentNode, hops: number, spoken: boolean, ahead: boolean): number => {
    const values = known.get(node) ?? [];
    known.set(node, values);
    const at = hops * 4 + (spoken ? 2 : 0) + (ahead ? 1 : 0);
    const value = values[at] ?? step(node, hops, spoken, ahead);
    values[at] = value;
    return value;
  };
  const move = (id: string, hops: number, then: (target: AgentNode) => number) => {
    const target = own(graph.nodes, id);
    return hops > 0 && target ? then(target) : 0; // exceeding the hop limit ends the call
  };

  function step(node: AgentNode, hops: number, spoken: boolean, ahead: boolean): number {
    switch (node.node_type) {
      case "conversation":
        return pick([
          ...(saysPrompt(node) && !spoken ? [afterSpeech(node, hops, true, false)] : []),
          ...(saysPrompt(node) && !spoken && !canBeEmpty(node.state_prompt)
            ? []
            : [reply(node, ahead) + pick([afterSpeech(node, hops, true, true), ...overBy(node.tools)])]),
        ]);
      case "end":
      case "transfer":
        return speech(node, spoken, ahead) + (node.node_type === "end" ? 0 : transferred(node, hops));
      default:
        return work(node) + pick([route(node, hops, ahead), ...overBy(node.tools)]);
    }
  }

  function speech(node: AgentNode, spoken: boolean, ahead: boolean): number {
    if (!speaks(node)) return 0;
    if (!saysPrompt(node) || spoken) return reply(node, ahead);
    return canBeEmpty(node.state_prompt) ? pick([0, reply(node, ahead)]) : 0;
  }

  function reply(node: AgentNode, ahead: boolean): number {
    const asked: Ask = { signature: "respond", node, turn };
    return weigh(asked) - (ahead && trustsFused ? weighAhead(asked) : 0);
  }

  /** A transfer succeeds unless a mock makes it fail. */
  function transferred(node: AgentNode, hops: number): number {
    const failed = wayAfterFailedTransfer(node);
    return pick([
      0,
      failed ? move(failed.target_node_id, hops, (to) => walk(to, hops - 1, false, false)) : waiting(node, true),
    ]);
  }

  function afterSpeech(node: AgentNode, hops: number, spoken: boolean, toolsCalled: boolean): number {
    const { withoutModel: free, otherwise } = waysAfterSpeech(node);
    const leave = (way: Transition) =>
      move(way.target_node_id, hops, (target) =>
        goesOnAtOnce(way, target) ? walk(target, hops - 1, false, false) : waiting(target, false),
      );
    const stay = otherwise ? leave(otherwise) : waiting(node, spoken);
    return pick([stay, ...(toolsCalled ? free.map(leave) : [])]);
  }

  function work(node: AgentNode): number {
    const question = workQuestion(node);
    return question ? ask(question, node) : 0;
  }

  function route(node: AgentNode, hops: number, ahead: boolean): number {
    // a reply written in advance is kept while silent nodes are passed, for the node that it was written for
    const kept = ahead && side === "least";
    const go = ({ target_node_id: id }: Transition) => move(id, hops, (to) => walk(to, hops - 1, false, kept));
    const { withoutModel: free, offered, otherwise } = waysAfterWork(node);
    const unpicked = otherwise ? go(otherwise) : waiting(node, false);
    const asked = offered.length > 0 ? ask("transition", node) + pick([unpicked, ...offered.map(go)]) : unpicked;
    return pick([asked, ...free.map(go)]);
  }

  return { walk, move, afterSpeech, ask };
}

/** Computes the bound of a turn from the caller's message on. */
function hearing(graph: AgentGraph, bound: TurnBound): (node: AgentNode, spoken: boolean) => number {
  const { side, mode, pick, weighAhead, turn } = bound;
  const { walk, move, ask } = walking(graph, bound);
  const nodes = Object.values(graph.nodes);
  const globals = nodes.filter(({ global_node_setting: setting }) => setting);
  const known = new Map<string, number>();
  const over = (name: string, targets: readonly AgentNode[], ahead: (target: AgentNode) => boolean) => {
    const value = known.get(name) ?? pick(targets.map((target) => walk(target, MOST_HOPS - 1, false, ahead(target))));
    known.set(name, value);
    return value;
  };

  return (node, spoken) => {
    if (node.node_type !== "conversation") return walk(node, MOST_HOPS, spoken, false);
    const { withoutModel: free, offered: offers, otherwise } = waysAfterHearing(node);
    const backs = waysBack(node);
    const go = (ahead: (target: AgentNode) => boolean) => (transition: Transition) =>
      move(transition.target_node_id, MOST_HOPS, (to) => walk(to, MOST_HOPS - 1, false, ahead(to)));
    const nothing = () => false;

    const ways = free.map(go(nothing));
    if (backs.withoutModel.length > 0) ways.push(over("anywhere", nodes, nothing));
    const others = globals.filter((global) => global !== node);
    const canGoBack = backs.offered.length > 0;
    const stay = walk(node, MOST_HOPS, spoken, false);
    const leave = otherwise ? go(nothing)(otherwise) : stay;
    // a global node that was not entered from another node has no go-back
    if (offers.length + others.length === 0) ways.push(leave);
    if (offers.length + others.length > 0 || canGoBack) {
      const targets = [...offers.flatMap(({ target_node_id: id }) => own(graph.nodes, id) ?? []), ...others];
      for (const fuses of fusing(mode, [node, ...targets], canGoBack)) ways.push(...asked(fuses));
    }
    return pick(ways);

    function asked(fuses: boolean): number[] {
      const price = ask(fuses ? "fused" : "transition", node);
      // a discarded speculative reply may or may not have reached the model
      const aheadOfTime = mode === "speculative" && !(isStatic(node) && !spoken) && side === "most";
      const wasted = aheadOfTime ? weighAhead({ signature: "respond", node, turn }) : 0;
      const written = (target: AgentNode) => fuses && (side === "least" || canSpeakNext(target));
      const stays = price + (fuses ? walk(node, MOST_HOPS, spoken, true) : stay);
      const kept = fuses && side === "least";
      return [
        stays,
        ...(otherwise ? [price + wasted + go(() => kept)(otherwise)] : []),
        ...offers.map((offer) => price + wasted + go(written)(offer)),
        ...(others.length > 0 ? [price + wasted + over(`globals ${fuses}`, globals, written)] : []),
        ...(canGoBack ? [price + wasted + over(`anywhere ${fuses}`, nodes, written)] : []),
      ];
    }
  };
}

/**
 * Returns whether a turn's model call can be fused. It cannot when a candidate has tools; with a go-back the next node
 * is unknown, so both are possible.
 */
function fusing(mode: TurnMode, candidates: readonly AgentNode[], canGoBack: boolean): readonly boolean[] {
  if (mode !== "fused") return [false];
  if (!canFuse(candidates)) return [false];
  return canGoBack ? [true, false] : [true];
}

/** Whether a node says its prompt word for word first. */
function saysPrompt(node: AgentNode): boolean {
  return isStatic(node) && speaks(node);
}

/** Whether a prompt may be empty after its variables are replaced. */
function canBeEmpty(prompt: string): boolean {
  return prompt.includes("{");
}

/** Returns `[0]` when one of the tools can end the call, else an empty list. */
function overBy(tools: readonly ToolDefinition[]): readonly number[] {
  return tools.some(endingOf) ? [0] : [];
}
