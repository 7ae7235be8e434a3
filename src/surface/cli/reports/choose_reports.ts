import { appendFile } from "node:fs/promises";
import { formatError, oneLine, styleFor } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { RunComparison } from "../../../run/compare/mod.ts";
import type { RunEvent, RunReport } from "../../../run/runner/mod.ts";
import { type GuardedReporter, guardReporter, type ReportContext, type Reporter } from "../../reporters/mod.ts";
import type { Arguments } from "../arguments/mod.ts";
import { type Terminal, unwritable, writeTextFile } from "../io/mod.ts";
import type { UsedFile } from "../sources/mod.ts";
import { findPlaces } from "./find_places.ts";
import { loadReporter } from "./load_reporter.ts";
import { readReportFlags, type WantedReport } from "./read_flags.ts";

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
