import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type PullCallsOptions, pullCalls } from "../../../../api/calls.ts";
import { type Clock, openStore, PlatformError } from "../../../../mod.ts";
import { retellAnswers, retellCall, startPlatform, vapiAnswers, vapiCall } from "./_platforms.ts";

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.parse("2024-05-20T12:00:00Z");
const KEY = "key_0123456789abcdef";

/** A clock that stands still and records requested delays. */
function stoppedClock(now = NOW): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    pause: async (ms) => {
      waits.push(ms);
    },
    after: () => () => {},
  };
}

async function inFolder(work: (options: (now?: number) => PullCallsOptions) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-pull-"));
  const store = await openStore(`file:${join(folder, "results.db")}`);
  try {
    await work((now = NOW) => ({
      key: KEY,
      since: new Date(NOW - 2 * DAY),
      store,
      state: join(folder, "pulls.json"),
      clock: stoppedClock(now),
    }));
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Calls every ten minutes of a day, more than a page. */
const TIMES = Array.from({ length: 230 }, (_, index) => NOW - 1.6 * DAY + index * 360_000);

test("pullCalls() reads Retell page by page, and a second pull asks for no call again", async () => {
  const calls = TIMES.map((at, index) => retellCall(index, at));
  await using platform = await startPlatform(retellAnswers(() => calls));
  await inFolder(async (options) => {
    const first = await pullCalls("retell", { ...options(), baseUrl: platform.url });
    assert.deepEqual([first.added, first.known, first.damaged, first.isComplete], [230, 0, 0, true]);
    assert.equal(first.run?.kind, "imported");
    const lists = platform.asked.filter(({ path }) => path === "/v3/list-calls");
    assert.equal(lists.length, 3);
    platform.asked.length = 0;
    calls.push(retellCall(900, NOW + 1000));
    const second = await pullCalls("retell", { ...options(NOW + DAY), baseUrl: platform.url });
    assert.deepEqual([second.added, second.known], [1, 0]);
    assert.deepEqual(
      platform.asked.map(({ path }) => path),
      ["/v3/list-calls", "/v2/get-call/call_900"],
    );
  });
});

test("pullCalls() goes on after a failure in the middle: what was read is stored and not read again", async () => {
  const calls = TIMES.map((at, index) => retellCall(index, at));
  await using platform = await startPlatform(retellAnswers(() => calls));
  await inFolder(async (options) => {
    platform.fail = ({ path }) => (path.endsWith("/call_157") ? 500 : undefined);
    await assert.rejects(
      async () => await pullCalls("retell", { ...options(), baseUrl: platform.url }),
      (error) => error instanceof PlatformError && error.code === "platform-busy" && !error.message.includes(KEY),
    );
    const { store } = options();
    assert.ok(typeof store === "object");
    const [stopped] = await store.listRuns();
    assert.equal(stopped?.finishedAt, null);
    platform.fail = undefined;
    platform.asked.length = 0;
    const report = await pullCalls("retell", { ...options(), baseUrl: platform.url });
    assert.equal(report.isComplete, true);
    assert.equal(report.run?.id, stopped.id);
    const read = platform.asked.filter(({ path }) => path.startsWith("/v2/get-call/"));
    assert.equal(read.length, 75);
    assert.ok(read.every(({ path }) => Number(path.split("_")[1]) >= 155));
    assert.equal((await store.showRun(stopped.id)).results.length, 230);
    // the first page was stored completely: it is not listed again
    const list = platform.asked.find(({ path }) => path === "/v3/list-calls");
    assert.ok(JSON.stringify(list?.body).includes(`"value":[${TIMES[99]},`));
  });
});

test("pullCalls() reads Vapi back in time, calls of the same moment included", async () => {
  const calls = TIMES.map((_, index) => vapiCall(index, NOW - 1.6 * DAY + Math.floor(index / 3) * 360_000));
  await using platform = await startPlatform(vapiAnswers(() => calls));
  await inFolder(async (options) => {
    const first = await pullCalls("vapi", { ...options(), baseUrl: platform.url, agentId: "assistant_1" });
    assert.deepEqual([first.added, first.known, first.damaged], [230, 0, 0]);
    assert.equal(platform.asked[0]?.query.get("assistantId"), "assistant_1");
    platform.asked.length = 0;
    const second = await pullCalls("vapi", { ...options(NOW + 60_000), baseUrl: platform.url, agentId: "assistant_1" });
    assert.deepEqual([second.added, second.run], [0, null]);
    assert.equal(platform.asked.length, 1);
  });
});

test("pullCalls() asks Retell for the calls of one agent, or of all", async () => {
  await using platform = await startPlatform(retellAnswers(() => [retellCall(1, NOW - DAY)]));
  await inFolder(async (options) => {
    await pullCalls("retell", { ...options(), baseUrl: platform.url, agentId: "agent_1" });
    assert.match(JSON.stringify(platform.asked[0]?.body), /"agent":\[\{"agent_id":"agent_1"\}\]/);
  });
  platform.asked.length = 0;
  await inFolder(async (options) => {
    await pullCalls("retell", { ...options(), baseUrl: platform.url });
    assert.doesNotMatch(JSON.stringify(platform.asked[0]?.body), /"agent"/);
  });
});

test("pullCalls() reads a call that was not finished in a later pull", async () => {
  const at = NOW - DAY;
  let calls = [vapiCall(1, at - 1000), vapiCall(2, at, "in-progress"), vapiCall(3, at + 1000)];
  await using platform = await startPlatform(vapiAnswers(() => calls));
  await inFolder(async (options) => {
    const first = await pullCalls("vapi", { ...options(), baseUrl: platform.url });
    assert.deepEqual([first.added, first.skipped], [2, 1]);
    calls = [vapiCall(1, at - 1000), vapiCall(2, at), vapiCall(3, at + 1000)];
    const second = await pullCalls("vapi", { ...options(), baseUrl: platform.url });
    assert.deepEqual([second.added, second.skipped], [1, 0]);
  });
});

test("pullCalls() waits as long as the platform asks, and sends a request again", async () => {
  for (const [from, status] of [
    ["retell", 429],
    ["vapi", 503],
  ] as const) {
    const answers =
      from === "retell" ? retellAnswers(() => [retellCall(1, NOW - DAY)]) : vapiAnswers(() => [vapiCall(1, NOW - DAY)]);
    await using platform = await startPlatform(answers);
    await inFolder(async (options) => {
      let failures = 2;
      platform.fail = () => (failures-- > 0 ? status : undefined);
      const clock = stoppedClock();
      const report = await pullCalls(from, { ...options(), clock, baseUrl: platform.url });
      assert.equal(report.added, 1);
      assert.deepEqual(clock.waits, [7000, 7000]);
    });
  }
});

test("pullCalls() says that a key is refused, without the key", async () => {
  for (const from of ["retell", "vapi"] as const) {
    await using platform = await startPlatform(() => ({}));
    platform.fail = () => 401;
    await inFolder(async (options) => {
      await assert.rejects(
        async () => await pullCalls(from, { ...options(), baseUrl: platform.url }),
        (error) => error instanceof PlatformError && error.code === "platform-key" && !String(error).includes(KEY),
      );
    });
  }
});

test("pullCalls() stops at the limit and when it is aborted, and lists everything for another database", async () => {
  const calls = [1, 2, 3, 4].map((number) => retellCall(number, NOW - DAY + number));
  await using platform = await startPlatform(retellAnswers(() => calls));
  await inFolder(async (options) => {
    const first = await pullCalls("retell", { ...options(), baseUrl: platform.url, limit: 3 });
    assert.deepEqual([first.added, first.isComplete], [3, true]);
    const stop = new AbortController();
    platform.fail = () => {
      stop.abort();
      return undefined;
    };
    const aborted = await pullCalls("retell", { ...options(), baseUrl: platform.url, signal: stop.signal });
    assert.deepEqual([aborted.added, aborted.isComplete], [0, false]);
    platform.fail = undefined;
    const rest = await pullCalls("retell", { ...options(), baseUrl: platform.url });
    assert.deepEqual([rest.added, rest.known], [1, 3]);
    await using other = await openStore(":memory:");
    const again = await pullCalls("retell", { ...options(), store: other, baseUrl: platform.url });
    assert.equal(again.added, 4);
  });
});
