import { quotedList, styleFor } from "../../../base/values/mod.ts";
import { withNodeNames } from "../../../document/graph/mod.ts";
import { type Arguments, type Command, usage } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";
import { COMPARE_FLAGS, REPORTER_FLAGS, type Reports } from "../reports/mod.ts";
import { openRuns } from "./delete.ts";

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
      ...REPORTER_FLAGS,
      ...COMPARE_FLAGS,
    },
  },
  examples: [
    "callweave runs show 01J",
    "callweave runs show 01J --json",
    "callweave runs show 01J --reporter junit:report.xml",
  ],
  run: async (args, terminal) => {
    const reports = args.texts("reporter").length > 0 ? await chooseStored(args, terminal) : undefined;
    if (args.text("compare-to") !== undefined && !reports)
      throw usage("--compare-to needs a report", "Add --reporter html:FILE, or use callweave runs compare");
    const compare = reports && (await (await import("../reports/mod.ts")).readComparison(args, terminal));
    await using store = await openRuns(args, terminal);
    const stored = await store.showRun(args.at("ID"), { signal: terminal.signal });
    const names = args.texts("scenario");
    const known = stored.results.map(({ scenario }) => scenario);
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw usage(`the run has no scenario "${unknown}"`, `Name one of its scenarios: ${quotedList(known)}`);
    }
    const results = stored.results.filter(({ scenario }) => names.length === 0 || names.includes(scenario));
    if (reports) {
      const { reportOf } = await import("../../../run/runner/mod.ts");
      const { graph } = stored;
      const report = reportOf({ ...stored, results }, store.url);
      const comparison = compare?.(report);
      const { isComplete } = await reports.write(report, { graph, ...(comparison ? { comparison } : {}) });
      return isComplete ? 0 : 3;
    }
    if (args.has("json")) {
      const { withAudioMetricResults } = await import("../../reporters/mod.ts");
      const shown = new Set(results.map(({ id }) => id));
      const labels = (stored.labels ?? []).filter(({ call }) => shown.has(call));
      terminal.out(`${JSON.stringify({ ...stored, results: results.map(withAudioMetricResults), labels }, null, 2)}\n`);
      return 0;
    }
    const [{ formatReport, formatResult }, { reportOf }] = await Promise.all([
      import("../../reporters/mod.ts"),
      import("../../../run/runner/mod.ts"),
    ]);
    const style = styleFor(terminal.stdout, terminal.env);
    const shown = withNodeNames(results, stored.graph);
    const parts = shown.map((result) => formatResult(result, style));
    terminal.out([...parts, formatReport(reportOf({ ...stored, results: shown }, store.url), style)].join("\n"));
    return 0;
  },
};

/** Chooses the reports of a stored run. */
async function chooseStored(args: Arguments, terminal: Terminal): Promise<Reports> {
  const [{ chooseReports }, { DEFAULT_FILE }] = await Promise.all([
    import("../reports/mod.ts"),
    import("../../../run/store/mod.ts"),
  ]);
  if (args.has("json")) throw usage("--json and --reporter exclude each other", "Write --reporter json");
  const database = args.text("db") ?? terminal.env.CALLWEAVE_DB_URL ?? DEFAULT_FILE;
  return await chooseReports(args, terminal, { inputs: [{ what: "the results database", path: database }] });
}
