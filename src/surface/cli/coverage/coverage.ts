import { extname } from "node:path";
import { coverage, mergeCoverage } from "../../../agent/analysis/mod.ts";
import { draw, drawPng } from "../../../agent/draw/mod.ts";
import { quotedList } from "../../../base/values/mod.ts";
import { nodeNames } from "../../../document/graph/mod.ts";
import { KIND } from "../../../document/settings/mod.ts";
import type { StoredRun } from "../../../run/store/mod.ts";
import { missingInResults, namesInSet } from "../../../run/summary/mod.ts";
import { type Command, usage } from "../arguments/mod.ts";
import { listStyle } from "../format/mod.ts";
import { writeOutput, writeTextFile } from "../io/mod.ts";
import { openRuns } from "../runs/mod.ts";
import { refuseOverwriting } from "../sources/mod.ts";
import { formatCoverage } from "./format_coverage.ts";
import { measureCoverage } from "./measure_coverage.ts";
import { readMinCoverage } from "./min_coverage.ts";

/** Why several runs together are incomplete. */
function missingInAll(stored: readonly StoredRun[]): readonly string[] {
  const [first, ...others] = stored;
  if (!first) return [];
  if (others.length === 0) return missingInResults(first.run, first.results, { needsSet: false });
  const set = new Set(stored.flatMap(({ run: { options } }) => namesInSet(options.set)));
  const judged = new Set(
    stored.flatMap(({ results }) =>
      results.flatMap(({ scenario, status }) => (status === "pass" || status === "fail" ? [scenario] : [])),
    ),
  );
  const missing = [...set].filter((name) => !judged.has(name));
  return missing.length > 0 ? [`no run has calls of ${quotedList(missing, 5)}`] : [];
}

/** `callweave coverage`. */
export const coverageCommand: Command = {
  name: "coverage",
  summary: "Show which parts of an agent stored runs have exercised, and how to reach the rest",
  spec: {
    positionals: [
      {
        name: "RUN",
        repeats: true,
        description: "Ids of runs, or their first characters; their coverage is combined",
      },
    ],
    flags: {
      db: { value: "URL", description: "Results database (default: .callweave/results.db)" },
      svg: { value: "FILE", description: "Also draw the agent with its coverage; as PNG if the name ends in .png" },
      "min-coverage": { value: "N", kind: KIND.percent, description: "Exit with 1 if less than N percent are covered" },
      "by-id": { description: "Also count runs of other versions of the agent, by the ids of nodes" },
      json: { description: "Print { coverage, uncovered, shares, percent } as JSON" },
    },
  },
  notes: [
    "Coverage counts the nodes, transitions, equation clauses (true and false), global nodes, go-backs and choices that",
    "calls can reach. Calls that passed or failed count; invalid, cancelled and error results do not.",
    "With runs of several versions of the agent, the version of the first RUN is used.",
    "Exit codes: 0 success; 1 coverage is below --min-coverage, or the runs lack calls of some scenarios; 2 wrong usage or input.",
  ],
  examples: [
    "callweave coverage 01J",
    "callweave coverage 01J3 01J4 --svg coverage.svg --min-coverage 80",
    "callweave coverage 01J --json",
  ],
  run: async (args, terminal) => {
    const { signal } = terminal;
    const min = readMinCoverage(args);
    const svg = args.text("svg");
    refuseOverwriting("--svg", svg, [{ what: "the results database", path: args.text("db") }]);
    await using store = await openRuns(args, terminal);
    const stored: StoredRun[] = [];
    for (const id of args.rest()) stored.push(await store.showRun(id, { signal }));
    const [first] = stored;
    if (!first) throw usage("RUN is missing", "Name a run, see callweave runs list");
    const { graph } = first;
    const other = stored.find(({ run }) => run.graphFingerprint !== first.run.graphFingerprint);
    if (other && !args.has("by-id"))
      throw usage(
        `run ${other.run.id} is of another version of the agent than run ${first.run.id}`,
        "Leave it out, or add --by-id to match nodes by their ids",
      );
    const resultsOf = (isSame: boolean) =>
      stored
        .filter(({ run }) => (run.graphFingerprint === first.run.graphFingerprint) === isSame)
        .flatMap(({ results }) => results);
    const byVersion = [coverage(graph, resultsOf(true)), coverage(graph, resultsOf(false), { byId: true })];
    const measured = measureCoverage(graph, mergeCoverage(byVersion));
    if (svg !== undefined && extname(svg).toLowerCase() === ".png") {
      const { bytes } = await drawPng(graph, { coverage: measured.coverage });
      await writeOutput(svg, bytes, { signal });
    } else if (svg !== undefined) await writeTextFile(svg, draw(graph, { coverage: measured.coverage }), { signal });
    const style = listStyle(terminal.stdout, terminal.env);
    terminal.out(
      args.has("json")
        ? `${JSON.stringify(measured, null, 2)}\n`
        : nodeNames(graph).inText(formatCoverage(measured, style, min)),
    );
    if (min === undefined) return 0;
    const missing = missingInAll(stored);
    for (const words of missing) terminal.err(`coverage is not decided: ${words}\n`);
    return measured.percent < min || missing.length > 0 ? 1 : 0;
  },
};
