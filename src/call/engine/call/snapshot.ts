import { defined, madeOnceFor } from "../../../base/values/mod.ts";
import { fingerprint } from "../../../document/graph/mod.ts";
import type { EndReason, EvaluatedEquation, Message, ToolCall, TurnLatency } from "../../../document/transcript/mod.ts";
import type { CallUsage } from "../../models/mod.ts";
import type { CallState } from "./call_state.ts";

/**
 * A call between two turns, as plain JSON. A new call can continue from it, also with changed values: set another `nodeId`
 * to move the call to that node, or leave out `fingerprint` to continue with another version of the graph.
 */
export interface ConversationSnapshot {
  readonly version: 1;
  /** Fingerprint of the graph. */
  readonly fingerprint?: string;
  readonly opened: boolean;
  readonly transcript: readonly Message[];
  readonly nodesVisited: readonly string[];
  readonly toolsCalled: readonly ToolCall[];
  /** How long the caller waited in the turns so far; absent in older snapshots. */
  readonly latency?: readonly TurnLatency[];
  readonly variables: { readonly [name: string]: string };
  /** Nodes from which global nodes were entered, oldest first. */
  readonly originators: readonly string[];
  /** The current node. */
  readonly nodeId: string;
  /** Index in the transcript at which the current node was entered. */
  readonly enteredAt: number;
  /** Whether the current node has spoken since it was entered. */
  readonly spokenHere: boolean;
  /** Equations that were evaluated and are not in the transcript yet. */
  readonly evaluated: readonly EvaluatedEquation[];
  /** Steering messages that the model has not received yet. */
  readonly steering: readonly string[];
  /** How often each mock has answered, in the order of the mocks. */
  readonly mocksUsed: readonly number[];
  /** The usage of every model call; it counts towards budgets. */
  readonly usage: readonly CallUsage[];
  /** Time in milliseconds that counts towards the budget `wallMs`; time between two calls does not. */
  readonly elapsedMs: number;
  /** Absent while the call goes on. */
  readonly endReason?: EndReason;
  readonly endDetail?: string;
}

/** The fingerprint of a graph. Hashing a large graph takes milliseconds, and snapshots are taken after every turn, so it is kept. */
export const fingerprintOf = madeOnceFor(fingerprint);

/** Copies the state of a call between two turns. */
export function takeSnapshot(state: CallState, opened: boolean): ConversationSnapshot {
  return {
    version: 1,
    fingerprint: fingerprintOf(state.graph),
    opened,
    transcript: [...state.transcript],
    nodesVisited: [...state.nodesVisited],
    toolsCalled: [...state.toolsCalled],
    latency: [...state.latency],
    variables: Object.fromEntries(state.variables),
    originators: [...state.originators],
    nodeId: state.at,
    enteredAt: state.enteredAt,
    spokenHere: state.spokenHere,
    evaluated: [...state.evaluated],
    steering: [...state.steering.waiting],
    mocksUsed: [...state.sources.mocks.answered],
    usage: [...state.usage],
    elapsedMs: state.spent.wallMs(),
    ...defined({ endReason: state.endReason, endDetail: state.endDetail }),
  };
}
