/**
 * Tests with the vendors' own programs, as run by `npm run test:live` and CI: they are installed into a cache outside of
 * the repository. The last line counts everything. What cannot be installed is named and skipped; in CI that is a failure.
 *
 * `npm run test:live -- --install` only installs.
 */
import { spawn } from "node:child_process";
import process from "node:process";
import { install, SOFTWARE } from "./live/installs.ts";

const CI = process.env.CI === "true";
/** A machine with other work needs 10 minutes for it. */
const LIMIT_MS = 30 * 60_000;
/**
 * Two lists that run at the same time, each one test after another. They take about as long. Calls by voice are in one of
 * them, because two of them at once would take each other's time.
 */
const TESTS = [
  ["livekit_room", "pipecat_flows", "pipecat_voice", "sip_programs", "studio_api", "voice_desk", "voice_interruptions"],
  ["livekit", "livekit_code", "livekit_desk", "pipecat", "pipecat_desk"],
].map((names) => names.map((name) => `tests/live/${name}.ts`));

const installations = await Promise.all(SOFTWARE.map(install));
for (const { software, missing } of installations)
  if (missing !== undefined) console.log(`${software.name} is not here: ${missing}`);
if (!process.argv.includes("--install")) {
  const found = installations.filter(({ missing }) => missing === undefined);
  const folders = Object.fromEntries(found.map(({ software, folder }) => [software.variable, folder]));
  const started = Date.now();
  const runs = await Promise.all(TESTS.map(async (tests, at) => await runTests(tests, folders, at === 0)));
  const count = (name: string) =>
    runs
      .map(({ output }) => Number([...output.matchAll(new RegExp(`^\\S* ?${name} (\\d+)`, "gm"))].at(-1)?.[1] ?? 0))
      .reduce((sum, each) => sum + each, 0);
  const skipped = count("skipped");
  if (skipped > 0) console.log(`${skipped} skipped${CI ? ": CI counts a skipped test as a failure" : ""}`);
  const bad = count("fail") + count("cancelled");
  const crashed = runs.filter(({ code, isCounted }) => code !== 0 && !isCounted).length;
  const failed = bad + crashed + (CI ? skipped : 0);
  console.log(`${Math.round((Date.now() - started) / 1000)} s`);
  console.log(`\n${count("pass")} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/** What became of tests that ran one after another. */
interface TestRun {
  readonly code: number | null;
  readonly output: string;
  /** Whether the output counts a failure. */
  readonly isCounted: boolean;
}

/**
 * Runs tests one after another.
 *
 * @param isShown Whether their output is printed as it comes. Otherwise it is when they are over.
 */
async function runTests(
  tests: readonly string[],
  env: { readonly [name: string]: string },
  isShown: boolean,
): Promise<TestRun> {
  return await new Promise((resolve) => {
    const args = ["--import", "tsx", "--test", "--test-reporter=spec", "--test-concurrency=1", ...tests];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, ...env },
      stdio: ["ignore", "pipe", "inherit"],
      timeout: LIMIT_MS,
    });
    let output = "";
    const take = (part: string) => {
      output += part;
      if (isShown) process.stdout.write(part);
    };
    const end = (code: number | null) => {
      if (!isShown) process.stdout.write(output);
      resolve({ code, output, isCounted: /^\S* ?(?:fail|cancelled) [1-9]/m.test(output) });
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.on("error", (error) => {
      take(`${error.message}\n`);
      end(1);
    });
    child.on("close", (code, signal) => {
      if (signal) take(`The tests were stopped after ${LIMIT_MS / 60_000} minutes\n`);
      end(code);
    });
  });
}
