import assert from "node:assert/strict";
import { test } from "node:test";
import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { isCallweaveError, type RunReport, run } from "../../../mod.ts";
import { type Scenario, toScenarios } from "../../../src/document/scenario/mod.ts";
import { DESK_SCENARIOS } from "./_desk.ts";
import type { FaultyPlatform } from "./_faults.ts";
import { FAULTY_PLATFORMS } from "./_faulty_platforms.ts";
import { statuses } from "./_runs.ts";

const SCENARIOS = toScenarios(DESK_SCENARIOS);

/** Runs scenarios against a platform; those that expect nothing that it reports are refused, and left out. */
async function runOn(platform: FaultyPlatform, scenarios: readonly Scenario[]): Promise<RunReport> {
  await using agent = await platform.start(undefined);
  const options = {
    store: false,
    limits: { concurrency: 3 },
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

test("the graph passes the help desk's scenarios", async () => {
  assert.ok(statuses(await run(helpDesk, SCENARIOS, { store: false })).every((status) => status === "pass"));
});

for (const platform of FAULTY_PLATFORMS) {
  test(`the same scenarios have the same verdicts on ${platform.name}, and what is not checked is named`, async () => {
    const scenarios = platform.ends === false ? SCENARIOS.map((each) => ({ ...each, ends: null })) : SCENARIOS;
    const report = await runOn(platform, scenarios);
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
    const wrong = report.results.map(({ scenario: name }) => {
      const scenario = scenarios.find((each) => each.name === name) ?? assert.fail(name);
      return { ...scenario, includes: ["words that nobody says"] };
    });
    const failed = await runOn(platform, wrong);
    assert.deepEqual(
      failed.results.map(({ status }) => status),
      wrong.map(() => "fail"),
    );
  });
}
