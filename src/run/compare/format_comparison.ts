import { isRecord, oneLine, PLAIN, paint, rule, type Style, wrap } from "../../base/values/mod.ts";
import { redactedResult } from "../store/mod.ts";
import { checkComparison } from "./comparable.ts";
import type { ComparedRun, RateChange, RateComparison, RunComparison, ScenarioComparison } from "./types.ts";

const MARKS: { readonly [Kind in RateChange]: readonly [mark: string, color: "red" | "green" | "dim"] } = {
  worse: ["▼", "red"],
  better: ["▲", "green"],
  none: ["·", "dim"],
};

const ORDER: { readonly [Kind in RateChange]: number } = { worse: 0, better: 1, none: 2 };

/** Options of {@link formatComparison}. */
export interface ComparisonText {
  /** Text below a scenario, such as its transcripts side by side. */
  readonly detailsOf?: (scenario: string) => string | undefined;
}

/**
 * Formats a comparison for a terminal: changed scenarios first, each with its criteria.
 *
 * @param style Default: without colours, 100 columns.
 * @throws {ScenarioError} `invalid-option`.
 */
export function formatComparison(
  comparison: RunComparison,
  style: Style = PLAIN,
  options: ComparisonText = {},
): string {
  const isStyle = rule("a style with color and width", (value) => isRecord(value) && typeof value.width === "number");
  checkComparison(comparison, "Cannot format comparison", { style: isStyle }, { style });
  const redacted = redactedResult(comparison);
  const { base, head, scenarios, onlyInBase, onlyInHead, summary } = redacted;
  const rank = (each: ScenarioComparison) =>
    Math.min(ORDER[each.change], ...each.criteria.map((one) => ORDER[one.change]));
  const sorted = scenarios.map((each) => ({ each, rank: rank(each) })).sort((a, b) => a.rank - b.rank);
  const lines = [
    ...runLines("base", base, style),
    ...runLines("head", head, style),
    "",
    ...sorted.flatMap(({ each }) => [
      ...scenarioLines(each, style),
      ...detailLines(options?.detailsOf?.(each.scenario)),
    ]),
    ...onlyInBase.flatMap((name) => wrap(style, `only in the base: ${name}`, 2, paint(style, "yellow", "- "))),
    ...onlyInHead.flatMap((name) => wrap(style, `only in the head: ${name}`, 2, paint(style, "yellow", "+ "))),
    ...(scenarios.length + onlyInBase.length + onlyInHead.length > 0 ? [""] : []),
    ...wrap(style, summary, 0).map((line) => paint(style, "bold", line)),
  ];
  return `${lines.filter((line, index) => line !== "" || lines[index - 1] !== "").join("\n")}\n`;
}

function runLines(label: string, { id, agent, finished, counts }: ComparedRun, style: Style): readonly string[] {
  const found = Object.entries(counts).flatMap(([status, count]) => (count > 0 ? [`${count} ${status}`] : []));
  const state = finished ? "" : " (not finished)";
  return wrap(style, `${id} of ${oneLine(agent)}: ${found.join(", ") || "no results"}${state}`, 6, `${label}  `);
}

function scenarioLines(each: ScenarioComparison, style: Style): readonly string[] {
  return [
    ...rateLines(each, oneLine(each.scenario), 0, style),
    ...each.criteria.flatMap((criterion) => rateLines(criterion, undefined, 2, style)),
  ];
}

function rateLines(
  { change, reason, difference }: RateComparison,
  title: string | undefined,
  indent: number,
  style: Style,
): readonly string[] {
  const [mark, color] = MARKS[change];
  const interval = difference && difference.value !== 0 ? `; difference ${differenceWords(difference)}` : "";
  const head = `${" ".repeat(indent)}${paint(style, color, mark)} `;
  return wrap(style, `${title === undefined ? "" : `${title}: `}${reason}${interval}`, indent + 2, head);
}

/** "-30 points (-47 to -11)". */
function differenceWords({
  value,
  low,
  high,
}: {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}) {
  const points = (share: number) => `${share > 0 ? "+" : ""}${Math.round(share * 100)}`;
  return `${points(value)} points (95 %: ${points(low)} to ${points(high)})`;
}

function detailLines(text: string | undefined): readonly string[] {
  return text === undefined
    ? []
    : [
        "",
        ...text
          .trimEnd()
          .split("\n")
          .map((line) => `  ${line}`.trimEnd()),
        "",
      ];
}
