import type { JsonObject } from "../values/mod.ts";

/** The result of a tool call. */
export interface ToolAnswer {
  readonly outcome: "succeeded" | "failed";
  /** Parsed JSON, else text; for a failure the error message. */
  readonly result: unknown;
  readonly mocked: boolean;
}

/** What answers a tool call that the recording does not have, see {@link RecordedTools}. */
export const UNMATCHED_TOOLS = ["mocks", "fail", "run"] as const;

/**
 * What answers a tool call that the recording does not have. `mocks`: the scenario's mocks, and where none fits, the call
 * fails with `unrecorded-tool`. `fail`: it always fails so. `run`: mocks, functions and allowed URLs, as in a run.
 */
export type UnmatchedTools = (typeof UNMATCHED_TOOLS)[number];

/** The tools of a recorded call, which answer before mocks, functions and URLs do. */
export interface RecordedTools {
  /** Returns the recorded answer to a call and marks it as used; `undefined` when the recording has none that is left. */
  answer(name: string, args: JsonObject): ToolAnswer | undefined;
  /** Returns whether the next transfer by a node succeeded in the recording; `undefined` when it has none that is left. */
  transfer(nodeId: string): ToolAnswer["outcome"] | undefined;
  readonly unmatched: UnmatchedTools;
}
