import type { CallFormat, ImportCallsOptions, ImportReport, PseudonymizerOptions } from "../../../run/calls/mod.ts";
import type { Store } from "../../../run/store/mod.ts";
import { type Arguments, CALL_FORMAT_NAMES, CALL_TITLES, type Command, type ExitCode, usage } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";

const STDIN = "-";

/** Flags of redaction, beside `--redact`. */
export const REDACT_FLAGS = {
  country: {
    value: "CODE",
    description: "Country of phone numbers without a country's code, such as GB, for --redact",
  },
  language: { value: "CODE", description: "Language of the calls for --redact: en, de, fr or es (default: detected)" },
} as const;

/** `callweave calls import`. */
export const callsImportCommand: Command = {
  name: "calls import",
  summary: `Store real calls as a run: from ${CALL_TITLES.join(", ")}, chat messages or plain text`,
  spec: {
    positionals: [{ name: "FILE", description: "Files with calls, of any size; - for standard input", repeats: true }],
    flags: {
      agent: { value: "SOURCE", description: "The agent of the calls, to map their nodes to" },
      export: { value: "NAME", description: "Which agent of the module, if it exports several" },
      format: {
        value: "FORMAT",
        description: `${CALL_FORMAT_NAMES.join(", ")} or text (default: detected in each record)`,
      },
      redact: { description: "Replace names, numbers and addresses by pseudonyms before anything is stored" },
      ...REDACT_FLAGS,
      db: { value: "URL", description: "Results database (default: .callweave/results.db)" },
      json: { description: "Print the report as JSON" },
    },
  },
  notes: [
    "A file holds calls, lists or pages of calls, webhook events, or JSON lines of these; or a transcript in plain text.",
    "Calls that are stored already are skipped. Importing again resumes a stopped import.",
    "--redact: the same person has the same pseudonym in every import with the same CALLWEAVE_REDACT_KEY.",
    "Exit code 3 when records are damaged, or the import was stopped; all other calls are stored.",
  ],
  examples: [
    "callweave calls import calls.jsonl --agent flow.ts",
    "callweave calls import monday.json tuesday.json --agent flow.ts --db results.db",
    "CALLWEAVE_REDACT_KEY=… callweave calls import calls.jsonl --redact --country GB",
    "callweave calls import - --format text < transcript.txt",
  ],
  run: async (args, terminal) => {
    const files = args.rest();
    const format = await readFormat(args);
    if (files.includes(STDIN) && files.length > 1)
      throw usage("standard input (-) cannot be combined with files", "Import it separately");
    const agent = await agentOfFlag(args, terminal);
    const [{ createPseudonymizer, importCalls }, { openStore, spoolWarnings }] = await Promise.all([
      import("../../../run/calls/mod.ts"),
      import("../../../run/store/mod.ts"),
    ]);
    await using store = await openStore(args.text("db"), { signal: terminal.signal });
    for (const warning of spoolWarnings(store.status())) terminal.err(`warning: ${warning}\n`);
    const isStdin = files[0] === STDIN;
    const report = await importCalls(isStdin ? (terminal.inputStream?.() ?? (await terminal.input())) : files, {
      ...agent,
      ...(format === undefined ? {} : { format }),
      ...(isStdin ? { name: "stdin" } : {}),
      ...(args.has("redact") ? { redact: await createPseudonymizer(await pseudonymsOf(args, terminal)) } : {}),
      store,
      signal: terminal.signal,
    });
    return reportImport(report, store, args, terminal);
  },
};

/** Prints what an import or a pull did, and returns the exit code. */
export function reportImport(report: ImportReport, store: Store, args: Arguments, terminal: Terminal): ExitCode {
  const { spoolFile } = store.status();
  terminal.out(args.has("json") ? `${JSON.stringify(report, null, 2)}\n` : formatImport(report));
  for (const { source, line, position, reason } of report.problems)
    terminal.err(`${source}${line === null ? "" : `:${line}`}: record ${position}: ${reason}\n`);
  const unnamed = report.damaged - report.problems.length;
  if (unnamed > 0) terminal.err(`and ${unnamed} more damaged records\n`);
  if (spoolFile !== null) terminal.err(`warning: calls are in "${spoolFile}": run callweave runs recover\n`);
  return report.damaged > 0 || !report.isComplete || spoolFile !== null ? 3 : 0;
}

/** Options of pseudonyms, with the key from the environment; prints a note if there is none. */
export async function pseudonymsOf(args: Arguments, terminal: Terminal): Promise<PseudonymizerOptions> {
  const { CALL_LANGUAGES } = await import("../../../run/calls/mod.ts");
  const [country, code] = [args.text("country")?.toUpperCase(), args.text("language")];
  const language = CALL_LANGUAGES.find((each) => each === code);
  if (country !== undefined && !/^[A-Z]{2}$/.test(country))
    throw usage(`--country is "${country}"`, "Pass the code of a country, such as --country GB");
  if (code !== undefined && language === undefined)
    throw usage(`--language is "${code}"`, `Pass one of ${CALL_LANGUAGES.join(", ")}`);
  const key = terminal.env.CALLWEAVE_REDACT_KEY?.trim();
  if (!key)
    terminal.err(
      "note: set CALLWEAVE_REDACT_KEY to a long random text to get the same pseudonyms in the next import\n",
    );
  return { ...(key ? { key } : {}), ...(country ? { country } : {}), ...(language ? { language } : {}) };
}

async function readFormat(args: Arguments): Promise<CallFormat | undefined> {
  const text = args.text("format");
  if (text === undefined) return undefined;
  const { CALL_FORMATS } = await import("../../../run/calls/mod.ts");
  const format = CALL_FORMATS.find((each) => each === text);
  if (format === undefined) throw usage(`--format is "${text}"`, `Pass one of ${CALL_FORMATS.join(", ")}`);
  return format;
}

/** The agent of the flag `--agent`. */
export async function agentOfFlag(
  args: Arguments,
  terminal: Terminal,
): Promise<Pick<ImportCallsOptions, "agent" | "agentName">> {
  const path = args.text("agent");
  if (path === undefined) return {};
  const { loadSource } = await import("../../project/mod.ts");
  const { graph, name } = await loadSource(path, terminal, { exportName: args.text("export") });
  return { agent: graph, agentName: name };
}

function formatImport({ run, added, known, skipped, damaged, isComplete }: ImportReport): string {
  const counts = [
    `${added} new, ${known} known`,
    skipped > 0 ? `${skipped} skipped: they hold no finished call` : "",
    damaged > 0 ? `${damaged} damaged` : "",
  ];
  const lines = [
    counts.filter(Boolean).join("; "),
    run && added > 0 ? `run ${run.id} (callweave runs show ${run.id})` : "",
    isComplete ? "" : "stopped: run the same import again to resume it",
  ];
  return `${lines.filter(Boolean).join("\n")}\n`;
}
