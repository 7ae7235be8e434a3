import process from "node:process";
import fc from "fast-check";

export * from "fast-check";

/** A fixed seed, so that a failure is caused by the change. `CALLWEAVE_SEED=7 npm test` tries other cases. */
fc.configureGlobal({
  seed: Number(process.env.CALLWEAVE_SEED ?? 1),
  endOnFailure: process.env.CALLWEAVE_SHARE !== undefined,
});

/**
 * Bun, the fastest runtime, runs a property on all of its cases; Node and Deno run the same code on a tenth of them.
 * `npm run mutate` sets a smaller share.
 */
const SHARE = Number(process.env.CALLWEAVE_SHARE ?? (process.versions.bun ? 1 : 0.1));

/** Whether to run what takes long for a single case and is the same on every runtime: on Bun, and in `npm run mutate`. */
export const RUNS_SLOW_CASES = process.versions.bun !== undefined || process.env.CALLWEAVE_SHARE !== undefined;

/** The number of generated cases that this runtime runs; at least one. */
export function sampled(count: number): number {
  return Math.ceil(count * SHARE);
}

/** The documents or seeds that this runtime tries: all of them, or a share spread over the list. */
export function someOf<Item>(items: readonly Item[]): readonly Item[] {
  const step = Math.floor(items.length / sampled(items.length));
  return items.filter((_, index) => index % step === 0);
}

/** fast-check's `assert`, with the number of runs for this runtime; the default is 100. */
export function assert<Values>(property: fc.IAsyncProperty<Values>, parameters?: fc.Parameters<Values>): Promise<void>;
export function assert<Values>(property: fc.IProperty<Values>, parameters?: fc.Parameters<Values>): void;
export function assert<Values>(
  property: fc.IRawProperty<Values>,
  parameters: fc.Parameters<Values> = {},
): Promise<void> | void {
  return fc.assert(property, { ...parameters, numRuns: sampled(parameters.numRuns ?? 100) });
}
