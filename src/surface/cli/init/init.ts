import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import process from "node:process";
import { readTextFile } from "../../../base/files/mod.ts";
import { findConfig } from "../../project/mod.ts";
import { type Command, EXAMPLE, usage } from "../arguments.ts";
import { formatFindings, listStyle } from "../format/mod.ts";
import { type Terminal, writeTextFile } from "../io/mod.ts";
import { checkFolder, folderName } from "../sources.ts";
import { agentFiles } from "./agent_files.ts";
import { agentsFile } from "./agents_file.ts";
import { ASSISTANT_NAMES, type AssistantPlan, MCP_PACKAGE, planAssistants } from "./assistants.ts";
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
      assistant: {
        value: "NAME",
        repeats: true,
        description: `Also write what a coding assistant reads: ${ASSISTANT_NAMES.join(", ")}; repeatable`,
      },
    },
  },
  notes: [
    "Writes nothing if a file of the agent exists. Other existing files are kept.",
    "Secrets of an agent passed with --from are replaced by references to environment variables.",
    "With --assistant in a folder that has a project, only the assistant's files are written: rules, and the entry for callweave mcp.",
    "Existing files of an assistant are merged: what they have stays. Where that is not sure, they are kept, and a line says what to add.",
  ],
  examples: [
    "callweave init front-desk",
    `callweave init front-desk --from ${EXAMPLE.format}-export.json --runtime bun`,
    "callweave init . --assistant claude-code --assistant cursor",
  ],
  run: async (args, terminal) => {
    const folder = args.at("DIR") || ".";
    checkFolder(folder, "DIR");
    const runtime = chosenRuntime(args.text("runtime"), terminal);
    const from = args.text("from");
    if (from === undefined && args.text("format") !== undefined)
      throw usage("--format has no file", "Name the file with --from");
    const names = args.texts("assistant");
    const plan = names.length > 0 ? planAssistants(names, runtime) : undefined;
    if (plan && from === undefined && hasProject(folder)) {
      await writeFiles(folder, plan.files, terminal);
      tellByHand(plan, terminal);
      terminal.err(`\nnext:\n  ${addsTool(runtime)}\n`);
      return 0;
    }
    const imported = from === undefined ? undefined : await importFrom(from, args.text("format"), terminal);
    const files = [
      ...(imported?.files ?? agentFiles()),
      ...settingsFiles(folderName(basename(resolve(folder))), runtime, {
        strict: imported === undefined,
        assistants: plan !== undefined,
      }),
      workflowFile(runtime),
      ...(plan ? withRules(agentsFile(runtime), plan) : [agentsFile(runtime)]),
    ];
    await writeFiles(folder, files, terminal);
    if (plan) tellByHand(plan, terminal);
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

/** Whether a folder has a project: its configuration, or the agent that this command writes. */
function hasProject(folder: string): boolean {
  return findConfig(folder) !== undefined || existsSync(join(folder, "flow.ts"));
}

/** The files of assistants in a new project, whose rules have both the builder and the server. */
function withRules(own: ProjectFile, { files }: AssistantPlan): readonly ProjectFile[] {
  return files.map((file) => (file.path === own.path ? { ...file, text: `${own.text}\n${file.text}` } : file));
}

/** Writes the files that are missing, and adds to those that can be merged. */
async function writeFiles(folder: string, files: readonly ProjectFile[], { out, signal }: Terminal): Promise<void> {
  const [missing, existing] = sorted(folder, files);
  for (const { path, text } of missing) {
    await writeTextFile(join(folder, path), text, { signal });
    out(`wrote  ${join(folder, path)}\n`);
  }
  for (const { path, kept: hint, merge } of existing) {
    const file = join(folder, path);
    const merged = merge?.(await readTextFile(file));
    if (merged === undefined) {
      out(`kept   ${file}: ${hint}\n`);
      continue;
    }
    await writeTextFile(file, merged, { signal });
    out(`merged ${file}\n`);
  }
}

function tellByHand({ byHand }: AssistantPlan, { err }: Terminal): void {
  for (const words of byHand) err(`by hand: ${words}\n`);
}

function addsTool(runtime: Runtime): string {
  const { addTool } = COMMANDS_OF[runtime];
  return `${addTool}${addTool.endsWith(":") ? "" : " "}${MCP_PACKAGE.name}`;
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
