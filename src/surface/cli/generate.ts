import { existsSync } from "node:fs";
import { type FlowModule, scenarioModule } from "../../../dsl/mod.ts";
import { oneLine, paint, type Style, wrap } from "../../base/values/mod.ts";
import { briefScenario, parseScenarios, type Scenario } from "../../document/scenario/mod.ts";
import { CALL_SETTINGS } from "../../document/settings/mod.ts";
import { type GeneratedScenarios, type GenerateOptions, generateScenarios } from "../../run/generate/mod.ts";
import {
  type AgentSource,
  exportedScenarios,
  flowExport,
  importPath,
  isModulePath,
  loadScenarios,
  loadSource,
} from "../project/mod.ts";
import { type Arguments, type Command, EXAMPLE, usage } from "./arguments.ts";
import { listStyle } from "./format/mod.ts";
import { checkWritableFile, schemaPath, type Terminal, writeTextFile } from "./io/mod.ts";
import { openRuns, storedCalls } from "./runs/mod.ts";

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

/** Formats what was generated, and what was not and why. */
function formatGenerated(generated: GeneratedScenarios, style: Style): string {
  const { coverage, scenarios, unreachable, unshown } = generated;
  const { transitions, before, after } = coverage;
  const of = `${transitions} transition${transitions === 1 ? "" : "s"}`;
  const rules = scenarios.filter(({ personaBy }) => personaBy === "rules").length;
  const byModel = scenarios.length - rules;
  return [
    `covered before: ${before} of ${of}`,
    `covered after:  ${after} of ${of}, with ${scenarios.length} generated scenario${scenarios.length === 1 ? "" : "s"}`,
    ...scenarios.map(
      ({ scenario, covers }) => `  ${paint(style, "green", "+")} ${oneLine(scenario.name)}${more(covers.length)}`,
    ),
    ...(byModel > 0 && rules > 0
      ? [
          `the model left facts out of ${rules} persona${rules === 1 ? "" : "s"}; rules wrote ${rules === 1 ? "it" : "them"}`,
        ]
      : []),
    ...list("no call takes", unreachable, style),
    ...list("not covered, because no path was shown", unshown, style),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function more(covers: number): string {
  return covers > 1 ? `, and ${covers - 1} more on its way` : "";
}

function list(title: string, items: readonly Listed[], style: Style): readonly string[] {
  if (items.length === 0) return [];
  return [
    `${title}: ${items.length}`,
    ...items.flatMap(({ transition, reason }) => wrap(style, `${oneLine(transition.name)} (${oneLine(reason)})`, 2)),
  ];
}

type Listed = GeneratedScenarios["unreachable" | "unshown"][number];

/** The file of scenarios, and the agent that they are for. */
export interface ScenarioFile {
  /** Absent: standard output, as if it were a module in the current folder. */
  readonly path: string | undefined;
  readonly source: AgentSource;
  readonly sourcePath: string;
}

/** Serializes scenarios: as a module, or as JSON with its `$schema` if the file ends in `.json`. */
export function scenarioText(
  scenarios: readonly Scenario[],
  file: ScenarioFile,
  checks: ReadonlyMap<string, string> = new Map(),
): string {
  if (file.path?.endsWith(".json")) {
    const document = { $schema: schemaPath("scenarios", file.path), scenarios: scenarios.map(briefScenario) };
    return `${JSON.stringify(document, null, 2)}\n`;
  }
  return scenarioModule(scenarios, file.source.graph, flowModule(file), checks);
}

/** The flow that the module of scenarios imports; `undefined` if the agent is not a module, or is an unnamed export. */
function flowModule({ path, source, sourcePath }: ScenarioFile): FlowModule | undefined {
  const name = isModulePath(sourcePath) ? flowExport(source) : undefined;
  return name === undefined ? undefined : { name, from: importPath(path ?? "scenarios.ts", sourcePath) };
}
