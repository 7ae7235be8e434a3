import assert from "node:assert/strict";
import { test } from "node:test";
import { askedOf, generated, readCall } from "../../../src/call/models/embedded.ts";
import { contractCheck } from "../../../src/call/models/middleware/mod.ts";

test("the input of a request is copied once, and only when a model reads it", () => {
  let reads = 0;
  const given = {
    get history() {
      reads += 1;
      return [{ role: "user", content: "Hi" }];
    },
  };
  const options = { prompt: [], providerOptions: { callweave: askedOf("respond", given) } };
  const call = readCall("test", options);
  assert.equal(call.signature, "respond");
  assert.equal(reads, 0);
  assert.deepEqual(call.input, { history: [{ role: "user", content: "Hi" }] });
  assert.equal(call.input, readCall("test", options).input);
  assert.equal(reads, 1);
});

test("a structured answer is read once: when it is checked", () => {
  let reads = 0;
  const contract = {
    schema: {},
    strict: true,
    read: (answer: unknown) => {
      reads += 1;
      return { output: answer };
    },
  };
  const { check, read } = contractCheck(contract);
  const checked = check(generated('```json\n{"a": 1}\n```'), {});
  assert.ok("answer" in checked);
  assert.deepEqual(read('{"a":1}'), { output: { a: 1 } });
  assert.equal(reads, 1);
  assert.deepEqual(read('{"a":2}'), { output: { a: 2 } }); // from a recording, which no check has seen
});
