import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import process from "node:process";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { emit } from "../../../../platforms/mod.ts";
import { diffGraphs } from "../../../agent/analysis/mod.ts";
import { UsageError } from "../../../base/errors.ts";
import { fileProblem } from "../../../base/files/mod.ts";
import { canonicalJson, editJson, shown } from "../../../base/values/mod.ts";
import { type AgentGraph, contentOf, formatGraph, isGraphFile, parseGraph } from "../../../document/graph/mod.ts";
import {
  literalsIn,
  rewriteLiteral,
  type SourceLiteral,
  type TextChange,
  textChanges,
  withText,
} from "../../../run/diagnosis/mod.ts";
import { type AgentSource, isModulePath, loadSource, readFiles } from "../../project/mod.ts";
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

/** The format that is the graph's document itself. */
const GRAPH_FORMAT = "graph";

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
        : { patch: jsonPatch(path, text ?? "", inItsFormat(graph, source)) };
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
  return inItsFormat(graph, source);
}

function inItsFormat(graph: AgentGraph, { format, text = "" }: Pick<AgentSource, "format" | "text">): string {
  const emitted = emit(graph, format);
  // serializing the graph loses the file's layout; this keeps it
  return format === GRAPH_FORMAT ? editJson(text, emitted.config, { keys: ["id", "name"] }) : emitted.text;
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

/** A literal that contains a text, and its module. */
interface Candidate {
  readonly file: string;
  readonly literal: SourceLiteral;
}

/** With more literals than this, candidates are not tried one by one. */
const MOST_CANDIDATES = 8;

/**
 * Writes the repair of a graph as a patch of the module that defines it, or of modules that it imports. Each changed
 * text must be one literal there. The patched modules are loaded from a temporary folder, and must produce
 * exactly the repaired graph.
 *
 * @throws {UsageError} `no-literal` when a text is not a literal, or the repair changes more than texts;
 * `ambiguous-literal` when
 *   its literal gives other texts too, or several literals could be meant.
 */
export async function patchModule(
  path: string,
  before: AgentGraph,
  after: AgentGraph,
  terminal: Terminal,
  exportName?: string,
): Promise<ModulePatch> {
  const { texts, others } = textChanges(before, after);
  if (others.length > 0) throw notLiteral(path, `the change is not only one of texts (${others[0]?.join(".")})`);
  const known = await readFiles(path);
  const originals = new Map(
    [...known].flatMap(([file, text]) => (text !== undefined && isModulePath(file) ? [[file, text] as const] : [])),
  );
  const neighbours = [...known].flatMap(([file, text]) => (text === undefined ? [] : [file]));
  let modules: ReadonlyMap<string, string> = originals;
  let graph = before;
  for (const change of texts) {
    const expected = parseGraph(withText(graph, change));
    const load = async (changed: ReadonlyMap<string, string>): Promise<AgentGraph> => {
      const copied = new Map([...changed].filter(([file]) => leadsToChange(file, changed, originals)));
      copied.set(resolve(path), changed.get(resolve(path)) ?? "");
      await using mirror = await mirrorModules(copied, neighbours);
      return (await loadSource(mirror.pathOf(resolve(path)), terminal, { exportName })).graph;
    };
    modules = await withChange({ change, graph, expected, modules, path, load });
    graph = expected;
  }
  const changed = [...modules].filter(([file, text]) => originals.get(file) !== text);
  return asPatch(changed.map(([file, text]) => ({ file, before: originals.get(file) ?? "", after: text })));
}

interface Step {
  readonly change: TextChange;
  readonly graph: AgentGraph;
  readonly expected: AgentGraph;
  readonly modules: ReadonlyMap<string, string>;
  readonly path: string;
  readonly load: (modules: ReadonlyMap<string, string>) => Promise<AgentGraph>;
}

/** Changes the one literal that produces the expected graph. */
async function withChange({ change, expected, modules, path, load }: Step): Promise<ReadonlyMap<string, string>> {
  const candidates = [...modules].flatMap(([file, text]): Candidate[] =>
    literalsIn(text).flatMap((literal) => (literal.text === change.before ? [{ file, literal }] : [])),
  );
  if (candidates.length === 0) {
    throw notLiteral(path, `it does not have the text ${shown(change.before)} as one string`);
  }
  const places = candidates.map(({ file, literal }) => placeOf(file, modules.get(file) ?? "", literal.start));
  if (candidates.length > MOST_CANDIDATES) throw ambiguous(path, places, "any of them could be meant");
  const fitting: ReadonlyMap<string, string>[] = [];
  let others = "";
  for (const { file, literal } of candidates) {
    const text = modules.get(file) ?? "";
    const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
    const raw = rewriteLiteral(literal, change.after, lineBreak);
    const end = literal.start + literal.raw.length;
    const changed = new Map(modules).set(file, text.slice(0, literal.start) + raw + text.slice(end));
    const graph = await load(changed);
    if (canonicalJson(contentOf(graph)) === canonicalJson(contentOf(expected))) fitting.push(changed);
    else others ||= diffGraphs(expected, graph)[0]?.message ?? "";
  }
  const [only] = fitting;
  if (only && fitting.length === 1) return only;
  throw ambiguous(
    path,
    places,
    only ? "several of them give the repaired agent" : `changing it alone does not give the repaired agent: ${others}`,
  );
}

/** Whether a module is changed, or imports one that is, directly or through others. */
function leadsToChange(
  file: string,
  modules: ReadonlyMap<string, string>,
  originals: ReadonlyMap<string, string>,
  seen: Set<string> = new Set(),
): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = modules.get(file);
  if (text === undefined) return false;
  if (originals.get(file) !== text) return true;
  return literalsIn(text)
    .filter((literal) => /^\.{1,2}\//.test(literal.text))
    .flatMap((literal) => modulesAt(resolve(dirname(file), literal.text)))
    .some((each) => leadsToChange(each, modules, originals, seen));
}

/** The files that an import may resolve to. */
function modulesAt(file: string): readonly string[] {
  return [file, file.replace(/js$/, "ts"), `${file}.ts`, `${file}.js`];
}

function placeOf(file: string, text: string, start: number): string {
  const lines = text.slice(0, start).split("\n");
  return `${relative(process.cwd(), file)}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}

function asPatch(
  changes: readonly { readonly file: string; readonly before: string; readonly after: string }[],
): ModulePatch {
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

function notLiteral(path: string, state: string): UsageError {
  return new UsageError(`Cannot write the repair into "${path}": ${state}`, {
    code: "no-literal",
    hint: "Save the graph with --out FILE.callweave.json, or make the change in the module by hand",
  });
}

function ambiguous(path: string, places: readonly string[], state: string): UsageError {
  return new UsageError(`Cannot write the repair into "${path}": the text is at ${places.join(", ")}, and ${state}`, {
    code: "ambiguous-literal",
    hint: "Write the text as a separate string, or save the graph with --out FILE.callweave.json",
  });
}

/** Copies of modules in a temporary folder beside them. Removed on disposal. */
export interface Mirror extends AsyncDisposable {
  /** Path of a module's copy. */
  readonly pathOf: (file: string) => string;
}

/**
 * Writes modules to a temporary folder beside them. Everything else in their folders is linked, so that their imports
 * and file reads resolve: packages, data files, other modules.
 *
 * @param modules Texts by absolute path.
 * @param neighbours Other files that they name, which must be reachable from the copies by the same relative path.
 * @throws {UsageError} `unwritable-file`.
 */
async function mirrorModules(modules: ReadonlyMap<string, string>, neighbours: readonly string[]): Promise<Mirror> {
  const top = commonFolder([...modules.keys(), ...neighbours].map((file) => dirname(file)));
  const folder = await temporaryFolder(top);
  const remove = () => rm(folder, { recursive: true, force: true });
  const pathOf = (file: string) => join(folder, relative(top, file));
  try {
    const folders = new Set([top]);
    for (const file of modules.keys()) for (let at = dirname(file); at !== top; at = dirname(at)) folders.add(at);
    for (const each of folders) {
      await mkdir(pathOf(each), { recursive: true });
      for (const entry of await readdir(each, { withFileTypes: true })) {
        const from = join(each, entry.name);
        if (modules.has(from) || folders.has(from) || from === folder) continue;
        await link(from, pathOf(from), entry.isDirectory());
      }
    }
    for (const [file, text] of modules) await writeFile(pathOf(file), text);
  } catch (error) {
    await remove();
    throw error;
  }
  return { pathOf, [Symbol.asyncDispose]: remove };
}

async function temporaryFolder(top: string): Promise<string> {
  try {
    return await mkdtemp(join(top, ".callweave-repair-"));
  } catch (cause) {
    const { state, hint } = fileProblem(cause, "write");
    throw new UsageError(`Cannot check the change of the module: no folder can be made in "${top}": ${state}`, {
      code: "unwritable-file",
      hint,
      cause,
    });
  }
}

/** Creates links where they are allowed, else copies. */
async function link(from: string, to: string, isFolder: boolean): Promise<void> {
  try {
    await symlink(from, to, isFolder ? "junction" : "file");
  } catch (error) {
    if (isFolder) throw error;
    await copyFile(from, to);
  }
}

function commonFolder(folders: readonly string[]): string {
  const [first = "", ...rest] = folders.map((folder) => resolve(folder));
  let parts = first.split(sep);
  for (const folder of rest) {
    const other = folder.split(sep);
    const end = parts.findIndex((part, index) => part !== other[index]);
    if (end !== -1) parts = parts.slice(0, end);
  }
  return parts.join(sep) || sep;
}
