/** Runs the tests against one mutant after another in this process; `scripts/mutate.ts` starts and restarts it. */
import { resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { loadMutated } from "./hooks.ts";
import type { Answer, Coverage, Job } from "./messages.ts";
import { type TestContext, takeTests } from "./node_test.ts";

/** The object with Stryker's switches, see the header of any instrumented file. */
interface Switches {
  activeMutant: string;
  currentTestId?: string;
  hitCount: number;
  hitLimit: number;
  readonly mutantCoverage: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

interface Case {
  readonly id: string;
  readonly run: (context: TestContext) => unknown;
}

/** Time limit of a test without a mutant. With one, it is {@link LEAST_LIMIT_MS} plus ten times its normal duration. */
const TEST_LIMIT_MS = 60_000;
const LEAST_LIMIT_MS = 2_000;

/** Each copy of the modules stays in memory, so a process ends after this many. */
const COPIES = 150;

const switches: Switches = {
  activeMutant: "",
  hitCount: 0,
  hitLimit: Number.POSITIVE_INFINITY,
  mutantCoverage: { static: {}, perTest: {} },
};
Object.assign(globalThis, { __stryker__: switches });

let copies = 0;
let reportStray: (error: unknown) => void = () => {};
process.on("unhandledRejection", (error) => reportStray(error));
process.on("uncaughtException", (error) => reportStray(error));
process.once("message", async (job: Job) => {
  try {
    await work(job);
    process.exit(0);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
});

function answer(message: Answer): Promise<void> {
  return new Promise((sent) => process.send?.(message, undefined, undefined, () => sent()));
}

async function work(job: Job): Promise<void> {
  loadMutated(job.sources);
  const cases = await loadCases(job.tests);
  const coverage = job.coverage ?? (await measure(cases));
  if (!coverage) return;
  if (!job.coverage) await answer({ kind: "coverage", coverage });
  for (const mutant of job.mutants) {
    if (copies >= COPIES) return;
    await answer({ kind: "start", mutant });
    const isStatic = mutant in coverage.static;
    const reaches = (test: string) => isStatic || mutant in (coverage.perTest[test] ?? {});
    const order = [...cases.keys()].filter(reaches).sort((a, b) => (coverage.times[a] ?? 0) - (coverage.times[b] ?? 0));
    const hits = Object.values(coverage.perTest).map((test) => test[mutant] ?? 0);
    switches.hitLimit = 10_000 + 100 * Math.max(0, ...hits);
    const limitOf = (test: string) => LEAST_LIMIT_MS + 10 * (coverage.times[test] ?? 0);
    const failed = await firstFailure(job.tests, cases, order, mutant, isStatic, limitOf);
    const status = order.length === 0 ? "not covered" : failed ? failed.status : "survived";
    await answer({ kind: "result", mutant, status, ...(failed && { test: failed.test }) });
    if (status === "timeout") return;
  }
}

async function firstFailure(
  files: readonly string[],
  cases: ReadonlyMap<string, Case>,
  order: readonly string[],
  mutant: string,
  isStatic: boolean,
  limitOf: (test: string) => number,
): Promise<{ test: string; status: "killed" | "timeout" } | undefined> {
  switches.activeMutant = mutant;
  try {
    const current = isStatic ? await loadCases(files) : cases;
    for (const id of order) {
      const test = current.get(id);
      if (!test) return { test: id, status: "killed" };
      const failure = await failureOf(test, limitOf(id));
      if (failure) return { test: id, status: failure.limit ? "timeout" : "killed" };
    }
    return undefined;
  } catch {
    return { test: "loading the modules", status: "killed" };
  } finally {
    switches.activeMutant = "";
  }
}

/** Imports all test files again. */
async function loadCases(files: readonly string[]): Promise<Map<string, Case>> {
  copies++;
  const cases = new Map<string, Case>();
  for (const file of files) {
    takeTests();
    await import(`${pathToFileURL(resolve(file)).href}?copy=${copies}`);
    for (const { name, run } of takeTests()) cases.set(`${file}: ${name}`, { id: `${file}: ${name}`, run });
  }
  return cases;
}

/** The tests' coverage without a mutant; `undefined` if one of them fails. */
async function measure(cases: ReadonlyMap<string, Case>): Promise<Coverage | undefined> {
  const times: Record<string, number> = {};
  for (const test of cases.values()) {
    switches.currentTestId = test.id;
    const started = performance.now();
    const failure = await failureOf(test, TEST_LIMIT_MS);
    times[test.id] = performance.now() - started;
    if (failure) {
      await answer({ kind: "failed", test: test.id, error: String(failure.error) });
      return undefined;
    }
  }
  return { ...switches.mutantCoverage, times };
}

async function failureOf(test: Case, limitMs: number): Promise<{ error: unknown; limit?: true } | undefined> {
  switches.hitCount = 0;
  let timer: NodeJS.Timeout | undefined;
  const stray = new Promise<never>((_, reject) => {
    reportStray = reject;
  });
  const limit = new Promise<{ error: unknown; limit: true }>((done) => {
    timer = setTimeout(() => done({ error: "the test took too long", limit: true }), limitMs);
  });
  const ends: (() => unknown)[] = [];
  const context = { skip: () => {}, diagnostic: () => {}, after: (clean: () => unknown) => void ends.push(clean) };
  try {
    const ran = Promise.resolve(test.run(context)).then(() => undefined);
    return await Promise.race([ran, stray, limit]);
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
    for (const clean of ends) await clean();
    reportStray = () => {};
  }
}
