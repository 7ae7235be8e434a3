import { type Arguments, usage } from "../arguments/mod.ts";
import { checkWritableFile, type Terminal } from "../io/mod.ts";
import { refuseOverwriting, type UsedFile } from "../sources/mod.ts";
import { parseReporter, type ReporterFlag } from "./parse_reporter.ts";

/** A report that was asked for. */
export interface WantedReport {
  /** As the command line names it. */
  readonly flag: string;
  readonly reporter: ReporterFlag;
  /** Absent: standard output. */
  readonly file?: string;
  /** Whether the text is added to the file, to which other programs write too. */
  readonly isAppended: boolean;
}

/**
 * Reads the flags of reports. `--json` and `--junit FILE` are short for reporters. Checks that each file can be written,
 * which is done before calls are paid for.
 *
 * @param inputs Files that a report must not overwrite.
 * @throws {UsageError} `usage`, `unwritable-file`.
 */
export async function readReportFlags(
  args: Arguments,
  terminal: Pick<Terminal, "env">,
  inputs: readonly UsedFile[],
): Promise<readonly WantedReport[]> {
  const wanted = [...shortFlags(args), ...args.texts("reporter").map((text) => wantedBy(text, terminal))];
  // a module may print nothing and write files of its own, so that several of them are no conflict
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
