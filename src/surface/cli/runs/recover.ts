import type { Recovery } from "../../../run/store/mod.ts";
import type { Command } from "../arguments.ts";

/** `callweave runs recover`. */
export const runsRecoverCommand: Command = {
  name: "runs recover",
  summary: "Write results from spool files to the database",
  spec: {
    positionals: [],
    flags: {
      db: { value: "URL", description: "Results database (default: .callweave/results.db)" },
      json: { description: "Print what was written as JSON" },
    },
  },
  notes: [
    "When the database is unavailable, a run writes its results to .callweave/spool in its folder.",
    "Several processes can recover at the same time; no result is stored twice.",
    "Exit code 1 when lines cannot be read or belong to no run; they stay in files whose names end with .left.",
  ],
  examples: ["callweave runs recover", "callweave runs recover --db libsql://results.example.com"],
  run: async (args, terminal) => {
    const { openStore } = await import("../../../run/store/mod.ts");
    await using store = await openStore(args.text("db"), { signal: terminal.signal, recover: false });
    const recovery = await store.recover();
    terminal.out(args.has("json") ? `${JSON.stringify(recovery, null, 2)}\n` : formatRecovery(recovery, store.url));
    return recovery.damaged > 0 || recovery.unreadable.length > 0 ? 1 : 0;
  },
};

function formatRecovery({ results, runs, damaged, unreadable, otherDatabases }: Recovery, url: string): string {
  const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
  const written = `${plural(results, "result")} of ${plural(runs.length, "run")} written to ${url}`;
  return [
    runs.length === 0 ? `no spooled results for ${url}` : written,
    ...runs.map((id) => `  run ${id}`),
    ...(damaged > 0 ? [`${plural(damaged, "line")} could not be written; see .callweave/spool/*.left`] : []),
    ...unreadable.map(
      (file) => `cannot read all results of ${file}: repair its lines and rename it to end with .jsonl, or delete it`,
    ),
    ...otherDatabases.map((name) => `other spool files are for ${name}; recover them with --db`),
    "",
  ].join("\n");
}
