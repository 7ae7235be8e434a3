import type { CoverageKind, UncoveredItem } from "../../../agent/analysis/mod.ts";
import { oneLine, paint, type Style, wrap } from "../../../base/values/mod.ts";
import type { MeasuredCoverage } from "./measure_coverage.ts";

const NAMES: { readonly [Kind in CoverageKind | "total"]: string } = {
  node: "nodes",
  transition: "transitions",
  clause: "clauses, true and false",
  global: "globals",
  "go-back": "go-backs",
  choice: "choices",
  total: "total",
};

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
export function formatCoverage(measured: MeasuredCoverage, style: Style, min?: number): string {
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
