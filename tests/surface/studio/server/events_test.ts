import assert from "node:assert/strict";
import { test } from "node:test";
import { createStudioClient, type StudioClient } from "../../../../src/surface/studio/api/client.ts";
import { newResult, newRun } from "../../../run/store/_fixtures.ts";
import { raw, storedRun, withStudio } from "../_studio.ts";

/** Reads events until one is the last. */
async function eventsUntil(studio: StudioClient, after: string, isLast: (type: string) => boolean) {
  const over = new AbortController();
  const found: { readonly id: string; readonly type: string }[] = [];
  for await (const event of studio.events({ after, signal: over.signal })) {
    found.push(event);
    if (isLast(event.type)) break;
  }
  over.abort();
  return found;
}

test("events tell of runs and calls of other processes, in order", { timeout: 60_000 }, () =>
  withStudio(async ({ address, data }) => {
    const studio = createStudioClient({ url: address });
    const { run, calls } = await storedRun(data, ["pass", "fail"]);
    const events = await eventsUntil(studio, "0", (type) => type === "run-ended");
    assert.deepEqual(
      events.map(({ id: _, ...event }) => event),
      [
        { type: "run-started", run, agent: "farewell" },
        { type: "call-ended", run, call: calls[0], scenario: "says goodbye", trial: 1, status: "pass" },
        { type: "call-ended", run, call: calls[1], scenario: "says goodbye", trial: 2, status: "fail" },
        { type: "run-ended", run },
      ],
    );
  }),
);

test(
  "listeners that lose their connection again and again miss no event, and get none twice",
  { timeout: 120_000 },
  () =>
    withStudio(async ({ address, data }) => {
      const COUNT = 200;
      const { id: run } = await data.store.startRun(newRun());
      const writing = (async () => {
        for (let trial = 1; trial <= COUNT; trial++) await data.store.addResult(run, newResult({ trial, attempt: 1 }));
        await data.store.finishRun(run);
      })();
      const listen = async (cutAfter: number) => {
        let requests = 0;
        // a connection that ends in the middle of an event
        const cut = async (url: string, init: RequestInit) => {
          const response = await fetch(url, init);
          if (!url.endsWith("/events") || !response.body) return response;
          requests += 1;
          let bytes = 0;
          const limited = new TransformStream<Uint8Array, Uint8Array>({
            transform: (chunk, controller) => {
              bytes += chunk.length;
              if (bytes <= cutAfter) return controller.enqueue(chunk);
              controller.enqueue(chunk.slice(0, Math.max(0, chunk.length - (bytes - cutAfter))));
              controller.terminate();
            },
          });
          return new Response(response.body.pipeThrough(limited), response);
        };
        const studio = createStudioClient({ url: address, fetch: cut, pausesMs: [1, 1] });
        const events = await eventsUntil(studio, "0", (type) => type === "run-ended");
        return { events, requests };
      };
      const listeners = await Promise.all([2_000, 3_333, 5_001, 1e9].map(listen));
      await writing;
      for (const { events } of listeners) {
        assert.equal(events.length, COUNT + 2);
        assert.deepEqual(
          events.map(({ id }) => Number(id)),
          Array.from({ length: COUNT + 2 }, (_, index) => index + 1),
        );
      }
      assert.ok((listeners[0]?.requests ?? 0) > 5);
    }),
);

test(
  "a listener that was away for too long, or comes from another database, is told to read again",
  { timeout: 60_000 },
  () =>
    withStudio(async ({ address, data }) => {
      const studio = createStudioClient({ url: address });
      await storedRun(data, ["pass"]);
      const events = await eventsUntil(studio, "99999", (type) => type === "events-missed");
      assert.deepEqual(
        events.map(({ type }) => type),
        ["events-missed"],
      );
      await data.database.write(["DELETE FROM callweave_events WHERE id < 3"], { action: "delete events of" });
      const later = await eventsUntil(studio, "1", (type) => type === "run-ended");
      assert.deepEqual(
        later.map(({ type }) => type),
        ["events-missed", "run-ended"],
      );
      for (const id of ["a", "-1", "1.5", "9".repeat(40)]) {
        const headers = { host: new URL(address).host, "last-event-id": id };
        assert.equal((await raw(Number(new URL(address).port), "/api/v1/events", { headers })).status, 400, id);
      }
    }),
);
