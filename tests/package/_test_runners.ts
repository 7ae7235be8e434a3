import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../mod.ts";
import { ROOT, runProgram } from "../surface/cli/_process.ts";

const CASES = `import { scenario } from "callweave";
import { graph } from "./flow.ts";

const says = "I am Anna Fischer.";
export const cases = [
  scenario("reaches the end", graph).says(says).visits("bye"),
  scenario("hears a secret", graph).says(says).includes("sesame"),
  scenario("passes half of the time", graph).says(says).visits("bye").repeat(2).gate({ minPassRate: 0.5 }),
];
`;
const TESTS = `import { testScenarios } from "callweave/testing";
import { cases } from "./cases.ts";
import { graph } from "./flow.ts";

testScenarios(graph, cases);
`;
/** Verdicts by scenario. */
type Verdicts = Readonly<Record<string, boolean>>;

/** How a test runner is started, and what it prints. */
interface Runner {
  readonly name: string;
  readonly command: readonly string[];
  /** Arguments that choose the tests with a name. */
  readonly filter: (name: string) => readonly string[];
  /** The line of a test with its verdict; \`$name\` stands for the scenario's. */
  readonly passed: string;
  readonly failed: string;
}

const bin = (name: string) => join(ROOT, "node_modules", ".bin", name);

function runners(node: string): readonly Runner[] {
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const file = "calls.test.ts";
  const byName = (flag: string) => (name: string) => [flag, name];
  return [
    {
      name: "bun",
      command: [bin("bun"), "test", file],
      filter: byName("-t"),
      passed: "(pass) small > $name",
      failed: "(fail) small > $name",
    },
    {
      name: "deno",
      command: [bin("deno"), "test", "-A", "--no-check", file],
      filter: byName("--filter"),
      passed: "small > $name ... ok",
      failed: "small > $name ... FAILED",
    },
    {
      name: "node",
      command: [node, "--no-warnings", "--test", "--test-reporter=spec", file],
      filter: (name) => [`--test-name-pattern=${name}`],
      passed: "✔ $name",
      failed: "✖ $name",
    },
    {
      name: "vitest",
      command: [node, vitest, "run", "--reporter=verbose", file],
      filter: byName("-t"),
      passed: `✓ ${file} > small > $name`,
      failed: `× ${file} > small > $name`,
    },
  ];
}

/**
 * Runs the same scenarios with `callweave run` and under every test runner, and compares the verdicts, the stored
 * results and the message of the one that fails.
 */
export async function compareTestRunners(project: string, node: string): Promise<void> {
  writeFileSync(join(project, "cases.ts"), CASES);
  writeFileSync(join(project, "calls.test.ts"), TESTS);
  for (const name of ["vitest", "vite"])
    symlinkSync(join(ROOT, "node_modules", name), join(project, "node_modules", name), "junction");
  const cli = join(project, "node_modules", "callweave", "dist", "src", "surface", "cli", "main.js");
  const ran = await runProgram(node, [cli, "run", "flow.ts", "--scenarios", "cases.ts", "--json"], { cwd: project });
  const verdicts: Verdicts = Object.fromEntries(
    JSON.parse(ran.out).scenarios.map(({ scenario, verdict }: Record<string, string>) => [
      scenario,
      verdict === "pass",
    ]),
  );
  assert.deepEqual(Object.values(verdicts), [true, false, true], ran.err);
  for (const runner of runners(node)) await compareRunner(runner, project, verdicts);
}

async function compareRunner(runner: Runner, project: string, verdicts: Verdicts): Promise<void> {
  const [command = "", ...args] = runner.command;
  const start = (database: string, more: readonly string[] = []) => {
    const [file = "", ...rest] = [...args].reverse();
    const line = [...rest.reverse(), ...more, file];
    return runProgram(command, line, { cwd: project, env: { CALLWEAVE_DB_URL: join(project, database) } });
  };
  const { code, out, err } = await start(`${runner.name}.db`);
  const text = `${out}${err}`;
  assert.notEqual(code, 0, `${runner.name}: ${text}`);
  for (const [name, passed] of Object.entries(verdicts)) {
    const line = (passed ? runner.passed : runner.failed).replace("$name", name);
    assert.ok(text.includes(line), `${runner.name} prints "${line}": ${text}`);
  }
  assert.match(text, /Scenario "hears a secret" did not pass\s+includes sesame\s+found: /, runner.name);
  assert.match(text, /Transcript:[\s\S]*caller {2}I am Anna Fischer\./, runner.name);
  assert.deepEqual(await storedIn(project, `${runner.name}.db`), {
    runs: 1,
    finished: true,
    calls: ["hears a secret", "passes half of the time", "passes half of the time", "reaches the end"],
  });

  const chosen = await start(`${runner.name}-filtered.db`, runner.filter("reaches the end"));
  assert.equal(chosen.code, 0, `${runner.name}: ${chosen.out}${chosen.err}`);
  const { calls } = await storedIn(project, `${runner.name}-filtered.db`);
  assert.deepEqual(calls, ["reaches the end"], `${runner.name}: tests that are filtered out make no calls`);
}

async function storedIn(project: string, database: string) {
  const store = await openStore(join(project, database), { create: false });
  try {
    const runs = await store.listRuns();
    const results = await store.listResults({ limit: 100 });
    return {
      runs: runs.length,
      finished: runs.every(({ finishedAt }) => finishedAt !== null),
      calls: results.map(({ scenario }) => scenario).sort(),
    };
  } finally {
    await store.close();
  }
}
