import type { ToolDefinition } from "../../../src/graph/mod.ts";

/** Gives names that Vapi takes and that no tool of the member has yet. */
export function freeNames(tools: readonly ToolDefinition[], others: readonly unknown[]): (wanted: string) => string {
  const taken = new Set<unknown>([...tools.map(({ name }) => name), ...others]);
  return (wanted) => {
    const base = wanted.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 60) || "tool";
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
    taken.add(name);
    return name;
  };
}
