import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import process from "node:process";
import { type Command, EXAMPLE, usage } from "../arguments.ts";
import { formatFindings, listStyle } from "../format/mod.ts";
import { type Terminal, writeTextFile } from "../io/mod.ts";
import { checkFolder, folderName } from "../sources.ts";
import { agentFiles } from "./agent_files.ts";
import { agentsFile } from "./agents_file.ts";
import type { ProjectFile } from "./project_file.ts";
import { COMMANDS_OF, RUNTIMES, type Runtime, runtimeAtHand } from "./runtime.ts";
import { settingsFiles } from "./settings_files.ts";
import { workflowFile } from "./workflow.ts";

/** `callweave init`. */
export const initCommand: Command = {
  name: "init",
  summary: "Create a new project: agent, scenarios, configuration, CI",
  spec: {
    positionals: [{ name: "DIR", description: "Folder of the project; the current one by default", optional: true }],
    flags: {
      runtime: { value: "RUNTIME", description: "node, bun or deno. Default: the one that callweave runs on" },
      from: { value: "FILE", description: "Start with an agent as a platform exports it (- is standard input)" },
      format: { value: "FORMAT", description: "Format of that file; detected from its keys by default" },
    },
  },
  notes: [
    "Writes nothing if a file of the agent exists. Other existing files are kept.",
    "Secrets of an agent passed with --from are replaced by references to environment variables.",
  ],
  examples: [
    "callweave init front-desk",
    `callweave init front-desk --from ${EXAMPLE.format}-export.json --runtime bun`,
  ],
  run: async (args, terminal) => {
    const folder = args.at("DIR") || ".";
    checkFolder(folder, "DIR");
    const runtime = chosenRuntime(args.text("runtime"), terminal);
    const from = args.text("from");
    if (from === undefined && args.text("format") !== undefined)
      throw usage("--format has no file", "Name the file with --from");
    const imported = from === undefined ? undefined : await importFrom(from, args.text("format"), terminal);
    const files = [
      ...(imported?.files ?? agentFiles()),
      ...settingsFiles(folderName(basename(resolve(folder))), runtime, imported === undefined),
      workflowFile(runtime),
      agentsFile(runtime),
    ];
    const [missing, kept] = sorted(folder, files);
    for (const { path, text } of missing) {
      await writeTextFile(join(folder, path), text, { signal: terminal.signal });
      terminal.out(`wrote  ${join(folder, path)}\n`);
    }
    for (const { path, kept: hint } of kept) terminal.out(`kept   ${join(folder, path)}: ${hint}\n`);
    if (imported && imported.secrets.length > 0)
      terminal.err(`environment variables replace secrets of the agent: ${imported.secrets.join(", ")}\n`);
    terminal.err(nextSteps(folder, runtime, imported !== undefined));
    return 0;
  },
};

function chosenRuntime(text: string | undefined, { env }: Terminal): Runtime {
  if (text === undefined) return runtimeAtHand(process.versions, env);
  const runtime = RUNTIMES.find((each) => each === text);
  if (runtime === undefined) throw usage(`--runtime is "${text}"`, `Write --runtime ${RUNTIMES.join("|")}`);
  return runtime;
}

async function importFrom(path: string, format: string | undefined, terminal: Terminal) {
  const { importedFiles } = await import("./import_files.ts"); // loads the platforms, which a new agent does not need
  const imported = await importedFiles(path, format, terminal);
  terminal.err(`read ${path} as ${imported.format}: ${imported.nodes} node${imported.nodes === 1 ? "" : "s"}\n`);
  if (imported.findings.length > 0)
    terminal.err(formatFindings(imported.findings, listStyle(terminal.stderr, terminal.env), true));
  return imported;
}

/**
 * The files to write, and existing files that are kept.
 *
 * @throws {UsageError} `usage`, if a file exists that the agent needs.
 */
function sorted(folder: string, files: readonly ProjectFile[]) {
  const existing = files.filter(({ path }) => existsSync(join(folder, path)));
  const taken = existing.find(({ kept }) => kept === undefined);
  if (taken) throw usage(`"${join(folder, taken.path)}" exists`, "Name another folder: callweave init DIR");
  return [files.filter((file) => !existing.includes(file)), existing] as const;
}

function nextSteps(folder: string, runtime: Runtime, isImported: boolean): string {
  const { callweave, install, test } = COMMANDS_OF[runtime];
  const isHere = resolve(folder) === resolve(".");
  const enter = isHere ? "" : `cd ${/^[\w./\\:-]+$/.test(folder) ? folder : JSON.stringify(folder)} && `;
  return [
    "",
    "next:",
    `  ${enter}${install}`,
    `  ${test}`,
    // the first scenario of an imported agent only starts a call
    ...(isImported ? [`  ${callweave} generate --out more_scenarios.ts`] : []),
    "The offline model plays the calls. Set OPENAI_API_KEY to use a real one, CALLWEAVE_MODEL to choose it.",
    "",
  ].join("\n");
}
