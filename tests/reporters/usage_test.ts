import assert from "node:assert/strict";
import { test } from "node:test";
import type { Usage } from "../../src/graph/mod.ts";
import { formatDollars, formatReport, formatResult } from "../../src/reporters/mod.ts";
import { reportWith, resultRecord } from "./_fixtures.ts";

const part = { calls: 2, input_tokens: 1000, output_tokens: 200, model_ms: 50 };
const none = { calls: 0, input_tokens: 0, output_tokens: 0, model_ms: 0, cost_usd: 0 };
const usage: Usage = {
  calls: 4,
  input_tokens: 2000,
  output_tokens: 400,
  model_ms: 100,
  cost_usd: 0.0123,
  by_role: { agent: { ...part, cost_usd: 0.0023 }, caller: none, judge: { ...part, cost_usd: 0.01 } },
};

test("formatReport() and formatResult() say what was spent, as a whole and by role", () => {
  const result = resultRecord({ usage });
  const texts = [formatReport(reportWith([result, resultRecord({ id: "r2", usage })])), formatResult(result)];
  assert.match(texts[0] ?? "", /\n8 model calls, 4,800 tokens, \$0\.02; run run1 in results\.db\n/);
  assert.match(texts[0] ?? "", /\n {2}agent: 4 model calls, 2,400 tokens, \$0\.0046\n {2}judge: 4 .* \$0\.02\n/);
  assert.match(texts[1] ?? "", /\n4 model calls, 2,400 tokens, \$0\.01, 0\.1 s in models\n {2}agent: /);
  for (const text of texts) assert.doesNotMatch(text, /caller: 0/);
});

test("a cost that is not known, or nothing, is not shown", () => {
  const { cost_usd: _cost, ...unknown } = usage;
  const free = { ...usage, cost_usd: 0, by_role: undefined };
  const { by_role: _roles, ...plain } = free;
  assert.match(formatResult(resultRecord({ usage: unknown })), /2,400 tokens, 0\.1 s in models/);
  assert.match(formatResult(resultRecord({ usage: plain })), /2,400 tokens, 0\.1 s in models\n$/);
});

test("formatDollars() writes two digits that say something", () => {
  const written = [0, 12.4, 0.01, 0.0021, 0.000_000_123].map(formatDollars);
  assert.deepEqual(written, ["$0", "$12.40", "$0.01", "$0.0021", "$0.00000012"]);
});
