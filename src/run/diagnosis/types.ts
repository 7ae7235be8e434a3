import type { GraphChange } from "../../agent/analysis/mod.ts";
import type { ModelReference, RequestOptions } from "../../call/models/mod.ts";
import type { ScenarioSource } from "../../document/scenario/mod.ts";
import type { Usage } from "../../document/transcript/mod.ts";
import type { ResultRecord } from "../store/mod.ts";
import type { ProposedChange } from "./proposed_change.ts";

/** A failed call: a result of a run, or a stored result. */
export type FailedResult = Pick<
  ResultRecord,
  | "scenario"
  | "status"
  | "transcript"
  | "checks"
  | "verdicts"
  | "nodesVisited"
  | "toolsCalled"
  | "variables"
  | "endReason"
  | "errorMessage"
> &
  Partial<Pick<ResultRecord, "id" | "runId" | "audit">>;

/** A fact about a failure, found by rules in the result and the graph. */
export interface FailureFact {
  /**
   * `path_left`: the call did not take a transition towards an expected node. `no_way`: the graph has no path there.
   * `wrong_node`: it went to a node that it must not visit. `ended`: it ended in an unexpected way. `caller`: the
   * simulated caller broke its rules. `error`: a model or the runner failed. The others name what was not extracted,
   * called, said or met.
   */
  readonly kind:
    | "path_left"
    | "no_way"
    | "wrong_node"
    | "missing_variable"
    | "wrong_variable"
    | "tool_failed"
    | "unmocked_tool"
    | "tool_not_called"
    | "not_said"
    | "said"
    | "verdict"
    | "check"
    | "ended"
    | "caller"
    | "error";
  /** The fact as a sentence. */
  readonly fact: string;
  /** Id of the node; empty: not known. */
  readonly node: string;
  /** Index of the transition; -1: none. */
  readonly transition: number;
  /** Id of the node that should have been reached, or avoided; empty: none. */
  readonly target: string;
  /** The variable, tool, text or criterion; empty: none. */
  readonly name: string;
}

/**
 * Where the fault of a failed call is: `general_prompt`, `node_prompt`, `transition` (its condition or its target),
 * `missing_transition`, `tool`, `scenario` or `caller`.
 */
export type FaultPlace =
  | "general_prompt"
  | "node_prompt"
  | "transition"
  | "missing_transition"
  | "tool"
  | "scenario"
  | "caller";

/** The words of the graph at fault, verbatim. */
export interface GraphQuote {
  /** Id of the node that has the text; `null`: the general prompt or a snippet. */
  readonly node: string | null;
  readonly quote: string;
}

/** The words of the transcript that show the failure, verbatim. */
export interface TranscriptQuote {
  /** Number of the message in the transcript, from 1. */
  readonly line: number;
  readonly role: string;
  readonly quote: string;
}

/** The fault of a failed call, and the smallest change that may repair it. */
export interface Diagnosis {
  readonly scenario: string;
  /** Id of the stored result; absent: it is not stored. */
  readonly resultId?: string;
  readonly place: FaultPlace;
  /** The node at fault; `null`: none. */
  readonly node: string | null;
  /** Index of the transition at fault; `null`: none. */
  readonly transition: number | null;
  /** Where a missing transition should lead; `null`: no transition is missing. */
  readonly target: string | null;
  /** The tool at fault; `null`: none. */
  readonly tool: string | null;
  readonly quotes: readonly GraphQuote[];
  readonly evidence: readonly TranscriptQuote[];
  readonly explanation: string;
  /** From 0 to 1, as stated by the model; absent when it stated none. */
  readonly confidence?: number;
  readonly facts: readonly FailureFact[];
  /** The proposed change; empty if the graph needs no change. Pass it to `applyChanges()`. */
  readonly changes: readonly ProposedChange[];
  /** The proposed change as `diffGraphs()` describes it. */
  readonly diff: readonly GraphChange[];
  /** Why the change helps, or what to do instead. */
  readonly reasoning: string;
  /** Name of the model that made the diagnosis. */
  readonly model: string;
  readonly usage: Usage;
}

/** A change that was tried, and the reason why it was rejected. */
export interface RefusedChange {
  readonly changes: readonly ProposedChange[];
  readonly reason: string;
}

/** Options of `diagnose()`. */
export interface DiagnoseOptions {
  /** Default: the built-in offline model, which follows plain rules. */
  readonly model?: ModelReference;
  /** The scenario of the call. Without it, the expectations are read from the result's checks. */
  readonly scenario?: ScenarioSource;
  /** Rejected changes; the model is asked for another one. */
  readonly refused?: readonly RefusedChange[];
  readonly requests?: RequestOptions;
  readonly signal?: AbortSignal;
}
