import type { Path } from "../../../src/errors.ts";
import { DEFAULT_THRESHOLD, type Scenario } from "../../../src/scenario/mod.ts";
import type { Loss } from "../../platform.ts";

const ENDS: ReadonlyMap<string, string> = new Map([
  ["agent_ended", "The agent ends the call"],
  ["agent_transferred", "The agent transfers the call"],
]);

/** Expectations as Retell's judge can read them: sentences about the call. */
export function emulatedMetrics(scenario: Scenario): string[] {
  const ends = ENDS.get(scenario.ends ?? "");
  return [
    ...scenario.includes.map((text) => `The agent says ${JSON.stringify(text)}`),
    ...scenario.excludes.map((text) => `The agent never says ${JSON.stringify(text)}`),
    ...scenario.patterns.map((pattern) => `Something that the agent says matches the pattern ${pattern}`),
    ...scenario.calls.map(({ tool, args }) =>
      Object.keys(args).length === 0
        ? `The agent calls the tool ${tool}`
        : `The agent calls the tool ${tool} with at least these arguments: ${JSON.stringify(args)}`,
    ),
    ...Object.entries(scenario.extracts).map(
      ([name, value]) => `At the end of the call, ${name} is ${JSON.stringify(value)}`,
    ),
    ...(ends === undefined ? [] : [ends]),
  ];
}

/** What a mock of ours can say of its answers and one of Retell's cannot. */
export const MOCK_LIMITS = ["delay_ms", "times"] as const;

/**
 * What a test case of Retell's cannot carry. Codes: `metric-threshold`, `scripted-caller`, `no-caller`,
 * `expectation-as-metric`, `own-check`, `path-expectation`, `end-expectation`, `turn-limit`, `mock-limit`.
 */
export function lossesOf(scenario: Scenario, path: Path): Loss[] {
  const metrics = scenario.metrics.flatMap(({ threshold }, index) =>
    threshold === DEFAULT_THRESHOLD
      ? []
      : [
          dropped(
            "metric-threshold",
            [...path, "metrics", index],
            "Retell's metrics pass or fail, without a threshold",
          ),
        ],
  );
  const worded = (["includes", "excludes", "patterns", "calls"] as const).flatMap((key) =>
    scenario[key].map((_, index) => asMetric([...path, key, index])),
  );
  const extracts = Object.keys(scenario.extracts).map((name) => asMetric([...path, "extracts", name]));
  const nodes = (["visits", "avoids"] as const).flatMap((key) =>
    scenario[key].length === 0
      ? []
      : [dropped("path-expectation", [...path, key], "Retell's tests do not say which nodes a call goes through")],
  );
  const mocks = scenario.tool_mocks.flatMap((mock, index) =>
    MOCK_LIMITS.filter((key) => mock[key] != null).map((key) =>
      dropped("mock-limit", [...path, "tool_mocks", index, key], "Retell's mocks answer at once, each time"),
    ),
  );
  const checks = (scenario.checks ?? []).map((name, index) =>
    dropped("own-check", [...path, "checks", index], `Retell cannot run the function of check "${name}"`),
  );
  return [
    ...metrics,
    ...caller(scenario, path),
    ...worded,
    ...extracts,
    ...checks,
    ...nodes,
    ...mocks,
    ...end(scenario, path),
  ];
}

function caller({ says, user_prompt: prompt }: Scenario, path: Path): Loss[] {
  const hint = "Give the scenario a persona";
  if (says.length > 0) {
    const message = "Retell's callers are played by a model";
    const instead = "a prompt that asks for the lines word for word";
    return [{ code: "scripted-caller", kind: "emulated", path: [...path, "says"], message, instead, hint }];
  }
  if (prompt) return [];
  const message = "Retell wants a prompt for the caller";
  const instead = "a caller who answers the agent's questions";
  return [{ code: "no-caller", kind: "emulated", path: [...path, "user_prompt"], message, instead, hint }];
}

function end({ ends, max_turns: turns }: Scenario, path: Path): Loss[] {
  return [
    ...(ends == null
      ? []
      : ENDS.has(ends)
        ? [asMetric([...path, "ends"])]
        : [dropped("end-expectation", [...path, "ends"], `Retell's judge cannot tell an end by ${ends}`)]),
    ...(turns == null
      ? []
      : [dropped("turn-limit", [...path, "max_turns"], "Retell decides itself when a test is over")]),
  ];
}

function asMetric(path: Path): Loss {
  return {
    code: "expectation-as-metric",
    kind: "emulated",
    path,
    message: "Retell's tests have metrics only",
    instead: "a metric that says the same in words",
    hint: "Run the scenario with Callweave, which checks it to the letter",
  };
}

function dropped(code: string, path: Path, message: string): Loss {
  const hint = "Run the scenario with Callweave, which checks it";
  return { code, kind: "dropped", path, message, hint };
}
