import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { type Figure, holds, runBench, sized } from "../../bench/figure.ts";
import { isRecord, parsedJson } from "../../src/base/values/mod.ts";
import { withEnvironment } from "../environment.ts";
import { needsProgram, type Program } from "../programs.ts";
import { NO_SQLD } from "../run/store/sqld_server.ts";
import { ownStart, ROOT, runProgram } from "../surface/cli/_process.ts";

const PROGRAMS: { readonly [bench: string]: Program } = {
  report: "chromium",
  studio: "chromium",
  workers: "redis-server",
};

/** What the small form judges: of each bench a figure that is counted. */
const COUNTED: { readonly [bench: string]: string } = {
  callers: "callers_recall_lost",
  cassette: "stale_hits",
  chaos: "lost",
  connections: "connection_faults_wrong",
  edits: "edit_faults",
  fuzz: "environment_changed_structures",
  gates: "gates_wrong",
  generate: "generate_missed_help_desk",
  import: "import_again_added",
  kills: "lost_resumed",
  laws: "names_faults_retell",
  losses: "settings_lost_vapi_squad",
  properties: "properties_failed",
  redaction: "redaction_en_US_name_left",
  store: "lost_killed_5_times",
  studio: "events_lost",
  tau: "tau_recorded_failed",
  turns: "transcripts_that_differ",
  types: "chain_20_instantiations",
  workers: "missing_queued",
};

/** Benches that measure times alone, which a few cases say nothing of. */
const TIMES = ["analysis", "cli", "concurrency", "harness", "report", "voice"];

const [node = "", ...flags] = ownStart("each file");

for (const { name } of readdirSync(`${ROOT}/bench`, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  const program = PROGRAMS[name];
  const skip = name === "store" ? NO_SQLD : program ? needsProgram(program).skip : false;
  test(`the small form of bench ${name} runs, and what it counts is within its bounds`, { skip }, async () => {
    const { code, out, err } = await runProgram(node, [...flags, "bench/run.ts", "--small", name], { cwd: ROOT });
    const figures = out.trim().split("\n").map(parsedJson).filter(isRecord);
    const broken = figures.filter(({ holds }) => holds === false).map((figure) => JSON.stringify(figure));
    assert.deepEqual(broken, [], err);
    assert.equal(code, 0, err);
    assert.ok(figures.length > 0, err);
    for (const { name: figure, value, unit, against } of figures) {
      assert.ok(typeof value === "number" && Number.isFinite(value), `${figure}: ${value}`);
      assert.ok(
        [figure, unit, against].every((text) => typeof text === "string" && text !== ""),
        `${figure}`,
      );
    }
    const counted = COUNTED[name];
    assert.equal(counted === undefined, TIMES.includes(name), `${name} is in one of the lists`);
    if (counted !== undefined) assert.equal(figures.find((figure) => figure.name === counted)?.holds, true, counted);
    else assert.ok(!figures.some(({ holds }) => holds === true), `${name} counts something`);
  });
}

test("runBench() says that a bench is not good if it exceeds a bound, or throws", async (context) => {
  const lost = { name: "lost", value: 0, unit: "results", against: "none", bound: 0 };
  const slow = { name: "slow", value: 2, unit: "ratio", against: "none", bound: 1.25 };
  const lines: string[] = [];
  const run = (...figures: readonly Figure[]) =>
    runBench(
      "test",
      async () => figures,
      (line) => lines.push(line),
    );
  assert.equal(await run(lost, { ...slow, value: 1 }), true);
  assert.equal(await run({ ...lost, value: 1 }, lost), false);
  assert.equal(await run(slow), false);
  context.mock.method(console, "error", () => {});
  assert.equal(
    await runBench(
      "test",
      () => Promise.reject(new Error("broken")),
      () => {},
    ),
    false,
  );
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).holds),
    [true, true, false, true, false],
  );
});

test("the small form judges what is counted, and no times", async () => {
  const figure = { name: "lost", value: 1, unit: "results", against: "none", bound: 0 };
  await withEnvironment({ CALLWEAVE_BENCH_SMALL: "1" }, async () => {
    assert.equal(holds(figure), false);
    assert.equal(holds({ ...figure, bound: 1.25, value: 2 }), null);
    assert.equal(holds({ ...figure, bound: 1.25, value: 2, counted: true }), false);
    assert.equal(holds({ ...figure, bound: 1.25, value: 1, counted: true }), true);
    assert.equal(sized(1_000, 3), 3);
  });
  assert.equal(sized(1_000, 3), 1_000);
});
