import type { ToolDefinition } from "../../../src/graph/mod.ts";
import { Names } from "../../../src/values/mod.ts";

/** Creates a function that returns unique tool names that Vapi accepts. */
export function freeNames(tools: readonly ToolDefinition[], others: readonly unknown[]): (wanted: string) => string {
  const names = new Names([...tools.map(({ name }) => name), ...others.filter((each) => typeof each === "string")], {
    joint: "_",
  });
  return (wanted) => names.take(wanted.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 60) || "tool");
}
