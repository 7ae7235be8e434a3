import { extname } from "node:path";
import {
  COVERAGE_KINDS,
  type Coverage,
  type CoverageCount,
  type CoverageKind,
  coverage,
  mergeCoverage,
  percentOf,
  reachableCounts,
  type UncoveredItem,
  uncovered,
} from "../../agent/analysis/mod.ts";
import { draw, drawPng } from "../../agent/draw/mod.ts";
import { oneLine, paint, quotedList, type Style, wrap } from "../../base/values/mod.ts";
import { type AgentGraph, nodeNames } from "../../document/graph/mod.ts";
import { KIND } from "../../document/settings/mod.ts";
import type { StoredRun } from "../../run/store/mod.ts";
import { missingInResults, namesInSet } from "../../run/summary/mod.ts";
import { type Arguments, type Command, usage } from "./arguments.ts";
import { listStyle } from "./format/mod.ts";
import { writeOutput, writeTextFile } from "./io/mod.ts";
import { openRuns } from "./runs/mod.ts";
import { refuseOverwriting } from "./sources.ts";

const NAMES: { readonly [Kind in CoverageKind | "total"]: string } = {
  node: "nodes",
  transition: "transitions",
  clause: "clauses, true and false",
  global: "globals",
  "go-back": "go-backs",
  choice: "choices",
  total: "total",
};

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

/**
 * The lowest share of covered items, in percent, that `--min-coverage` accepts.
 *
 * @throws {UsageError} `usage`.
 */
export function readMinCoverage(args: Arguments): number | undefined {
  if (args.text("min-coverage") === undefined) return undefined;
  const part = ["grep", "tag", "scenario", "shard"].find((flag) => args.texts(flag).length > 0);
  if (part !== undefined)
    throw usage(`--min-coverage needs the calls of all scenarios, and --${part} selects some`, `Leave out --${part}`);
  return args.number("min-coverage");
}

/** Formats the shares of a coverage and the number of uncovered items. */
export function formatCoverageSummary(measured: MeasuredCoverage, style: Style, min?: number): readonly string[] {
  const { coverage, shares, percent } = measured;
  const rows = shares.map(({ kind, covered, total, percent: share }) => [
    NAMES[kind],
    `${covered} of ${total}`,
    `${share} %`,
  ]);
  const [first, second, third] = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const isLow = min !== undefined && percent < min;
  const left = Object.entries(coverage.leftOut).map(([status, count]) => `${count} ${status}`);
  return [
    `coverage of ${coverage.calls} call${coverage.calls === 1 ? "" : "s"}`,
    ...rows.map(([name = "", count = "", share = ""]) => {
      return `  ${name.padEnd(first ?? 0)}  ${count.padStart(second ?? 0)}  ${share.padStart(third ?? 0)}`;
    }),
    ...(left.length > 0 ? [`calls that do not count: ${left.join(", ")}`] : []),
    ...(isLow ? [paint(style, "red", `coverage is ${percent} %, and --min-coverage asks for ${min} %`)] : []),
  ];
}

/** Formats a coverage: its shares, uncovered items with paths to them, and items that no call can reach. */
function formatCoverage(measured: MeasuredCoverage, style: Style, min?: number): string {
  const of = (kind: UncoveredItem["kind"]) => measured.uncovered.filter((each) => each.kind === kind);
  return [
    ...formatCoverageSummary(measured, style, min),
    ...listed("not covered", of("found"), style),
    ...listed("not counted, because no call can reach it", of("none"), style),
    ...listed("not covered, and no path was found", of("unknown"), style),
    "",
  ].join("\n");
}

function listed(title: string, items: readonly UncoveredItem[], style: Style): readonly string[] {
  if (items.length === 0) return [];
  return [
    "",
    `${title}: ${items.length}`,
    ...items.flatMap((each) => {
      const words = each.kind === "found" ? `${each.words.join(". ")}.` : each.reason;
      const { kind, name } = each.item;
      return [
        ...wrap(style, `${oneLine(kind)} ${oneLine(name)}`, 2),
        ...wrap(style, oneLine(words), 6).map((line) => paint(style, "dim", line)),
      ];
    }),
  ];
}

/** A count of items that calls can reach, with its share in percent. */
export interface CoverageShare extends CoverageCount {
  readonly kind: CoverageKind | "total";
  readonly percent: number;
}

/** A coverage with its uncovered items. */
export interface MeasuredCoverage {
  readonly coverage: Coverage;
  readonly uncovered: readonly UncoveredItem[];
  /** Shares of the reachable items: by kind, the total last. Kinds that the agent does not have are left out. */
  readonly shares: readonly CoverageShare[];
  /** The total, in percent. */
  readonly percent: number;
}

/** Finds the uncovered items of a coverage, and its shares of what calls can reach. */
export function measureCoverage(graph: AgentGraph, coverage: Coverage): MeasuredCoverage {
  const open = uncovered(graph, coverage);
  const counts = reachableCounts(coverage, open);
  const shares = [...COVERAGE_KINDS, "total" as const].map((kind): CoverageShare => {
    return { kind, ...counts[kind], percent: percentOf(counts[kind]) };
  });
  return {
    coverage,
    uncovered: open,
    shares: shares.filter(({ kind, total }) => kind === "total" || total > 0),
    percent: percentOf(counts.total),
  };
}

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
