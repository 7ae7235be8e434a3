import assert from "node:assert/strict";
import { test } from "node:test";
import { formatDollars } from "../../../src/base/values/mod.ts";
import type { Usage } from "../../../src/document/transcript/mod.ts";
import { formatReport, formatResult } from "../../../src/surface/reporters/mod.ts";
import { reportWith, resultRecord } from "./_fixtures.ts";

const part = { calls: 2, inputTokens: 1000, outputTokens: 200, modelMs: 50 };
const none = { calls: 0, inputTokens: 0, outputTokens: 0, modelMs: 0, costUsd: 0 };
const usage: Usage = {
  calls: 4,
  inputTokens: 2000,
  outputTokens: 400,
  modelMs: 100,
  costUsd: 0.0123,
  byRole: { agent: { ...part, costUsd: 0.0023 }, caller: none, judge: { ...part, costUsd: 0.01 } },
};

test("formatReport() and formatResult() print usage in total and by role", () => {
  const result = resultRecord({ usage });
  const texts = [formatReport(reportWith([result, resultRecord({ id: "r2", usage })])), formatResult(result)];
  assert.match(texts[0] ?? "", /\n8 model calls, 4,800 tokens, \$0\.02; run run1 in results\.db\n/);
  assert.match(texts[0] ?? "", /\n {2}agent: 4 model calls, 2,400 tokens, \$0\.0046\n {2}judge: 4 .* \$0\.02\n/);
  assert.match(texts[1] ?? "", /\n4 model calls, 2,400 tokens, \$0\.01, 0\.1 s in models\n {2}agent: /);
  for (const text of texts) assert.doesNotMatch(text, /caller: 0/);
});

test("an unknown or zero cost is not printed", () => {
  const { costUsd: _cost, ...unknown } = usage;
  const free = { ...usage, costUsd: 0, byRole: undefined };
  const { byRole: _roles, ...plain } = free;
  assert.match(formatResult(resultRecord({ usage: unknown })), /2,400 tokens, 0\.1 s in models/);
  assert.match(formatResult(resultRecord({ usage: plain })), /2,400 tokens, 0\.1 s in models\n$/);
});

test("formatDollars() prints two significant digits", () => {
  const written = [0, 12.4, 0.01, 0.0021, 0.000_000_123].map(formatDollars);
  assert.deepEqual(written, ["$0", "$12.40", "$0.01", "$0.0021", "$0.00000012"]);
});
