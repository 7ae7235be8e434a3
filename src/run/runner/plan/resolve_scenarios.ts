import { type Issue, isCallweaveError, ScenarioError, throwIssues } from "../../../base/errors.ts";
import { compilePattern, type Pattern } from "../../../call/judges/mod.ts";
import { type Model, type ModelLoader, resolveModel } from "../../../call/models/mod.ts";
import {
  DEFAULT_THRESHOLD,
  type Metric,
  type RunMetric,
  requireScenarios,
  type Scenario,
  type ScenarioSource,
  toScenarios,
} from "../../../document/scenario/mod.ts";
import type { ResolvedScenario, RunVariant } from "../call/mod.ts";
import { joinMetrics, type RunOptions } from "../options/mod.ts";
import { vacuousIn } from "./vacuous.ts";

/**
 * Prepares scenarios for a run and reports all problems before the first call.
 *
 * @param options `judgesPath`: the flow judge has something to judge, so that a scenario needs no other expectation.
 * @param agent Model that plays the agent in scenarios without a model of their own.
 * @param variant Its scenarios need neither a caller nor an expectation.
 * @throws {ScenarioError} `invalid-scenario`, also for an empty list and for a scenario without a caller or an
 *   expectation; `duplicate-scenario`, `invalid-pattern`.
 * @throws {ModelError} When a scenario's model cannot be loaded.
 */
export async function resolveScenarios(
  sources: readonly ScenarioSource[],
  agent: Model,
  {
    judging: { threshold = DEFAULT_THRESHOLD, metrics = [] } = {},
    models,
    createCaller,
    judgesPath = false,
    loadModel = resolveModel,
  }: RunOptions & { readonly judgesPath?: boolean; readonly loadModel?: ModelLoader },
  variant?: RunVariant,
): Promise<readonly ResolvedScenario[]> {
  const withThreshold = (metric: Metric): RunMetric => ({ ...metric, threshold: metric.threshold ?? threshold });
  const global = metrics.map((metric) => withThreshold(typeof metric === "string" ? { criterion: metric } : metric));
  checkMetrics([...global, { criterion: "criteria without their own", threshold }]);
  const scenarios = toScenarios(sources);
  requireScenarios(scenarios, "Cannot run scenarios");
  const patterns = await compilePatterns(scenarios);
  const resolved = await Promise.all(
    scenarios.map(async (scenario, index) => ({
      scenario,
      agent: models?.fromScenarios && scenario.llm_model ? await loadModel(scenario.llm_model) : agent,
      metrics: joinMetrics(scenario.metrics.map(withThreshold), global),
      patterns: patterns[index] ?? [],
    })),
  );
  const context = { hasCallers: createCaller !== undefined, judgesPath };
  const issues = variant ? [] : resolved.flatMap((each, index) => vacuousIn(each, index, context));
  throwIssues(ScenarioError, "Cannot run scenarios", issues);
  return resolved;
}

function checkMetrics(metrics: readonly RunMetric[]): void {
  const issues = metrics.flatMap(({ criterion, threshold }, index): Issue[] => {
    const issue = (path: Issue["path"], message: string, hint: string) => [
      { code: "invalid-scenario", path: ["judging", "metrics", index, ...path], message, hint } as const,
    ];
    if (criterion.trim() === "")
      return issue([], "the criterion is blank", "Write what the judge should check, or remove it");
    if (threshold > 0 && threshold <= 1) return [];
    const hint = "Choose a threshold greater than 0 and at most 1";
    return issue(["threshold"], `the threshold of "${criterion}" is ${threshold}`, hint);
  });
  throwIssues(ScenarioError, "Cannot run scenarios", issues);
}

/** A text that no call contains. A pattern that matches both it and the empty text matches every text. */
const NEVER_SAID = "\u0001";

async function compilePatterns(scenarios: readonly Scenario[]): Promise<readonly (readonly Pattern[])[]> {
  const issues: Issue[] = [];
  const compiled: Pattern[][] = [];
  for (const [index, scenario] of scenarios.entries()) {
    const patterns: Pattern[] = [];
    for (const [position, source] of scenario.patterns.entries()) {
      const path = [index, "patterns", position];
      try {
        const pattern = await compilePattern(source);
        patterns.push(pattern);
        if (!pattern.matches("") || !pattern.matches(NEVER_SAID)) continue;
        const message = `scenario "${scenario.name}": pattern "${source}" matches every text, so it checks nothing`;
        issues.push({ code: "invalid-scenario", path, message, hint: "Write what a message must have" });
      } catch (error) {
        if (!isCallweaveError(error)) throw error;
        const { code, message, hint } = error;
        issues.push({ code, path, message: `scenario "${scenario.name}": ${message}`, hint });
      }
    }
    compiled.push(patterns);
  }
  throwIssues(ScenarioError, "Cannot run scenarios", issues);
  return compiled;
}
