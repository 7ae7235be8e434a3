import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../../src/document/transcript/mod.ts";
import { formatResult, formatTranscript } from "../../../src/surface/reporters/mod.ts";
import { AT, FAILED, resultRecord, verdict } from "./_fixtures.ts";

function line(role: Message["role"], content: string, node_id: string): Message {
  return { role, content, node_id, timestamp: AT, metadata: {} };
}

const TRANSCRIPT = [
  line("assistant", "Hello", "greet"),
  line("user", "My bill", "greet"),
  line("tool", "greet -> billing: an equation holds", "greet"),
  line("assistant", "It is\n30 dollars", "billing"),
];

test("formatTranscript() prints messages with their speaker under their node", () => {
  assert.equal(
    formatTranscript(TRANSCRIPT),
    "[greet]\n  agent   Hello\n  caller  My bill\n  ·       greet -> billing: an equation holds\n[billing]\n  agent   It is 30 dollars\n",
  );
});

test("formatTranscript() reports a call that never started", () => {
  assert.equal(formatTranscript([]), "(nothing was said)\n");
});

test("formatResult() prints the call, its checks and verdicts with reasons, tools and variables", () => {
  const text = formatResult(
    resultRecord({
      scenario: "bill",
      status: "fail",
      transcript: TRANSCRIPT,
      checks: [FAILED],
      verdicts: [verdict({ evidence: "30 dollars" })],
    }),
  );
  const parts = [
    "✗ bill: fail\n",
    "visited bye\n",
    "  agent   It is 30 dollars\n",
    "  ✗ visits greet -> technical\n    found  visited greet -> bye; never reached technical\n",
    '  ✓ "polite" scores 0.90, needs 0.70\n    requires  The agent is polite\n    evidence  "30 dollars" (turn 1, node "billing")\n    reason    It says goodbye\n    certain   0.80\n',
    '  · lookup({"id":7}) succeeded (mock): {"found":[true]}\n',
    "  · caller_name = Ada\n",
  ];
  for (const part of parts) assert.ok(text.includes(part), `${part}\nis not in\n${text}`);
});

test("formatResult() ignores a blank quotation", () => {
  const { evidenceFound: _, ...blank } = verdict({ evidence: " \n" });
  assert.match(formatResult(resultRecord({ verdicts: [blank] })), /evidence {2}none\n/);
});

test("formatResult() starts with the error, and says when nothing was checked", () => {
  const error = formatResult(resultRecord({ status: "error", errorMessage: "HTTP 500" }));
  assert.match(error, /^! says goodbye: error\n {2}error\n {4}reason {2}HTTP 500\n/);
  assert.match(formatResult(resultRecord({ verdicts: [], checks: [] })), /nothing was checked/);
});
