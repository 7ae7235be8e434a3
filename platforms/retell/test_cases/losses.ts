import type { Path } from "../../../src/base/errors.ts";
import type { Scenario } from "../../../src/document/scenario/mod.ts";
import { type Losses, type LossTable, loseVariableTypes } from "../shared/mod.ts";

const CHECKED = "Run the scenario with Callweave, which checks it";
const PERSONA = "Add a persona to the scenario";

/** Losses of test cases by code, with hints. */
export const TEST_CASE_LOSSES = {
  "metric-threshold": ["dropped", CHECKED],
  "scripted-caller": ["emulated", PERSONA],
  "no-caller": ["emulated", PERSONA],
  "expectation-as-metric": ["emulated", "Run the scenario with Callweave, which checks it exactly"],
  "own-check": ["dropped", CHECKED],
  "path-expectation": ["dropped", CHECKED],
  "end-expectation": ["dropped", CHECKED],
  "latency-expectation": ["dropped", CHECKED],
  "turn-limit": ["dropped", CHECKED],
  "mock-limit": ["dropped", CHECKED],
  "unknown-model": ["dropped", "Choose a model that Retell lists"],
  "variable-as-text": ["emulated", "Write the value as text"],
} as const satisfies LossTable<string>;

/** A code of {@link TEST_CASE_LOSSES}. */
export type TestCaseLossCode = keyof typeof TEST_CASE_LOSSES;

const ENDS: ReadonlyMap<string, string> = new Map([
  ["agent_ended", "The agent ends the call"],
  ["agent_transferred", "The agent transfers the call"],
]);

/** Returns expectations as sentences for Retell's judge, with their paths in the scenario. */
export function asMetrics(scenario: Scenario): readonly { readonly path: Path; readonly metric: string }[] {
  const end = ENDS.get(scenario.ends ?? "");
  const listed = <Item>(key: string, items: readonly Item[], say: (item: Item) => string) =>
    items.map((item, index) => ({ path: [key, index], metric: say(item) }));
  return [
    ...listed("includes", scenario.includes, (text) => `The agent says ${JSON.stringify(text)}`),
    ...listed("excludes", scenario.excludes, (text) => `The agent never says ${JSON.stringify(text)}`),
    ...listed("patterns", scenario.patterns, (text) => `Something that the agent says matches the pattern ${text}`),
    ...listed("calls", scenario.calls, ({ tool, args }) => {
      const withArgs = ` with at least these arguments: ${JSON.stringify(args)}`;
      return `The agent calls the tool ${tool}${Object.keys(args).length === 0 ? "" : withArgs}`;
    }),
    ...Object.entries(scenario.extracts).map(([name, value]) => {
      return { path: ["extracts", name], metric: `At the end of the call, ${name} is ${JSON.stringify(value)}` };
    }),
    ...(end === undefined ? [] : [{ path: ["ends"], metric: end }]),
  ];
}

/** Settings of a mock that Retell does not support. */
export const MOCK_LIMITS = ["delay_ms", "times"] as const;

/** Reports the parts of a scenario that Retell's test cases do not support. */
export function loseExpectations(scenario: Scenario, path: Path, losses: Losses<TestCaseLossCode>): void {
  const { says, user_prompt: prompt, ends, max_turns: turns, answers_within_ms: limitMs } = scenario;
  const lose = (code: TestCaseLossCode, at: Path, message: string, instead?: string) =>
    losses.add(code, [...path, ...at], message, instead);
  for (const [index, { threshold }] of scenario.metrics.entries())
    if (threshold != null)
      lose("metric-threshold", ["metrics", index], "Retell's metrics pass or fail, without a threshold");
  if (says.length > 0)
    lose("scripted-caller", ["says"], "Retell's callers are simulated by a model", "a prompt with these lines");
  else if (!prompt)
    lose("no-caller", ["user_prompt"], "Retell needs a prompt for the caller", "a caller who answers questions");
  for (const { path: at } of asMetrics(scenario))
    lose("expectation-as-metric", at, "Retell's tests support only metrics", "a metric that describes it in words");
  for (const [index, name] of (scenario.checks ?? []).entries())
    lose("own-check", ["checks", index], `Retell cannot run the function of check "${name}"`);
  for (const key of ["visits", "avoids"] as const)
    if (scenario[key].length > 0)
      lose("path-expectation", [key], "Retell's tests cannot check which nodes a call visits");
  for (const [index, mock] of scenario.tool_mocks.entries())
    for (const key of MOCK_LIMITS.filter((limit) => mock[limit] != null))
      lose("mock-limit", ["tool_mocks", index, key], "Retell's mocks always answer at once");
  if (ends != null && !ENDS.has(ends))
    lose("end-expectation", ["ends"], `Retell's judge cannot detect an end by ${ends}`);
  if (limitMs != null) lose("latency-expectation", ["answers_within_ms"], "Retell's tests do not measure latency");
  loseVariableTypes(scenario.dynamic_variables, [...path, "dynamic_variables"], losses);
  if (turns != null) lose("turn-limit", ["max_turns"], "Retell decides when a test ends");
}
