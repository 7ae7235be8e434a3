import type { ToolDefinition, TransitionCondition, VariableExtraction } from "../../../src/document/graph/mod.ts";

/** A way that a handler chooses, by a value of its result. */
export interface CodeRoute {
  readonly value: string;
  readonly condition: TransitionCondition;
}

/** What the handler of a function does. */
export interface Code {
  readonly description: string;
  /** Code or notes of an older flow. */
  readonly note?: string;
  /** A tool of the graph that it runs. */
  readonly tool?: ToolDefinition;
  /** Variables that it stores. */
  readonly saves?: readonly VariableExtraction[];
  /** Equations, the first that holds is chosen. */
  readonly routes?: readonly CodeRoute[];
}
