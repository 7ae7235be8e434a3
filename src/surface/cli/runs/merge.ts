import { errorCode, quotedList } from "../../../base/values/mod.ts";
import type { MergedRun, Store, StoredRun } from "../../../run/store/mod.ts";
import { type Arguments, type Command, usage } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";

/** `callweave runs merge`. */
export const runsMergeCommand: Command = {
  name: "runs merge",
  summary: "Merge shards that did not share a database into one run",
  spec: {
    positionals: [
      {
        name: "RUN",
        description: "Ids of the runs, or their first characters (default: the newest run of each --from)",
        optional: true,
        repeats: true,
      },
    ],
    flags: {
      from: {
        value: "URL",
        repeats: true,
        description: "Database with runs to merge; repeatable (default: that of --db)",
      },
      db: { value: "URL", description: "Results database of the merged run (default: .callweave/results.db)" },
      json: { description: "Print { run, results, missing } as JSON" },
    },
  },
  notes: [
    "The runs must have the same agent, scenarios and options. They are not changed.",
    "What people said of the calls in the studio is taken along.",
    "Different results of the same scenario, trial and attempt are an error.",
    "Exit code 1 when the merged run is not complete; complete it with callweave run --resume.",
  ],
  examples: [
    "callweave runs merge --from shard-1.db --from shard-2.db --db results.db",
    "callweave runs merge d20ppm d20ppn",
  ],
  run: async (args, terminal) => {
    const { mergeRuns, openStore } = await import("../../../run/store/mod.ts");
    const { signal } = terminal;
    const runs = await readRuns(args, terminal);
    if (runs.length < 2) throw usage("there is only one run", "Name two or more runs, or pass --from twice");
    await using store = await openStore(args.text("db"), { signal });
    const merged = await mergeRuns(store, runs, { signal });
    terminal.out(args.has("json") ? `${JSON.stringify(merged, null, 2)}\n` : formatMerged(merged, runs.length, store));
    return merged.run.finishedAt === null ? 1 : 0;
  },
};

/** Reads the named runs from the databases, or the newest run of each. What any of them says of a run's calls counts. */
async function readRuns(args: Arguments, { signal }: Terminal): Promise<readonly StoredRun[]> {
  const { openStore } = await import("../../../run/store/mod.ts");
  const ids = args.rest();
  const urls = args.texts("from");
  if (ids.length === 0 && urls.length === 0)
    throw usage("no run is named", "Name the runs' ids, or their databases: --from shard-1.db --from shard-2.db");
  const found = new Map<string, StoredRun>();
  const unknown = new Map<string, unknown>();
  for (const url of urls.length > 0 ? urls : [args.text("db")]) {
    await using source = await openStore(url, { signal, create: false });
    const newest = ids.length > 0 ? [] : await source.listRuns({ limit: 1, signal });
    for (const id of ids.length > 0 ? ids : newest.map((run) => run.id)) {
      try {
        const stored = await source.showRun(id, { signal });
        found.set(id, { ...stored, labels: [...(found.get(id)?.labels ?? []), ...(stored.labels ?? [])] });
      } catch (error) {
        if (!isUnknownRun(error)) throw error;
        unknown.set(id, error);
      }
    }
  }
  for (const [id, error] of unknown) if (!found.has(id)) throw error;
  return [...found.values()];
}

function isUnknownRun(error: unknown): boolean {
  return errorCode(error) === "unknown-run";
}

function formatMerged({ run, results, missing }: MergedRun, runs: number, store: Store): string {
  return [
    `merged ${runs} runs of ${run.agent} with ${results} ${results === 1 ? "result" : "results"}: run ${run.id} in ${store.url}`,
    ...(missing.length > 0 ? [`no results of ${quotedList(missing)}`] : []),
    ...(run.finishedAt === null
      ? [`the run is not complete: to complete it, npx callweave run --resume ${run.id}`]
      : []),
    "",
  ].join("\n");
}
