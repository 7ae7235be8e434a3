import type { Interval } from "../../base/statistics/mod.ts";
import type { EndReason } from "../../document/transcript/mod.ts";
import type { ResultStatus } from "../store/mod.ts";

/** What differed between a call with the deployed agent and the same words said to its graph. */
export type DifferenceKind = "path" | "variable" | "tool" | "end" | "verdict";

/** Something that one side of a call did and the other did not. */
export interface CallDifference {
  readonly kind: DifferenceKind;
  /** Number of the caller's turn, from 1; 0 for the opening. */
  readonly turn: number;
  /** Id of the node at which the graph was; empty if it is not known. */
  readonly nodeId: string;
  /** Name of the variable or the tool; absent for other kinds. */
  readonly name?: string;
  /** What the deployed agent did, in words; `null`: nothing. */
  readonly agent: string | null;
  /** What the graph did; `null`: nothing. */
  readonly graph: string | null;
  /** For a path: the nodes that both sides went to; `null`: it stayed. */
  readonly to?: { readonly agent: string | null; readonly graph: string | null };
  /** The caller's words before it; empty in the opening. */
  readonly said: string;
}

/** One call, on both sides. */
export interface VerifiedCall {
  readonly scenario: string;
  readonly trial: number;
  /** The first difference first; later ones may follow from it. */
  readonly differences: readonly CallDifference[];
  readonly agent: SideOfCall;
  readonly graph: SideOfCall;
}

/** How one side of a call went. */
export interface SideOfCall {
  readonly resultId: string;
  readonly status: ResultStatus;
  readonly nodesVisited: readonly string[];
  readonly endReason?: EndReason | undefined;
}

/** A difference, over all calls in which it came first. */
export interface VerifiedDifference extends Omit<CallDifference, "turn" | "said"> {
  /** Number of calls in which it was the first difference. */
  readonly calls: number;
  /** Number of calls that came to the same node. */
  readonly of: number;
  readonly rate: number;
  /** Of the rate, with 95 % confidence. */
  readonly interval: Interval;
  /** Conditions of the ways that the sides took, as the graph has them; absent where there is none. */
  readonly conditions?: { readonly agent?: string; readonly graph?: string };
  /** Words that only one of the conditions has; for a side that stayed, all words of the other's condition. */
  readonly words?: readonly string[];
  readonly examples: readonly DifferenceExample[];
}

/** Where a difference can be seen. */
export interface DifferenceExample {
  readonly scenario: string;
  readonly trial: number;
  readonly turn: number;
  readonly said: string;
}

/** A call that could not be compared. */
export interface UncomparedCall {
  readonly scenario: string;
  readonly trial: number;
  readonly side: "agent" | "graph";
  readonly reason: string;
}

/** A share of what calls by voice show, with its interval. */
export interface VerifiedFigure {
  readonly kind: "words" | "heard" | "stops" | "overlap";
  /** What is counted. */
  readonly what: string;
  readonly count: number;
  readonly of: number;
  readonly rate: number;
  /** Of the rate, with 95 % confidence. */
  readonly interval: Interval;
}

/** Times that calls by voice show, in milliseconds. */
export interface VerifiedTimes {
  readonly what: string;
  /** Number of times that were measured. */
  readonly count: number;
  readonly medianMs: number;
  readonly p95Ms: number;
}

/** What calls by voice show besides differences from the graph. */
export interface VerifiedVoice {
  /** Only those of which something was counted. */
  readonly figures: readonly VerifiedFigure[];
  readonly times: readonly VerifiedTimes[];
}

/** How far a deployed agent does what its graph does. */
export interface VerifyReport {
  /** Name of the connection. */
  readonly agent: string;
  readonly version?: string;
  /** Ids of the runs: of the calls with the agent, and of the same words said to the graph. */
  readonly runs: { readonly agent: string; readonly graph: string | null };
  /** Whether all calls were compared, and none differed. */
  readonly same: boolean;
  /** The most frequent first. */
  readonly differences: readonly VerifiedDifference[];
  readonly calls: readonly VerifiedCall[];
  readonly notCompared: readonly UncomparedCall[];
  /** What the calls showed by voice; absent for calls in text. It does not decide `same`. */
  readonly voice?: VerifiedVoice;
  /** What the connection does not report, so that it was not compared. */
  readonly notReported: readonly ("path" | "variable" | "tool" | "end")[];
}
