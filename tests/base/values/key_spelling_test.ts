import assert from "node:assert/strict";
import { test } from "node:test";
import { respellKeys } from "../../../src/base/values/mod.ts";

const SPELLING = {
  read: (key: string) => (key === "firstName" ? "first_name" : key),
  write: (key: string) => (key === "first_name" ? "firstName" : key),
  maps: { people: "person" },
  free: ["values"],
};

test("respellKeys() gives readers one spelling, and writes each object's own again", () => {
  const document = {
    list: [
      { name: "a", firstName: 1 },
      { name: "b", first_name: 2 },
    ],
    values: { firstName: 3 },
  };
  const { value, close } = respellKeys(document, SPELLING);
  assert.deepEqual(value, {
    list: [
      { name: "a", first_name: 1 },
      { name: "b", first_name: 2 },
    ],
    values: { firstName: 3 },
  });
  const moved = {
    list: [
      { name: "b", first_name: 4 },
      { name: "a", first_name: 5 },
    ],
    values: { firstName: 3 },
  };
  assert.deepEqual(close(moved), {
    list: [
      { name: "b", first_name: 4 },
      { name: "a", firstName: 5 },
    ],
    values: { firstName: 3 },
  });
});

test("respellKeys() leaves names that users chose, and keys that have both spellings", () => {
  const document = JSON.parse(
    '{"people":{"firstName":{"firstName":1},"__proto__":{"firstName":2}},"x":{"firstName":3,"first_name":4}}',
  );
  const { value, close } = respellKeys(document, SPELLING);
  assert.equal(
    JSON.stringify(value),
    '{"people":{"firstName":{"first_name":1},"__proto__":{"first_name":2}},"x":{"firstName":3,"first_name":4}}',
  );
  assert.equal(JSON.stringify(close(value)), JSON.stringify(document));
});

test("respellKeys() spells a new object like a document that has the other spelling", () => {
  const { close } = respellKeys({ firstName: 1 }, SPELLING);
  assert.deepEqual(close({ first_name: 1, other: { first_name: 2 } }), { firstName: 1, other: { firstName: 2 } });
  assert.deepEqual(respellKeys({ first_name: 1 }, SPELLING).close({ other: { first_name: 2 } }), {
    other: { first_name: 2 },
  });
});
