import { type Arguments, usage } from "../arguments/mod.ts";
import { checkWritableFile, type Terminal } from "../io/mod.ts";
import { refuseOverwriting, type UsedFile } from "../sources/mod.ts";
import { parseReporter, type ReporterFlag } from "./parse_reporter.ts";

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
export async function readReportFlags(
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
