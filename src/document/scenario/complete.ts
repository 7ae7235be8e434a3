import { defined } from "../../base/values/mod.ts";
import type { ScenarioInput } from "./input.ts";
import type { Metric, Scenario } from "./scenario.ts";

/** Fills in missing keys of a scenario. */
export function completeScenario(input: ScenarioInput): Scenario {
  const { type, ...rest } = input;
  return {
    ...rest,
    ...(type ? { type: type === "rule" || type === "unit" ? "rule" : "llm" } : {}),
    user_prompt: input.user_prompt ?? "",
    says: input.says ?? [],
    dynamic_variables: input.dynamic_variables ?? {},
    tool_mocks: (input.tool_mocks ?? []).map((mock) => ({
      ...mock,
      output: mock.output ?? null,
      input_match_rule: mock.input_match_rule ?? { type: "any" },
      result: mock.result ?? true,
    })),
    metrics: (input.metrics ?? []).map(completeMetric),
    includes: input.includes ?? [],
    excludes: input.excludes ?? [],
    patterns: input.patterns ?? [],
    visits: input.visits ?? [],
    avoids: input.avoids ?? [],
    extracts: input.extracts ?? {},
    calls: (input.calls ?? []).map((call) => ({ ...call, args: call.args ?? {} })),
  };
}

function completeMetric(metric: NonNullable<ScenarioInput["metrics"]>[number]): Metric {
  if (typeof metric === "string") return { criterion: metric };
  const { threshold, ...rest } = metric;
  return { ...rest, ...defined({ threshold: threshold ?? undefined }) };
}
