import { neededPasses } from "../../base/statistics/mod.ts";
import { cut, oneLine, pad, paint, plural, type Style, terminalWidth, wrap } from "../../base/values/mod.ts";
import type { ScenarioSummary } from "../../run/summary/mod.ts";

const STATUS_MARKS = { pass: ["✓", "green"], fail: ["✗", "red"], undecided: ["?", "yellow"] } as const;

const VERDICTS = { pass: "passed", fail: "failed", undecided: "undecided" } as const;

/** Maximum width of the name column. */
const WIDEST_NAME = 48;
/** Width of the columns after the name. */
const NUMBER_COLUMNS = 34;

/** Whether a scenario of the run has several trials, so that pass rates say more than single results. */
export function hasRepeats(scenarios: readonly Pick<ScenarioSummary, "planned" | "variance">[]): boolean {
  return scenarios.some(({ planned, variance }) => planned > 1 || variance !== undefined);
}

/**
 * Formats one line per scenario: verdict, passes of trials, pass rate with its interval, and what is missing. Where
 * verdicts were repeated, lines below say where different ones come from.
 */
export function scenarioLines(scenarios: readonly ScenarioSummary[], style: Style): readonly string[] {
  const names = scenarios.map(({ scenario }) => terminalWidth(oneLine(scenario)));
  const columns = Math.min(Math.max(0, ...names), WIDEST_NAME, Math.max(16, style.width - NUMBER_COLUMNS - 4));
  const digits = Math.max(...scenarios.map(({ trials }) => String(trials).length));
  return scenarios.flatMap((summary) => {
    const [mark, color] = STATUS_MARKS[summary.verdict];
    const { counts, trials } = summary;
    const passes = `${String(counts.pass).padStart(digits)}/${String(trials).padEnd(digits)}`;
    const line = `  ${paint(style, color, mark)} ${pad(cut(oneLine(summary.scenario), columns), columns)}  ${passes}  ${formatRate(summary)}`;
    const notes = notesOf(summary);
    const sources = summary.variance ? wrap(style, summary.variance.reason, 6) : [];
    return [notes === "" ? line.trimEnd() : `${line}  ${paint(style, "dim", notes)}`, ...sources];
  });
}

/** Formats a pass rate with its interval: `80 % (49 to 94 %)`. */
function formatRate({ passRate, interval }: Pick<ScenarioSummary, "passRate" | "interval">): string {
  if (passRate === null || interval === null) return "no result";
  return `${percent(passRate)} % (${percent(interval.low)} to ${percent(interval.high)} %)`;
}

/** Counts the scenarios by verdict, as texts with their colours. */
export function verdictParts(scenarios: readonly Pick<ScenarioSummary, "verdict">[]) {
  return (["pass", "fail", "undecided"] as const).flatMap((verdict) => {
    const count = scenarios.filter((each) => each.verdict === verdict).length;
    return count === 0 ? [] : [{ text: `${count} ${VERDICTS[verdict]}`, color: STATUS_MARKS[verdict][1] }];
  });
}

/** Remarks on the rate: the gate, calls without a result, calls that were not needed. */
function notesOf({ gate, planned, trials, counts, verdict }: ScenarioSummary): string {
  const open = planned - trials;
  const isEarly = open > 0 && verdict !== "undecided";
  return [
    ...("passAll" in gate ? [] : [`needs ${neededPasses(gate, planned)} of ${planned}`]),
    ...(counts.error > 0 ? [plural(counts.error, "error")] : []),
    ...(counts.cancelled > 0 ? [`${counts.cancelled} cancelled`] : []),
    ...(counts.invalid > 0 ? [`${counts.invalid} invalid`] : []),
    ...(isEarly && counts.error + counts.cancelled === 0 ? [`decided after ${trials} of ${planned}`] : []),
  ].join(", ");
}

/**
 * Formats pass^k of a run, the mean over its scenarios: the chance that k calls of a scenario all pass. `undefined` if
 * no scenario has two trials.
 */
export function formatPassHat(scenarios: readonly Pick<ScenarioSummary, "passHat">[]): string | undefined {
  const least = Math.min(...scenarios.map(({ passHat }) => passHat.length));
  if (!(least > 1)) return undefined;
  const shown = [...new Set([1, 2, Math.ceil(least / 2), least])];
  const mean = (k: number) => scenarios.reduce((sum, { passHat }) => sum + (passHat[k - 1] ?? 0), 0) / scenarios.length;
  return shown.map((k) => `pass^${k} ${percent(mean(k))} %`).join(", ");
}

function percent(share: number): string {
  return String(Math.round(share * 100));
}
