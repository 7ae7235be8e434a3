import type { TransitionCondition } from "../../../document/graph/mod.ts";
import type { EndReason } from "../../../document/transcript/mod.ts";

/** A clause of the equations of a transition or go-back condition, both by their index, and its value in a call. */
export interface EvaluatedClause {
  readonly node: string;
  readonly of: "transition" | "go-back";
  readonly index: number;
  readonly clause: number;
  readonly isTrue: boolean;
}

/** The goal of a path. */
export type Goal =
  /** A node is entered. */
  | { readonly node: string }
  /** A transition is taken, by its index. Transitions on offer to the model that lead to the same node count as one. */
  | { readonly from: string; readonly transition: number }
  /** A global node is entered by its own condition. */
  | { readonly global: string }
  /**
   * A call goes back from a global node to the node from which it was entered; `index` limits this to one go-back
   * condition. Conditions that are offered to the model together count as one.
   */
  | { readonly goBackFrom: string; readonly condition?: number }
  /** A node extracts its variables. */
  | { readonly extracts: string }
  /**
   * A clause is evaluated and has this value: of a transition of the node or of its go-back condition, by index. An `and`
   * stops at its first clause that is false, an `or` at its first that is true.
   */
  | { readonly evaluates: EvaluatedClause }
  /** A call is at a node while an equation is true. */
  | { readonly node: string; readonly while: TransitionCondition };

/** Why a call moved to another node. */
export type MoveCause = "equation" | "model" | "global" | "go-back" | "tool" | "always" | "else" | "transfer-failed";

/**
 * One step of a path, in the order of the call. The engine takes the same path if it gets the answers in `decide`,
 * `extract` and `tool`, the caller's words at each `hear`, and a reply at each `speak` that is not verbatim.
 */
export type PathStep =
  /** The call is opened. Always the first step. */
  | { readonly kind: "open"; readonly node: string }
  /** The caller says something. */
  | { readonly kind: "hear"; readonly node: string }
  /** The model is asked for a transition; `target` is absent when it picks none. */
  | {
      readonly kind: "decide";
      readonly node: string;
      readonly target?: string;
      readonly objectivesComplete: boolean;
    }
  /** The model extracts variables; `null`: not found, so the variable keeps its value. */
  | {
      readonly kind: "extract";
      readonly node: string;
      readonly values: { readonly [variable: string]: string | null };
    }
  /**
   * A tool answers. `by`: a function node, or the model in the reply of the next `speak` step of this node. `result`:
   * what it returns, from which the engine sets `variables`. `asksArguments`: the model is asked for arguments first.
   */
  | {
      readonly kind: "tool";
      readonly node: string;
      readonly tool: string;
      readonly by: "node" | "reply";
      readonly asksArguments: boolean;
      readonly outcome: "succeeded" | "failed";
      readonly result: unknown;
      readonly variables: { readonly [variable: string]: string };
    }
  /** A transfer goes through, or fails: a mock with the node's name says so. */
  | { readonly kind: "transfer"; readonly node: string; readonly outcome: "succeeded" | "failed" }
  /** The agent speaks: the begin message or a static text verbatim, else a reply of the model. */
  | { readonly kind: "speak"; readonly node: string; readonly verbatim: boolean }
  /** The call moves. `transition`: the index of the node's transition; absent for global nodes and go-backs. */
  | {
      readonly kind: "move";
      readonly from: string;
      readonly to: string;
      readonly by: MoveCause;
      readonly transition?: number;
      /** The index of the go-back condition; the first of those on offer to the model. */
      readonly goBack?: number;
    }
  /** The call ends. */
  | { readonly kind: "end"; readonly node: string; readonly reason: EndReason };

/** A call through a graph: its start, and every decision on the way. */
export interface CallPath {
  /** Dynamic variables of the call. One that is absent is not given. */
  readonly variables: { readonly [name: string]: string };
  readonly steps: readonly PathStep[];
}

/** The answer of a search: a shortest path, a proof that there is none, or `unknown` when a limit was reached. */
export type PathAnswer =
  | { readonly kind: "found"; readonly path: CallPath }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly reason: string };
