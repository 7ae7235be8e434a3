import { dirname, join } from "node:path";
import { compose, type DecompositionManifest } from "../../../agent/analysis/mod.ts";
import { inFile, parseJsonFile, readTextFile } from "../../../base/files/mod.ts";
import { isRecord, omit, recordAt } from "../../../base/values/mod.ts";
import { formatGraph, parseGraph } from "../../../document/graph/mod.ts";
import { type Command, usage } from "../arguments.ts";
import { schemaPath, writeTextFile } from "../io/mod.ts";
import { refuseOverwriting } from "../sources.ts";
import { MANIFEST } from "./decompose.ts";

/** `callweave compose`. */
export const composeCommand: Command = {
  name: "compose",
  summary: "Join the parts of a decomposed agent",
  spec: {
    positionals: [{ name: "MANIFEST", description: "The manifest.json that callweave decompose wrote, or its folder" }],
    flags: { out: { value: "FILE.callweave.json", description: "Write to a file instead of standard output" } },
  },
  notes: ["The result contains the edits of the parts. Shared nodes must be the same in all parts."],
  examples: ["callweave compose parts --out agent.callweave.json"],
  run: async (args, terminal) => {
    const given = args.at("MANIFEST");
    const path = given.endsWith(".json") ? given : join(given, MANIFEST);
    const manifest = parseJsonFile(path, await readTextFile(path));
    const files = recordAt(isRecord(manifest) ? manifest : {}, "files");
    const out = args.text("out");
    const used = Object.values(files).filter((file) => typeof file === "string");
    const partFiles = used.map((file) => ({ what: "a part", path: join(dirname(path), file) }));
    refuseOverwriting("--out", out, [{ what: "the manifest", path }, ...partFiles]);
    const parts = await Promise.all(
      Object.entries(files).map(async ([name, file]) => {
        if (typeof file !== "string")
          throw usage(`"${path}" names no file for part "${name}"`, "Run callweave decompose");
        const part = join(dirname(path), file);
        try {
          const document = parseJsonFile(part, await readTextFile(part));
          return [name, parseGraph(isRecord(document) ? omit(document, ["$schema"]) : document)] as const;
        } catch (error) {
          throw inFile(error, part);
        }
      }),
    );
    // compose() checks the manifest
    const graph = compose({ manifest: manifest as DecompositionManifest, parts: Object.fromEntries(parts) });
    const text = formatGraph(graph, schemaPath("graph", out ?? "agent.callweave.json"));
    if (out === undefined) terminal.out(text);
    else await writeTextFile(out, text, { signal: terminal.signal });
    terminal.err(
      `${parts.length} parts, ${Object.keys(graph.nodes).length} nodes${out ? `, written to ${out}` : ""}\n`,
    );
    return 0;
  },
};
