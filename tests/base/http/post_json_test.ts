import assert from "node:assert/strict";
import { test } from "node:test";
import { CallweaveError } from "../../../src/base/errors.ts";
import { postJson } from "../../../src/base/http/mod.ts";
import { TestClock, WITHOUT_PAUSES } from "../../test_clock.ts";
import { startServer } from "./servers.ts";

const KEY = "key_0123456789abcdef";
const DOCUMENT = { state: "worse" };

/** Posts to a server that answers with a list of statuses, and returns the message of the error. */
async function post(statuses: readonly number[], headers: Readonly<Record<string, string>> = {}) {
  let place = 0;
  await using server = await startServer((_, response) => {
    response.writeHead(statuses[Math.min(place++, statuses.length - 1)] ?? 200, headers).end("{}");
  });
  const options = { key: KEY, clock: WITHOUT_PAUSES };
  const error: unknown = await postJson(`${server.url}/secret`, DOCUMENT, "Cannot post", options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error === undefined || error instanceof CallweaveError);
  assert.ok(!`${error?.message}${error?.hint}`.includes(KEY));
  assert.ok(!`${error?.message}`.includes("/secret"), "the path of a webhook is a secret");
  return { keys: server.keys, code: error?.code, message: error?.message.replace(server.url, "URL") };
}

test("postJson() posts the document once, with the key in a header", async () => {
  let text = "";
  await using server = await startServer((request, response) => {
    request.on("data", (chunk) => {
      text += String(chunk);
    });
    request.on("end", () => response.writeHead(204).end());
  });
  await postJson(server.url, DOCUMENT, "Cannot post", { key: KEY });
  assert.deepEqual(JSON.parse(text), DOCUMENT);
  assert.deepEqual(server.keys, [`Bearer ${KEY}`]);
});

test("postJson() retries a 429 and a 5xx up to three times", async () => {
  const passed = await post([503, 429, 200]);
  assert.deepEqual([passed.code, passed.keys.length], [undefined, 3]);
  const failed = await post([500]);
  assert.deepEqual([failed.code, failed.keys.length], ["webhook-failed", 4]);
  assert.equal(failed.message, "Cannot post: URL answers 500");
});

test("postJson() does not repeat a refused document, nor waits as long as a server likes", async () => {
  assert.deepEqual((await post([400])).keys.length, 1);
  assert.deepEqual((await post([503], { "retry-after": "3600" })).keys.length, 1);
});

test("postJson() does not follow redirects", async () => {
  await using other = await startServer((_, response) => response.end("{}"));
  const { code, keys, message } = await post([307], { location: other.url });
  assert.deepEqual([code, keys.length, other.keys.length], ["webhook-failed", 1, 0]);
  assert.equal(message, "Cannot post: URL redirects (307)");
});

test("postJson() times out, and says so", async () => {
  await using server = await startServer(() => {});
  const clock = new TestClock();
  const posted = postJson(server.url, DOCUMENT, "Cannot post", { clock, requestTimeoutMs: 1_000 });
  const settled = posted.then(
    () => "posted",
    (error: unknown) => (error instanceof CallweaveError ? error.message : "?"),
  );
  let message: string | undefined;
  settled.then((text) => {
    message = text;
  });
  while (message === undefined) {
    clock.advance(60_000);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assert.match(message, /does not answer in 1000 ms$/);
});

test("postJson() ends when its signal aborts", async () => {
  const controller = new AbortController();
  await using server = await startServer(() => controller.abort());
  await assert.rejects(
    () => postJson(server.url, DOCUMENT, "Cannot post", { signal: controller.signal }),
    (error) => error instanceof CallweaveError && error.code === "aborted",
  );
});
