import { appendFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { UsageError } from "../../../base/errors.ts";
import { readTextFile } from "../../../base/files/mod.ts";
import { didYouMean, formatError, oneLine, styleFor } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { RunComparison } from "../../../run/compare/mod.ts";
import type { RunEvent, RunReport } from "../../../run/runner/mod.ts";
import { loadModule } from "../../project/mod.ts";
import {
  type GuardedReporter,
  guardReporter,
  isReporter,
  isReporterName,
  REPORTERS,
  type ReportContext,
  type Reporter,
  type ReporterName,
  type SourcePlace,
} from "../../reporters/mod.ts";
import { type Arguments, usage } from "../arguments.ts";
import { checkWritableFile, type Terminal, unwritable, writeTextFile } from "../io/mod.ts";
import { refuseOverwriting, type UsedFile } from "../sources.ts";

/** The reports of a run that its flags ask for. */
export interface Reports {
  readonly onEvent: (event: RunEvent) => void;
  /** Writes all reports. If one fails, its error is printed, and the others are still written. */
  readonly write: (report: RunReport, given: ReportFacts) => Promise<WrittenReports>;
}

/** The inputs of reports besides the run report. */
export interface ReportFacts {
  readonly graph: AgentGraph;
  readonly comparison?: RunComparison;
  /** Files that contain the scenarios. */
  readonly files?: readonly string[];
}

/** Which reports could be written. */
export interface WrittenReports {
  /** Whether standard output was written. */
  readonly isPrinted: boolean;
  /** Whether every report was written. */
  readonly isComplete: boolean;
  /** Whether a report other than the default one is on standard output. */
  readonly isOther: boolean;
}

/** A report with its reporter; without a file it goes to standard output. */
type Output = Pick<WantedReport, "file" | "isAppended"> & { readonly reporter: GuardedReporter };

/**
 * Reads the flags of reports, loads the reporters, and checks before the first call that each report can be written.
 *
 * @param inputs Files that a report must not overwrite.
 * @param fallback Goes to standard output when no other report does.
 * @throws {UsageError} `usage`, `unwritable-file`, `no-export`; what `loadModule` throws.
 */
export async function chooseReports(
  args: Arguments,
  terminal: Terminal,
  { inputs, fallback }: { readonly inputs: readonly UsedFile[]; readonly fallback?: Reporter },
): Promise<Reports> {
  const wanted = await readReportFlags(args, terminal, inputs);
  const outputs = await Promise.all(
    wanted.map(async ({ reporter, ...rest }): Promise<Output> => {
      const name = "name" in reporter ? reporter.name : reporter.module;
      return { ...rest, reporter: guardReporter(name, await loadReporter(reporter, terminal)) };
    }),
  );
  const byDefault = fallback && { reporter: guardReporter("terminal", fallback), isAppended: false };
  return {
    onEvent: (event) => {
      for (const { reporter } of outputs) reporter.onEvent(event);
    },
    write: async (report, { files = [], ...known }) => {
      const context = {
        ...known,
        log: terminal.err,
        command: terminal.command ?? terminal.err,
        placeOf: await findPlaces(files, terminal),
      };
      const written = { isPrinted: true, isComplete: true, isOther: false };
      const writeOne = async (output: Output) => {
        const state = await writeReport(output, report, context, terminal);
        if (output.file === undefined && state !== "silent") written.isOther = output !== byDefault;
        if (state !== "failed") return;
        written.isComplete = false;
        if (output.file === undefined) written.isPrinted = false;
      };
      for (const output of outputs) await writeOne(output);
      if (byDefault && !written.isOther) await writeOne(byDefault);
      return written;
    },
  };
}

/** Writes one report. `silent`: the reporter returned no text. */
async function writeReport(
  { reporter, file, isAppended }: Output,
  report: RunReport,
  context: Omit<ReportContext, "style">,
  terminal: Terminal,
): Promise<"written" | "silent" | "failed"> {
  const style = file === undefined ? styleFor(terminal.stdout, terminal.env) : styleFor({}, {});
  try {
    const text = await reporter.end(report, { ...context, style });
    if (text === undefined) return "silent";
    if (file === undefined) {
      terminal.out(text);
      await terminal.flush();
    } else if (isAppended) await appendTo(file, text);
    else {
      await writeTextFile(file, text, { signal: terminal.signal });
      terminal.err(`wrote ${oneLine(file)}\n`);
    }
    return "written";
  } catch (error) {
    terminal.err(formatError(error));
    return "failed";
  }
}

async function appendTo(file: string, text: string): Promise<void> {
  try {
    await appendFile(file, text);
  } catch (cause) {
    throw unwritable(`"${file}"`, cause);
  }
}

/**
 * Loads the reporter that a flag names: the export `reporter` of a module, or its default export.
 *
 * @throws {UsageError} `no-export`; what `loadModule` throws.
 */
async function loadReporter(flag: ReporterFlag, { env }: Pick<Terminal, "env">): Promise<Reporter> {
  if ("name" in flag) return REPORTERS[flag.name];
  const exports = await loadModule(flag.module, env);
  for (const each of [exports.reporter, exports.default]) if (isReporter(each)) return each;
  throw new UsageError(`Cannot use "${flag.module}" as a reporter: it exports none`, {
    code: "no-export",
    hint: "Export one by the name reporter: export const reporter = { onEnd: (report) => … }",
  });
}

/**
 * Finds the lines of scenarios in their files, for annotations. Paths are relative to the root of the
 * repository, which GitHub Actions sets, else to the current folder.
 */
async function findPlaces(
  files: readonly string[],
  { env }: Pick<Terminal, "env">,
): Promise<(scenario: string) => SourcePlace | undefined> {
  const root = env.GITHUB_WORKSPACE || ".";
  const texts = await Promise.all(
    files.map(async (file) => ({ file, text: await readTextFile(file).catch(() => "") })),
  );
  const pathOf = (file: string) => relative(resolve(root), resolve(file)).replaceAll("\\", "/");
  return (scenario) => {
    const spellings = ['"', "'", "`"].map((quote) => `${quote}${scenario}${quote}`);
    for (const { file, text } of texts) {
      const at = [JSON.stringify(scenario), ...spellings]
        .map((each) => text.indexOf(each))
        .filter((index) => index >= 0);
      if (at.length > 0) return { file: pathOf(file), line: text.slice(0, Math.min(...at)).split("\n").length };
    }
    const [only] = files;
    return only === undefined || files.length > 1 ? undefined : { file: pathOf(only) };
  };
}

/** A requested report. */
export interface WantedReport {
  /** Its name on the command line. */
  readonly flag: string;
  readonly reporter: ReporterFlag;
  /** Absent: standard output. */
  readonly file?: string;
  /** Whether the text is appended to the file, to which other programs write too. */
  readonly isAppended: boolean;
}

/**
 * Reads the flags of reports. `--json` and `--junit FILE` are short for reporters. Checks that each file is writable
 * before calls are paid for.
 *
 * @param inputs Files that a report must not overwrite.
 * @throws {UsageError} `usage`, `unwritable-file`.
 */
async function readReportFlags(
  args: Arguments,
  terminal: Pick<Terminal, "env">,
  inputs: readonly UsedFile[],
): Promise<readonly WantedReport[]> {
  const wanted = [...shortFlags(args), ...args.texts("reporter").map((text) => wantedBy(text, terminal))];
  // modules may print nothing and write their own files, so several of them are allowed
  const [first, second] = wanted.filter(({ file, reporter }) => file === undefined && "name" in reporter);
  if (first && second)
    throw usage(`${first.flag} and ${second.flag} both print to standard output`, `Write a file: ${second.flag}:FILE`);
  const used = [...inputs];
  for (const { flag, file } of wanted) {
    refuseOverwriting(flag, file, used);
    used.push({ what: `the report of ${flag}`, path: file });
  }
  for (const { file } of wanted) if (file !== undefined) await checkWritableFile(file);
  return wanted;
}

function shortFlags(args: Arguments): readonly WantedReport[] {
  const junit = args.text("junit");
  return [
    ...(args.has("json") ? [{ flag: "--json", reporter: { name: "json" }, isAppended: false } as const] : []),
    ...(junit === undefined
      ? []
      : [{ flag: "--junit", reporter: { name: "junit" }, file: junit, isAppended: false } as const]),
  ];
}

function wantedBy(text: string, { env }: Pick<Terminal, "env">): WantedReport {
  const { file, ...reporter } = parseReporter(text);
  const flag = `--reporter ${"name" in reporter ? reporter.name : reporter.module}`;
  const summary = env.GITHUB_STEP_SUMMARY;
  if (file === undefined && summary && "name" in reporter && reporter.name === "github")
    return { flag, reporter, file: summary, isAppended: true };
  return { flag, reporter, ...(file === undefined ? {} : { file }), isAppended: false };
}

/** A parsed `--reporter`: a built-in reporter or a module, and the output file. */
export type ReporterFlag = ({ readonly name: ReporterName } | { readonly module: string }) & {
  /** Absent: standard output. */
  readonly file?: string;
};

/** The path of a module up to its extension, followed by the end or a colon. Both paths may be `C:\…`. */
const MODULE = /^(.+?\.[cm]?[jt]sx?)(?::(.*))?$/s;

/**
 * Parses `NAME`, `NAME:FILE`, `./module.ts` or `./module.ts:FILE`. A FILE may contain colons.
 *
 * @throws {UsageError} `usage`.
 */
export function parseReporter(text: string): ReporterFlag {
  const [, name = text, file] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  if (isReporterName(name)) return { name, ...fileOf(file, name) };
  const [, module, target] = MODULE.exec(text) ?? [];
  if (module !== undefined) return { module, ...fileOf(target, module) };
  const [, known = "", out = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (isReporterName(known))
    throw usage(`there is no reporter "${text}"`, `Write --reporter ${known}:${out || "FILE"}`);
  const names = Object.keys(REPORTERS);
  const hint = `Write ${names.join(", ")}, or the path of a module: --reporter ./my_reporter.ts`;
  throw usage(`there is no reporter "${name}"`, didYouMean(name, names, hint));
}

function fileOf(file: string | undefined, name: string): { readonly file?: string } {
  if (file === "") throw usage(`--reporter ${name}: has no file`, `Write --reporter ${name}:FILE`);
  return file === undefined || file === "-" ? {} : { file };
}
