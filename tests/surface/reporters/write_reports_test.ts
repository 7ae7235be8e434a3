import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { formatJunit, guardReporter, type Reporter, writeReports } from "../../../src/surface/reporters/mod.ts";
import { NO_CONTEXT } from "../../../src/surface/reporters/reporter.ts";
import { GRAPH } from "../../run/store/_fixtures.ts";
import { FAILED, reportWith, resultRecord } from "./_fixtures.ts";

const REPORT = reportWith([resultRecord({ status: "fail", checks: [FAILED] })]);

test("writeReports() writes reporters by name and one's own, and creates folders", async () => {
  const folder = mkdtempSync(join(tmpdir(), "callweave-reports-"));
  const [junit, own] = [join(folder, "deep", "junit.xml"), join(folder, "own.txt")];
  let hadGraph = false;
  await writeReports(
    REPORT,
    [
      { reporter: "junit", file: junit },
      { reporter: { onEnd: async ({ counts }) => `${counts.fail} failed` }, file: own },
      {
        reporter: {
          onEnd: (_, { graph }) => {
            hadGraph = graph !== undefined;
            return undefined;
          },
        },
      },
    ],
    { graph: GRAPH },
  );
  assert.equal(readFileSync(junit, "utf8"), formatJunit(REPORT));
  assert.equal(readFileSync(own, "utf8"), "1 failed");
  assert.equal(hadGraph, true);
});

test("writeReports() writes the other reports when some fail, and names all that failed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "callweave-reports-"));
  const throwing: Reporter = {
    onEnd: () => {
      throw new Error("no connection");
    },
  };
  const promise = writeReports(REPORT, [
    { reporter: throwing, file: join(folder, "a.txt") },
    { reporter: "json", file: folder },
    { reporter: "json", file: join(folder, "report.json") },
  ]);
  await assert.rejects(promise, (error) => {
    assert.ok(isCallweaveError(error));
    assert.deepEqual(
      error.issues?.map(({ code }) => code),
      ["reporter-failed", "unwritable-file"],
    );
    assert.match(error.message, /onEnd\(\) failed: no connection/);
    return true;
  });
  assert.equal(existsSync(join(folder, "a.txt")), false);
  assert.equal(JSON.parse(readFileSync(join(folder, "report.json"), "utf8")).id, REPORT.id);
});

test("writeReports() rejects unknown reporters before it writes anything", async () => {
  const folder = mkdtempSync(join(tmpdir(), "callweave-reports-"));
  const file = join(folder, "report.json");
  const outputs = [{ reporter: "json", file }, { reporter: "juint" }, { reporter: {} }] as never; // plain JavaScript may pass it
  await assert.rejects(writeReports(REPORT, outputs), (error) => {
    assert.ok(isCallweaveError(error));
    assert.deepEqual(
      error.issues?.map(({ path, hint }) => [path.join("."), hint]),
      [
        ["outputs.1.reporter", 'Did you mean "junit"?'],
        ["outputs.2.reporter", "Pass a name, or an object with onEnd()"],
      ],
    );
    return true;
  });
  assert.equal(existsSync(file), false);
});

test("a reporter that throws during the run is told of nothing more, and its report fails afterwards", async () => {
  let events = 0;
  const guarded = guardReporter("./mine.ts", {
    onEvent: () => {
      events += 1;
      throw new Error("broken");
    },
    onEnd: () => "text",
  });
  const event = { kind: "run-start", id: "r", scenarios: [{ name: "s", calls: 1 }] } as const;
  guarded.onEvent(event);
  guarded.onEvent(event);
  assert.equal(events, 1);
  await assert.rejects(guarded.end(REPORT, NO_CONTEXT), { code: "reporter-failed", path: ["./mine.ts"] });
});

test("a reporter that never ends times out, and its signal is aborted", async () => {
  let signal: AbortSignal | undefined;
  const guarded = guardReporter("./mine.ts", {
    onEnd: (_, context) => {
      signal = context.signal;
      return new Promise(() => {});
    },
  });
  await assert.rejects(guarded.end(REPORT, NO_CONTEXT, 1), /onEnd\(\) failed: it timed out after 0\.001 s/);
  assert.equal(signal?.aborted, true);
});

test("a reporter that returns something other than a text fails", async () => {
  const guarded = guardReporter("./mine.ts", { onEnd: (() => 7) as never }); // plain JavaScript may return it
  await assert.rejects(guarded.end(REPORT, NO_CONTEXT), /returned 7 where a text or nothing is needed/);
});
