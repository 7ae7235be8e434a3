import { existsSync } from "node:fs";
import { dirname, relative } from "node:path";
import process from "node:process";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { type AgentGraph, formatGraph, isGraphFile } from "../../../document/graph/mod.ts";
import { type AgentSource, isModulePath, loadSource } from "../../project/mod.ts";
import { type ChangedFile, changeModule, inSourceFormat } from "../../proposals/mod.ts";
import { type Arguments, usage } from "../arguments.ts";
import { checkWritableFile, schemaPath, type Terminal, writeTextFile } from "../io/mod.ts";

/** Where a repair is saved. */
export interface SaveTarget {
  /** `patch` changes the source, `graph` is a document of its own. */
  readonly kind: "patch" | "graph";
  /** `undefined`: print it. */
  readonly out: string | undefined;
}

/** The files of a saved repair. */
export interface Saved {
  /** The file that was written; absent: print the patch. */
  readonly file?: string;
  readonly patch?: string;
  /** The folder in which `git apply` finds the patched files. */
  readonly folder?: string;
}

/**
 * Parses where to save. The source is never overwritten: an output must be a new file.
 *
 * @throws {UsageError} `usage`, `unwritable-file`.
 */
export async function readSaveTarget(args: Arguments): Promise<SaveTarget | undefined> {
  const out = args.text("out");
  if (!args.has("save")) {
    if (out !== undefined) throw usage("--out needs --save", "Add --save");
    return undefined;
  }
  if (!args.has("fix")) throw usage("--save needs --fix", "Add --fix: only a measured change can be saved");
  const isPatch = out === undefined || /\.(?:patch|diff)$/.test(out);
  if (!isPatch && !out.endsWith(".json")) throw usage(`--out is "${out}"`, "Name a file that ends in .patch or .json");
  if (isPatch && args.at("SOURCE") === "")
    throw usage(
      "a patch needs the source that it changes",
      "Name SOURCE, or write the graph with --out FILE.callweave.json",
    );
  if (isPatch && args.at("SOURCE") === "-")
    throw usage("standard input cannot be patched", "Use --out FILE.callweave.json");
  if (out !== undefined && existsSync(out))
    throw usage(`"${out}" exists`, "Name another file with --out, or remove the file");
  if (out !== undefined) await checkWritableFile(out);
  return { kind: isPatch ? "patch" : "graph", out };
}

/**
 * Saves a repaired graph: as a patch of its source, or as a document.
 *
 * @throws {UsageError} `no-literal`, `ambiguous-literal`, `unwritable-file`.
 */
export async function saveRepair(
  graph: AgentGraph,
  source: Pick<AgentSource, "graph" | "format" | "text"> & { readonly path: string },
  { kind, out }: SaveTarget,
  terminal: Terminal,
  exportName?: string,
): Promise<Saved> {
  const { path, text } = source;
  const made =
    kind === "graph"
      ? { text: documentOf(graph, source, out ?? "") }
      : isModulePath(path)
        ? await patchModule(path, source.graph, graph, terminal, exportName)
        : { patch: jsonPatch(path, text ?? "", inSourceFormat(graph, source)) };
  const content = made.patch ?? made.text ?? "";
  if (out !== undefined) await writeTextFile(out, content, { signal: terminal.signal });
  return {
    ...(out === undefined ? {} : { file: out }),
    ...(made.patch === undefined ? {} : { patch: made.patch }),
    ...("folder" in made && made.folder !== undefined ? { folder: made.folder } : {}),
  };
}

/** The graph's own document; for another *.json file, one in the format of the source. */
function documentOf(graph: AgentGraph, source: Pick<AgentSource, "format" | "text">, out: string): string {
  if (source.text === undefined || isGraphFile(out)) return formatGraph(graph, schemaPath("graph", out));
  return inSourceFormat(graph, source);
}

function jsonPatch(path: string, before: string, after: string): string {
  const name = relative(process.cwd(), path).replaceAll("\\", "/");
  const end = /\s/.test(name) ? "" : undefined; // git reads a name with spaces up to a tab
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, end, end, options);
}

/** The repair of a module as a unified diff. */
export interface ModulePatch {
  readonly patch: string;
  /** The changed files, from the current folder. */
  readonly files: readonly string[];
  /** The folder in which `git apply` finds the files: the current one, unless they are outside it. */
  readonly folder: string;
}

/**
 * Writes the repair of a graph as a patch of the module that defines it, or of modules that it imports.
 *
 * @throws {UsageError} `no-literal`, `ambiguous-literal`.
 */
export async function patchModule(
  path: string,
  before: AgentGraph,
  after: AgentGraph,
  terminal: Terminal,
  exportName?: string,
): Promise<ModulePatch> {
  const load = async (file: string) => (await loadSource(file, terminal, { exportName })).graph;
  return asPatch(await changeModule(path, before, after, load));
}

function asPatch(changes: readonly ChangedFile[]): ModulePatch {
  const folders = changes.map(({ file }) => dirname(file));
  const isOutside = changes.some(({ file }) => /^\.\.|^[a-z]:/i.test(relative(process.cwd(), file)));
  const folder = isOutside ? (folders.toSorted((a, b) => a.length - b.length)[0] ?? "") : process.cwd();
  const named = changes.map((change) => ({ ...change, name: relative(folder, change.file).replaceAll("\\", "/") }));
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  const patch = named
    .map(({ name, before, after }) => {
      const end = /\s/.test(name) ? "" : undefined; // git reads a name with spaces up to a tab
      return createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, end, end, options);
    })
    .join("");
  return { patch, files: changes.map(({ file }) => relative(process.cwd(), file)), folder };
}
