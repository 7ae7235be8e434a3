import process from "node:process";
import fc from "fast-check";

export * from "fast-check";

const GIVEN_SHARE = process.env.CALLWEAVE_SHARE;

/** A fixed seed, so that a failure is caused by the change. `CALLWEAVE_SEED=7 npm test` tries other cases. */
fc.configureGlobal({
  seed: Number(process.env.CALLWEAVE_SEED ?? 1),
  endOnFailure: GIVEN_SHARE !== undefined && Number(GIVEN_SHARE) < 1,
});

const RUNTIME = process.versions.bun ? "bun" : process.versions.deno ? "deno" : "node";

/**
 * One runtime runs a quarter of a property's cases; the others run the same code on a tenth of them. It is Bun, the
 * fastest one; `CALLWEAVE_WHOLE=node npm test` chooses another. The bench `properties` runs all cases, and
 * `npm run mutate` a tenth: they set the share.
 */
const RUNS_MOST = RUNTIME === (process.env.CALLWEAVE_WHOLE ?? "bun");
const SHARE = Number(GIVEN_SHARE ?? (RUNS_MOST ? 0.25 : 0.1));

/** Whether to run what takes long for a single case and is the same on every runtime: where most cases run. */
export const RUNS_SLOW_CASES = RUNS_MOST || GIVEN_SHARE !== undefined;

/** The number of generated cases that this runtime runs; at least one. */
export function sampled(count: number): number {
  return Math.ceil(count * SHARE);
}

/** The documents or seeds that this runtime tries: all of them, or a share spread over the list. */
export function someOf<Item>(items: readonly Item[]): readonly Item[] {
  const step = Math.floor(items.length / sampled(items.length));
  return items.filter((_, index) => index % step === 0);
}

/**
 * The platforms or formats that this runtime tries with code which is the same for each of them: all of them where most
 * cases run, one elsewhere, Node the first and Deno the last.
 */
export function ownPartOf<Item>(items: readonly Item[]): readonly Item[] {
  return RUNS_SLOW_CASES ? items : RUNTIME === "deno" ? items.slice(-1) : items.slice(0, 1);
}

/** URLs of servers and paths. fast-check's own take two seconds to be set up. */
export const webAddress = (): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom("https://a.test", "http://shop.example.com:8080", "https://xn--bcher-kva.test"),
      fc.stringMatching(/^(?:\/(?:[\w.~!$'()*+,;=:@-]|%[0-9A-F]{2}){0,9}){0,3}$/),
    )
    .map((parts) => parts.join(""));

/** fast-check's `assert`, with the number of runs for this runtime; the default is 100. */
export function assert<Values>(property: fc.IAsyncProperty<Values>, parameters?: fc.Parameters<Values>): Promise<void>;
export function assert<Values>(property: fc.IProperty<Values>, parameters?: fc.Parameters<Values>): void;
export function assert<Values>(
  property: fc.IRawProperty<Values>,
  parameters: fc.Parameters<Values> = {},
): Promise<void> | void {
  return fc.assert(property, { ...parameters, numRuns: sampled(parameters.numRuns ?? 100) });
}
