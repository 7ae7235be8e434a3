import process from "node:process";
import { UsageError } from "../../base/errors.ts";
import { isRecord, shown } from "../../base/values/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { ScenarioSource } from "../../document/scenario/mod.ts";
import { isProgram, type ModuleMeta } from "./is_program.ts";

/**
 * Makes a module of scenarios a program. When the module is started, it runs the scenarios with the flags of
 * `callweave run`, prints the report and sets the exit code; when it is imported, it does nothing. If Callweave cannot
 * determine which is the case, it prints a note and runs the scenarios. Works on Node, Bun and Deno.
 *
 * @param meta The module's own `import.meta`.
 * @throws {UsageError} `usage`, if `meta` is not an `import.meta`.
 * @example
 * ```ts
 * import { flow, runAsProgram, scenario } from "callweave";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * await runAsProgram(import.meta, hello, [scenario("greets", hello).says("Good morning").visits("greet")]);
 * ```
 */
export async function runAsProgram(
  meta: ModuleMeta,
  graph: AgentGraph,
  scenarios: readonly ScenarioSource[],
): Promise<void> {
  checkMeta(meta);
  const [started = ""] = process.argv.slice(1);
  const isStarted = isProgram(meta, started);
  if (isStarted === false) return;
  const [{ runProgram }, { guardExit, processTerminal }] = await Promise.all([
    import("./run_program.ts"),
    import("./io/mod.ts"),
  ]);
  const terminal = processTerminal();
  const guard = guardExit("the run");
  if (isStarted === undefined) {
    terminal.err(
      `note: cannot tell whether "${meta.url ?? "the module"}" was started or imported; running its scenarios\n`,
    );
  }
  const code = await runProgram(graph, scenarios, process.argv.slice(2), terminal);
  await terminal.flush().catch(() => {}); // reported; process.exit() after this loses nothing of standard error
  const before = Number(process.exitCode ?? 0); // of another run in the same module
  guard.settle(code === 1 || before === 1 ? 1 : Math.max(code, before));
}

function checkMeta(meta: unknown): void {
  if (isRecord(meta) && !("nodes" in meta) && (meta.url === undefined || typeof meta.url === "string")) return;
  throw new UsageError(`Cannot run as a program: the module is ${shown(meta)}`, {
    code: "usage",
    hint: "Pass import.meta first: runAsProgram(import.meta, graph, scenarios)",
  });
}
