import { existsSync } from "node:fs";
import { defined } from "../../../base/values/mod.ts";
import { type AgentGraph, fingerprint } from "../../../document/graph/mod.ts";
import { CALL_SETTINGS } from "../../../document/settings/mod.ts";
import type { ScenarioFromCall } from "../../../run/calls/mod.ts";
import type { ResultRecord, Store } from "../../../run/store/mod.ts";
import { type AgentSource, isModulePath, loadSource } from "../../project/mod.ts";
import { type Arguments, type Command, usage } from "../arguments.ts";
import { scenarioText } from "../generate.ts";
import { checkWritableFile, type Terminal, writeTextFile } from "../io/mod.ts";
import { openRuns } from "../runs/mod.ts";

/** Completed calls. */
const FINISHED: readonly string[] = ["pass", "fail", "imported"];

/** `callweave calls to-scenario`. */
export const callsToScenarioCommand: Command = {
  name: "calls to-scenario",
  summary: "Write scenarios from stored calls, imported or simulated, for a person to edit",
  spec: {
    positionals: [{ name: "ID", description: "A result's id, or a run's id or its first characters" }],
    flags: {
      agent: { value: "SOURCE", description: "Agent that the scenario is for (default: the one stored with the run)" },
      out: { value: "FILE", description: "File to write: a module, or test cases as .json. Default: print a module" },
      force: { description: "Replace the file of --out if it exists" },
      script: { description: "The caller says the recorded lines; default: a persona plays the caller" },
      scenario: { value: "NAME", repeats: true, description: "Only the calls of this name; repeatable" },
      name: { value: "NAME", description: "Name of the scenario, for a single call" },
      model: { value: "MODEL", description: "provider/model that writes persona and name. Default: rules" },
      "try-timeout": CALL_SETTINGS["try-timeout"],
      db: { value: "URL", description: "Results database (default: .callweave/results.db)" },
      export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
      from: { value: "FORMAT", description: "Format of a JSON agent; detected from its keys by default" },
      json: { description: "Print [{ call, scenario, facts, personaBy, notes }] as JSON" },
    },
  },
  notes: [
    "The scenario expects what the call did: review it, and correct what a good agent should do differently.",
    "With --script it passes on an unchanged agent whose model decides as before. To replace an existing file, pass --force.",
  ],
  examples: [
    "callweave calls to-scenario 01JX7 --agent flow.ts --out from_calls.ts",
    "callweave calls to-scenario 01JX7 --script --out from_calls.json",
    "callweave calls to-scenario 01JX7 --model openai/gpt-5-mini",
  ],
  run: async (args, terminal) => {
    const out = await outputFile(args);
    const agent = args.text("agent");
    const given =
      agent === undefined
        ? undefined
        : await loadSource(agent, terminal, { exportName: args.text("export"), format: args.text("from") });
    const stored = await readCalls(args, terminal);
    const source = given ?? storedSource(stored);
    const written = await writeScenarios(stored.calls, source, args, terminal);
    if (written.length === 0)
      throw usage("the caller said nothing in any of these calls", "Choose other calls: callweave runs show ID");
    const text = scenarioText(
      written.map(({ scenario }) => scenario),
      { path: out, source, sourcePath: agent ?? "" },
    );
    if (out !== undefined) await writeTextFile(out, text, { signal: terminal.signal });
    if (args.has("json")) terminal.out(`${JSON.stringify(written, null, 2)}\n`);
    else if (out === undefined) terminal.out(text);
    for (const { scenario, notes } of written)
      for (const note of notes) terminal.err(`note on "${scenario.name}": ${note}\n`);
    if (out !== undefined) terminal.err(nextSteps(out, written.length, agent));
    return 0;
  },
};

async function readCalls(args: Arguments, terminal: Terminal): Promise<StoredCalls> {
  await using store = await openRuns(args, terminal);
  const stored = await readStoredCalls(store, args.at("ID"), terminal.signal);
  const names = args.texts("scenario");
  const unknown = names.find((name) => !stored.calls.some(({ scenario }) => scenario === name));
  if (unknown !== undefined)
    throw usage(`there is no call "${unknown}"`, `Look at callweave runs show ${args.at("ID")}`);
  const calls = stored.calls.filter(({ scenario }) => names.length === 0 || names.includes(scenario));
  if (args.text("name") !== undefined && calls.length > 1)
    throw usage(`--name is for one call, but there are ${calls.length}`, "Name a result's id, or leave --name out");
  return { ...stored, calls };
}

async function writeScenarios(
  calls: readonly ResultRecord[],
  source: AgentSource,
  args: Arguments,
  terminal: Terminal,
): Promise<readonly (ScenarioFromCall & { readonly call: string })[]> {
  const { scenarioFromCall } = await import("../../../run/calls/mod.ts");
  const seconds = args.number("try-timeout");
  const written: (ScenarioFromCall & { readonly call: string })[] = [];
  for (const call of calls) {
    if (!call.transcript.some(({ role, content }) => role === "user" && content.trim() !== "")) {
      terminal.err(`left out "${call.scenario}" (${call.id}): the caller said nothing\n`);
      continue;
    }
    const made = await scenarioFromCall(call, {
      script: args.has("script"),
      signal: terminal.signal,
      ...(Object.keys(source.graph.nodes).length > 0 ? { graph: source.graph } : {}),
      ...defined({ name: args.text("name"), model: args.text("model") }),
      ...(seconds === undefined ? {} : { requests: { tryTimeoutMs: seconds * 1000 } }),
    });
    const name = unusedName(made.scenario.name, new Set(written.map(({ scenario }) => scenario.name)));
    written.push({ call: call.id, ...made, scenario: { ...made.scenario, name } });
  }
  return written;
}

/** The agent that the calls ran on; without nodes if it is unknown. */
function storedSource({ graph }: StoredCalls): AgentSource {
  const none = { nodes: {}, entry_node_id: "", source_type: "", source_metadata: {}, snippets: {} };
  return { graph: graph ?? none, name: "", format: "", findings: [], exports: {} };
}

async function outputFile(args: Arguments): Promise<string | undefined> {
  const out = args.text("out");
  if (out === undefined) return undefined;
  if (!isModulePath(out) && !out.endsWith(".json"))
    throw usage(`--out is "${out}"`, "Name a file that ends in .ts or .json");
  if (existsSync(out) && !args.has("force")) throw usage(`"${out}" exists`, "Name another file, or add --force");
  await checkWritableFile(out);
  return out;
}

function unusedName(base: string, names: ReadonlySet<string>): string {
  let name = base;
  for (let count = 2; names.has(name); count++) name = `${base} (${count})`;
  return name;
}

function nextSteps(out: string, count: number, agent: string | undefined): string {
  const flag = out.endsWith(".json") ? "--tests" : "--scenarios";
  const wrote = `wrote ${out}: ${count} scenario${count === 1 ? "" : "s"} to edit\n`;
  return agent === undefined ? wrote : `${wrote}next: npx callweave run ${agent} ${flag} ${out}\n`;
}

/** Stored calls, and the graph that they ran on, if it is stored. */
export interface StoredCalls {
  readonly calls: readonly ResultRecord[];
  readonly graph: AgentGraph | undefined;
}

/**
 * Reads the call with this id, else the completed calls of the run with this id.
 *
 * @throws {UsageError} `usage` for a run without such calls.
 * @throws {StoreError} `unknown-run`.
 */
async function readStoredCalls(store: Store, id: string, signal: AbortSignal): Promise<StoredCalls> {
  const result = await store.findResult(id, { signal });
  if (result) {
    const graph = await store.showGraph(result.runId, { signal });
    return { calls: [result], graph: await known(graph) };
  }
  const { results, graph } = await store.showRun(id, { signal });
  const calls = results.filter(({ status }) => FINISHED.includes(status));
  if (calls.length === 0) throw usage(`run "${id}" has no completed call`, "Choose another run: callweave runs list");
  return { calls, graph: await known(graph) };
}

/** An import without an agent stores a placeholder graph, which does not have the agent's nodes and tools. */
async function known(graph: AgentGraph): Promise<AgentGraph | undefined> {
  const { unknownAgent } = await import("../../../run/calls/mod.ts");
  return fingerprint(graph) === fingerprint(unknownAgent()) ? undefined : graph;
}
