import assert from "node:assert/strict";
import { test } from "node:test";
import { formatJson, formatJunit } from "../../../src/surface/reporters/mod.ts";
import { FAILED, reportWith, resultRecord, verdict } from "./_fixtures.ts";
import { ANT_SCHEMA, JENKINS_SCHEMA, readXml, schemaProblems } from "./_xml.ts";

const RESULTS = [
  resultRecord({ scenario: "fine", durationMs: 1250 }),
  resultRecord({
    scenario: "wrong",
    status: "fail",
    checks: [FAILED],
    verdicts: [verdict({ passed: false, score: 0.2 })],
  }),
  resultRecord({ scenario: "broken", status: "error", errorMessage: "HTTP 500" }),
  resultRecord({ scenario: "late", status: "cancelled" }),
];

test("formatJunit() counts failures, errors and skipped cases", () => {
  const suite = readXml(formatJunit(reportWith(RESULTS))).find(({ name }) => name === "testsuite");
  assert.deepEqual(
    ["name", "tests", "failures", "errors", "skipped", "time", "timestamp"].map((key) => suite?.attributes.get(key)),
    ["desk", "4", "1", "1", "1", "2.000", "2026-01-02T03:04:05"],
  );
});

test("formatJunit() writes a case per scenario, with the reasons why it did not pass and the transcript", () => {
  const elements = readXml(formatJunit(reportWith(RESULTS)));
  const cases = elements.filter(({ name }) => name === "testcase").map(({ attributes }) => attributes.get("name"));
  assert.deepEqual(cases, ["fine", "wrong", "broken", "late"]);
  const message = (name: string) =>
    elements.filter((each) => each.name === name).map((each) => each.attributes.get("message"));
  assert.deepEqual(message("failure"), [
    "visits greet -&gt; technical: visited greet -&gt; bye; never reached technical; &quot;polite&quot; scores 0.20, needs 0.70: It says goodbye",
  ]);
  assert.deepEqual(message("error"), ["error: HTTP 500"]);
  assert.deepEqual(message("skipped"), ["cancelled before the call was finished and judged"]);
  const failure = elements.find(({ name }) => name === "failure");
  assert.match(failure?.text ?? "", /never reached technical[\s\S]*Transcript:\n\[bye\]/);
});

/** Three calls of a scenario: the second one failed. */
const REPEATED = [1, 2, 3].map((trial) =>
  resultRecord({ scenario: "often", trial, ...(trial === 2 ? { status: "fail", checks: [FAILED] } : {}) }),
);

test("formatJunit() shows a scenario that passes its gate as passed, although a call failed", () => {
  const options = { repeat: 3, gate: { minPassRate: 0.6 } };
  const elements = readXml(formatJunit(reportWith(REPEATED, {}, options)));
  assert.deepEqual(
    elements.filter(({ name }) => name === "testcase").map(({ attributes }) => attributes.get("name")),
    ["often"],
  );
  assert.equal(elements.find(({ name }) => name === "testsuite")?.attributes.get("failures"), "0");
  assert.ok(!elements.some(({ name }) => name === "failure"));
  const rates = elements.findLast(({ name }) => name === "system-out")?.text;
  assert.match(rates ?? "", /^often: pass\. 2 of 3 calls passed; the gate needs 60 % \(flaky\)$/);
});

test("formatJunit() shows a scenario that fails its gate as one failure that names the failed calls", () => {
  const elements = readXml(formatJunit(reportWith(REPEATED, {}, { repeat: 3 })));
  const failures = elements.filter(({ name }) => name === "failure");
  assert.deepEqual(
    failures.map(({ attributes }) => attributes.get("message")),
    [
      "2 of 3 calls passed; the gate needs all | call 2: visits greet -&gt; technical: visited greet -&gt; bye; never reached technical",
    ],
  );
  assert.match(failures[0]?.text ?? "", /Transcript of call 2:/);
});

test("JUnit reports are valid by the schema of Jenkins, and by that of Ant where no call was cancelled", async () => {
  const finished = RESULTS.filter(({ status }) => status !== "cancelled");
  const reports = [reportWith(finished), reportWith([]), reportWith(REPEATED, {}, { repeat: 3 })].map(formatJunit);
  assert.deepEqual(await schemaProblems(ANT_SCHEMA, ...reports), []);
  assert.deepEqual(await schemaProblems(JENKINS_SCHEMA, ...reports, formatJunit(reportWith(RESULTS))), []);
  const [report = ""] = reports;
  for (const schema of [ANT_SCHEMA, JENKINS_SCHEMA])
    assert.equal((await schemaProblems(schema, report.replace("<testsuites>", '<testsuites skipped="1">'))).length, 1);
});

test("formatJunit() is well-formed for any text", () => {
  const evil = "<b> & \"q\" 'a' ]]> \u0000\u001b\ud800 \uffff 😀\r\n\ttab";
  const at = { node_id: evil, timestamp: "", metadata: {} };
  const results = [
    resultRecord({
      scenario: evil,
      status: "error",
      errorMessage: evil,
      transcript: [{ ...at, role: "user", content: evil }],
    }),
    resultRecord({ scenario: evil, verdicts: [verdict({ criterion: evil, evidence: evil, evidenceFound: false })] }),
  ];
  const elements = readXml(formatJunit({ ...reportWith(results), name: evil }));
  const name = elements.find((each) => each.name === "testcase")?.attributes.get("name");
  assert.equal(name, "&lt;b&gt; &amp; &quot;q&quot; 'a' ]]&gt; \ufffd\ufffd\ufffd \ufffd 😀&#10;&#9;tab");
});

test("formatJunit() writes a suite without cases for a run without results", () => {
  const elements = readXml(formatJunit(reportWith([])));
  assert.ok(!elements.some(({ name }) => name === "testcase"));
});

test("formatJson() is the complete report", () => {
  const report = reportWith(RESULTS);
  assert.deepEqual(JSON.parse(formatJson(report)), report);
});
