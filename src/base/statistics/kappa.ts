import { rule } from "../values/mod.ts";
import { checkNumbers, type Interval, normalQuantile } from "./rates.ts";

/** Two verdicts on the same item: whether the first and the second one passed it. */
export type VerdictPair = readonly [known: boolean, judged: boolean];

/** Agreement of a judge with known verdicts, in numbers: share of equal verdicts and Cohen's kappa. */
export interface Agreement {
  /** Number of verdicts. */
  readonly total: number;
  /** Known verdict first: `passFail` are known passes that the judge failed. */
  readonly confusion: {
    readonly passPass: number;
    readonly passFail: number;
    readonly failPass: number;
    readonly failFail: number;
  };
  /** Share of equal verdicts, from 0 to 1; `null` without verdicts. */
  readonly agreement: number | null;
  /**
   * Cohen's kappa: the agreement beyond chance, from -1 to 1; 1 is full agreement, 0 that of chance. `null`
   * when all verdicts of both are the same, because then chance agrees fully too.
   */
  readonly kappa: number | null;
  /** 95 % interval of kappa, by its large-sample standard error; `null` without kappa. Rough for few verdicts. */
  readonly interval: Interval | null;
}

/**
 * Computes the agreement of a judge with known verdicts.
 *
 * @throws {ScenarioError} `invalid-option`.
 * @see J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20 (1960).
 * @see J. L. Fleiss, J. Cohen, B. S. Everitt, Large sample standard errors of kappa and weighted kappa, Psychological
 *   Bulletin 72 (1969), formula 13.
 * @example
 * ```ts
 * import { cohenKappa } from "callweave/statistics";
 *
 * const { kappa } = cohenKappa([[true, true], [true, false], [false, false], [false, false]]); // 0.5
 * ```
 */
export function cohenKappa(verdicts: readonly VerdictPair[]): Agreement {
  checkNumbers(
    { verdicts },
    { verdicts: rule("a list of [known, judged], each true or false", isPairs) },
    "compute kappa",
  );
  const count = (known: boolean, judged: boolean) =>
    verdicts.filter((pair) => pair[0] === known && pair[1] === judged).length;
  const confusion = {
    passPass: count(true, true),
    passFail: count(true, false),
    failPass: count(false, true),
    failFail: count(false, false),
  };
  const total = verdicts.length;
  const { passPass, passFail, failPass, failFail } = confusion;
  if (total === 0) return { total, confusion, agreement: null, kappa: null, interval: null };
  const agreement = (passPass + failFail) / total;
  const known = (passPass + passFail) / total;
  const judged = (passPass + failPass) / total;
  const chance = known * judged + (1 - known) * (1 - judged);
  if (chance === 1) return { total, confusion, agreement, kappa: null, interval: null };
  const kappa = (agreement - chance) / (1 - chance);
  const same = (cell: number, row: number, column: number) => (cell / total) * (1 - (row + column) * (1 - kappa)) ** 2;
  const other = (cell: number, row: number, column: number) => (cell / total) * (row + column) ** 2;
  // Off the diagonal, a cell counts with its column's share among known and its row's share among judged verdicts.
  const variance =
    (same(passPass, known, judged) +
      same(failFail, 1 - known, 1 - judged) +
      (1 - kappa) ** 2 * (other(passFail, 1 - known, judged) + other(failPass, known, 1 - judged)) -
      (kappa - chance * (1 - kappa)) ** 2) /
    (total * (1 - chance) ** 2);
  const half = normalQuantile(0.975) * Math.sqrt(Math.max(0, variance));
  return {
    total,
    confusion,
    agreement,
    kappa,
    interval: { low: Math.max(-1, kappa - half), high: Math.min(1, kappa + half) },
  };
}

function isPairs(value: unknown): boolean {
  const isPair = (pair: unknown) =>
    Array.isArray(pair) && pair.length === 2 && pair.every((each: unknown) => typeof each === "boolean");
  return Array.isArray(value) && value.every(isPair);
}
