/**
 * The whole test suite, as run by `npm test` and CI: format and lint, types by both compilers, the checks of JSR, the tests
 * on all three runtimes, and the acceptance data if it exists beside the repository. The last line counts everything.
 *
 * `npm test -- node` runs one stage, or several.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism, freemem, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { generateFlow } from "../bench/types/generate.ts";
import { ENTRY_POINTS } from "./reference/symbols.ts";
import { compileSources } from "./test/compile_sources.ts";
import { writeDocExamples } from "./test/doc_examples.ts";
import { failureExcerpt } from "./test/failure_excerpt.ts";
import { testFiles } from "./test/test_files.ts";

interface Stage {
  readonly name: string;
  readonly command: readonly string[];
  /** Reads the runner's summary lines; a stage without one counts as a single test. */
  readonly count?: (output: string) => Tally;
}

interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped?: number;
}

/** Number of concurrent stages. A stage uses one core, but often waits for a process or a server. */
const LANES = Math.min(availableParallelism() + 1, 4);

/** CI has everything that tests need, so no test is skipped there. */
const CI = process.env.CI === "true";

/** Where Linux keeps files in memory, for every user. */
const MEMORY = "/dev/shm";

/** What the files of a whole run of the tests take at most, in bytes. */
const ROOM = 4 * 2 ** 30;

/** Files that the tests and their processes write beside the repository; removed at the end. */
const TMPDIR = mkdtempSync(join(hasRoomInMemory() ? MEMORY : tmpdir(), "callweave-test-"));

/** Tests start Node about a hundred times; with this, it compiles each file once. */
const NODE_COMPILE_CACHE = join(TMPDIR, "node-cache");

const STAGE_LIMIT_MS = 30 * 60_000;

const bin = (name: string) => join("node_modules", ".bin", name);
const { packaged, pages, compiled, on } = testFiles("tests");
const acceptance = (name: string, ...args: string[]) => [join("..", "shared", "acceptance", `${name}.ts`), ...args];

/** One process for all files, as with Bun and Deno: with a process per file, loading would take longer than testing. */
const ONE_PROCESS = "--experimental-test-isolation=none";
const NODE = [bin("node"), "--enable-source-maps", "--import", await compileSources(join(TMPDIR, "compiled"))];
const NODE_TEST = [...NODE, "--test", "--test-reporter=spec", ONE_PROCESS];

/** Several checkers check some types twice; the other core is used by other stages. */
const ONE_CHECKER = ["--checkers", "1"];
const DENO_TEST = [bin("deno"), "test", "-A", "--no-check", "--quiet", "--config", "deno.json"];

/** The longest stage first, so that no lane ends with a long one while the others are idle. */
const stages: Stage[] = [
  {
    name: "bun",
    command: [bin("bun"), "test", "--timeout", "120000", ...on.bun.map((file) => `./${file}`)],
    count: (output) => ({
      passed: last(output, /^\s*(\d+) pass$/gm),
      failed: last(output, /^\s*(\d+) fail$/gm),
      skipped: last(output, /^\s*(\d+) skip$/gm),
    }),
  },
  { name: "node", command: [...NODE_TEST, ...on.node], count: countNode },
  {
    name: "deno",
    command: [...DENO_TEST, allIn(on.deno)],
    count: countDeno,
  },
  { name: "node, package", command: [...NODE_TEST, ...packaged], count: countNode },
  { name: "node, pages", command: [...NODE_TEST, ...pages], count: countNode },
  { name: "node, compilers", command: [...NODE_TEST, ...compiled], count: countNode },
  { name: "format and lint", command: [bin("biome"), "ci", "--colors=off", "."] },
  { name: "types (TypeScript)", command: [bin("tsc"), ...ONE_CHECKER] },
  {
    name: "types (Deno)",
    command: [
      bin("deno"),
      "check",
      "--quiet",
      "--config",
      "deno.json",
      ...Object.values(ENTRY_POINTS),
      "src/surface/cli/main.ts",
      longChain(),
    ],
  },
  {
    name: "publishing (JSR)",
    command: [bin("deno"), "publish", "--dry-run", "--allow-dirty", "--no-check", "--quiet"],
  },
  {
    name: "examples in docstrings",
    command: [...DENO_TEST, writeDocExamples(join(TMPDIR, "examples"), ["src", "dsl", "platforms"])],
    count: countDeno,
  },
  ...(existsSync("../shared/acceptance") ? acceptanceStages() : []),
];

/**
 * Whether files of tests can be in memory, where no test waits for the disk: many of them write databases and states that
 * are forced to it. Containers often have a folder there that is small, or in which no program can start.
 */
function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ROOM || freemem() < ROOM) return false;
    const folder = mkdtempSync(join(MEMORY, "callweave-probe-"));
    try {
      const program = join(folder, "program");
      writeFileSync(program, "#!/bin/sh\nexit 0\n", { mode: 0o700 });
      return spawnSync(program).status === 0;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    return false; // other systems have no such folder
  }
}

/** Writes a flow of 500 chained calls, to test the instantiation depth of Deno's compiler. */
function longChain(): string {
  const file = join(TMPDIR, "chain.ts");
  writeFileSync(file, generateFlow("chain", 500, pathToFileURL(resolve("dsl/mod.ts")).href).code);
  return file;
}

/** Writes a file that imports all files: Deno would reload every module for each file that it is given. */
function allIn(files: readonly string[]): string {
  const file = join(TMPDIR, "all_test.ts");
  writeFileSync(file, files.map((each) => `import "${pathToFileURL(resolve(each)).href}";\n`).join(""));
  return file;
}

function countNode(output: string): Tally {
  return {
    passed: last(output, /^\S* ?pass (\d+)/gm),
    failed: last(output, /^\S* ?(?:fail|cancelled) ([1-9]\d*)/gm),
    skipped: last(output, /^\S* ?skipped (\d+)/gm),
  };
}

function countDeno(output: string): Tally {
  return {
    passed: last(output, /\| (\d+) passed/g),
    failed: last(output, /\| \d+ passed.*?\| (\d+) failed/g),
    skipped: last(output, /\| (\d+) ignored/g),
  };
}

function acceptanceStages(): Stage[] {
  const count = (output: string) => ({
    passed: last(output, /(\d+) (?:passed|the same)/g),
    failed: last(output, /(\d+) failed/g),
  });
  return [
    { name: "conformance (bun)", command: [bin("bun"), ...acceptance("conformance")], count },
    {
      name: "conformance (deno)",
      command: [bin("deno"), "run", "-A", "--no-check", ...acceptance("conformance")],
      count,
    },
    { name: "conformance (node)", command: [...NODE, ...acceptance("conformance")], count },
    { name: "round trips", command: [bin("bun"), ...acceptance("roundtrip")], count },
    { name: "single edits", command: [bin("bun"), ...acceptance("edits")], count },
    { name: "validity", command: [bin("bun"), ...acceptance("valid")], count },
    { name: "texts", command: [bin("bun"), ...acceptance("text")], count },
  ];
}

function last(output: string, pattern: RegExp): number {
  return Number([...stripVTControlCharacters(output).matchAll(pattern)].at(-1)?.[1] ?? 0);
}

/** Runs a stage and prints its output at the end, so that the outputs of concurrent stages do not mix. */
async function runStage(stage: Stage): Promise<Tally> {
  const started = Date.now();
  const { code, output } = await runCommand(stage.command);
  process.stdout.write(`\n== ${stage.name}\n${output}`);
  const counted = stage.count?.(output) ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
  const crashed = code !== 0 && counted.failed === 0 ? 1 : 0;
  const empty = stage.count && counted.passed + counted.failed === 0 && !crashed ? 1 : 0;
  if (crashed) console.log(`${stage.name} ended with exit code ${code}`);
  if (empty) console.log(`${stage.name} ran no test`);
  const skipped = CI ? (counted.skipped ?? 0) : 0;
  if (skipped) console.log(`${stage.name} skipped ${skipped}: CI counts a skipped test as a failure`);
  console.log(`-- ${stage.name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  const failed = counted.failed + crashed + empty + skipped;
  if (failed > 0) failures.push(`\n== failed: ${stage.name}\n${failureExcerpt(output)}`);
  return { passed: counted.passed, failed };
}

function runCommand([command = "", ...args]: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: STAGE_LIMIT_MS,
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, TMPDIR, NODE_COMPILE_CACHE },
    });
    let output = "";
    const take = (chunk: string) => {
      output += chunk;
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    child.on("error", (error) => resolve({ code: 1, output: `${output}\n${error.message}` }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

const wanted = process.argv.slice(2);
const waiting = stages.filter(({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)));
const total = { passed: 0, failed: 0 };
const failures: string[] = [];

async function runLane(): Promise<void> {
  for (let stage = waiting.shift(); stage; stage = waiting.shift()) {
    const { passed, failed } = await runStage(stage);
    total.passed += passed;
    total.failed += failed;
  }
}

try {
  await Promise.all(Array.from({ length: LANES }, runLane));
} finally {
  rmSync(TMPDIR, { recursive: true, force: true, maxRetries: 5 });
}
for (const excerpt of failures) console.log(excerpt);
if (!existsSync("../shared/acceptance")) console.log("\n../shared is not here: the acceptance data was not run");
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
