import type { CallerAct, PlannedInterruption } from "../../document/scenario/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";
import type { Conversation, Turn } from "../engine/mod.ts";

/** A call that a run holds: with the engine that plays a graph, or over a connection. */
export type HeldCall = Pick<
  Conversation,
  | "interrupt"
  | "end"
  | "ended"
  | "endReason"
  | "endDetail"
  | "transcript"
  | "nodesVisited"
  | "toolsCalled"
  | "variables"
  | "usage"
  | "latency"
> & {
  /** @param ahead The interruption of the opening, for calls by voice. */
  open(ahead?: PlannedInterruption): Promise<Turn>;
  hear(text: string, noted?: Message["metadata"], step?: CallerTurnStep): Promise<Turn>;
  hearLast(text: string, noted?: Message["metadata"], step?: CallerTurnStep): Promise<void>;
};

/** What the caller does besides saying words, for calls by voice. */
export interface CallerTurnStep {
  readonly act: CallerAct;
  /** The interruption of the reply. */
  readonly ahead?: PlannedInterruption | undefined;
}
