import assert from "node:assert/strict";
import { test } from "node:test";
import { planDocument, prepareRun } from "../../../src/run/runner/plan/mod.ts";
import { CHAT } from "./_fixtures.ts";

test("planDocument() does not read the scenarios that those of the run were selected from", async () => {
  const chat = { name: "chat", says: ["Hi"], excludes: ["never said"] };
  const all = Array.from({ length: 3 }, (_, index) => ({ ...chat, name: `chat ${index}` }));
  const reads: PropertyKey[] = [];
  const selectedFrom = new Proxy(all, {
    get: (list, key) => {
      reads.push(key);
      return Reflect.get(list, key);
    },
  });
  const prepared = await prepareRun(CHAT, [chat], { share: { selectedFrom }, store: false });
  prepared.over.abort();
  reads.length = 0;
  planDocument(prepared);
  assert.deepEqual(reads, []);
});
