import type { Path } from "../../../src/errors.ts";
import { DEFAULT_THRESHOLD, type Scenario } from "../../../src/scenario/mod.ts";
import type { Losses, LossTable } from "../shared/mod.ts";

const CHECKED = "Run the scenario with Callweave, which checks it";
const PERSONA = "Give the scenario a persona";

/** Losses of test cases by code, with hints. */
export const LOSSES = {
  "metric-threshold": ["dropped", CHECKED],
  "scripted-caller": ["emulated", PERSONA],
  "no-caller": ["emulated", PERSONA],
  "expectation-as-metric": ["emulated", "Run the scenario with Callweave, which checks it to the letter"],
  "own-check": ["dropped", CHECKED],
  "path-expectation": ["dropped", CHECKED],
  "end-expectation": ["dropped", CHECKED],
  "turn-limit": ["dropped", CHECKED],
  "mock-limit": ["dropped", CHECKED],
  "variable-as-text": ["emulated", "Write the value as text"],
} as const satisfies LossTable<string>;

/** A code of {@link LOSSES}. */
export type LossCode = keyof typeof LOSSES;

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
    ...scenario.calls.map(({ tool, args }) => {
      const withArgs = ` with at least these arguments: ${JSON.stringify(args)}`;
      return `The agent calls the tool ${tool}${Object.keys(args).length === 0 ? "" : withArgs}`;
    }),
    ...Object.entries(scenario.extracts).map(
      ([name, value]) => `At the end of the call, ${name} is ${JSON.stringify(value)}`,
    ),
    ...(ends === undefined ? [] : [ends]),
  ];
}

/** Settings of a mock that Retell's mocks do not have. */
export const MOCK_LIMITS = ["delay_ms", "times"] as const;

/** Reports what a scenario has and a test case of Retell's does not, except for its variables. */
export function loseExpectations(scenario: Scenario, path: Path, { add }: Losses<LossCode>): void {
  const { says, user_prompt: prompt, ends, max_turns: turns } = scenario;
  const asMetric = (...at: Path) => {
    const message = "Retell's tests have metrics only";
    add("expectation-as-metric", [...path, ...at], message, "a metric that says the same in words");
  };
  for (const [index, { threshold }] of scenario.metrics.entries()) {
    const message = "Retell's metrics pass or fail, without a threshold";
    if (threshold !== DEFAULT_THRESHOLD) add("metric-threshold", [...path, "metrics", index], message);
  }
  if (says.length > 0) {
    const message = "Retell's callers are played by a model";
    add("scripted-caller", [...path, "says"], message, "a prompt that asks for the lines word for word");
  } else if (!prompt) {
    const message = "Retell wants a prompt for the caller";
    add("no-caller", [...path, "user_prompt"], message, "a caller who answers the agent's questions");
  }
  for (const key of ["includes", "excludes", "patterns", "calls"] as const)
    for (const index of scenario[key].keys()) asMetric(key, index);
  for (const name of Object.keys(scenario.extracts)) asMetric("extracts", name);
  for (const [index, name] of (scenario.checks ?? []).entries())
    add("own-check", [...path, "checks", index], `Retell cannot run the function of check "${name}"`);
  for (const key of ["visits", "avoids"] as const) {
    const message = "Retell's tests do not say which nodes a call goes through";
    if (scenario[key].length > 0) add("path-expectation", [...path, key], message);
  }
  for (const [index, mock] of scenario.tool_mocks.entries())
    for (const key of MOCK_LIMITS.filter((limit) => mock[limit] != null))
      add("mock-limit", [...path, "tool_mocks", index, key], "Retell's mocks answer at once, each time");
  if (ENDS.has(ends ?? "")) asMetric("ends");
  else if (ends != null) add("end-expectation", [...path, "ends"], `Retell's judge cannot tell an end by ${ends}`);
  if (turns != null) add("turn-limit", [...path, "max_turns"], "Retell decides itself when a test is over");
}
