import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv } from "ajv";
import { formatCtrf } from "../../../src/surface/reporters/mod.ts";
import { FAILED, reportWith, resultRecord } from "./_fixtures.ts";

/** The format's own schema. */
const SCHEMA = JSON.parse(readFileSync(new URL("ctrf_schema.json", import.meta.url), "utf8"));
const isValid = new Ajv({ strict: false, formats: { uuid: true, "date-time": true, uri: true } }).compile(SCHEMA);

/** Parses a report that the format's own schema accepts. */
function read(text: string) {
  const document = JSON.parse(text);
  const accepted: boolean = isValid(document);
  assert.ok(accepted, JSON.stringify(isValid.errors));
  return document.results;
}

const fail = { status: "fail", checks: [FAILED] } as const;

test("formatCtrf() has a test per scenario, valid by the schema of CTRF", () => {
  const { summary, tests, tool, environment } = read(
    formatCtrf(
      reportWith([
        resultRecord({ scenario: "fine", durationMs: 1250.4 }),
        resultRecord({ scenario: "wrong", ...fail }),
        resultRecord({ scenario: "broken", status: "error", errorMessage: "HTTP 500" }),
        resultRecord({ scenario: "late", status: "cancelled", transcript: [] }),
        resultRecord({ scenario: "old", status: "imported", checks: [], verdicts: [] }),
      ]),
    ),
  );
  assert.equal(tool.name, "callweave");
  assert.equal(environment.appName, "desk");
  const start = Date.parse("2026-01-02T03:04:05.678Z");
  const counts = { tests: 5, passed: 1, failed: 2, skipped: 1, pending: 0, other: 1, flaky: 0, suites: 1 };
  assert.deepEqual(summary, { ...counts, start, stop: start + 2000, duration: 2000 });
  assert.deepEqual(
    tests.map(({ name, status, rawStatus, duration }: Record<string, unknown>) => [name, status, rawStatus, duration]),
    [
      ["fine", "passed", "pass", 1250],
      ["wrong", "failed", "fail", 13],
      ["broken", "failed", "error", 13],
      ["late", "skipped", "skipped", 13],
      ["old", "other", "imported", 13],
    ],
  );
  assert.match(tests[1].message, /never reached technical/);
  assert.ok(tests[1].stdout.includes("[bye]"), "the transcript");
});

test("formatCtrf() marks a scenario that passes its gate in spite of a failed call as flaky, and lists its calls", () => {
  const results = [1, 2, 3].map((trial) => resultRecord({ scenario: "often", trial, ...(trial === 2 ? fail : {}) }));
  const gate = { minPassRate: 0.6 };
  const { summary, tests } = read(formatCtrf(reportWith(results, {}, { repeat: 3, gate })));
  assert.deepEqual([summary.tests, summary.passed, summary.failed, summary.flaky], [1, 1, 0, 1]);
  const [{ status, flaky, retries, retryAttempts, extra }] = tests;
  assert.deepEqual([status, flaky, retries], ["passed", true, 2]);
  assert.deepEqual(
    retryAttempts.map(({ status }: { status: string }) => status),
    ["passed", "failed", "passed"],
  );
  assert.deepEqual([extra.planned, extra.passRate, extra.gate], [3, 2 / 3, gate]);
});

test("formatCtrf() is valid for a run without results and for empty names", () => {
  assert.deepEqual(read(formatCtrf({ ...reportWith([]), name: "" })).tests, []);
  assert.equal(read(formatCtrf(reportWith([resultRecord({ scenario: "" })]))).tests.length, 1);
});
