/**
 * Changes one token of the sources at a time and runs the tests of the same folder, and those of `mutate/tested_in.ts`. A
 * mutant that no test notices reveals untested behaviour.
 *
 *     npm run mutate -- src/document/graph
 *     npm run mutate -- src/base/values/json/edit_json.ts --tests tests/base/values --tests tests/platforms/lens
 *     npm run mutate -- src/deploy --sample 100 --seed 7
 *
 * The mutants are StrykerJS's. All of them are put into the sources at once, each behind a switch, so that one warm process
 * runs the tests of each mutant that reach it.
 */
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { EQUIVALENT } from "./mutate/equivalent.ts";
import type { Answer, Coverage, Job, Status } from "./mutate/messages.ts";
import { TESTED_IN } from "./mutate/tested_in.ts";
import { WORDING } from "./mutate/wording.ts";

type Mutant = Awaited<ReturnType<Instrumenter["instrument"]>>["mutants"][number];

/** A process without output for this long is in an endless loop. */
const SILENCE_MS = 30_000;

/** The same while it loads the modules, and runs the tests without a mutant. On a busy machine that takes minutes. */
const LOADING_MS = 600_000;

/** Share of the cases that property tests run for each mutant. */
const SHARE = "0.1";

/** The first line of a declaration that is not inside another one. */
const DECLARATION = /^(?:export )?(?:async )?(?:function\*?|class|const|let|interface|type) (\w+)/;

const { positionals, values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    tests: { type: "string", multiple: true },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});
if (positionals.length === 0) {
  console.error("Cannot mutate: name a folder or files, as npm run mutate -- src/document/graph");
  process.exit(2);
}
const files = positionals.flatMap((path) => filesIn(path, (name) => name.endsWith(".ts") && !name.endsWith("/mod.ts")));
const own = [...positionals.map(mirror), ...files.flatMap((file) => TESTED_IN[file] ?? [])];
const tests = [...new Set((values.tests ?? own).flatMap(testsIn))];
if (tests.length === 0) {
  console.error("Cannot mutate: there are no tests for it; name a folder of tests with --tests");
  process.exit(2);
}

const quiet = () => {};
const logger = {
  trace: quiet,
  debug: quiet,
  info: quiet,
  warn: console.warn,
  error: console.error,
  fatal: console.error,
};
const enabled = () => false;
const instrumenter = new Instrumenter({
  ...logger,
  isTraceEnabled: enabled,
  isDebugEnabled: enabled,
  isInfoEnabled: enabled,
  isWarnEnabled: enabled,
  isErrorEnabled: enabled,
  isFatalEnabled: enabled,
});
const originals = new Map(files.map((file) => [resolve(file), readFileSync(file, "utf8")]));
const instrumented = await instrumenter.instrument(
  [...originals].map(([name, content]) => ({ name, content, mutate: true })),
  { plugins: null, excludedMutations: [], ignorers: [WORDING] },
);
const sources = Object.fromEntries(instrumented.files.map((file) => [file.name, file.content]));
const started = Date.now();
const mutants = sampled(instrumented.mutants.filter(({ status }) => status !== "Ignored"));
const results = new Map<string, Status>();
const reported = new Set<string>();
const total = { killed: 0, equivalent: 0, used: new Set<number>() };
await runAll(mutants.map((mutant) => mutant.id));
reportTotal();

/** All mutants, or as many as `--sample` says: for each seed others, the same ones in every run. */
function sampled(all: readonly Mutant[]): readonly Mutant[] {
  if (values.sample === undefined) return all;
  const orderOf = ({ id, fileName, replacement }: Mutant) =>
    createHash("sha256")
      .update([values.seed, relative(".", fileName), id, replacement].join("\n"))
      .digest("hex");
  const ordered = all.map((mutant) => ({ mutant, order: orderOf(mutant) }));
  ordered.sort((a, b) => (a.order < b.order ? -1 : 1));
  const chosen = new Set(ordered.slice(0, Number(values.sample)).map(({ mutant }) => mutant));
  return all.filter((mutant) => chosen.has(mutant));
}

/** The tests of a folder; a part of a folder without tests of its own is tested by those of the folder. */
function mirror(path: string): string {
  let folder = statSync(path).isDirectory() ? path : dirname(path);
  const tests = () => join("tests", folder.replace(/^src\//, ""));
  while (!existsSync(tests()) && folder.includes("/")) folder = dirname(folder);
  return tests();
}

function testsIn(path: string): string[] {
  return existsSync(path) ? filesIn(path, (name) => name.endsWith("_test.ts")) : [];
}

function filesIn(path: string, wanted: (name: string) => boolean): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => join(path, name))
    .filter(wanted)
    .sort();
}

async function runAll(ids: readonly string[]): Promise<void> {
  let coverage: Coverage | undefined;
  for (let left = ids; left.length > 0; left = left.filter((id) => !results.has(id))) {
    coverage = await runSome({ sources, tests, mutants: left, ...(coverage && { coverage }) });
  }
  for (const file of files) reportWhenDone(resolve(file)); // those without a mutant
}

function settle(id: string, status: Status): void {
  results.set(id, status);
  reportWhenDone(mutants.find((mutant) => mutant.id === id)?.fileName ?? "");
}

/** One process; it ends when all mutants are done, when one of them hangs, or when it has loaded many copies of the modules. */
function runSome(job: Job): Promise<Coverage | undefined> {
  return new Promise((finish) => {
    const child = fork(fileURLToPath(new URL("./mutate/worker.ts", import.meta.url)), [], {
      stdio: ["ignore", "ignore", process.env.DEBUG ? "inherit" : "ignore", "ipc"],
      execArgv: ["--no-warnings"],
      env: { ...process.env, CALLWEAVE_SHARE: SHARE },
    });
    let coverage = job.coverage;
    let current: string | undefined;
    let watch = setTimeout(() => child.kill("SIGKILL"), LOADING_MS);
    child.on("message", (message: Answer) => {
      clearTimeout(watch);
      watch = setTimeout(() => child.kill("SIGKILL"), SILENCE_MS);
      if (message.kind === "coverage") {
        coverage = message.coverage;
        const count = Object.keys(coverage.times).length;
        console.log(`${files.length} files, ${job.mutants.length} mutants, ${count} tests in ${tests.length} files`);
      } else if (message.kind === "failed") {
        console.error(`Cannot mutate: without a mutant, "${message.test}" fails: ${message.error}`);
        process.exit(1);
      } else if (message.kind === "start") {
        current = message.mutant;
      } else {
        settle(message.mutant, message.status);
        if (results.size % 100 === 0) console.error(`${results.size} of ${mutants.length}`);
        current = undefined;
      }
    });
    child.on("exit", () => {
      clearTimeout(watch);
      if (!coverage) {
        console.error("Cannot mutate: the tests could not be run, see the errors with DEBUG=1");
        process.exit(1);
      }
      if (current !== undefined) settle(current, "timeout");
      finish(coverage);
    });
    child.send(job);
  });
}

/** Prints the result of a file as soon as all of its mutants are tested, so that a long run can be read before its end. */
function reportWhenDone(path: string): void {
  const file = files.find((each) => resolve(each) === path);
  const own = mutants.filter((mutant) => mutant.fileName === path);
  if (file === undefined || reported.has(file) || own.some(({ id }) => !results.has(id))) return;
  reported.add(file);
  const survivors: string[] = [];
  let dead = 0;
  for (const mutant of own) {
    const status = results.get(mutant.id);
    const code = codeOf(mutant);
    const declaration = declarationOf(mutant);
    const entry = EQUIVALENT.findIndex(
      (each) =>
        each.file === file &&
        each.within.includes(declaration) &&
        each.code === code &&
        each.becomes === mutant.replacement,
    );
    if (entry >= 0) total.used.add(entry);
    if (status === "killed" || status === "timeout") dead++;
    else if (entry >= 0) total.equivalent++;
    else {
      const line = `${file}:${mutant.location.start.line + 1}`;
      survivors.push(
        `  ${line} ${status === "survived" ? "" : "(no test) "}${short(code)} → ${short(mutant.replacement)}`,
      );
    }
  }
  total.killed += dead;
  if (own.length > 0 || values.sample === undefined) console.log(`${file}: ${dead} of ${own.length}`);
  for (const line of survivors) console.log(line);
}

function reportTotal(): void {
  const { killed, equivalent, used } = total;
  for (const [index, each] of EQUIVALENT.entries()) {
    if (values.sample === undefined && files.includes(each.file) && !used.has(index))
      console.log(`not found any more: ${each.file} (${each.within.join(", ")}): ${each.code}`);
  }
  for (const file of Object.keys(TESTED_IN).filter((each) => !existsSync(each))) {
    console.log(`not found any more: ${file}`);
  }
  const timeouts = [...results.values()].filter((status) => status === "timeout").length;
  const score = ((100 * killed) / (mutants.length - equivalent)).toFixed(1);
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  const sample = values.sample === undefined ? "" : `a sample of ${instrumented.mutants.length}: `;
  console.log(
    `${sample}${mutants.length} mutants, ${killed} killed (${timeouts} by a time limit), ${equivalent} equivalent: ${score} % in ${seconds} s`,
  );
}

/** The name of the function, class or constant of a file that contains a mutant. */
function declarationOf({ fileName, location }: Mutant): string {
  const lines = (originals.get(fileName) ?? "").split("\n").slice(0, location.start.line + 1);
  return lines.flatMap((line) => DECLARATION.exec(line)?.[1] ?? []).at(-1) ?? "";
}

function codeOf(mutant: Mutant): string {
  const { start, end } = mutant.location;
  const lines = (originals.get(mutant.fileName) ?? "").split("\n").slice(start.line, end.line + 1);
  const last = lines.length - 1;
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column : 0, index === last ? end.column : undefined))
    .join("\n");
}

function short(code: string): string {
  const line = code.replaceAll(/\s+/g, " ");
  return line.length > 90 ? `${line.slice(0, 90)}…` : line;
}
