import { styleFor } from "../../values/mod.ts";
import { type Command, usage } from "../arguments/mod.ts";
import { openRuns } from "./open_runs.ts";

/** `callweave runs show`. */
export const runsShowCommand: Command = {
  name: "runs show",
  summary: "Show a stored run: transcripts, nodes, scores and reasons",
  spec: {
    positionals: [{ name: "ID", description: "The run's id, or its first characters" }],
    flags: {
      scenario: { value: "NAME", repeats: true, description: "Only this scenario; repeatable" },
      db: { value: "URL", description: "Results database (default: .callweave/results.db)" },
      json: { description: "Print { run, results, graph } as JSON" },
    },
  },
  examples: ["callweave runs show 01J", "callweave runs show 01J --json"],
  run: async (args, terminal) => {
    await using store = await openRuns(args, terminal);
    const stored = await store.showRun(args.at("ID"), { signal: terminal.signal });
    const names = args.texts("scenario");
    const known = stored.results.map(({ scenario }) => scenario);
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw usage(`the run has no scenario "${unknown}"`, `It has ${known.map((name) => `"${name}"`).join(", ")}`);
    }
    const results = stored.results.filter(({ scenario }) => names.length === 0 || names.includes(scenario));
    if (args.has("json")) {
      terminal.out(`${JSON.stringify({ ...stored, results }, null, 2)}\n`);
      return 0;
    }
    const [{ formatReport, formatResult }, { reportOf }] = await Promise.all([
      import("../../reporters/mod.ts"),
      import("../../runner/mod.ts"),
    ]);
    const style = styleFor(terminal.stdout, terminal.env);
    const parts = results.map((result) => formatResult(result, style));
    terminal.out([...parts, formatReport(reportOf({ ...stored, results }, store.url), style)].join("\n"));
    return 0;
  },
};
