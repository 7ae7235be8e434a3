import { defined } from "../../../base/values/mod.ts";
import { CALL_SETTINGS, REPLAY_SETTINGS, TURN_MODES, UNMATCHED_TOOLS } from "../../../document/settings/mod.ts";
import { RESULT_STATUSES, type ResultStatus } from "../../../run/store/mod.ts";
import { type Arguments, type Command, usage } from "../arguments.ts";
import { REPORTER_FLAGS } from "../reports/mod.ts";
import { GRAPH_FLAGS, readChoice } from "../run/mod.ts";

/** `callweave replay`. */
export const replayCommand: Command = {
  name: "replay",
  summary: "Run the calls of a stored run again, and show where they diverge",
  spec: {
    positionals: [
      { name: "RUN", description: "Id of a simulated or imported run, or its first characters" },
      {
        name: "SOURCE",
        optional: true,
        description: "The current agent (default: that of callweave.config.json, else the graph stored with the run)",
      },
    ],
    flags: {
      only: { value: "NAME", repeats: true, description: "Only this scenario, or the result of this id; repeatable" },
      status: {
        value: "STATUS",
        repeats: true,
        description: "Only results with this status; repeatable (default: pass, fail, imported, invalid)",
      },
      adaptive: { description: "Let the caller's model speak when the agent deviates from the recording" },
      ...REPLAY_SETTINGS,
      scenarios: { value: "FILE", repeats: true, description: "Scenarios of the run, for their mocks; repeatable" },
      judge: { description: "Also judge the calls by the scenarios of their names" },
      model: { value: "MODEL", description: "provider/model or offline (default: from the environment, else offline)" },
      "caller-model": { value: "MODEL", description: "Model of adaptive callers (default: the agent's)" },
      "judge-model": { value: "MODEL", description: "Model of the judge (default: the agent's)" },
      concurrency: { ...CALL_SETTINGS.concurrency, description: "Concurrent calls (default: auto)" },
      turn: { ...CALL_SETTINGS.turn, description: "split, speculative or fused (default: that of the run)" },
      "fail-fast": { description: "Stop at the first call that diverges; the others are cancelled" },
      db: { value: "URL", description: "Results database: a file or a libSQL URL (default: .callweave/results.db)" },
      ...REPORTER_FLAGS,
      json: { description: "Print the report of the replay as JSON" },
      ...GRAPH_FLAGS,
    },
  },
  notes: [
    "The replay is stored as a separate run of kind replay. A call without a difference passes.",
    "Exit codes: 0 no difference; 1 a call diverged; 2 wrong usage or input; 3 no call diverged, but calls could not be run.",
  ],
  examples: [
    "callweave replay 01J flow.ts",
    "callweave replay 01J flow.ts --only 'asks for a refund' --model openai/gpt-5-mini",
    "callweave replay 01J flow.ts --adaptive --reporter html:replay.html",
  ],
  run: async (args, terminal) => {
    const { runReplay } = await import("./run_replay.ts");
    const concurrency = args.text("concurrency");
    const number = concurrency === "auto" ? undefined : args.number("concurrency");
    const turn = readChoice(args, "turn", TURN_MODES);
    const unmatchedTools = readChoice(args, "unmatched-tools", UNMATCHED_TOOLS);
    const statuses = readStatuses(args);
    const only = args.texts("only");
    return await runReplay(args, terminal, {
      mode: args.has("adaptive") ? "adaptive" : "strict",
      judge: args.has("judge"),
      limits: { failFast: args.has("fail-fast"), ...defined({ concurrency: number }) },
      ...(turn ? { turn } : {}),
      ...(unmatchedTools ? { unmatchedTools } : {}),
      ...(statuses.length > 0 ? { statuses } : {}),
      ...(only.length > 0 ? { only } : {}),
    });
  },
};

function readStatuses(args: Arguments): readonly ResultStatus[] {
  return args.texts("status").map((text) => {
    const status = RESULT_STATUSES.find((each) => each === text);
    if (status === undefined) throw usage(`--status is "${text}"`, `Write one of ${RESULT_STATUSES.join(", ")}`);
    return status;
  });
}
