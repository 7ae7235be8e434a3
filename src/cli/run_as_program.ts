import { realpathSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { AgentGraph, ScenarioInput, ScenarioSource } from "../graph/mod.ts";

/**
 * Makes a module of scenarios a program: started itself, it runs them with the flags of `callweave run`, prints the
 * report and sets the exit code; imported, it does nothing. Works alike on Node, Bun and Deno.
 *
 * @param meta The module's own `import.meta`.
 * @example
 * ```ts
 * import { flow, runAsProgram, scenario } from "callweave";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * await runAsProgram(import.meta, hello, [scenario("greets", hello).says("Good morning").visits("greet")]);
 * ```
 */
export async function runAsProgram(
  meta: { readonly url: string; readonly main?: boolean | undefined },
  graph: AgentGraph,
  scenarios: readonly (ScenarioSource | ScenarioInput)[],
): Promise<void> {
  if (!isProgram(meta)) return;
  const [{ runProgram }, { processTerminal }] = await Promise.all([
    import("./run_program.ts"),
    import("./terminal.ts"),
  ]);
  process.exitCode = await runProgram(graph, scenarios, process.argv.slice(2), processTerminal());
}

/** Node before 24 does not tell a module whether it was started. */
function isProgram({ url, main }: { readonly url: string; readonly main?: boolean | undefined }): boolean {
  if (main !== undefined) return main;
  const started = process.argv[1];
  if (!started || !url.startsWith("file:")) return false;
  try {
    return realpathSync(started) === realpathSync(fileURLToPath(url));
  } catch {
    return false;
  }
}
