import { own } from "../../../base/values/mod.ts";
import type { TransitionCondition } from "../../../document/graph/mod.ts";
import type { Edges } from "./edges/mod.ts";
import { eventsOf } from "./events.ts";
import { BACK, type Choice, type PathEdge, type PathPosition, placeKey } from "./place.ts";
import type { Entry, Explored, Frame, FrameExit, Item, Link, Search } from "./search.ts";

// Bits of the numbers that make up the key of a state. A key must be an exact integer, so all of them get 53 bits.
const STATE_BITS = 24;
const PLACE_BITS = 26;
/** Pairs of a frame and a place are numbered; key: number of the pair, then the state. */
const PAIR_BITS = 53 - STATE_BITS;
/** For the frames of one search. A search that continues another one numbers its frames after those of the other. */
const FRAME_BITS = 53 - PLACE_BITS - 1;

/**
 * Visits every state that calls on a graph can reach, nearest first. The nodes that global nodes go back to form a
 * stack without a limit, so a stay at a global node is followed once for all nodes that it can be entered from, and
 * each of its go-backs is then taken to each of those nodes. Stops, like after the maximum number of states, when there
 * are more states, places or frames than the bits of a key can tell apart.
 *
 * @param visit Called for each state; the search stops when it returns true.
 */
export function explore(search: Search, visit: (item: Item, key: number) => boolean): Explored {
  const { graph, edges, states, watch } = search;
  const isGlobal = (id: string) => Boolean(own(graph.nodes, id)?.global_node_setting);
  const plain = frameOf(0, undefined, false);
  const frames = new Map<string, Frame>();
  const firstFrame = search.from ? 2 ** FRAME_BITS : 2; // 0 and 1: frames of nodes that are not global, see open()
  const places = new Map<string, number>();
  const pairs = new Map<number, number>();
  const best = new Map<number, number>();
  const visited = new Set<number>();
  const buckets: Item[][] = [];
  let isFull = false; // a number no longer fits into its bits

  function numberOf(place: PathPosition): number {
    const key = placeKey(place);
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, places.size);
    return places.size - 1;
  }

  function keyOf(frame: Frame, place: PathPosition, state: number): number {
    const at = numberOf(place);
    const pair = frame.id * 2 ** PLACE_BITS + at;
    let known = pairs.get(pair);
    if (known === undefined) {
      known = pairs.size;
      pairs.set(pair, known);
    }
    if (state >= 2 ** STATE_BITS || at >= 2 ** PLACE_BITS || known >= 2 ** PAIR_BITS) isFull = true;
    return known * 2 ** STATE_BITS + state;
  }

  function add(item: Item): void {
    search.seen?.(item);
    const key = keyOf(item.frame, item.place, item.state);
    const known = best.get(key);
    if (known !== undefined && known <= item.distance) return;
    best.set(key, item.distance);
    buckets[item.distance] ??= [];
    buckets[item.distance]?.push(item);
  }

  function link(kind: Link["kind"], from: Item, to: Item, via: Via, entry?: Entry, exit?: Item): void {
    if (!search.linked) return;
    const numberOfItem = ({ frame, place, state }: Item) => keyOf(frame, place, state);
    const way = { kind, from: numberOfItem(from), to: numberOfItem(to), ...via };
    search.linked(entry && exit ? { ...way, entry, exit: numberOfItem(exit) } : way);
  }

  /** The state after an edge, with the watch updated by the edge's events. */
  function stateAfter(state: number, edge: PathEdge, choice: Choice): number {
    let { watched } = states.at(state);
    let now = states.read(state, edge.reads ?? []) ?? state;
    for (const event of eventsOf(edge)) {
      if (event.kind === "set") now = states.written(now, edge.writes ?? [], choice);
      watched = watch.next(watched, event, (condition) => states.mayHold(now, condition));
    }
    return states.watched(now, watched);
  }

  function take(item: Item, edge: PathEdge, choice: Choice): void {
    const to = edge.to.node;
    const leaves = edge.moves === "back" || (edge.moves === "forward" && item.frame.top === to);
    if (leaves) {
      const exit = { item, edge, choice };
      item.frame.exits.push(exit);
      link("exit", item, item, { edge, choice });
      for (const entry of item.frame.entries) goBack(item.frame, entry, exit);
      return;
    }
    const distance = item.distance + edge.steps.length;
    const state = stateAfter(item.state, edge, choice);
    if (edge.moves === "forward" && isGlobal(to)) {
      enter(item, edge, choice, state, distance);
      return;
    }
    const frame = edge.moves === "forward" ? plain : item.frame;
    const next = { frame, place: edge.to, state, distance, edge, choice, from: item };
    link("step", item, next, { edge, choice });
    add(next);
  }

  function enter(item: Item, edge: PathEdge, choice: Choice, state: number, distance: number): void {
    const from = item.place.node;
    const top = isGlobal(from) ? from : undefined;
    const key = `${numberOf(edge.to)} ${state} ${top ?? ""}${top === undefined ? "" : " global"}`;
    const entry = { item, edge, choice };
    let frame = frames.get(key);
    if (!frame) {
      frame = frameOf(frames.size + firstFrame, top, true);
      frames.set(key, frame);
      if (frames.size + 2 > 2 ** FRAME_BITS) isFull = true;
    }
    frame.entries.push(entry);
    if (!frame.first) {
      frame.first = { frame, place: edge.to, state, distance, edge, choice };
      add(frame.first);
    } else if (search.seen) {
      // the same stay, entered here: what follows in this turn goes back to this entry
      const again: Frame = { ...frame, entries: [entry], exits: [], first: undefined };
      again.first = { frame: again, place: edge.to, state, distance, edge, choice };
      search.seen(again.first);
    }
    link("call", item, frame.first, { edge, choice });
    for (const exit of frame.exits) goBack(frame, entry, exit);
  }

  function goBack(frame: Frame, entry: Entry, exit: FrameExit): void {
    const node = entry.item.place.node;
    const edge = resolved(exit.edge, node, edges);
    const inside = exit.item.distance - (frame.first?.distance ?? 0);
    const distance = entry.item.distance + entry.edge.steps.length + inside + edge.steps.length;
    const state = stateAfter(exit.item.state, edge, exit.choice);
    const item = { place: edge.to, state, distance, edge, choice: exit.choice, from: exit.item, entry };
    const next = { ...item, frame: entry.item.frame };
    link("return", entry.item, next, { edge, choice: exit.choice }, entry, exit.item);
    add(next);
  }

  function open(): void {
    const first = edges.start();
    const entry = graph.entry_node_id;
    const root = isGlobal(entry) ? frameOf(1, undefined, false) : plain;
    for (const state of states.starts(watch.start)) {
      const opened = states.watched(
        state,
        watch.next(watch.start, { kind: "enter", node: entry }, (each) => states.mayHold(state, each)),
      );
      const isMoved = first.moves === "forward";
      const start: Item = {
        frame: root,
        place: first.to,
        state: opened,
        distance: 0,
        edge: { ...first, steps: [] },
        choice: [],
      };
      if (isMoved) take({ ...start, place: edges.placeOf(entry, "rest") }, first, []);
      else add({ ...start, edge: first, state: stateAfter(opened, first, []), distance: first.steps.length });
    }
  }

  if (search.from) add(search.from);
  else open();
  for (let distance = search.from?.distance ?? 0; distance < buckets.length; distance++) {
    const bucket = buckets[distance] ?? [];
    for (let index = 0; index < bucket.length; index++) {
      const item = bucket[index];
      if (!item) continue;
      if (isFull) return { isComplete: false, visited: visited.size };
      const key = keyOf(item.frame, item.place, item.state);
      if (visited.has(key)) continue;
      visited.add(key);
      if (visit(item, key)) return { isComplete: false, visited: visited.size };
      if (visited.size > search.mostStates) return { isComplete: false, visited: visited.size };
      const situation = {
        canGoBack: item.frame.canGoBack,
        truth: (condition: TransitionCondition) => states.truth(item.state, condition),
      };
      for (const edge of edges.from(item.place, situation)) {
        if (states.read(item.state, edge.reads ?? []) === undefined) continue;
        for (const choice of states.choices(edge.writes ?? [])) take(item, edge, choice);
      }
    }
    delete buckets[distance];
  }
  return { isComplete: !isFull, visited: visited.size };
}

/** An edge with the values that it sets. */
interface Via {
  readonly edge: PathEdge;
  readonly choice: Choice;
}

function frameOf(id: number, top: string | undefined, canGoBack: boolean): Frame {
  return { id, top, canGoBack, entries: [], exits: [], first: undefined };
}

/** An edge of a go-back, once the node that it leads to is known. */
function resolved(edge: PathEdge, node: string, edges: Edges): PathEdge {
  if (edge.to.node !== BACK) return edge;
  return {
    ...edge,
    steps: edge.steps.map((step) => {
      if (step.kind === "move") return { ...step, to: node };
      return step.kind === "decide" && step.target === BACK ? { ...step, target: node } : step;
    }),
    to: edges.placeOf(node, edge.to.phase, { hops: edge.to.hops, spoken: false }),
  };
}
