import { CALL_SETTINGS, KIND } from "../../../document/settings/mod.ts";
import { CALL_FORMAT_NAMES, type Command, EXAMPLE } from "../arguments.ts";
import { REPORTER_FLAGS } from "../reports/mod.ts";

/** `callweave evaluate`. */
export const evaluateCommand: Command = {
  name: "evaluate",
  summary: "Judge existing calls: stored runs, transcripts, timelines of events",
  spec: {
    positionals: [
      {
        name: "CALLS",
        description: "Files with calls, the id of a stored run, or - for standard input",
        repeats: true,
      },
    ],
    flags: {
      metric: {
        value: "TEXT",
        repeats: true,
        description: "Criterion by which the judge judges every call; repeatable",
      },
      scenarios: {
        value: "FILE",
        repeats: true,
        description: "Scenarios; each call is judged by the scenario of its name; repeatable",
      },
      includes: { value: "TEXT", repeats: true, description: "Text that the agent must say; repeatable" },
      excludes: { value: "TEXT", repeats: true, description: "Text that the agent must not say; repeatable" },
      pattern: { value: "PATTERN", repeats: true, description: "RE2 expression that must match; repeatable" },
      visits: { value: "NODE", repeats: true, description: "Node that must be visited, in this order; repeatable" },
      avoids: { value: "NODE", repeats: true, description: "Node that must not be visited; repeatable" },
      calls: { value: "TOOL", repeats: true, description: "Tool that must be called; repeatable" },
      "judge-flow": { description: "Also judge whether the path was the right one; needs the agent" },
      ends: { value: "REASON", description: "How every call must end, such as agent_ended" },
      agent: { value: "SOURCE", description: "The agent of the calls (default: the one stored with a run)" },
      format: {
        value: "FORMAT",
        description: `Format of the files: ${CALL_FORMAT_NAMES.join(", ")}, text or timeline (default: detected)`,
      },
      only: { value: "NAME", repeats: true, description: "Only calls of this scenario or id; repeatable" },
      model: { value: "MODEL", description: "provider/model or offline (default: from the environment, else offline)" },
      "judge-model": { value: "MODEL", description: "Model of the judge (default: --model)" },
      threshold: CALL_SETTINGS.threshold,
      concurrency: { value: "N", kind: KIND.count, description: "Concurrent judgements (default: auto)" },
      save: { description: "Store the evaluation as a separate run" },
      db: { value: "URL", description: "Results database (default: .callweave/results.db)" },
      ...REPORTER_FLAGS,
      json: { description: "Print the report as JSON" },
    },
  },
  notes: [
    "Expectations that need missing data are skipped and listed: a transcript without nodes has no path.",
    "Exit codes: 0 all calls passed; 1 a call failed; 2 wrong usage or input; 3 a call could not be judged.",
  ],
  examples: [
    'callweave evaluate 01J --metric "The agent was polite"',
    `callweave evaluate calls.json --format ${EXAMPLE.calls} --excludes refund --judge-model openai/gpt-5-mini`,
    'callweave evaluate - --format timeline --metric "The agent let the caller finish" < events.json',
  ],
  run: async (args, terminal) => {
    const { evaluateCalls } = await import("./evaluate_calls.ts");
    const threshold = args.number("threshold");
    const concurrency = args.number("concurrency");
    return await evaluateCalls(args, terminal, {
      ...(threshold === undefined ? {} : { judging: { threshold } }),
      ...(concurrency === undefined ? {} : { limits: { concurrency } }),
    });
  },
};
