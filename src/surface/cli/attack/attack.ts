import { existsSync } from "node:fs";
import { createRedactor } from "../../../base/redaction/mod.ts";
import { defined, plural } from "../../../base/values/mod.ts";
import { CALL_SETTINGS, KIND } from "../../../document/settings/mod.ts";
import {
  ATTACK_KINDS,
  type AttackEvent,
  type AttackOptions,
  type AttackReport,
  attack,
  toolOfCheck,
} from "../../../run/attack/mod.ts";
import { type AgentSource, isModulePath, loadPolicies, loadScenarios, loadSource } from "../../project/mod.ts";
import { type Arguments, type Command, EXAMPLE, type ExitCode, type Flag, usage } from "../arguments.ts";
import { listStyle } from "../format/mod.ts";
import { scenarioText } from "../generate.ts";
import { checkWritableFile, type Terminal, writeTextFile } from "../io/mod.ts";
import { GRAPH_FLAGS, LIVE_FLAGS, openDeployed, readRunOptions } from "../run/mod.ts";
import { POLICY_FLAGS } from "../sources.ts";
import { formatAttack } from "./format_attack.ts";

const MS_OF_MINUTE = 60_000;

const FLAGS = {
  kind: { value: "KIND", repeats: true, description: `Only this kind; repeatable: ${ATTACK_KINDS.join(", ")}` },
  never: { value: "TEXT", repeats: true, description: "What the agent must never do, in words; repeatable" },
  secret: { value: "VARIABLE", repeats: true, description: "A variable that callers must not hear; repeatable" },
  known: { value: "FILE", repeats: true, description: "Earlier findings: says which are still open; repeatable" },
  write: { value: "FILE", description: "New file for the findings as scenarios; it ends in .ts or .json" },
  tries: { value: "N", kind: KIND.count, description: "Repeats the smallest conversation of a finding (default: 5)" },
  seed: { value: "TEXT", description: "The same seed gives the same attacks (default: callweave)" },
  "max-calls": { value: "N", kind: KIND.count, description: "Maximum number of calls (default: 400)" },
  turns: { value: "N", kind: KIND.count, description: "Maximum number of the attacker's turns in a call (default: 8)" },
  "max-usd": {
    value: "DOLLARS",
    kind: KIND.dollars,
    description: "Stop when the models cost more (default: 5, as far as prices are known)",
  },
  "max-minutes": {
    value: "MINUTES",
    kind: { type: "number", above: 0, to: 10_000 },
    description: "Stop after this time (default: 15)",
  },
  model: CALL_SETTINGS.model,
  "caller-model": CALL_SETTINGS["caller-model"],
  "judge-model": CALL_SETTINGS["judge-model"],
  "try-timeout": CALL_SETTINGS["try-timeout"],
  rpm: CALL_SETTINGS.rpm,
  "model-concurrency": CALL_SETTINGS["model-concurrency"],
  prices: CALL_SETTINGS.prices,
  ...POLICY_FLAGS,
  ...GRAPH_FLAGS,
  agent: LIVE_FLAGS.agent,
  graph: LIVE_FLAGS.graph,
  flow: LIVE_FLAGS.flow,
  "base-url": LIVE_FLAGS["base-url"],
  "allow-deployed": { description: "With --agent: the agent is yours, and may be attacked" },
  "allow-real-tools": LIVE_FLAGS["allow-real-tools"],
  json: { description: "Print the report as JSON" },
} satisfies { readonly [name: string]: Flag };

/** `callweave attack`. */
export const attackCommand: Command = {
  name: "attack",
  summary: "Try to make an agent do what it should not, and keep what works as scenarios",
  spec: {
    positionals: [
      {
        name: "SOURCE",
        description: "Module that exports a graph, or any JSON that can be imported",
        optional: true,
      },
    ],
    flags: FLAGS,
  },
  notes: [
    "The graph is attacked: mocks answer its tools. --agent attacks a deployed agent only with --allow-deployed.",
    "--model plays the agent, the attacker and the judge. Without it, the offline model is the agent, and attacks are written texts.",
    "Exit codes: 0 nothing found; 1 weaknesses; 2 wrong usage or input; 3 nothing found, but not everything was tried.",
  ],
  examples: [
    "callweave attack flow.ts --model openai/gpt-5-mini --write attacks.ts",
    "callweave attack flow.ts --known attacks.ts --kind prompt --kind tool",
    `callweave attack flow.ts --agent ${EXAMPLE.calls}:AGENT_ID --allow-deployed`,
  ],
  run: async (args, terminal) => await runAttack(args, terminal),
};

async function runAttack(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const write = await outputFile(args);
  const kinds = args.texts("kind").map((text) => {
    const kind = ATTACK_KINDS.find((each) => each === text);
    if (kind === undefined) throw usage(`--kind is "${text}"`, `Write one of ${ATTACK_KINDS.join(", ")}`);
    return kind;
  });
  const { agent, source, place, exports, graph } = await openAgent(args, terminal);
  const known = await Promise.all(args.texts("known").map((file) => loadScenarios(file, terminal)));
  const policies = await loadPolicies(exports, args.texts("policies"), terminal);
  const { models, requests } = await readRunOptions({ graph, name: source?.name ?? "agent" }, args, terminal);
  const report = await attack(agent, {
    ...limitsOf(args),
    policies,
    never: args.texts("never"),
    secrets: args.texts("secret"),
    known: known.flat(),
    signal: terminal.signal,
    onProgress: (event) => terminal.err(progressLine(event)),
    allowDeployed: args.has("allow-deployed"),
    allowRealTools: args.has("allow-real-tools"),
    ...(kinds.length > 0 ? { kinds } : {}),
    ...defined({
      // a deployed agent has its own model
      models:
        args.text("agent") === undefined
          ? models
          : models && { ...defined({ caller: models.caller, judge: models.judge }) },
      requests,
      seed: args.text("seed"),
      tries: args.number("tries"),
      ...(args.text("agent") === undefined ? {} : { graph }),
    }),
  });
  const shown = createRedactor({ env: terminal.env }).value(report);
  const style = listStyle(terminal.stdout, terminal.env);
  terminal.out(args.has("json") ? `${JSON.stringify(shown, null, 2)}\n` : formatAttack(shown, style));
  if (write !== undefined) await writeFindings(report, { write, source, place, graph }, terminal);
  return exitCodeOf(report);
}

/** Nothing found is only a pass if each target was tried, and each call came to a result. */
function exitCodeOf({ findings, known, targets, stopped }: AttackReport): ExitCode {
  if (findings.length > 0 || known.some(({ state }) => state === "open")) return 1;
  const isWhole = targets.every(({ attempts, answered }) => attempts > 0 && answered === attempts);
  return isWhole && !stopped && known.every(({ state }) => state === "closed") ? 0 : 3;
}

/** The agent of a command line: a graph, or with `--agent` a connection. */
async function openAgent(args: Arguments, terminal: Terminal) {
  const place = args.at("SOURCE");
  if (args.text("agent") === undefined) {
    if (place === "") throw usage("SOURCE is missing", "Name the agent: flow.ts, or --agent AGENT --allow-deployed");
    const options = { exportName: args.text("export"), format: args.text("from") };
    const source = await loadSource(place, terminal, options);
    return { agent: source.graph, graph: source.graph, source, place, exports: source.exports };
  }
  if (!args.has("allow-deployed"))
    throw usage(
      "--agent is a deployed agent",
      "Add --allow-deployed if it is yours and may be attacked, or attack its graph",
    );
  const { standInGraph } = await import("../../../run/runner/mod.ts");
  const { connection, graph, exports } = await openDeployed(args, terminal, async () => undefined);
  return { agent: connection, graph: graph ?? standInGraph(connection), source: undefined, place, exports };
}

function limitsOf(args: Arguments): Pick<AttackOptions, "limits"> {
  const minutes = args.number("max-minutes");
  const limits = defined({
    calls: args.number("max-calls"),
    turns: args.number("turns"),
    costUsd: args.number("max-usd"),
    wallMs: minutes === undefined ? undefined : minutes * MS_OF_MINUTE,
  });
  return { limits };
}

async function outputFile(args: Arguments): Promise<string | undefined> {
  const write = args.text("write");
  if (write === undefined) return undefined;
  if (!isModulePath(write) && !write.endsWith(".json"))
    throw usage(`--write is "${write}"`, "Name a file that ends in .ts or .json");
  if (existsSync(write)) throw usage(`"${write}" exists`, "Name another file with --write, or remove the file");
  await checkWritableFile(write);
  return write;
}

async function writeFindings(
  { findings }: AttackReport,
  file: {
    readonly write: string;
    readonly source: AgentSource | undefined;
    readonly place: string;
    readonly graph: AgentSource["graph"];
  },
  terminal: Terminal,
): Promise<void> {
  const isJson = file.write.endsWith(".json");
  const all = findings.map(({ scenario }) => scenario);
  // the check that a tool is not called is a function, which JSON does not have
  const scenarios = isJson ? all.filter(({ checks }) => !checks || checks.length === 0) : all;
  const missing = all.length - scenarios.length;
  if (missing > 0)
    terminal.err(`${plural(missing, "finding")} of tools need code and are not in ${file.write}: write a .ts file\n`);
  if (scenarios.length === 0) return;
  const source = file.source ?? { graph: file.graph, exports: {}, name: "agent", format: "graph", findings: [] };
  const checks = new Map(
    scenarios.flatMap(({ checks: names }) =>
      (names ?? []).flatMap((name) => {
        const tool = toolOfCheck(name);
        const code = `({ toolsCalled }) => toolsCalled.every(({ name }) => name !== ${JSON.stringify(tool)})`;
        return tool === undefined ? [] : [[name, code] as const];
      }),
    ),
  );
  const text = scenarioText(scenarios, { path: file.write, source, sourcePath: file.place }, checks);
  await writeTextFile(file.write, text, { signal: terminal.signal });
  const flag = isJson ? "tests" : "scenarios";
  terminal.err(`wrote ${file.write}\n`);
  if (file.place !== "") terminal.err(`next: npx callweave run ${file.place} --${flag} ${file.write}\n`);
}

function progressLine(event: AttackEvent): string {
  if (event.kind === "round") return `${event.technique}: ${plural(event.calls, "call")}\n`;
  return `found: ${event.title}, at ${event.node}\n`;
}
