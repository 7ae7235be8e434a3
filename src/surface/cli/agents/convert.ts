import { formatNamed } from "../../../../platforms/mod.ts";
import { type Conversion, convert } from "../../../agent/convert/mod.ts";
import { defined, jsonOrText } from "../../../base/values/mod.ts";
import { loadSource } from "../../project/mod.ts";
import { type Command, EXAMPLE, usage } from "../arguments.ts";
import { formatConversion, listStyle, markdownConversion } from "../format/mod.ts";
import { writeTextFile } from "../io/mod.ts";
import { refuseOverwriting } from "../sources.ts";
import { writeDocument } from "./emit_files.ts";

/** What `--fail-on` takes, and what it fails on. */
const FAIL_ON = {
  refused: ["refused"],
  dropped: ["refused", "dropped"],
  emulated: ["refused", "dropped", "emulated"],
  decision: [],
} as const;

/** `callweave convert`. */
export const convertCommand: Command = {
  name: "convert",
  summary: "Move an agent to another platform, and say what changes for callers",
  spec: {
    positionals: [{ name: "SOURCE", description: "JSON of an agent, or a module that exports a graph" }],
    flags: {
      to: { value: "FORMAT", description: "Format to write; callweave formats lists them" },
      out: {
        value: "FILE",
        description:
          "Write the document to a file instead of standard output; a folder for a format with several files",
      },
      "overwrite-edited": { description: "Also write files in the folder that were edited since they were written" },
      report: { value: "FILE", description: "Also write the report: Markdown, or JSON for a *.json" },
      "fail-on": {
        value: "STATE",
        description:
          "Exit code 1 for a part that is refused, dropped (or refused), emulated (or worse), or for a decision",
        repeats: true,
      },
      voice: { value: "VOICE", description: "Voice of the target: an id, or JSON" },
      language: { value: "TAG", description: "Language, such as de-DE; by default that of the source" },
      model: { value: "NAME", description: "Model of the target; by default that of the source" },
      env: { description: "Replace {{env:NAME}} references, secrets among them, by the environment's values" },
      export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
      from: { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
      verbose: { description: "List every place, what was emitted there and what to change" },
      json: { description: "Print the whole conversion as JSON instead of the document" },
    },
  },
  notes: [
    "Voice, language and model are taken over where both platforms have them. What is left to decide is listed.",
    "Keys, tokens and passwords become {{env:NAME}} references. The report is printed to standard error.",
  ],
  examples: [
    `callweave convert agent.json --to ${EXAMPLE.other} --out moved.json --report moving.md`,
    `callweave convert agent.json --to ${EXAMPLE.other} --fail-on dropped`,
  ],
  run: async (args, terminal) => {
    const to = args.text("to");
    if (to === undefined) throw usage("--to is missing", "Write --to FORMAT; callweave formats lists the formats");
    const target = formatNamed(to);
    const states = new Set<string>(args.texts("fail-on").flatMap(failing));
    const source = args.at("SOURCE");
    const [out, report] = [args.text("out"), args.text("report")];
    for (const [flag, file] of [["--out", out] as const, ["--report", report] as const])
      refuseOverwriting(flag, file, [{ what: "the agent", path: source }]);
    const { graph, findings } = await loadSource(source, terminal, {
      exportName: args.text("export"),
      format: args.text("from"),
    });
    const voice = args.text("voice");
    const conversion = convert(graph, {
      to: target.name,
      ...(voice === undefined ? {} : { voice: voiceIn(voice) }),
      ...defined({ language: args.text("language"), model: args.text("model") }),
      ...(args.has("env") ? { env: terminal.env } : {}),
    });
    const whole: Conversion = { ...conversion, findings };
    const document = args.has("json") ? `${JSON.stringify(whole, null, 2)}\n` : whole.text;
    const holdsValues = args.has("env") && whole.secrets.length > 0;
    const writing = { signal: terminal.signal, ...(holdsValues ? { mode: 0o600 } : {}) };
    if (out === undefined) terminal.out(document);
    else if (args.has("json")) await writeTextFile(out, document, writing);
    else {
      const overwrite = args.has("overwrite-edited");
      const { text, files } = whole;
      const written = await writeDocument({ out, format: target, text, files, source, overwrite }, writing);
      terminal.err(written.map((path) => `wrote ${path}\n`).join(""));
    }
    const name = source === "-" ? "standard input" : source;
    if (report !== undefined) {
      // the documents may have the values of secrets
      const { config: _, text: __, files: ___, graph: ____, ...facts } = whole;
      const text = report.endsWith(".json") ? `${JSON.stringify(facts, null, 2)}\n` : markdownConversion(name, whole);
      await writeTextFile(report, text, { signal: terminal.signal });
    }
    terminal.err(formatConversion(name, whole, listStyle(terminal.stderr, terminal.env), args.has("verbose")));
    const isDecided = !args.texts("fail-on").includes("decision") || whole.decisions.length === 0;
    return isDecided && whole.constructs.every(({ state }) => !states.has(state)) ? 0 : 1;
  },
};

function failing(state: string): readonly string[] {
  const found = Object.entries(FAIL_ON).find(([name]) => name === state);
  if (found) return found[1];
  throw usage(`--fail-on ${state} is unknown`, `Use one of ${Object.keys(FAIL_ON).join(", ")}`);
}

/** A voice as text or as JSON. */
function voiceIn(text: string): string | { readonly [key: string]: unknown } {
  const value = jsonOrText(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : text;
}
