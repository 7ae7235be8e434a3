import type { AgentGraph, TransitionCondition } from "../../../document/graph/mod.ts";
import type { Cells } from "./cells.ts";
import type { Edges } from "./edges/mod.ts";
import type { CallEvent } from "./events.ts";
import type { Choice, PathEdge, PathPosition } from "./place.ts";
import type { StateTable } from "./states.ts";

/** A number that is tracked along a path and may change with each event. */
export interface Watch {
  /** Variables whose values the watch reads. */
  readonly variables: readonly string[];
  readonly start: number;
  readonly next: (state: number, event: CallEvent, holds: (condition: TransitionCondition) => boolean) => number;
}

export interface Search {
  readonly graph: AgentGraph;
  readonly edges: Edges;
  readonly cellsOf: (name: string) => Cells;
  /** Variables whose values are followed. Equations of all others may turn out either way. */
  readonly followed: readonly string[];
  readonly states: StateTable;
  readonly watch: Watch;
  /** Called for each way to a state that is found, shortest or not. */
  readonly seen?: (item: Item) => void;
  /** Called for every way from a state. */
  readonly linked?: (link: Link) => void;
  /** A state of an earlier search to start from, instead of the start of a call. */
  readonly from?: Item;
  /** Maximum number of states before the search gives up. */
  readonly mostStates: number;
}

/**
 * A way from one state to another, by number. `call`: into a global node. `return`: over a stay at a global node and back
 * to where it was entered. `exit`: back from a global node, for each of its entries.
 */
export interface Link {
  readonly kind: "step" | "call" | "return" | "exit";
  readonly from: number;
  /** Of an `exit` the state itself. */
  readonly to: number;
  readonly edge: PathEdge;
  readonly choice: Choice;
  /** Of a `return`: where the global node was entered, and the state in which it was left. */
  readonly entry?: Entry;
  readonly exit?: number;
}

/** A state that a call can be in, and how it gets there first. */
export interface Item {
  readonly frame: Frame;
  readonly place: PathPosition;
  readonly state: number;
  readonly distance: number;
  readonly edge: PathEdge;
  readonly choice: Choice;
  /** The state before; absent for the start and for the first state of a frame. */
  readonly from?: Item;
  /** A return: the entry into the frame that was left. */
  readonly entry?: Entry;
}

/** The stay at a global node, from where it was entered until it is left. All other nodes share one frame. */
export interface Frame {
  readonly id: number;
  /** The global node that this one was entered from; `undefined` for other nodes. */
  readonly top: string | undefined;
  readonly canGoBack: boolean;
  /** Ways in. They differ in the node that the frame goes back to. */
  readonly entries: Entry[];
  readonly exits: FrameExit[];
  first: Item | undefined;
}

/** One way into a frame. */
export interface Entry {
  readonly item: Item;
  readonly edge: PathEdge;
  readonly choice: Choice;
}

/** One way from a frame back to the node that it was entered from. */
export interface FrameExit {
  readonly item: Item;
  readonly edge: PathEdge;
  readonly choice: Choice;
}

/** The result of a search. */
export interface Explored {
  /** Whether every state was visited. */
  readonly isComplete: boolean;
  /** Number of states that were visited. */
  readonly visited: number;
}

/** A budget of states that several searches share. Each takes what it has visited from `left`. */
export interface SearchBudget {
  left: number;
}
