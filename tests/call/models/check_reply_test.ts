import assert from "node:assert/strict";
import { test } from "node:test";
import { checkReply, type Generated } from "../../../src/call/models/middleware/answer_check.ts";

type Part = Generated["content"][number];

/** The check of a reply with these parts that ended for this reason. */
function checked(finishReason: "stop" | "length", content: readonly Part[], maxOutputTokens?: number) {
  const answer: Generated = {
    content: [...content],
    finishReason: { unified: finishReason, raw: undefined },
    usage: {
      inputTokens: { total: 7, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 3, text: undefined, reasoning: undefined },
    },
    warnings: [],
  };
  const found = checkReply(answer, { maxOutputTokens });
  return {
    isUsed: "answer" in found,
    problem: found.fault?.problem,
    hint: found.fault?.hint,
    retries: found.fault?.retries,
  };
}

const says = (text: string): Part => ({ type: "text", text });
const calls = (input: string): Part => ({ type: "tool-call", toolCallId: "1", toolName: "find", input });
const FINE = { isUsed: true, problem: undefined, hint: undefined, retries: undefined };

test("checkReply() accepts a whole reply, and a tool call with or without arguments", () => {
  assert.deepEqual(checked("stop", [says("Hello.")]), FINE);
  for (const input of ['{"id":7}', "{}", "", "  "]) assert.deepEqual(checked("stop", [calls(input)]), FINE, input);
});

test("checkReply() rejects arguments that are no JSON object, and quotes them", () => {
  for (const input of ['{"id":', "[7]", "seven"]) {
    const { isUsed, problem, hint } = checked("stop", [calls(input)]);
    assert.deepEqual([isUsed, problem], [false, 'its arguments for the tool "find" are not a JSON object']);
    assert.equal(hint, `Use a model that can call tools; it gave ${JSON.stringify(input)}`);
  }
});

test("checkReply() says that cut arguments were cut off", () => {
  const { isUsed, problem } = checked("length", [calls('{"id":')]);
  assert.deepEqual([isUsed, problem], [false, "it was cut off after 3 tokens, at the limit of output tokens"]);
});

test("checkReply() accepts a whole tool call of a reply that was cut off", () => {
  assert.deepEqual(checked("length", [calls("{}")]), FINE);
});

test("checkReply() retries a reply that was cut off once, and uses it if none is better", () => {
  const { isUsed, problem, hint, retries } = checked("length", [says("Hello. I am")], 3);
  assert.deepEqual([isUsed, retries, hint], [true, 1, "Raise maxOutputTokens"]);
  assert.equal(problem, "it was cut off after 3 tokens, at the limit of output tokens (maxOutputTokens: 3)");
});

test("checkReply() uses no reply that was cut off before it said anything", () => {
  for (const text of ["", " \n", "<think>Who is calling"]) {
    const { isUsed, retries } = checked("length", [says(text)]);
    assert.deepEqual([isUsed, retries], [false, undefined], text);
  }
});
