import type { ToolDefinition } from "../../../src/graph/mod.ts";
import { freeName } from "../../../src/values/mod.ts";

/** Creates a function that returns unique tool names that Vapi accepts. */
export function freeNames(tools: readonly ToolDefinition[], others: readonly unknown[]): (wanted: string) => string {
  const taken = new Set<unknown>([...tools.map(({ name }) => name), ...others]);
  return (wanted) => {
    const name = freeName(wanted.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 60) || "tool", (each) => taken.has(each), {
      joint: "_",
    });
    taken.add(name);
    return name;
  };
}
