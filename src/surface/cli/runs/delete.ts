import type { Store } from "../../../run/store/mod.ts";
import type { Arguments, Command } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";

/** `callweave runs delete`. */
export const runsDeleteCommand: Command = {
  name: "runs delete",
  summary: "Delete a stored run with its results",
  spec: {
    positionals: [{ name: "ID", description: "The run's id, or its first characters" }],
    flags: {
      db: { value: "URL", description: "Results database (default: .callweave/results.db)" },
      json: { description: "Print the deleted run, without its results, as JSON" },
    },
  },
  notes: ["The run's graph is deleted too, unless another run has the same one."],
  examples: ["callweave runs delete 01J", "callweave runs delete 01J --db libsql://results.example.com"],
  run: async (args, terminal) => {
    const { signal } = terminal;
    await using store = await openRuns(args, terminal);
    const run = await store.deleteRun(args.at("ID"), { signal });
    const results = Object.values(run.counts).reduce((sum, count) => sum + count, 0);
    const words = `deleted run ${run.id} of ${run.agent} with ${results} ${results === 1 ? "result" : "results"}`;
    terminal.out(args.has("json") ? `${JSON.stringify(run, null, 2)}\n` : `${words}\n`);
    return 0;
  },
};

/** Opens the results database of a command that reads it, and warns of spool files that are not in it. */
export async function openRuns(args: Arguments, terminal: Terminal): Promise<Store> {
  const { openStore, spoolWarnings } = await import("../../../run/store/mod.ts");
  const store = await openStore(args.text("db"), { signal: terminal.signal, create: false });
  for (const warning of spoolWarnings(store.status())) terminal.err(`warning: ${warning}\n`);
  return store;
}
