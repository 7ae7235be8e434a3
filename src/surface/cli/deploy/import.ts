import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type EjectedFile, eject } from "../../../../dsl/mod.ts";
import { readIfPresent } from "../../../base/files/mod.ts";
import { oneLine } from "../../../base/values/mod.ts";
import { type AgentGraph, formatGraph } from "../../../document/graph/mod.ts";
import { readProject } from "../../project/mod.ts";
import { type Command, EXAMPLE, usage } from "../arguments.ts";
import { schemaPath, writeTextFile } from "../io/mod.ts";
import { checkFolder, folderName } from "../sources.ts";
import { deployRun } from "./deploy_run.ts";
import { NOTES, PLACE_FLAGS } from "./flags.ts";
import { readDeployTarget } from "./target.ts";
import { placeWords } from "./words.ts";

/** `callweave deploy import`. */
export const deployImportCommand: Command = {
  name: "deploy import",
  summary: "Adopt an agent that exists on a platform: its files, and its entry in the lock file",
  spec: {
    positionals: [{ name: "ID", description: "Id of the agent, the squad or the assistant on the platform" }],
    flags: {
      ...PLACE_FLAGS,
      out: { value: "DIR", description: "Folder for the TypeScript (default: the agent's name)" },
      "json-file": { value: "FILE.callweave.json", description: "Write the agent as JSON to this file instead" },
      json: { description: "Print { place, files } as JSON" },
    },
  },
  notes: [
    ...NOTES,
    "Nothing is written on the platform. Keys, tokens and passwords of the agent become {{env:NAME}} references.",
  ],
  examples: [`callweave deploy import agent_0f1e2d --to ${EXAMPLE.format} --env production --out help-desk`],
  run: deployRun(async (args, terminal) => {
    const file = args.text("json-file");
    const out = args.text("out");
    if (file !== undefined && out !== undefined) throw usage("--out and --json-file are two outputs", "Pass one");
    if (file !== undefined && existsSync(file)) throw usage(`"${file}" exists`, "Name another file with --json-file");
    if (out !== undefined) checkFolder(out, "--out");
    if (out !== undefined && existsSync(`${out}/flow.ts`))
      throw usage(`"${out}/flow.ts" exists`, "Name another folder");
    const project = await readProject(args.text("folder") ?? ".", terminal);
    const target = readDeployTarget(args, project, terminal);
    const { importDeployed } = await import("../../../deploy/mod.ts");
    const { graph, place } = await importDeployed(args.at("ID"), target);
    const folder = out ?? folderName(place.flow);
    const files = file === undefined ? await ejectInto(folder) : await writeJson(file);
    if (args.has("json")) terminal.out(`${JSON.stringify({ place, files }, null, 2)}\n`);
    else for (const path of files) terminal.out(`wrote ${oneLine(path)}\n`);
    const [first = ""] = files;
    terminal.err(`adopted ${oneLine(placeWords({ place }))}\n`);
    terminal.err(`next: npx callweave deploy plan ${oneLine(first)} --to ${target.to} --env ${place.environment}\n`);
    return 0;

    async function ejectInto(dir: string): Promise<readonly string[]> {
      const { written, taken } = await writeEjected(dir, graph, place.flow);
      if (taken !== undefined) throw usage(`"${taken}" exists`, "Name another folder with --out, or remove the file");
      return written;
    }

    async function writeJson(path: string): Promise<readonly string[]> {
      await writeTextFile(path, formatGraph(graph, schemaPath("graph", path)));
      return [path];
    }
  }),
};

/** The module that `eject` writes for a flow. */
const MODULE = "flow.ts";

/**
 * The files of an agent's module if they are exactly what `eject` writes for it, so that writing them again loses
 * nothing. `undefined` for modules that somebody has edited.
 */
export async function ejectedFiles(
  path: string,
  graph: AgentGraph,
  name: string,
): Promise<readonly EjectedFile[] | undefined> {
  if (basename(path) !== MODULE) return undefined;
  const folder = dirname(path);
  const files = eject(graph, { name });
  for (const file of files) {
    const text = await readIfPresent(join(folder, file.path)).catch(() => undefined);
    if (text !== file.text) return undefined;
  }
  return files;
}

/** Overwrites the files that `eject` wrote earlier with the TypeScript of an agent. */
export async function rewriteEjected(
  folder: string,
  before: readonly EjectedFile[],
  graph: AgentGraph,
  name: string,
): Promise<readonly string[]> {
  const after = eject(graph, { name });
  for (const { path, text } of after) await writeTextFile(join(folder, path), text);
  for (const { path } of before)
    if (!after.some((file) => file.path === path)) await rm(join(folder, path), { force: true });
  return after.map(({ path }) => join(folder, path));
}

/** Writes an agent as TypeScript into a folder. If one of the files exists, returns its path and writes nothing. */
export async function writeEjected(
  folder: string,
  graph: AgentGraph,
  name: string,
): Promise<{ readonly written: readonly string[]; readonly taken?: string }> {
  const files = eject(graph, { name });
  const taken = files.map(({ path }) => join(folder, path)).find((path) => existsSync(path));
  if (taken !== undefined) return { written: [], taken };
  for (const { path, text } of files) await writeTextFile(join(folder, path), text);
  return { written: files.map(({ path }) => join(folder, path)) };
}
