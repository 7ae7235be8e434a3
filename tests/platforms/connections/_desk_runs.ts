import assert from "node:assert/strict";
import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { isCallweaveError, type RunReport, run } from "../../../mod.ts";
import { type Scenario, toScenarios } from "../../../src/document/scenario/mod.ts";
import { DESK_SCENARIOS } from "./_desk.ts";
import type { FaultyPlatform } from "./_faults.ts";
import { statuses } from "./_runs.ts";

/** The scenarios of the help desk. */
export const SCENARIOS = toScenarios(DESK_SCENARIOS);

/** Runs scenarios against a platform; those that expect nothing that it reports are refused, and left out. */
async function runOn(
  platform: FaultyPlatform,
  scenarios: readonly Scenario[],
  concurrency: number,
): Promise<RunReport> {
  await using agent = await platform.start(undefined);
  const options = {
    store: false,
    limits: { concurrency },
    connection: { graph: helpDesk, unchecked: "report", allowRealTools: true },
  } as const;
  try {
    return await run(agent.connection, scenarios, options);
  } catch (error) {
    assert.ok(isCallweaveError(error) && error.code === "missing-capability");
    const vacuous = error.issues.map(({ path: [at], message }) => {
      assert.match(message, /expects nothing that .* reports/);
      return at;
    });
    const rest = scenarios.filter((_, at) => !vacuous.includes(at));
    return await run(agent.connection, rest, options);
  }
}

/** Everything that a scenario expects, in words. */
function expectationsOf(scenario: Scenario): readonly string[] {
  const { visits, avoids, calls, includes, excludes, extracts, ends } = scenario;
  return [
    ...visits.map((id) => `visits ${id}`),
    ...avoids.map((id) => `avoids ${id}`),
    ...calls.map(({ tool }) => `calls ${tool}`),
    ...includes.map((text) => `includes ${text}`),
    ...excludes.map((text) => `excludes ${text}`),
    ...Object.keys(extracts).map((name) => `extracts ${name}`),
    ...(ends ? [`ends ${ends}`] : []),
  ];
}

/**
 * The scenarios have the same verdicts on a platform, and what it does not check is named.
 *
 * @param mostWrong So many of them are held again with an expectation that does not hold.
 */
export async function holdDesk(
  platform: FaultyPlatform,
  concurrency = 6,
  mostWrong = Number.POSITIVE_INFINITY,
): Promise<void> {
  const scenarios = platform.ends === false ? SCENARIOS.map((each) => ({ ...each, ends: null })) : SCENARIOS;
  const report = await runOn(platform, scenarios, concurrency);
  assert.ok(report.results.length >= 5);
  assert.deepEqual(
    statuses(report),
    report.results.map(() => "pass"),
  );
  for (const { scenario: name, checks, connection } of report.results) {
    const scenario = scenarios.find((each) => each.name === name) ?? assert.fail(name);
    const named = [...checks, ...(connection?.notChecked ?? [])].map(({ kind, expected }) => `${kind} ${expected}`);
    for (const expectation of expectationsOf(scenario)) {
      const [kind = "", ...words] = expectation.split(" ");
      const found = named.some((each) => each.startsWith(`${kind} `) && each.includes(words.join(" ")));
      assert.ok(found, `${name}: "${expectation}" is neither checked nor named in ${named.join("; ")}`);
    }
  }
  const wrong = report.results.slice(-mostWrong).map(({ scenario: name }) => {
    const scenario = scenarios.find((each) => each.name === name) ?? assert.fail(name);
    return { ...scenario, includes: ["words that nobody says"] };
  });
  const failed = await runOn(platform, wrong, concurrency);
  assert.deepEqual(
    failed.results.map(({ status }) => status),
    wrong.map(() => "fail"),
  );
}
