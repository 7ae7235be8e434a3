import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pullCalls } from "../../../../api/calls.ts";
import { openStore, PlatformError } from "../../../../mod.ts";
import { startServer } from "../../../base/http/servers.ts";
import { retellCall, vapiCall } from "./_platforms.ts";

const NOW = Date.parse("2024-05-20T12:00:00Z");
const HOUR = 3_600_000;

/** Lists of calls that are none, or none that were asked for, with the problem that is told. */
const WRONG = {
  retell: [
    [[], 'has no "items"'],
    [{ items: {} }, '"items" is Object'],
    [{ items: [{ ...retellCall(1, NOW - HOUR), call_id: "../../x" }] }, "is not an id"],
    [{ items: [{ ...retellCall(1, NOW - HOUR), call_id: 5 }] }, '"items.0.call_id" is 5'],
    [{ items: [{ ...retellCall(1, NOW - HOUR), agent_id: "agent_9" }] }, "is a call of another agent"],
    [{ items: [retellCall(1, NOW + HOUR)] }, "is a call of another time"],
  ],
  vapi: [
    [{}, "is not what was asked for|is an object"],
    [[{ ...vapiCall(1, NOW - HOUR), id: "../../x" }], "is not an id"],
    [[{ ...vapiCall(1, NOW - HOUR), id: 5 }], '"0.id" is 5'],
    [[{ ...vapiCall(1, NOW - HOUR), assistantId: "assistant_9" }], "is of another assistant"],
    [[vapiCall(1, NOW + HOUR)], "is of another time"],
  ],
} as const;
/** What no list is. */
const NO_LIST = [
  ["", "is empty"],
  ["null", "is null"],
  ["<html><body>Sign in</body></html>", "is not JSON: <html>"],
] as const;

for (const from of ["retell", "vapi"] as const)
  test(`a list of calls of ${from} that is no list, or has calls that were not asked for, is an error, and nothing is stored`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "callweave-wrong-calls-"));
    await using store = await openStore(":memory:");
    try {
      const lists = WRONG[from].map(([list, problem]) => [JSON.stringify(list), problem] as const);
      for (const [body, problem] of [...NO_LIST, ...lists]) {
        await using server = await startServer((_, response) => response.end(body));
        const pulled = pullCalls(from, {
          key: "key_0123456789abcdef",
          since: new Date(NOW - 2 * HOUR),
          agentId: from === "retell" ? "agent_1" : "assistant_1",
          store,
          state: join(folder, "pulls.json"),
          baseUrl: server.url,
          clock: { now: () => NOW, pause: async () => {}, after: () => () => {} },
        });
        await assert.rejects(pulled, (error) => {
          assert.ok(error instanceof PlatformError, String(error));
          assert.equal(error.code, "platform-answer", body);
          assert.match(error.message, from === "retell" ? /Retell/ : /Vapi/);
          assert.match(error.message, new RegExp(problem.replace(/[.]/g, "\\.")), body);
          return true;
        });
        assert.deepEqual(await store.listRuns(), [], body);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
