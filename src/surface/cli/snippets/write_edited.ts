import { relative } from "node:path";
import process from "node:process";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { emit, formatNamed, importAgent } from "../../../../platforms/mod.ts";
import type { Path } from "../../../base/errors.ts";
import { editJson, sameJson } from "../../../base/values/mod.ts";
import { type AgentGraph, formatGraph, isGraphFile } from "../../../document/graph/mod.ts";
import { type AgentSource, isModulePath, loadSource } from "../../project/mod.ts";
import { type Arguments, type Flag, usage } from "../arguments/mod.ts";
import { schemaPath, type Terminal, writeTextFile } from "../io/mod.ts";
import { refuseOverwriting } from "../sources/mod.ts";

/** The format that is the graph's document itself. */
const GRAPH_FORMAT = "graph";

/** Flags of the commands that change an agent's snippets. */
export const EDIT_FLAGS = {
  out: {
    value: "FILE",
    description: "Write to another file; *.callweave.json is the graph's document. Default: FILE itself",
  },
  patch: { description: "Print the change as a unified diff and write nothing" },
  export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
  from: { value: "FORMAT", description: "Format of a JSON file; detected from its keys by default" },
  json: { description: "Print { snippets, file or text, patch } as JSON" },
} satisfies { readonly [name: string]: Flag };

/** Notes of these commands. */
export const EDIT_NOTES: readonly string[] = [
  "A JSON file is changed in place: only the lines of the changed texts differ. Standard input is written to standard output.",
  "A module cannot be rewritten: write its graph with --out FILE.callweave.json, or print the change of the graph with --patch.",
];

/** An agent to edit, and the file that it came from. */
export interface Editable extends AgentSource {
  readonly path: string;
}

export interface EditedAgent extends Editable {
  readonly edited: AgentGraph;
  /** Lines for the terminal that say what was changed. */
  readonly lines: readonly string[];
  /** The snippets that were added or removed. */
  readonly snippets: readonly {
    readonly name: string;
    readonly text?: string | undefined;
    readonly uses: readonly Path[];
  }[];
}

/**
 * Loads an agent to edit its snippets.
 *
 * @throws {UsageError} `usage` for a module without `--out` or `--patch`, because a module is not overwritten.
 */
export async function loadEditable(path: string, args: Arguments, terminal: Terminal): Promise<Editable> {
  const out = args.text("out");
  if (out !== undefined && args.has("patch")) throw usage("--out and --patch are two outputs", "Pass one of them");
  if (isModulePath(path)) {
    if (out === undefined && !args.has("patch")) {
      const hint =
        "Write its graph with --out FILE.callweave.json, or print the change with --patch and make it in the module";
      throw usage(`"${path}" is a module, which cannot be rewritten`, hint);
    }
    refuseOverwriting("--out", out, [{ what: "the flow", path }]);
  }
  const options = { exportName: args.text("export"), format: args.text("from") };
  return { ...(await loadSource(path, terminal, options)), path };
}

/** Writes an edited agent, or prints the change. */
export async function writeEdited(agent: EditedAgent, args: Arguments, terminal: Terminal): Promise<void> {
  const { path, lines, snippets } = agent;
  const out = args.text("out");
  const isPatch = args.has("patch");
  const target = out ?? (path === "-" || isPatch ? undefined : path);
  const { before, after, name } = textsOf(agent, out);
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, options);
  if (target !== undefined) await writeTextFile(target, after, { signal: terminal.signal });
  if (args.has("json")) {
    const written = target === undefined ? { text: after } : { file: target };
    terminal.out(`${JSON.stringify({ snippets, ...written, patch }, null, 2)}\n`);
    return;
  }
  if (target === undefined) terminal.out(isPatch ? patch : after);
  terminal.err(lines.map((line) => `${line}\n`).join(""));
  if (target !== undefined) terminal.err(`wrote ${target}\n`);
}

/** The file's text before and after the edit: in the format of the source, or as the graph's document. */
function textsOf({ path, format, text, name, graph, edited }: EditedAgent, out: string | undefined) {
  if (text === undefined || (out !== undefined && isGraphFile(out))) {
    const file = out ?? `${name}.callweave.json`;
    const schema = schemaPath("graph", file);
    return { before: formatGraph(graph, schema), after: formatGraph(edited, schema), name: nameInPatch(file) };
  }
  const emitted = emit(edited, format);
  // serializing the graph loses the file's layout; this keeps it
  const after = format === GRAPH_FORMAT ? editJson(text, emitted.config, { keys: ["id", "name"] }) : emitted.text;
  if (!holds(after, format, edited)) {
    const hint =
      "Write the graph with --out FILE.callweave.json; emitting it writes the snippet's text into each prompt";
    throw usage(`"${path}" is a ${formatNamed(format).title}, which cannot hold this snippet`, hint);
  }
  return { before: text, after, name: path === "-" ? "stdin" : nameInPatch(path) };
}

/** The path relative to the current folder, as `patch -p1` and `git apply` expect it. */
function nameInPatch(path: string): string {
  return relative(process.cwd(), path).replaceAll("\\", "/");
}

/** Whether a document has the snippets of a graph. */
function holds(text: string, format: string, { snippets }: AgentGraph): boolean {
  const read = importAgent(text, { format }).graph.snippets;
  return sameJson(read, snippets);
}
