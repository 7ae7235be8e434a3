import type { WatchedCall } from "../../../src/run/watch/mod.ts";

export const DAY = 24 * 60 * 60 * 1000;
export const NOW = new Date("2024-06-05T00:00:00Z");

/** Rates of the measures of a generated history. */
export const RATES: readonly (readonly [name: string, rate: number])[] = [
  ["books", 0.8],
  ["confirms the date", 0.95],
  ["is polite", 0.98],
  ["within 1500 ms", 0.9],
];

/** Calls at random times of five weeks, whose outcomes are drawn. */
export function history(
  random: () => number,
  perWeek: number,
  rateOf: (name: string, rate: number, daysAgo: number) => number = (_, rate) => rate,
): readonly WatchedCall[] {
  return Array.from({ length: 5 * perWeek }, (_, index) => {
    const daysAgo = 35 * random();
    const outcomes = RATES.map(([name, rate]) => ({
      kind: "criterion" as const,
      name,
      passed: random() < rateOf(name, rate, daysAgo),
    }));
    return {
      id: `call ${index}`,
      callId: null,
      startedAt: new Date(NOW.getTime() - daysAgo * DAY).toISOString(),
      outcomes,
    };
  });
}

/** Calls at even times of five weeks with one criterion. */
export function evenly(perWeek: number, passed: (daysAgo: number, index: number) => boolean): readonly WatchedCall[] {
  return Array.from({ length: 5 * perWeek }, (_, index) => {
    const daysAgo = 35 - (7 * (index + 0.5)) / perWeek;
    const startedAt = new Date(NOW.getTime() - daysAgo * DAY).toISOString();
    const outcomes = [{ kind: "criterion" as const, name: "is polite", passed: passed(daysAgo, index) }];
    return { id: `call ${index}`, callId: `c${index}`, startedAt, outcomes };
  });
}
