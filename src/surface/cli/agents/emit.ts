import { emit, formatNamed } from "../../../../platforms/mod.ts";
import { PlatformError } from "../../../base/errors.ts";
import { type AgentGraph, withNodeNames } from "../../../document/graph/mod.ts";
import { isModulePath, loadSource } from "../../project/mod.ts";
import { type Command, EXAMPLE, usage } from "../arguments.ts";
import { formatLosses, listStyle } from "../format/mod.ts";
import { writeTextFile } from "../io/mod.ts";
import { refuseOverwriting } from "../sources.ts";
import { writeDocument } from "./emit_files.ts";

/** The format that is the graph's document itself. */
const GRAPH_FORMAT = "graph";
/** Formats of pictures, which `draw` makes. */
const PICTURES: readonly string[] = ["svg", "png", "mermaid"];

/** `callweave emit`. */
export const emitCommand: Command = {
  name: "emit",
  summary: "Emit an agent in the format of a platform",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      to: { value: "FORMAT", description: "Format to write; callweave formats lists them" },
      out: { value: "FILE", description: "Write to a file, or to a folder if there are several files" },
      "overwrite-edited": { description: "Also write over files of the folder that were edited" },
      export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
      from: { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
      contract: { description: "Merge chains of nodes into one assistant where possible (squads)" },
      env: { description: "Also replace {{env:NAME}} references in a *.callweave.json by the environment's values" },
      "allow-env": {
        value: "NAMES",
        description: "Variables (comma-separated) that may replace any {{env:NAME}} reference",
      },
      "keep-references": { description: "Keep all {{env:NAME}} references" },
      verbose: { description: "List every place that the platform cannot express, and all hints" },
      json: { description: "Print { config, text, losses } (and files), as emit() returns them, not the text alone" },
    },
  },
  notes: [
    "Losses (what the platform cannot express) are printed to standard error.",
    "{{env:NAME}} references are replaced by the environment's values, but kept in a *.callweave.json.",
    "Some formats have further files, such as the code of tools: --out FOLDER writes them beside the document.",
    "A file of the folder that was edited since callweave wrote it is kept, unless you pass --overwrite-edited.",
    "Only references of import --extract-secrets and of env() in code are replaced, and those of --allow-env.",
  ],
  examples: [
    `callweave emit flow.ts --to ${EXAMPLE.format} --out ${EXAMPLE.format}.json`,
    `callweave emit agent.json --to ${EXAMPLE.other}`,
  ],
  run: async (args, terminal) => {
    const target = args.text("to");
    if (target === undefined) throw usage("--to is missing", "Write --to FORMAT; callweave formats lists the formats");
    const format = targetNamed(target, args.text("from"));
    if (args.has("env") && args.has("keep-references"))
      throw usage("--env and --keep-references are opposites", "Pass one of them");
    // a graph's document is committed to repositories, so it keeps references to secrets
    const restores = args.has("env") || (format.name !== GRAPH_FORMAT && !args.has("keep-references"));
    const source = args.at("SOURCE");
    if (isModulePath(source)) refuseOverwriting("--out", args.text("out"), [{ what: "the flow", path: source }]);
    const { graph } = await loadSource(source, terminal, {
      exportName: args.text("export"),
      format: args.text("from"),
    });
    const emitted = emit(graph, format.name, {
      ...(args.has("contract") ? { contract: true } : {}),
      ...(restores ? { env: terminal.env, allowEnv: namesIn(args.text("allow-env")) } : {}),
    });
    const { losses, files = [] } = emitted;
    const text = args.has("json") ? `${JSON.stringify(emitted, null, 2)}\n` : emitted.text;
    const out = args.text("out");
    // only the owner may read a new file with keys
    const writing = { signal: terminal.signal, ...(restores && holdsReferences(graph) ? { mode: 0o600 } : {}) };
    if (out === undefined) terminal.out(text);
    else if (args.has("json")) await writeTextFile(out, text, writing);
    else {
      const overwrite = args.has("overwrite-edited");
      const written = await writeDocument({ out, format, text, files, source, overwrite }, writing);
      terminal.err(written.map((path) => `wrote ${path}\n`).join(""));
    }
    if (out === undefined && files.length > 0 && !args.has("json"))
      terminal.err(`${files.map(({ path }) => path).join(", ")}: --out FOLDER writes them too\n`);
    if (losses.length > 0) {
      const style = listStyle(terminal.stderr, terminal.env);
      terminal.err(formatLosses(format.title, withNodeNames(losses, graph), style, args.has("verbose")));
    }
    return 0;
  },
};

/**
 * The format to write. For a picture, and for a node's id in place of a format, the error names the command that draws.
 *
 * @throws {PlatformError} `unknown-format`.
 */
function targetNamed(target: string, from: string | undefined): ReturnType<typeof formatNamed> {
  if (PICTURES.includes(target)) {
    const hint = `callweave draw SOURCE ${from === undefined ? "" : `--from ${from} `}--format ${target} draws a picture`;
    throw new PlatformError(`Cannot emit: ${target} is a picture, not a format`, { code: "unknown-format", hint });
  }
  if (from !== undefined) formatNamed(from);
  return formatNamed(target);
}

function holdsReferences(graph: AgentGraph): boolean {
  return JSON.stringify(graph).includes("{{env:");
}

/** Splits a comma-separated list of variables. */
function namesIn(list = ""): readonly string[] {
  const names = list.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}
