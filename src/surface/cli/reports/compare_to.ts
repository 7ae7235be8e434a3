import type { RunComparison } from "../../../run/compare/mod.ts";
import type { RunReport } from "../../../run/runner/mod.ts";
import type { Arguments, Flag } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";

/** The flag that names the run to compare with. */
export const COMPARE_FLAGS = {
  "compare-to": { value: "RUN", description: "Baseline or run to compare this run with" },
} satisfies { readonly [name: string]: Flag };

/**
 * Reads the run that `--compare-to` names, before calls are paid for.
 *
 * @returns A function that compares a report with the run; `undefined` without the flag.
 * @throws {StoreError} `unknown-run`, `store-unavailable`.
 */
export async function readComparison(
  args: Arguments,
  { signal }: Pick<Terminal, "signal">,
): Promise<((report: RunReport) => RunComparison) | undefined> {
  const name = args.text("compare-to");
  if (name === undefined) return undefined;
  const [{ compareRuns }, { openStore }] = await Promise.all([
    import("../../../run/compare/mod.ts"),
    import("../../../run/store/mod.ts"),
  ]);
  await using store = await openStore(args.text("db"), { signal, create: false });
  const run = await store.findRun(name, { signal });
  const scenarios = await store.countResults(run.id, { signal });
  return (report) => compareRuns({ run, scenarios }, report);
}
