import { existsSync } from "node:fs";
import { parseScenarios } from "../../../document/scenario/mod.ts";
import { CALL_SETTINGS } from "../../../document/settings/mod.ts";
import { type GenerateOptions, generateScenarios } from "../../../run/generate/mod.ts";
import { exportedScenarios, isModulePath, loadScenarios, loadSource } from "../../project/mod.ts";
import { type Arguments, type Command, EXAMPLE, usage } from "../arguments/mod.ts";
import { listStyle } from "../format/mod.ts";
import { checkWritableFile, type Terminal, writeTextFile } from "../io/mod.ts";
import { openRuns, storedCalls } from "../runs/mod.ts";
import { formatGenerated } from "./format_generated.ts";
import { scenarioText } from "./scenario_text.ts";

/** `callweave generate`. */
export const generateCommand: Command = {
  name: "generate",
  summary: "Write scenarios for the transitions that none covers",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      scenarios: {
        value: "FILE",
        repeats: true,
        description: "Existing scenarios or JSON test cases; those that SOURCE exports by default",
      },
      db: { value: "URL", description: "Results database: scenarios cover what their newest calls visited" },
      only: { value: "NODE", description: "Only transitions that leave or enter this node" },
      out: {
        value: "FILE",
        description: "New file to write: a module, or test cases as .json. Default: print a module",
      },
      model: { value: "MODEL", description: "provider/model that writes the personas. Default: rules" },
      "try-timeout": CALL_SETTINGS["try-timeout"],
      export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
      from: { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
      json: { description: "Print { scenarios, unreachable, unshown, coverage } as JSON" },
    },
  },
  notes: [
    "Each scenario takes the shortest path to its transition, and is verified by a run with a scripted model.",
    "An existing file is not overwritten.",
  ],
  examples: [
    "callweave generate flow.ts --scenarios scenarios.ts --out more_scenarios.ts",
    `callweave generate ${EXAMPLE.format}-export.json --out tests.json --model openai/gpt-5-mini`,
    "callweave generate flow.ts --only refund",
  ],
  run: async (args, terminal) => {
    const out = await outputFile(args);
    const sourcePath = args.at("SOURCE");
    const source = await loadSource(sourcePath, terminal, {
      exportName: args.text("export"),
      format: args.text("from"),
    });
    const files = args.texts("scenarios");
    const loaded = await Promise.all(files.map((file) => loadScenarios(file, terminal)));
    const model = args.text("model");
    const seconds = args.number("try-timeout");
    const only = args.text("only");
    const generated = await generateScenarios(source.graph, {
      scenarios: files.length > 0 ? loaded.flat() : parseScenarios(exportedScenarios(source.exports)),
      results: await resultsOf(source.name, args, terminal),
      signal: terminal.signal,
      ...(only === undefined ? {} : { only }),
      ...(model === undefined ? {} : { model }),
      ...(seconds === undefined ? {} : { requests: { tryTimeoutMs: seconds * 1000 } }),
    });
    const scenarios = generated.scenarios.map(({ scenario }) => scenario);
    const text = scenarios.length === 0 ? "" : scenarioText(scenarios, { path: out, source, sourcePath });
    if (out !== undefined && text !== "") await writeTextFile(out, text, { signal: terminal.signal });

    const isPrinted = out === undefined;
    if (args.has("json")) terminal.out(`${JSON.stringify(generated, null, 2)}\n`);
    else if (isPrinted) terminal.out(text);
    const summary = formatGenerated(generated, listStyle(isPrinted ? terminal.stderr : terminal.stdout, terminal.env));
    if (isPrinted || args.has("json")) terminal.err(summary);
    else terminal.out(summary);
    if (out !== undefined && text !== "") {
      const key = out.endsWith(".json") ? "tests" : "scenarios";
      const lines = [
        `wrote ${out}`,
        "offline, they are played along their paths; with --model, a language model plays the personas",
        `next: npx callweave run ${sourcePath} --${key} ${out}`,
        ...(files.length > 0 ? [`to run them with the others, add the file to "${key}" of callweave.config.json`] : []),
      ];
      terminal.err(`${lines.join("\n")}\n`);
    }
    return 0;
  },
};

/** The output file, which must not exist. */
async function outputFile(args: Arguments): Promise<string | undefined> {
  const out = args.text("out");
  if (out === undefined) return undefined;
  if (!isModulePath(out) && !out.endsWith(".json"))
    throw usage(`--out is "${out}"`, "Name a file that ends in .ts or .json");
  if (existsSync(out)) throw usage(`"${out}" exists`, "Name another file with --out, or remove the file");
  await checkWritableFile(out);
  return out;
}

async function resultsOf(
  agent: string,
  args: Arguments,
  terminal: Terminal,
): Promise<NonNullable<GenerateOptions["results"]>> {
  if (args.text("db") === undefined) return [];
  await using store = await openRuns(args, terminal);
  return await storedCalls(store, [agent], terminal.signal);
}
