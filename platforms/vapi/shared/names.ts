import type { ToolDefinition } from "../../../src/graph/mod.ts";

/** Returns the name, with a number appended if it is taken: `end_call_2`. */
export function freeName(base: string, taken: { has(name: string): boolean }, joint = "_"): string {
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}${joint}${number}`;
  return name;
}

/** Creates a function that returns unique tool names that Vapi accepts. */
export function freeNames(tools: readonly ToolDefinition[], others: readonly unknown[]): (wanted: string) => string {
  const taken = new Set<unknown>([...tools.map(({ name }) => name), ...others]);
  return (wanted) => {
    const name = freeName(wanted.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 60) || "tool", taken);
    taken.add(name);
    return name;
  };
}
