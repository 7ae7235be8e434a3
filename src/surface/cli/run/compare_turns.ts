import { CALL_SETTINGS } from "../../../document/settings/mod.ts";
import { compareTurns } from "../../../run/runner/mod.ts";
import { type Command, usage } from "../arguments/mod.ts";
import { formatTurnComparison } from "../format/mod.ts";
import { chooseScenarios, GRAPH_FLAGS, loadRun, SOURCE_FLAGS } from "./load_run.ts";
import { readRunOptions } from "./read_settings.ts";
import { CALL_FLAGS } from "./run_flags.ts";

/** `callweave compare-turns`. */
export const compareTurnsCommand: Command = {
  name: "compare-turns",
  summary: "Run the same calls in two turn modes and show where they differ",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      ...SOURCE_FLAGS,
      ...CALL_FLAGS,
      turn: {
        ...CALL_SETTINGS.turn,
        description: "The mode to compare with split: speculative or fused (default: fused)",
      },
      json: { description: "Print the comparison as JSON" },
      ...GRAPH_FLAGS,
    },
  },
  notes: [
    "In the second run, callers repeat their lines of the first. Nothing is stored.",
    "Exit code 1 when a call ends in an error. Differences do not change the exit code.",
  ],
  examples: [
    "callweave compare-turns flow.ts --scenarios scenarios.ts --model openai/gpt-5-mini",
    "callweave compare-turns flow.ts --scenarios scenarios.ts --turn speculative --json",
  ],
  run: async (args, terminal) => {
    if (args.text("turn") === "split")
      throw usage("--turn is split, which is always the first mode", "Write --turn speculative|fused");
    const { source, scenarios } = await loadRun(args, terminal);
    const selected = chooseScenarios(source.graph, scenarios, args, terminal);
    const { turn, ...options } = await readRunOptions(source, args, terminal);
    const after = args.text("turn") === undefined ? "fused" : (turn ?? "fused");
    const comparison = await compareTurns(source.graph, selected, { ...options, name: source.name }, ["split", after]);
    terminal.out(args.has("json") ? `${JSON.stringify(comparison, null, 2)}\n` : formatTurnComparison(comparison));
    return comparison.broken.length > 0 ? 1 : 0;
  },
};
