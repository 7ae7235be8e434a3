import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzAnswers } from "./answer_fuzz.ts";

test("a wrong answer to any request of deploy and calls pull is an error with the platform's name, and nothing of it is stored", async () => {
  const { answers, requests, ...wrong } = await fuzzAnswers(83, 20_000, 7);
  assert.deepEqual(wrong, { successes: [], rawErrors: [], unnamed: [], stored: [], hangs: [], stuck: [] });
  assert.ok(answers > 15, `${answers} wrong answers`);
  // a sample of the pairs does not reach each of the 61 requests of the four formats, which the bench reaches
  assert.ok(requests > 20, `${requests} requests`);
});
