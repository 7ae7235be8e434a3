import assert from "node:assert/strict";
import { test } from "node:test";
import { redactedResult } from "../../../src/run/store/mod.ts";
import { newResult } from "./_fixtures.ts";

/** Has the form of a service's key. */
const KEY = "sk-abcdefghijklmnop0123";

test("redactedResult() keeps names, ids and kinds that have the form of a key, because results are looked up by them", () => {
  const turn = { role: "assistant" as const, node_id: KEY, timestamp: "2026-01-02T03:04:05.678Z", metadata: {} };
  const given = {
    ...newResult({ scenario: KEY, nodesVisited: [KEY], transcript: [{ ...turn, content: `It is ${KEY}.` }] }),
    id: KEY,
    runId: KEY,
  };
  const { id, runId, scenario, nodesVisited, transcript } = redactedResult(given);
  assert.deepEqual([id, runId, scenario, nodesVisited], [KEY, KEY, KEY, [KEY]]);
  assert.deepEqual(
    transcript.map(({ node_id, content }) => [node_id, content]),
    [[KEY, "It is [secret]."]],
  );
});

test("redactedResult() redacts ids and names inside what tools, callers and models say", () => {
  const [tool] = newResult().toolsCalled;
  assert.ok(tool);
  const { toolsCalled } = redactedResult(
    newResult({ toolsCalled: [{ ...tool, arguments: { id: KEY }, result: { name: KEY, items: [{ kind: KEY }] } }] }),
  );
  assert.deepEqual(
    toolsCalled.map(({ arguments: args, result }) => [args, result]),
    [[{ id: "[secret]" }, { name: "[secret]", items: [{ kind: "[secret]" }] }]],
  );
});

test("redactedResult() returns the same object if there is nothing to redact", () => {
  const given = newResult();
  assert.equal(redactedResult(given), given);
});
