import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { scripted } from "../../../src/call/models/mod.ts";
import { type RunReport, run } from "../../../src/run/runner/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { openStoreByClock } from "../../../src/run/store/open.ts";
import { TestClock } from "../../test_clock.ts";
import { type FaultProxy, startFaultProxy } from "../store/_fault_proxy.ts";
import { inFolder } from "../store/_fixtures.ts";
import { NO_SQLD, startSqld } from "../store/sqld_server.ts";
import { CHAT } from "./_fixtures.ts";

const options = { skip: NO_SQLD ?? false, timeout: 180_000 };
const CALLS = 30;

interface Disturbed {
  readonly proxy: FaultProxy;
  readonly clock: TestClock;
  /** Settled when the run is over. */
  readonly over: () => boolean;
}

/**
 * A run on a server behind a proxy.
 *
 * @param onCall Called in each call, with its number.
 * @param beside Moves the time and ends the faults until the run is over.
 */
async function runBehind(
  onCall: (proxy: FaultProxy, call: number) => void,
  beside: (disturbed: Disturbed) => Promise<void>,
) {
  let outcome: { report: RunReport; before: number; after: readonly string[] } | undefined;
  await inFolder(async (folder) => {
    const server = await startSqld();
    try {
      await using proxy = await startFaultProxy(server.url);
      const clock = new TestClock();
      const spool = join(folder, "spool");
      const store = await openStoreByClock(proxy.url, { spool }, clock);
      const scenarios = Array.from({ length: CALLS }, (_, index) => ({ name: `${index + 1}`, excludes: ["Goodbye"] }));
      let over = false;
      const running = run(CHAT, scenarios, {
        models: { agent: scripted({}) },
        store,
        limits: { concurrency: 2 },
        createCaller: ({ name }) => ({
          next: async () => {
            onCall(proxy, Number(name));
            return { hangUp: "caller_ended" };
          },
        }),
      }).finally(() => {
        over = true;
      });
      await beside({ proxy, clock, over: () => over });
      const report = await running;
      proxy.revive();
      proxy.thaw();
      await store.close();
      await using next = await openStore(proxy.url, { spool, recover: false });
      const stored = async () => await next.listResults({ runId: report.id, limit: Infinity });
      const before = (await stored()).length;
      // a request that was given up may have been done all the same: then the database has the result already
      assert.ok((await next.recover()).results <= report.spooled);
      outcome = { report, before, after: (await stored()).map(({ scenario }) => scenario) };
    } finally {
      await server.stop();
    }
  });
  assert.ok(outcome);
  return outcome;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const all = Array.from({ length: CALLS }, (_, index) => `${index + 1}`);
const sorted = (names: readonly string[]) => names.toSorted((a, b) => Number(a) - Number(b));

test("a run stores every result once although its server is killed five times", options, async () => {
  const { report, before, after } = await runBehind(
    (proxy, call) => {
      if (call % 6 === 1) proxy.kill();
    },
    async ({ proxy, clock, over }) => {
      while (!over()) {
        await turn();
        if (!clock.isPausing) continue;
        proxy.revive();
        clock.advance(100); // however often a request fails, the results' time limit of 30 s is far
      }
    },
  );
  assert.deepEqual([report.stored, report.spooled, report.lost, report.storeError], [CALLS, 0, 0, null]);
  assert.equal(before, CALLS);
  assert.deepEqual(sorted(after), all);
});

test(
  "a run counts stored and spooled results when its server hangs, and recover() writes the rest",
  options,
  async () => {
    let calls = 0;
    const { report, before, after } = await runBehind(
      (proxy, call) => {
        calls++;
        if (call === 10) proxy.freeze();
      },
      async ({ clock, over }) => {
        while (!over()) {
          await turn();
          if (calls === CALLS) clock.advance(1_000); // the calls do not need the time to go on
        }
      },
    );
    assert.equal(calls, CALLS);
    assert.ok(report.spooled > 0, `${report.spooled} in the spool`);
    assert.equal(report.stored + report.spooled, CALLS);
    assert.equal(report.lost, 0);
    assert.ok(before >= report.stored, "what is told as stored is there");
    assert.deepEqual(sorted(after), all);
  },
);
