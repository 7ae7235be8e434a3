import type { Baseline } from "../../../run/store/mod.ts";
import type { Command } from "../arguments.ts";
import { openRuns } from "./delete.ts";

const DB = { value: "URL", description: "Results database (default: .callweave/results.db)" } as const;
const NAME = { name: "NAME", description: "The baseline's name: main" } as const;

/** `callweave runs baseline set`. */
export const runsBaselineSetCommand: Command = {
  name: "runs baseline set",
  summary: "Name a run as the baseline for later runs",
  spec: {
    positionals: [NAME, { name: "RUN", description: "The run's id, its first characters, or another baseline's name" }],
    flags: { db: DB, json: { description: "Print the baseline as JSON" } },
  },
  notes: [
    "The name can be passed wherever a run is. A run with a name cannot be deleted, and a run that is only a part gets none.",
  ],
  examples: ["callweave runs baseline set main 01J"],
  run: async (args, terminal) => {
    await using store = await openRuns(args, terminal);
    const baseline = await store.setBaseline(args.at("NAME"), args.at("RUN"), { signal: terminal.signal });
    terminal.out(args.has("json") ? json(baseline) : `baseline ${baseline.name} is run ${baseline.runId}\n`);
    return 0;
  },
};

/** `callweave runs baseline list`. */
export const runsBaselineListCommand: Command = {
  name: "runs baseline list",
  summary: "List the baselines with their runs",
  spec: { positionals: [], flags: { db: DB, json: { description: "Print the baselines as JSON" } } },
  examples: ["callweave runs baseline list"],
  run: async (args, terminal) => {
    await using store = await openRuns(args, terminal);
    const baselines = await store.listBaselines({ signal: terminal.signal });
    const width = Math.max(0, ...baselines.map(({ name }) => name.length));
    const lines = baselines.map(
      ({ name, runId, setAt }) => `${name.padEnd(width)}  ${runId}  ${setAt.slice(0, 16).replace("T", " ")}\n`,
    );
    terminal.out(args.has("json") ? json(baselines) : lines.join("") || `no baselines in ${store.url}\n`);
    return 0;
  },
};

/** `callweave runs baseline remove`. */
export const runsBaselineRemoveCommand: Command = {
  name: "runs baseline remove",
  summary: "Remove a baseline's name; its run stays",
  spec: { positionals: [NAME], flags: { db: DB, json: { description: "Print the removed baseline as JSON" } } },
  examples: ["callweave runs baseline remove main"],
  run: async (args, terminal) => {
    await using store = await openRuns(args, terminal);
    const baseline = await store.removeBaseline(args.at("NAME"), { signal: terminal.signal });
    const words = `removed baseline ${baseline.name}; run ${baseline.runId} stays\n`;
    terminal.out(args.has("json") ? json(baseline) : words);
    return 0;
  },
};

function json(value: Baseline | readonly Baseline[]): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
