import assert from "node:assert/strict";
import { test } from "node:test";
import { createPseudonymizer } from "../../../../api/calls.ts";

const { text, value } = await createPseudonymizer({ key: "a key for tests" });

test("the arguments and the answer of a tool are read by their keys inside of a text", () => {
  const shown = text('search_case({"client_name":"Brooks Young"}) succeeded: {"last_name":"Baker","kind":"Garden"}');
  assert.match(shown, /^search_case\(\{"client_name":"\w+ \w+"\}\) succeeded: \{"last_name":"\w+","kind":"Garden"\}$/);
  assert.ok(!/Brooks|Young|Baker/.test(shown), shown);
});

test("surnames that are English words are names under the keys of persons", () => {
  for (const key of ["client_name", "first_name", "patient", "contact", "lastName", "customer", "caller_name"])
    for (const name of ["Miller", "Baker", "Young", "Brooks", "Grace Young"]) {
      const shown = JSON.stringify(value({ [key]: name }));
      assert.ok(!shown.includes(name), shown);
    }
});

test("JSON in JSON strings is replaced at every level, and stays JSON", () => {
  const inner = JSON.stringify({ client_last_name: "Brooks", client_dob: "1985-12-10", client_phones: "5550100123" });
  const shown = text(`done: ${JSON.stringify({ raw: inner, deeper: JSON.stringify({ raw: inner }) })}`);
  assert.ok(!/Brooks|1985|5550100123/.test(shown), shown);
  const document: unknown = JSON.parse(shown.slice("done: ".length));
  assert.ok(typeof document === "object" && document !== null && "deeper" in document);
  assert.ok(JSON.parse(JSON.parse(String(document.deeper)).raw).client_last_name);
});

test("JSON that is cut off, escaped or written by Python is read by its keys", () => {
  for (const written of [
    'lookup({"client_name":"Brooks Young","client_dob":"1985-12-1',
    '{\\"client_name\\": \\"Brooks Young\\"}',
    "{'client_name': 'Brooks Young', 'found': True}",
  ])
    assert.ok(!/Brooks|Young/.test(text(written)), text(written));
});

test("numbers, white space and keys of JSON stay as they are written", () => {
  const written = '{ "total": 1.50,\n  "id": 12345678901234567890123, "name": "Maria Lopez",  "e": 1e3 }';
  const shown = text(written);
  assert.ok(!/Maria|Lopez/.test(shown));
  assert.equal(shown.replace(/"name": "[^"]+"/, ""), written.replace(/"name": "[^"]+"/, ""));
});
