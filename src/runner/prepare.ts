import { type Issue, isCallweaveError, ScenarioError, throwIssues } from "../errors.ts";
import {
  DEFAULT_THRESHOLD,
  type Metric,
  parseScenarios,
  type Scenario,
  type ScenarioInput,
  type ScenarioSource,
} from "../graph/mod.ts";
import { compilePattern, type Pattern } from "../judges/mod.ts";
import { type Model, resolveModel } from "../models/mod.ts";
import { joinMetrics, type RunOptions } from "./options.ts";
import type { PreparedScenario } from "./run_scenario.ts";

/** A scenario in any of its forms: built in code, read, or a plain test case. */
export type RunnableScenario = ScenarioSource | ScenarioInput;

/**
 * Reads scenarios, with all that can be wrong with them found before the first call.
 *
 * @param agent Plays the agent, where a scenario does not ask for a model of its own.
 * @throws {ScenarioError} `invalid-scenario`, `duplicate-scenario`, `invalid-pattern`.
 * @throws {ModelError} When the model that a scenario asks for cannot be had.
 */
export async function prepareScenarios(
  sources: readonly RunnableScenario[],
  agent: Model,
  { threshold = DEFAULT_THRESHOLD, metrics = [], scenarioModels = false }: RunOptions,
): Promise<readonly PreparedScenario[]> {
  const global = metrics.map(
    (metric): Metric =>
      typeof metric === "string"
        ? { criterion: metric, threshold }
        : { ...metric, threshold: metric.threshold ?? threshold },
  );
  checkThresholds([...global, { criterion: "criteria without their own", threshold }]);
  const withDefault = (metric: Metric) => (metric.threshold === DEFAULT_THRESHOLD ? { ...metric, threshold } : metric);
  const scenarios = parseScenarios(sources.map(plain));
  const patterns = await compilePatterns(scenarios);
  return await Promise.all(
    scenarios.map(async (scenario, index) => ({
      scenario,
      agent: scenarioModels && scenario.llm_model ? await resolveModel(scenario.llm_model) : agent,
      metrics: joinMetrics(scenario.metrics.map(withDefault), global),
      patterns: patterns[index] ?? [],
    })),
  );
}

/** The document: what builds one is asked for it. */
export function plain(source: RunnableScenario): unknown {
  return isBuilder(source) ? source.toJSON() : source;
}

function isBuilder(source: RunnableScenario): source is { readonly toJSON: () => Scenario } {
  return "toJSON" in source && typeof source.toJSON === "function";
}

function checkThresholds(metrics: readonly Metric[]): void {
  const issues = metrics.flatMap(({ criterion, threshold }, index): Issue[] =>
    threshold >= 0 && threshold <= 1
      ? []
      : [
          {
            code: "invalid-scenario",
            path: ["metrics", index, "threshold"],
            message: `the threshold of "${criterion}" is ${threshold}`,
            hint: "Choose one from 0 to 1",
          },
        ],
  );
  throwIssues(ScenarioError, "Cannot run scenarios", issues);
}

async function compilePatterns(scenarios: readonly Scenario[]): Promise<readonly (readonly Pattern[])[]> {
  const issues: Issue[] = [];
  const compiled: Pattern[][] = [];
  for (const [index, scenario] of scenarios.entries()) {
    const patterns: Pattern[] = [];
    for (const [position, source] of scenario.patterns.entries()) {
      try {
        patterns.push(await compilePattern(source));
      } catch (error) {
        if (!isCallweaveError(error)) throw error;
        const { code, message, hint } = error;
        const path = [index, "patterns", position];
        issues.push({ code, path, message: `scenario "${scenario.name}": ${message}`, hint });
      }
    }
    compiled.push(patterns);
  }
  throwIssues(ScenarioError, "Cannot run scenarios", issues);
  return compiled;
}
