import { formatWithOptions } from "node:util";
import type { Terminal } from "./terminal.ts";

const METHODS = ["log", "info", "debug", "warn", "error"] as const;

/**
 * Writes what a user's modules log above the lines that are redrawn on a terminal, which would overwrite it otherwise.
 * Without such lines, the console stays unchanged.
 */
export function redirectConsole(
  { err, live }: Pick<Terminal, "err" | "live">,
  target: Pick<Console, (typeof METHODS)[number]> = console,
): void {
  if (!live) return;
  for (const method of METHODS)
    target[method] = (...values: readonly unknown[]) => err(`${formatWithOptions({ colors: true }, ...values)}\n`);
}
