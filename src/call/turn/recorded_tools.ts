import type { JsonObject } from "../../base/values/mod.ts";
import type { UNMATCHED_TOOLS } from "../../document/settings/mod.ts";

/** The result of a tool call. */
export interface ToolAnswer {
  readonly outcome: "succeeded" | "failed";
  /** Parsed JSON, else text; for a failure the error message. */
  readonly result: unknown;
  readonly mocked: boolean;
}

/**
 * The policy for tool calls that the recording does not have. `mocks`: use the scenario's mocks; without a match, the call
 * fails with `unrecorded-tool`. `fail`: always fail that way. `run`: use mocks, functions and allowed URLs, as in a run.
 */
export type UnmatchedTools = (typeof UNMATCHED_TOOLS)[number];

/** The tools of a recorded call, which take precedence over mocks, functions and URLs. */
export interface RecordedTools {
  /** Returns the recorded result of a call and marks it as used; `undefined` if no result is left. */
  answer(name: string, args: JsonObject): ToolAnswer | undefined;
  /** Returns whether the node's next transfer succeeded in the recording; `undefined` if none is left. */
  transfer(nodeId: string): ToolAnswer["outcome"] | undefined;
  readonly unmatched: UnmatchedTools;
}
