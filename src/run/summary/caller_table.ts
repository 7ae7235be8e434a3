import { type Interval, wilson } from "../../base/statistics/mod.ts";
import type { ScenarioSummary } from "./summarise.ts";

/** How often trials passed: in one cell of a table, or in a row or column of it. */
export interface CallerRate {
  /** Number of trials that passed or failed. */
  readonly trials: number;
  readonly passes: number;
  /** Share of the trials that passed, from 0 to 1; `null` when there are none. */
  readonly passRate: number | null;
  /** Wilson interval of the pass rate, at 95 % confidence; `null` when there are no trials. */
  readonly interval: Interval | null;
  /** Calls whose caller did not show its traits, or was unreliable in another way. */
  readonly invalid: number;
}

/** The results of a run by scenario and caller. */
export interface CallerTable {
  /** Names of the callers, in the order of the run. */
  readonly callers: readonly string[];
  readonly rows: readonly {
    /** The scenario as it is written. */
    readonly scenario: string;
    /** One for each caller; `null` if it did not play the scenario. */
    readonly cells: readonly (CallerRate | null)[];
  }[];
  /** One for each caller, over all scenarios. */
  readonly totals: readonly CallerRate[];
}

/** The table of a run whose scenarios were played by callers of a set; `undefined` for other runs. */
export function callerTable(scenarios: readonly ScenarioSummary[]): CallerTable | undefined {
  const cast = scenarios.flatMap((summary) => (summary.cast ? [{ summary, cast: summary.cast }] : []));
  if (cast.length === 0) return undefined;
  const callers = [...new Set(cast.map(({ cast: { caller } }) => caller))];
  const rows = [...new Set(cast.map(({ cast: { scenario } }) => scenario))].map((scenario) => ({
    scenario,
    cells: callers.map((caller) => {
      const own = cast.filter((each) => each.cast.scenario === scenario && each.cast.caller === caller);
      return own.length === 0 ? null : rateOf(own.map(({ summary }) => summary));
    }),
  }));
  const totals = callers.map((caller) =>
    rateOf(cast.filter((each) => each.cast.caller === caller).map(({ summary }) => summary)),
  );
  return { callers, rows, totals };
}

function rateOf(summaries: readonly ScenarioSummary[]): CallerRate {
  const sum = (count: (summary: ScenarioSummary) => number) =>
    summaries.reduce((all, summary) => all + count(summary), 0);
  const [trials, passes] = [sum((each) => each.trials), sum(({ counts }) => counts.pass)];
  return {
    trials,
    passes,
    passRate: trials === 0 ? null : passes / trials,
    interval: trials === 0 ? null : wilson(passes, trials),
    invalid: sum(({ counts }) => counts.invalid),
  };
}
