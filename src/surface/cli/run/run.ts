import { loadPolicies } from "../../project/mod.ts";
import { type ArgumentsSpec, type Command, EXAMPLE } from "../arguments.ts";
import { POLICY_FLAGS } from "../sources.ts";
import { RUN_FLAGS } from "./compare_turns.ts";
import { executeRun } from "./execute_run.ts";
import { LIVE_FLAGS, refuseLiveFlags, runLive } from "./live_agent.ts";
import { GRAPH_FLAGS, loadRun, SOURCE_FLAGS } from "./load_run.ts";
import { watchRun } from "./watch/mod.ts";

const SPEC: ArgumentsSpec = {
  positionals: [
    {
      name: "SOURCE",
      description: "Module that exports a graph, or any JSON that can be imported; not needed with --agent",
      optional: true,
    },
  ],
  flags: {
    ...SOURCE_FLAGS,
    ...POLICY_FLAGS,
    ...RUN_FLAGS,
    ...GRAPH_FLAGS,
    ...LIVE_FLAGS,
    watch: {
      description:
        "Watch the files and rerun the scenarios that a change affects; Ctrl-C ends it. For real calls: callweave watch",
    },
  },
};

/** `callweave run`. */
export const runCommand: Command = {
  name: "run",
  summary: "Run simulated calls, judge them and store the results",
  spec: SPEC,
  notes: [
    "With --agent, the calls are held with the agent where it runs: its key is read from the environment.",
    "Without --model: CALLWEAVE_MODEL; else openai/gpt-5-mini if OPENAI_API_KEY or OPENAI_BASE_URL is set;",
    "else the offline model, which follows fixed rules.",
    "Exit codes: 0 all passed; 1 a scenario failed, or --min-coverage is not reached; 2 wrong usage or input; 3 no scenario failed, but the run is incomplete.",
  ],
  examples: [
    "callweave run flow.ts --scenarios scenarios.ts",
    "callweave run flow.ts --scenarios scenarios.ts --model openai/gpt-5-mini --estimate",
    "callweave run flow.ts --scenarios scenarios.ts --tag smoke --grep order --fail-fast",
    "callweave run flow.ts --scenarios scenarios.ts --recordings calls.json --mode replay",
    `callweave run --agent ${EXAMPLE.calls}:AGENT_ID@7 --scenarios scenarios.ts`,
    "callweave run --agent production --scenarios scenarios.ts",
    `callweave run ${EXAMPLE.format}-export.json --tests tests.json --model openai/gpt-5-mini --junit report.xml`,
  ],
  run: async (args, terminal) => {
    if (args.text("agent") !== undefined) return await runLive(args, terminal);
    refuseLiveFlags(args);
    if (args.has("watch")) return await watchRun(args, SPEC, terminal);
    const { source, scenarios } = await loadRun(args, terminal);
    const policies = await loadPolicies(source.exports, args.texts("policies"), terminal);
    return await executeRun({ ...source, policies, path: args.at("SOURCE") }, scenarios, args, terminal);
  },
};
