import { checkScenarios } from "../../../agent/analysis/mod.ts";
import { check } from "../../../agent/check/mod.ts";
import { GraphError, throwIssues } from "../../../base/errors.ts";
import { parseScenarios, type Scenario } from "../../../document/scenario/mod.ts";
import { type AgentSource, exportedScenarios, loadScenarios, loadSource } from "../../project/mod.ts";
import { type Arguments, type Flag, usage } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";
import { selectScenarios } from "../sources.ts";

/** Flags for the files of an agent and its scenarios. */
export const SOURCE_FLAGS = {
  scenarios: {
    ...{ value: "FILE", repeats: true, sameAs: "tests" },
    description: "Module that exports scenarios; SOURCE itself by default",
  },
  tests: { value: "FILE.json", repeats: true, sameAs: "scenarios", description: "JSON list of test cases" },
} satisfies { readonly [name: string]: Flag };

/** Flags that select one of a source's graphs. */
export const GRAPH_FLAGS = {
  export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
  from: { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
} satisfies { readonly [name: string]: Flag };

/**
 * Loads the agent of a command line and the scenarios for it.
 *
 * @throws {UsageError} `usage` when there are no scenarios; what `loadSource` and `loadScenarios` throw.
 */
export async function loadRun(
  args: Arguments,
  terminal: Terminal,
): Promise<{ readonly source: AgentSource; readonly scenarios: readonly Scenario[] }> {
  if (args.at("SOURCE") === "") throw usage("SOURCE is missing", "Name the agent: flow.ts, or --agent AGENT");
  const source = await loadSource(args.at("SOURCE"), terminal, {
    exportName: args.text("export"),
    format: args.text("from"),
  });
  checkTargets(source.graph, args.at("SOURCE"));
  return { source, scenarios: await loadCalls(source.exports, args, terminal) };
}

/**
 * Loads the scenarios of a command line: those of its files, else those that a module exports.
 *
 * @throws {UsageError} `usage` when there are none; what `loadScenarios` throws.
 */
export async function loadCalls(
  exports: AgentSource["exports"],
  args: Arguments,
  terminal: Terminal,
): Promise<readonly Scenario[]> {
  const files = [...args.texts("scenarios"), ...args.texts("tests")];
  const loaded = await Promise.all(files.map((file) => loadScenarios(file, terminal)));
  const scenarios = files.length > 0 ? loaded.flat() : parseScenarios(exportedScenarios(exports));
  if (scenarios.length === 0) {
    throw usage("there are no scenarios", "Name a file: --scenarios scenarios.ts, or --tests tests.json");
  }
  return scenarios;
}

/** Findings of the platforms' own checks on edges that lead to a node that does not exist. */
const DANGLING = ["unknown-destination", "unknown-state", "unknown-assistant"];

/** Refuses edges to nodes that do not exist: an import keeps them, but no call could take them. */
function checkTargets(graph: AgentSource["graph"], path: string): void {
  const issues = check(graph)
    .filter(({ code, severity }) => severity === "error" && DANGLING.includes(code))
    .map(({ path: at, message, hint = "" }) => ({ code: "unknown-target", path: at, message, hint }) as const);
  throwIssues(GraphError, `Cannot run "${path}"`, issues);
}

/** The scenarios that the flags select; prints warnings about them. */
export function chooseScenarios(
  graph: AgentSource["graph"],
  scenarios: readonly Scenario[],
  args: Arguments,
  terminal: Terminal,
): readonly Scenario[] {
  const grep = args.text("grep");
  const selected = selectScenarios(scenarios, {
    names: args.texts("scenario"),
    tags: args.texts("tag"),
    ...(grep === undefined ? {} : { grep }),
  });
  for (const { severity, code, message, hint } of checkScenarios(graph, selected)) {
    if (severity === "warning") terminal.err(`warning[${code}] ${message} — ${hint}\n`);
  }
  return selected;
}
