import { KIND } from "../../../document/settings/mod.ts";
import type { RunRecord } from "../../../run/store/mod.ts";
import type { Command } from "../arguments.ts";
import { openRuns } from "./delete.ts";

const DEFAULT_LIMIT = 20;

/** `callweave runs list`. */
export const runsListCommand: Command = {
  name: "runs list",
  summary: "List stored runs, newest first",
  spec: {
    positionals: [],
    flags: {
      limit: { value: "N", kind: KIND.count, description: `Number of runs (default: ${DEFAULT_LIMIT})` },
      db: { value: "URL", description: "Results database (default: .callweave/results.db)" },
      json: { description: "Print the runs as JSON" },
    },
  },
  examples: ["callweave runs list --limit 5", "callweave runs list --db libsql://results.example.com --json"],
  run: async (args, terminal) => {
    const limit = args.number("limit") ?? DEFAULT_LIMIT;
    await using store = await openRuns(args, terminal);
    const runs = await store.listRuns({ limit, signal: terminal.signal });
    if (args.has("json")) terminal.out(`${JSON.stringify(runs, null, 2)}\n`);
    else if (runs.length === 0) terminal.out(`no runs in ${store.url}\n`);
    else terminal.out(formatRuns(runs));
    return 0;
  },
};

function formatRuns(runs: readonly RunRecord[]): string {
  const rows = runs.map((run) => [
    run.id,
    run.startedAt.slice(0, 16).replace("T", " "),
    run.agent,
    run.models.agent,
    countsOf(run),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return `${lines.join("\n")}\n`;
}

function countsOf({ counts, finishedAt: finished }: RunRecord): string {
  const parts = Object.entries(counts).flatMap(([status, count]) => (count > 0 ? [`${count} ${status}`] : []));
  return (parts.join(", ") || "no results") + (finished === null ? " (not finished)" : "");
}
