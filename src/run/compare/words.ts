import type { CorrectedTest } from "../../base/statistics/mod.ts";
import type { RateSides, RunComparison, ScenarioComparison } from "./types.ts";

/** Describes the change of a pass rate: "the pass rate fell from 36/40 to 24/40: more than noise (p = 0.004, …)". */
export function rateWords(
  { base, head }: RateSides,
  { p, corrected }: CorrectedTest,
  { what, corrected: family, isReal }: { readonly what: string; readonly corrected: string; readonly isReal: boolean },
): string {
  const [from, to] = [`${base.passes}/${base.trials}`, `${head.passes}/${head.trials}`];
  const value = head.passes * base.trials - base.passes * head.trials;
  if (value === 0) return `${what} is the same: ${from === to ? from : `${from} and ${to}`}`;
  const moved = `${what} ${value < 0 ? "fell" : "rose"} from ${from} to ${to}`;
  const numbers = family === "" ? `p = ${pWords(p)}` : `p = ${pWords(corrected)}, corrected for ${family}`;
  const alone = !isReal && p <= 0.05 && family !== "" ? `; ${pWords(p)} alone` : "";
  return `${moved}: ${isReal ? "more" : "no more"} than noise (${numbers}${alone})`;
}

/** Formats a p-value with two significant digits, and never as 0. */
export function pWords(p: number): string {
  if (p < 0.0001) return "less than 0.0001";
  if (p > 0.99) return "1";
  return String(Number(p.toPrecision(2)));
}

/** "3 scenarios", "1 criterion". */
export function pluralCount(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Summarises a comparison in one sentence. */
export function summaryWords({
  scenarios,
  worse,
  better,
  onlyInBase,
  onlyInHead,
  untested,
}: Pick<RunComparison, "worse" | "better" | "onlyInBase" | "onlyInHead" | "untested"> & {
  readonly scenarios: readonly ScenarioComparison[];
}): string {
  const count = (names: readonly unknown[]) => pluralCount(names.length, "scenario", "scenarios");
  const parts = [
    ...(worse.length > 0 ? [`${count(worse)} got worse`] : []),
    ...(better.length > 0 ? [`${count(better)} got better`] : []),
    ...(scenarios.length === 0
      ? ["the runs have no scenario in common"]
      : worse.length + better.length === 0
        ? [`no difference in ${count(scenarios)} is more than noise`]
        : [`${count(scenarios)} compared`]),
    ...(untested.length > 0 ? [`${count(untested)} cannot be compared`] : []),
    ...(onlyInBase.length > 0 ? [`${count(onlyInBase)} only in the base`] : []),
    ...(onlyInHead.length > 0 ? [`${count(onlyInHead)} only in the head`] : []),
  ];
  return parts.join(", ");
}
