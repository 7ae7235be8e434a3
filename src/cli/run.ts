import { parseScenarios } from "../graph/mod.ts";
import { usage } from "./arguments.ts";
import type { Command } from "./command.ts";
import { executeRun } from "./execute_run.ts";
import { exportedScenarios, loadScenarios } from "./load_scenarios.ts";
import { RUN_FLAGS } from "./run_flags.ts";
import { loadSource } from "./source.ts";

/** `callweave run`. */
export const runCommand: Command = {
  name: "run",
  summary: "Hold simulated calls, judge them and store the results",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      scenarios: {
        value: "FILE",
        repeats: true,
        description: "Module that exports scenarios; SOURCE itself if absent",
      },
      tests: { value: "FILE.json", repeats: true, description: "JSON list of test cases" },
      ...RUN_FLAGS,
      export: { value: "NAME", description: "Which graph, where the module exports several" },
      from: { value: "FORMAT", description: "Format of a JSON source; told by its keys if absent" },
    },
  },
  notes: [
    "Without --model: CALLWEAVE_MODEL; else openai/gpt-5-mini where OPENAI_API_KEY or OPENAI_BASE_URL is set;",
    "else the offline model, which follows fixed rules and says so.",
    "Exit code 1 when a scenario does not pass.",
  ],
  examples: [
    "callweave run flow.ts --scenarios scenarios.ts",
    "callweave run retell-export.json --tests tests.json --model openai/gpt-5-mini --junit report.xml",
  ],
  run: async (args, terminal) => {
    const source = await loadSource(args.at("SOURCE"), terminal, {
      exportName: args.text("export"),
      format: args.text("from"),
    });
    const files = [...args.texts("scenarios"), ...args.texts("tests")];
    const loaded = await Promise.all(files.map(loadScenarios));
    const scenarios = files.length > 0 ? loaded.flat() : parseScenarios(exportedScenarios(source.exports));
    if (scenarios.length === 0) {
      throw usage("there are no scenarios", "Name a file: --scenarios scenarios.ts, or --tests tests.json");
    }
    return await executeRun(source, scenarios, args, terminal);
  },
};
