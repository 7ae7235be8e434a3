import assert from "node:assert/strict";
import { test } from "node:test";
import { formatJson, formatJunit } from "../../src/reporters/mod.ts";
import { FAILED, reportWith, resultRecord, verdict } from "./_fixtures.ts";

/** The elements of an XML document, in order of their start tags; throws for what is not well-formed. */
function readXml(xml: string): readonly { readonly name: string; readonly attributes: ReadonlyMap<string, string> }[] {
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, "");
  assert.notEqual(body, xml, "no XML declaration");
  const elements: { name: string; attributes: Map<string, string> }[] = [];
  const open: string[] = [];
  for (const [token] of body.matchAll(/<[^>]*>|[^<]+|</g)) {
    const tag = /^<(\/?)([a-z-]+)((?: [a-z-]+="[^"<]*")*)(\/?)>$/.exec(token);
    if (!tag) {
      assert.ok(!/[<]|&(?!(?:lt|gt|amp|quot|#\d+);)/.test(token), `not well-formed: ${token}`);
      assert.ok(
        !/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(token),
        `not a character of XML: ${token}`,
      );
      continue;
    }
    const [, closing, name = "", list = "", empty] = tag;
    if (closing) assert.equal(open.pop(), name);
    else {
      const pairs = [...list.matchAll(/ ([a-z-]+)="([^"]*)"/g)].map(
        ([, key = "", value = ""]) => [key, value] as const,
      );
      for (const [, value] of pairs) assert.ok(!/[\n\t]|&(?!(?:lt|gt|amp|quot|#\d+);)/.test(value), value);
      elements.push({ name, attributes: new Map(pairs) });
      if (!empty) open.push(name);
    }
  }
  assert.deepEqual(open, []);
  return elements;
}

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
  const elements = readXml(formatJunit(reportWith(RESULTS)));
  for (const name of ["testsuites", "testsuite"]) {
    const { attributes } = elements.find((each) => each.name === name) ?? {};
    assert.deepEqual(
      ["name", "tests", "failures", "errors", "skipped", "time"].map((key) => attributes?.get(key)),
      ["desk", "4", "1", "1", "1", "2.000"],
    );
  }
  const suite = elements.find(({ name }) => name === "testsuite");
  assert.equal(suite?.attributes.get("timestamp"), "2026-01-02T03:04:05");
});

test("formatJunit() writes a case per call, with the reasons why it did not pass", () => {
  const elements = readXml(formatJunit(reportWith(RESULTS)));
  const cases = elements.filter(({ name }) => name === "testcase").map(({ attributes }) => attributes.get("name"));
  assert.deepEqual(cases, ["fine", "wrong", "broken", "late"]);
  const message = (name: string) =>
    elements.filter((each) => each.name === name).map((each) => each.attributes.get("message"));
  assert.deepEqual(message("failure"), [
    "visits greet -&gt; technical: visited greet -&gt; bye; never reached technical; &quot;polite&quot; scores 0.20, needs 0.70: It says goodbye",
  ]);
  assert.deepEqual(message("error"), ["error: HTTP 500"]);
  assert.deepEqual(message("skipped"), ["cancelled"]);
  assert.equal(elements.filter(({ name }) => name === "system-out").length, 3);
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
