import assert from "node:assert/strict";
import { test } from "node:test";
import { formatGithubAnnotations, formatGithubSummary } from "../../../src/surface/reporters/mod.ts";
import { FAILED, reportWith, resultRecord, verdict } from "./_fixtures.ts";

const fail = { status: "fail", checks: [FAILED] } as const;
const EVIL = "</pre></details> <img src=x onerror=alert(1)> | [a](http://b) **c** `d` @e #1 %0A::error::f";

/** A call whose caller says something. */
function saying(content: string) {
  return [{ role: "user", content, node_id: "greet", timestamp: "", metadata: {} }] as const;
}

test("formatGithubSummary() has a row per scenario, then what failed with the transcript", () => {
  const results = [
    resultRecord({ scenario: "fine" }),
    resultRecord({ scenario: "wrong", ...fail, transcript: saying("Hello there") }),
  ];
  const text = formatGithubSummary(reportWith(results));
  assert.match(text, /^## ❌ desk: 1 of 2 scenarios passed$/m);
  assert.match(text, /^\| ✅ \| fine \| 1 \| 0\.0 s \|$/m);
  assert.match(text, /^\| ❌ \| wrong \| 1 \| 0\.0 s \|$/m);
  assert.match(text, /^### ❌ wrong\n\n- \*\*visits greet &#45;&#62; technical\*\*\n {2}- found: visited greet/m);
  assert.match(text, /<details><summary>Transcript<\/summary>\n\n<pre>\[greet\]\n {2}caller {2}Hello there\n<\/pre>/);
});

test("formatGithubSummary() has pass rates and intervals of repeated scenarios", () => {
  const results = [1, 2, 3].map((trial) => resultRecord({ scenario: "often", trial, ...(trial === 2 ? fail : {}) }));
  const passed = formatGithubSummary(reportWith(results, {}, { repeat: 3, gate: { minPassRate: 0.6 } }));
  assert.match(passed, /^## ✅ desk: 1 of 1 scenario passed\n\n1 of them although single calls failed\.$/m);
  assert.match(passed, /^\| ✅ \| often \| 2 of 3 \| 66\.7 % \| 20\.8 % to 93\.9 % \|$/m);
  assert.doesNotMatch(passed, /<details>/);
  const failed = formatGithubSummary(reportWith(results, {}, { repeat: 3 }));
  assert.match(failed, /^### ❌ often\n\n2 of 3 calls passed&#59; the gate needs all\n\nCall 2:\n\n- /m);
});

test("formatGithubSummary() shows texts of a call as texts, never as Markdown or HTML", () => {
  const result = resultRecord({
    scenario: `wrong\n${EVIL}`,
    status: "fail",
    verdicts: [verdict({ passed: false, score: 0.1, criterion: EVIL, evidence: EVIL, reasoning: `a\n\n# ${EVIL}` })],
    transcript: saying(`a\n\n# ${EVIL}`),
  });
  const text = formatGithubSummary({ ...reportWith([result]), name: EVIL, stopped: EVIL });
  assert.deepEqual(text.match(/<[a-z/][^>]*>/g), [
    "<details>",
    "<summary>",
    "</summary>",
    "<pre>",
    "</pre>",
    "</details>",
  ]);
  const outside = text.replace(/<pre>[\s\S]*<\/pre>/, "");
  assert.doesNotMatch(outside, /\]\(|\*\*c|`|@e|http:|::/);
  const rows = outside.split("\n").filter((line) => line.startsWith("| "));
  assert.deepEqual(
    rows.map((row) => row.split("|").length),
    [6, 6, 6],
  );
});

test("formatGithubSummary() stays below 1 MiB and counts the scenarios that do not fit", () => {
  const transcript = saying("long ".repeat(20_000));
  const results = Array.from({ length: 30 }, (_, index) =>
    resultRecord({ scenario: `s${index}`, ...fail, transcript }),
  );
  const text = formatGithubSummary(reportWith(results));
  assert.ok(new TextEncoder().encode(text).length < 1_000_000);
  assert.match(text, /^\d+ more scenarios without room here\.$/m);
});

test("formatGithubAnnotations() names file, line and title, and escapes what ends a command", () => {
  const results = [
    resultRecord({ scenario: "fine" }),
    resultRecord({ scenario: "100%: a, b", ...fail }),
    resultRecord({ scenario: "broken", status: "error", errorMessage: "HTTP 500\n::warning::no" }),
  ];
  const text = formatGithubAnnotations(reportWith(results), (scenario) =>
    scenario === "broken" ? undefined : { file: "tests/a,b.ts", line: 7 },
  );
  assert.deepEqual(text.split("\n"), [
    "::error file=tests/a%2Cb.ts,line=7,title=100%25%3A a%2C b failed::visits greet -> technical%0A  found: visited greet -> bye; never reached technical",
    "::error title=broken has no verdict::error%0A  reason: HTTP 500%0A::warning::no",
    "",
  ]);
});

test("formatGithubAnnotations() writes no more than the ten errors that GitHub shows", () => {
  const results = Array.from({ length: 12 }, (_, index) => resultRecord({ scenario: `s${index}`, ...fail }));
  const lines = formatGithubAnnotations(reportWith(results)).trimEnd().split("\n");
  assert.equal(lines.length, 10);
  assert.match(lines.at(-1) ?? "", /::3 more scenarios did not pass/);
});
