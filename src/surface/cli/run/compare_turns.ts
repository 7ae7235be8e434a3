import {
  AUDIO_DIRECTIONS,
  AUDIO_SETTINGS,
  CALL_SETTINGS,
  KIND,
  RECORDING_SETTINGS,
  RESULT_SETTINGS,
  SHARING_SETTINGS,
} from "../../../document/settings/mod.ts";
import { compareTurns } from "../../../run/runner/mod.ts";
import { type Command, type Flag, usage } from "../arguments.ts";
import { formatTurnComparison } from "../format/mod.ts";
import { COMPARE_FLAGS, REPORTER_FLAGS } from "../reports/mod.ts";
import { chooseScenarios, GRAPH_FLAGS, loadRun, SOURCE_FLAGS } from "./load_run.ts";
import { readRunOptions } from "./read_settings.ts";
import { VOICE_FLAGS } from "./voice_flags.ts";

/** Flags of commands that run calls. */
export const CALL_FLAGS = {
  scenario: { value: "NAME", repeats: true, description: "Only the scenario of this name; repeatable" },
  grep: { value: "PATTERN", description: "Only scenarios whose name matches this regular expression, ignoring case" },
  tag: { value: "TAG", repeats: true, description: "Only scenarios with this tag; repeatable" },
  ...CALL_SETTINGS,
} satisfies { readonly [name: string]: Flag };

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

/** Flags that send the words of calls through audio. */
const AUDIO_FLAGS = {
  ...AUDIO_SETTINGS,
  ...VOICE_FLAGS,
  audio: { ...AUDIO_SETTINGS.audio, implied: { value: "agent", among: AUDIO_DIRECTIONS } },
} satisfies { readonly [name: string]: Flag };

/** Flags of a run, wherever its scenarios come from. */
export const RUN_FLAGS = {
  ...CALL_FLAGS,
  ...AUDIO_FLAGS,
  db: RESULT_SETTINGS.db,
  ...SHARING_SETTINGS,
  ...RECORDING_SETTINGS,
  "fail-fast": RESULT_SETTINGS["fail-fast"],
  queue: { value: "REDIS", description: "Let workers run the calls: URL of the Redis that callweave worker uses" },
  "worker-timeout": {
    value: "SECONDS",
    kind: { ...KIND.count, to: KIND.seconds.to },
    description: "With --queue: maximum time without any worker (default: 600)",
  },
  telemetry: RESULT_SETTINGS.telemetry,
  estimate: { description: "Print calls, tokens and cost of the run without calling a model" },
  coverage: { description: "Also print the coverage of the agent" },
  "min-coverage": {
    value: "N",
    kind: KIND.percent,
    description: "Exit with 1 if the calls cover less than N percent of the agent",
  },
  json: { description: "Print the report as JSON" },
  junit: { value: "FILE", description: "Also write a JUnit report" },
  ...REPORTER_FLAGS,
  ...COMPARE_FLAGS,
} satisfies { readonly [name: string]: Flag };
