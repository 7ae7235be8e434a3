import { check } from "../../../agent/check/mod.ts";
import { formatGraph } from "../../../document/graph/mod.ts";
import { extractSecrets, findSecrets } from "../../../document/secrets/mod.ts";
import { isModulePath, loadSource } from "../../project/mod.ts";
import { type Command, EXAMPLE, usage } from "../arguments.ts";
import { formatFindings, listStyle } from "../format/mod.ts";
import { schemaPath, writeTextFile } from "../io/mod.ts";
import { refuseOverwriting } from "../sources.ts";

/** `callweave import`. */
export const importCommand: Command = {
  name: "import",
  summary: "Convert an agent of any platform to a *.callweave.json document",
  spec: {
    positionals: [{ name: "FILE", description: "JSON of an agent, as a platform exports it (- is standard input)" }],
    flags: {
      format: { value: "FORMAT", description: "Format of the file; detected from its keys by default" },
      out: { value: "FILE.callweave.json", description: "Write to a file instead of standard output" },
      "extract-secrets": { description: "Replace keys, tokens and passwords by {{env:NAME}} references" },
      json: { description: "Print { format, graph, secrets } instead of the graph alone" },
    },
  },
  notes: [
    "The whole document is kept. Findings, including those of the platform's rules, are printed to standard error.",
    "Names of extracted secrets are printed to standard error; their values are never printed or written.",
  ],
  examples: [`callweave import ${EXAMPLE.format}-export.json --out agent.callweave.json --extract-secrets`],
  run: async (args, terminal) => {
    const file = args.at("FILE");
    if (isModulePath(file)) {
      throw usage(`"${file}" is a module`, `Write its document with callweave emit ${file} --to graph`);
    }
    const { graph: read, format, findings: unread } = await loadSource(file, terminal, { format: args.text("format") });
    const { graph, variables } = args.has("extract-secrets") ? extractSecrets(read) : { graph: read, variables: [] };
    const secrets = variables.map(({ name, kind, places }) => ({ name, kind, places }));
    const text = args.has("json")
      ? `${JSON.stringify({ format, graph, secrets }, null, 2)}\n`
      : formatGraph(graph, schemaPath("graph", args.text("out") ?? "agent.callweave.json"));
    const out = args.text("out");
    if (format !== "graph") refuseOverwriting("--out", out, [{ what: "the agent", path: file }]);
    if (out === undefined) terminal.out(text);
    else await writeTextFile(out, text, { signal: terminal.signal });

    const count = Object.keys(graph.nodes).length;
    terminal.err(
      `read ${file} as ${format}: ${count} node${count === 1 ? "" : "s"}${out ? `, written to ${out}` : ""}\n`,
    );
    const findings = [...unread, ...check(graph).filter(({ severity }) => severity !== "info")];
    if (findings.length > 0)
      terminal.err(
        formatFindings(
          findings,
          listStyle(terminal.stderr, terminal.env),
          false,
          `npx callweave check ${file} --verbose`,
        ),
      );
    for (const { name, places } of secrets) {
      terminal.err(`  ${name} replaces a secret at ${places.map((place) => place.join(".")).join(", ")}\n`);
    }
    const left = args.has("extract-secrets") ? 0 : findSecrets(read).length;
    if (left > 0)
      terminal.err(
        `  it contains ${left === 1 ? "a secret" : `${left} secrets`}; --extract-secrets removes ${left === 1 ? "it" : "them"}\n`,
      );
    return 0;
  },
};
