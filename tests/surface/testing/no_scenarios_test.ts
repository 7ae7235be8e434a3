import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { checkPolicies, checkScenarios } from "../../../api/analysis.ts";
import { evaluate } from "../../../api/calls.ts";
import { calibrateJudge } from "../../../api/statistics.ts";
import { testScenarios } from "../../../api/testing.ts";
import { flow, policy, run } from "../../../mod.ts";
import { ownRuntime, ownStart, ROOT, RUNTIMES, runProgram } from "../cli/_process.ts";

const HELLO = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
const options = { store: false, models: { agent: "offline" } } as const;

/** How the test runner of this runtime is started for a file: each has a summary and an exit code of its own. */
const RUNNERS: { readonly [runtime: string]: readonly string[] } = {
  node: [...ownStart(), "--test"],
  bun: [...(RUNTIMES.bun ?? []), "test"],
  deno: [RUNTIMES.deno?.[0] ?? "", "test", "-A", "--no-check", "--config", join(ROOT, "deno.json")],
};

test("what decides by a list of scenarios, policies or calls refuses an empty one", async () => {
  assert.throws(() => testScenarios(HELLO, []), { code: "invalid-scenario", message: /there are none/ });
  assert.throws(() => checkScenarios(HELLO, []), { code: "invalid-scenario", message: /there are none/ });
  assert.throws(() => checkPolicies(HELLO, []), { code: "invalid-policy", message: /there are none/ });
  await assert.rejects(run(HELLO, [], options), { code: "invalid-scenario", message: /there are none/ });
  await assert.rejects(calibrateJudge([], { judge: "offline" }), { code: "invalid-option", path: ["calls"] });
  const transcript = [{ role: "assistant", content: "Hello." }] as const;
  const unjudged = calibrateJudge([{ transcript, verdicts: [] }], { judge: "offline" });
  await assert.rejects(unjudged, { code: "invalid-option", path: ["calls"] });
});

test("evaluate() refuses expectations that are empty or blank", async () => {
  const call = { scenario: "a", transcript: [], nodesVisited: [], toolsCalled: [], variables: {} } as never;
  for (const expectations of [{}, { includes: [] }, { extracts: {} }])
    await assert.rejects(evaluate([call], { expectations }), { code: "invalid-option", path: ["judging"] });
  for (const expectations of [{ includes: [""] }, { excludes: [" "] }, { patterns: ["re2:"] }, { avoids: [""] }])
    await assert.rejects(evaluate([call], { expectations }), { code: "invalid-scenario", message: /it is blank/ });
});

test("policy() refuses names that are blank", () => {
  for (const build of [
    () => policy("p", ({ before }) => before("", "pay")),
    () => policy("p", ({ never, tool }) => never(tool(" "))),
    () => policy("p", ({ known }) => known("")),
    () => policy(" ", ({ never }) => never("pay")),
  ])
    assert.throws(build, { code: "invalid-policy", message: /it is blank/ });
});

test(`testScenarios() without scenarios fails under ${ownRuntime()}'s test runner`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "callweave-empty-"));
  try {
    const at = (path: string) => JSON.stringify(pathToFileURL(join(ROOT, path)).href);
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const file = join(folder, "calls.test.ts");
    writeFileSync(
      file,
      `import { flow } from ${at("mod.ts")};
import { testScenarios } from ${at("api/testing.ts")};
testScenarios(flow("hello").end("bye", { prompt: "Say goodbye." }).compile(), []);
`,
    );
    const [command = "", ...args] = RUNNERS[ownRuntime()] ?? [];
    const { code, out, err } = await runProgram(command, [...args, file], { cwd: folder });
    assert.notEqual(code, 0, `${out}${err}`);
    assert.match(`${out}${err}`, /Cannot test scenarios: there are none/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
