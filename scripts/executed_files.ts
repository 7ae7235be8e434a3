/**
 * Prints in how many files of the product code runs for three tasks: one simulated call with a persona and a judge, from
 * `run()` to its stored result; `emit` of a flow to Retell; `plan` and `apply` of a flow. Whoever follows one of them
 * reads that many files. `--write` writes the figures into CONTRIBUTING.md, as `npm run docs` does.
 *
 * `node --import tsx scripts/executed_files.ts --list` prints the files as well. The exit code is 1 above a limit. It
 * needs the inspector of Node.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { apply, plan, startLocalPlatforms } from "../api/deploy.ts";
import { helpDesk } from "../examples/help-desk/flow.ts";
import { emit, run, scenario } from "../mod.ts";

/** A task, and the largest number of files that it may run code of. */
interface Task {
  readonly name: string;
  readonly most: number;
  readonly work: () => unknown;
}

/** Paths from the root of the repository, in alphabetical order. */
type Executed = readonly string[];

const ROOT = resolve(import.meta.dirname ?? ".", "..");
const PRODUCT = /^(?:src|dsl|platforms)\//;
/** Records of the platforms that no task is about: lists of all platforms are made of them. */
const OTHER_RECORDS = /^platforms\/(?!retell\/)[a-z]+\/(?:facts\.ts|traits\/)/;
/** Argument with which this script starts itself again as the server that the deployment talks to. */
const SERVE = "--serve";

if (process.argv.includes(SERVE)) await serve();
else await main();

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "callweave-executed-"));
  const server = spawn(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), SERVE], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const [line] = await once(server.stdout, "data");
    const { url, key }: { url: string; key: string } = JSON.parse(String(line));
    const rows: (readonly string[])[] = [["task", "files that run", "limit"]];
    for (const task of tasks({ baseUrl: url, key, folder })) {
      const files = await executed(task.work);
      rows.push([task.name, String(files.length), String(task.most)]);
      if (process.argv.includes("--list")) console.log([`${task.name}:`, ...files].join("\n  "));
      if (files.length > task.most) process.exitCode = 1;
    }
    const table = tableOf(rows);
    console.log(table);
    if (process.argv.includes("--write")) writeTable(table);
  } finally {
    server.stdin.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

function tasks(target: { readonly baseUrl: string; readonly key: string; readonly folder: string }): readonly Task[] {
  const call = scenario("asks about an order", helpDesk)
    .persona("You want to know where your order A-1042 is.")
    .mock("look_up_order", { output: { status: "on its way", arrives: "Friday" } })
    .judge("The agent is friendly");
  return [
    {
      name: "one simulated call with a persona and a judge, to its stored result",
      most: 109,
      work: () => run(helpDesk, [call], { store: join(target.folder, "results.db") }),
    },
    { name: "`emit` of a flow to Retell", most: 25, work: () => emit(helpDesk, "retell") },
    {
      name: "`plan` and `apply` of a flow",
      most: 78,
      work: async () => await apply(await plan(helpDesk, { to: "retell", ...target })),
    },
  ];
}

/** The files of which a function runs during `work`, or which are loaded by it. */
async function executed(work: () => unknown): Promise<Executed> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  return result
    .filter(
      ({ url, functions }) => url.startsWith("file:") && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
    )
    .map(({ url }) => relative(ROOT, fileURLToPath(url)))
    .filter((file) => PRODUCT.test(file) && !OTHER_RECORDS.test(file))
    .sort();
}

/** A local platform in a process of its own, so that its code is not counted; it stops when its input ends. */
async function serve(): Promise<void> {
  await using local = await startLocalPlatforms();
  console.log(JSON.stringify({ url: local.retell, key: local.key }));
  await once(process.stdin.resume(), "end");
}

/** A table in Markdown, with columns as wide as the formatter makes them. */
function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? title).length)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

function writeTable(table: string): void {
  const file = join(ROOT, "CONTRIBUTING.md");
  const marks = /(<!-- executed files -->\n\n)[\s\S]*?(\n\n<!-- end -->)/;
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(marks, (_, start: string, end: string) => start + table + end),
  );
}
