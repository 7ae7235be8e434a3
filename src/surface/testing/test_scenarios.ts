import { createRequire } from "node:module";
import process from "node:process";
import { after, describe, test } from "node:test";
import { CallweaveError, ScenarioError } from "../../base/errors.ts";
import { type Clock, checkOptions, rule, startTimeLimit, withoutCommands } from "../../base/values/mod.ts";
import type { AgentConnection } from "../../call/connection/mod.ts";
import { type AgentGraph, agentName, toGraph } from "../../document/graph/mod.ts";
import { requireScenarios, type ScenarioSource, toScenarios } from "../../document/scenario/mod.ts";
import { isConnection, type OpenRun, openRun, type RunOptions, type ScenarioRun } from "../../run/runner/mod.ts";
import { caseOf, formatCase } from "../reporters/mod.ts";

/** Options of `testScenarios()`: those of `run()`, and these. */
export interface TestScenariosOptions extends RunOptions {
  /** Title of the group of tests. Default: the agent's name. */
  readonly title?: string;
  /**
   * Time limit of a scenario with all its calls, in milliseconds. Calls that run longer end as `cancelled`, and the test
   * fails. Replaces the runner's own time limit. Default: 600,000 (ten minutes).
   */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 600_000;
/** The runner's own limit is longer, so that a test that is too slow fails with its transcript. */
const GRACE_MS = 30_000;

const RULES = {
  title: rule("a text", (value) => typeof value === "string" && value !== ""),
  timeoutMs: rule(
    "a number of milliseconds above 0",
    (value) => typeof value === "number" && value > 0 && value < 2 ** 31,
  ),
};

/**
 * Registers a test for each scenario with the test runner of this process: `bun test`, `deno test`, `node --test` or
 * Vitest. A test passes if its scenario's gate does; otherwise its message has the expectations that did not hold, and
 * the transcripts. Scenarios that the runner's filters leave out are not called. A connection of `callweave/connect` in
 * place of the graph tests an agent where it runs.
 *
 * The first test opens a run, and the results of all tests are stored in it. If the runner supports it, the tests run
 * concurrently; `limits.concurrency` limits their calls.
 *
 * @throws {ScenarioError} `invalid-scenario`, also for an empty list; `duplicate-scenario`.
 * @throws {CallweaveError} `invalid-option`; `no-test-runner` when the file was started with `bun` instead of `bun test`.
 *   Other problems of a run fail every test.
 * @example
 * ```ts ignore
 * import { flow, scenario } from "callweave";
 * import { testScenarios } from "callweave/testing";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * testScenarios(hello, [scenario("greets", hello).says("Good morning").visits("greet")], { store: false });
 * ```
 */
export function testScenarios(
  source: AgentGraph | AgentConnection,
  scenarios: readonly ScenarioSource[],
  options: TestScenariosOptions = {},
): void {
  const agent = isConnection(source) ? source : toGraph(source, "Cannot test scenarios");
  const documents = toScenarios(scenarios);
  requireScenarios(documents, "Cannot test scenarios");
  const {
    title = options?.name ?? (isConnection(agent) ? agent.name : agentName(agent)) ?? "agent",
    timeoutMs = DEFAULT_TIMEOUT_MS,
    ...run
  } = options ?? {};
  checkOptions({ title, timeoutMs }, RULES, CallweaveError, "Cannot test scenarios");
  let opened: Promise<OpenRun> | undefined;
  const open = () => {
    opened ??= openRun(agent, scenarios, run);
    return opened;
  };
  findRunner()({
    title,
    timeoutMs: timeoutMs + GRACE_MS,
    tests: documents.map(({ name }) => ({
      title: name,
      run: async (signal) => await testScenario(await open(), name, { timeoutMs, signal }),
    })),
    after: async () => {
      const run = await opened?.catch(() => undefined); // every test has failed with the reason
      const report = await run?.finish();
      if (report?.storeError) throw notStored(report.storeError);
    },
  });
}

/** Runs a scenario, and throws if it does not pass. */
export async function testScenario(
  run: OpenRun,
  scenario: string,
  {
    timeoutMs,
    signal,
    timers,
  }: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal | undefined;
    readonly timers?: Pick<Clock, "after">;
  },
): Promise<void> {
  using limit = startTimeLimit(timeoutMs, signal, timers);
  const finished = await run.runScenario(scenario, limit.signal);
  if (finished.summary.verdict === "pass") return;
  throw failureOf(finished, run, limit.expired() ? [`The test timed out after ${timeoutMs / 1000} s.`] : []);
}

function failureOf({ summary, results }: ScenarioRun, { id }: OpenRun, notes: readonly string[]): ScenarioError {
  const text = [...notes, formatCase(caseOf(summary, results)).trimEnd(), "", `In run ${id}`].join("\n");
  const error = new ScenarioError(withoutCommands(`Scenario "${summary.scenario}" did not pass\n${text}`), {
    code: "scenario-failed",
    path: [summary.scenario],
    hint: `callweave runs show ${id}`,
    issues: [], // runners would print the message again
  });
  error.stack = `${error.name}: ${error.message}`; // the stack tells nothing
  return error;
}

function notStored(reason: string): ScenarioError {
  return new ScenarioError(`Cannot store all results of the tests: ${reason}`, {
    code: "results-missing",
    hint: 'Check the database, then run "callweave runs recover" for results in the spool file',
  });
}

/** Finds the test runner of this process: Vitest, which runs on several runtimes, else the runtime's own. */
function findRunner(): RegisterTests {
  if (registerWithVitest) return registerWithVitest;
  const { Deno, Bun }: { readonly Deno?: { readonly test: never }; readonly Bun?: unknown } = globalThis as never; // not defined on Node
  if (Deno) return registerWithDeno(Deno.test);
  return Bun ? registerWithBun : registerWithNode;
}

/** Registers tests with `node:test`, which runs the tests of a group concurrently. */
const registerWithNode: RegisterTests = ({ title, tests, timeoutMs, after: afterAll }) => {
  describe(title, { concurrency: true }, () => {
    for (const each of tests)
      test(each.title, { timeout: timeoutMs }, async ({ signal }) => {
        await each.run(signal);
      });
    after(afterAll);
  });
};

/** The part of Vitest that is used here. */
interface Vitest {
  readonly describe: (title: string, body: () => void) => void;
  readonly afterAll: (body: () => Promise<void>, timeoutMs?: number) => void;
  readonly test: {
    readonly concurrent: (
      title: string,
      options: { readonly timeout: number },
      body: (context: { readonly signal?: AbortSignal }) => Promise<void>,
    ) => void;
  };
}

/** A variable, so that compilers and bundlers do not resolve Vitest if it is not installed. */
const VITEST = "vitest";
/** Vitest must be loaded here: a test file that registers its tests asynchronously has no tests. */
const vitest: Vitest | undefined = process.env.VITEST ? await import(VITEST) : undefined;

/** Registers tests with Vitest, which runs up to `maxConcurrency` of them concurrently; `undefined` without it. */
const registerWithVitest: RegisterTests | undefined =
  vitest &&
  (({ title, tests, timeoutMs, after }) => {
    vitest.describe(title, () => {
      for (const each of tests)
        vitest.test.concurrent(each.title, { timeout: timeoutMs }, async ({ signal }) => {
          await each.run(signal);
        });
      vitest.afterAll(after, timeoutMs);
    });
  });

type Body = () => Promise<void>;

/** The part of `bun:test` that is used here. */
interface BunTest {
  readonly describe: (title: string, body: () => void) => void;
  readonly afterAll: (body: Body, timeoutMs?: number) => void;
  readonly test: ((title: string, body: Body, timeoutMs: number) => void) & {
    /** Absent in old versions. */
    readonly concurrent?: (title: string, body: Body, timeoutMs: number) => void;
  };
}

/** Registers tests with `bun:test`. From Bun 1.3 on they run concurrently. */
const registerWithBun: RegisterTests = ({ title, tests, timeoutMs, after }) => {
  const { describe, afterAll, test } = bunTest();
  describe(title, () => {
    for (const each of tests) (test.concurrent ?? test)(each.title, () => each.run(undefined), timeoutMs);
    afterAll(after, timeoutMs);
  });
};

function bunTest(): BunTest {
  try {
    return createRequire(import.meta.url)("bun:test");
  } catch (cause) {
    throw new CallweaveError("Cannot register tests: the process is not a test run", {
      code: "no-test-runner",
      hint: "Start the file with bun test",
      cause,
    });
  }
}

/** The part of `Deno.test` that is used here. */
interface DenoTest {
  (options: { readonly name: string; readonly fn: () => Promise<void> } & Sanitizers): void;
  /** Absent before Deno 2.5. */
  readonly afterAll?: (body: () => Promise<void>) => void;
}

/** A run keeps its database and connections open from the first test to the last, which Deno would report as leaks. */
interface Sanitizers {
  readonly sanitizeOps: false;
  readonly sanitizeResources: false;
}

/** Registers tests with `Deno.test`, which runs them sequentially. */
function registerWithDeno(denoTest: DenoTest): RegisterTests {
  return ({ title, tests, after }) => {
    let left = tests.length;
    denoTest.afterAll?.(after);
    for (const each of tests)
      denoTest({
        name: `${title} > ${each.title}`,
        sanitizeOps: false,
        sanitizeResources: false,
        fn: async () => {
          left -= 1;
          try {
            await each.run(undefined);
          } finally {
            if (left === 0 && !denoTest.afterAll) await after();
          }
        },
      });
  };
}

/** A test, for any runner. */
export interface TestCase {
  readonly title: string;
  /** @param signal Aborts when the runner stops the test. */
  readonly run: (signal: AbortSignal | undefined) => Promise<void>;
}

/** Tests with a common title. */
export interface TestGroup {
  readonly title: string;
  readonly tests: readonly TestCase[];
  /** The runner's time limit of a test. */
  readonly timeoutMs: number;
  /** Called after the selected tests. */
  readonly after: () => Promise<void>;
}

/** Registers tests with the test runner of this process. */
export type RegisterTests = (group: TestGroup) => void;
