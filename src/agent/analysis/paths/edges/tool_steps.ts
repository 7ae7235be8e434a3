import type { ToolDefinition } from "../../../../document/graph/mod.ts";
import type { PathStep } from "../path.ts";
import type { Write } from "../place.ts";
import type { Moves } from "./moves.ts";

/** A tool call without the values that it returns. */
export function toolStep(
  node: string,
  tool: ToolDefinition,
  outcome: "succeeded" | "failed",
  by: "node" | "reply",
  asksArguments = false,
): PathStep {
  return { kind: "tool", node, tool: tool.name, by, asksArguments, outcome, result: undefined, variables: {} };
}

/** The variables that a tool's result may set. */
export function responses({ sources }: Moves, tool: ToolDefinition): readonly Write[] {
  return Object.keys(tool.response_variables ?? {}).map((variable) => ({ variable, fact: sources.returned }));
}
