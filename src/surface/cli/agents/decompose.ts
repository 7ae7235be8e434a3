import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Decomposition, decompose } from "../../../agent/analysis/mod.ts";
import { formatGraph } from "../../../document/graph/mod.ts";
import { findSecrets } from "../../../document/secrets/mod.ts";
import { KIND } from "../../../document/settings/mod.ts";
import { loadSource } from "../../project/mod.ts";
import { type Command, usage } from "../arguments.ts";
import { schemaPath, writeTextFile } from "../io/mod.ts";
import { checkFolder } from "../sources.ts";

/** Name of the file with the manifest and the names of the parts' files. */
export const MANIFEST = "manifest.json";

/** `callweave decompose`. */
export const decomposeCommand: Command = {
  name: "decompose",
  summary: "Split a large agent into smaller ones along its own structure",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      out: { value: "DIR", description: "Folder to write to. Default: parts" },
      parts: {
        value: "COUNT",
        kind: { ...KIND.count, to: 10_000 },
        description: "Maximum number of parts. Default: parts of about 20 nodes",
      },
      export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
      from: { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
      json: { description: "Print { manifest, parts }, as decompose() returns them, and write no files" },
    },
  },
  notes: [
    "Each part is entered at one node and runs on its own; manifest.json lists the handoffs between them.",
    "Existing files are not overwritten. callweave compose joins the parts again.",
  ],
  examples: ["callweave decompose agent.callweave.json --out parts", "callweave decompose flow.ts --parts 4"],
  run: async (args, terminal) => {
    const source = args.at("SOURCE");
    const wanted = args.number("parts");
    const { graph } = await loadSource(source, terminal, {
      exportName: args.text("export"),
      format: args.text("from"),
    });
    const result = decompose(graph, wanted === undefined ? {} : { parts: wanted });
    if (args.has("json")) {
      terminal.out(`${JSON.stringify(result, null, 2)}\n`);
      return 0;
    }
    const folder = args.text("out") ?? "parts";
    checkFolder(folder, "--out");
    const files = filesOf(result, folder);
    const taken = files.find(({ path }) => existsSync(path));
    if (taken) throw usage(`"${taken.path}" exists`, "Name another folder with --out, or remove the file");
    for (const { path, text } of files) await writeTextFile(path, text, { signal: terminal.signal });
    const { parts, handoffs } = result.manifest;
    for (const { name, nodes, shared } of parts) {
      const out = new Set(handoffs.filter(({ from }) => from === name).map(({ to }) => to));
      const copies = shared.length > 0 ? `, ${shared.length} shared` : "";
      const leads = out.size > 0 ? `; hands over to ${[...out].join(", ")}` : "";
      terminal.out(`${name}: ${nodes.length} node${nodes.length === 1 ? "" : "s"}${copies}${leads}\n`);
    }
    terminal.err(`wrote ${files.length} files to ${folder}\n`);
    const secrets = findSecrets(graph).length;
    if (secrets > 0)
      terminal.err("  the files contain secrets; remove them with callweave import --extract-secrets first\n");
    return 0;
  },
};

function filesOf({ manifest, parts }: Decomposition, folder: string) {
  const taken = new Set([MANIFEST]);
  const files = Object.entries(parts).map(([name, graph]) => {
    const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ["part"];
    let file = `${words.join("-")}.callweave.json`;
    for (let count = 2; taken.has(file); count++) file = `${words.join("-")}-${count}.callweave.json`;
    taken.add(file);
    const path = join(folder, file);
    return { name, file, path, text: formatGraph(graph, schemaPath("graph", path)) };
  });
  const named = { ...manifest, files: Object.fromEntries(files.map(({ name, file }) => [name, file])) };
  return [...files, { path: join(folder, MANIFEST), text: `${JSON.stringify(named, null, 2)}\n` }];
}
