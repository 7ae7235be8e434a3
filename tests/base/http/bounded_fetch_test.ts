import assert from "node:assert/strict";
import { test } from "node:test";
import { ModelError, StoreError } from "../../../src/base/errors.ts";
import { boundedFetch } from "../../../src/base/http/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { withEnvironment } from "../../environment.ts";
import { CHAT } from "../../run/runner/_fixtures.ts";
import { startServer, writeForever } from "./servers.ts";

const bounded = boundedFetch({
  mostBytes: 1 << 20,
  fail: (state) => new ModelError(state, { code: "model-failed", hint: "-" }),
});

test("boundedFetch() returns an answer as it is, and ends an endless one at its limit", async () => {
  await using small = await startServer((_, response) => response.writeHead(418, { "x-a": "b" }).end('{"a":1}'));
  const answer = await bounded(small.url);
  assert.deepEqual([answer.status, answer.headers.get("x-a"), await answer.json()], [418, "b", { a: 1 }]);
  let isClosed: Promise<void> | undefined;
  await using endless = await startServer((_, response) => {
    isClosed = new Promise((resolve) => response.once("close", resolve));
    writeForever(response);
  });
  const large = await bounded(endless.url);
  await assert.rejects(large.text(), { message: "answers with more than 1048576 bytes" });
  await isClosed;
});

test("a model's server that redirects gets no second request, and neither does the other server, with the key", async () => {
  await using other = await startServer((_, response) => response.end("{}"));
  for (const status of [301, 302, 307, 308]) {
    await using server = await startServer((_, response) => response.writeHead(status, { location: other.url }).end());
    await withEnvironment({ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "key-of-the-model" }, async () => {
      const scenarios = [{ name: "chat", says: ["Hi"], excludes: ["never said"] }];
      const { results } = await run(CHAT, scenarios, { models: { agent: "openai/test" }, store: false });
      assert.equal(results[0]?.status, "error");
      assert.match(results[0]?.errorMessage ?? "", /its server redirects to http:\/\/127/);
    });
    assert.deepEqual(server.keys, ["Bearer key-of-the-model"]);
  }
  assert.deepEqual(other.keys, []);
});

test("a model's answer without an end is an error", async () => {
  await using server = await startServer((_, response) => writeForever(response));
  await withEnvironment({ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "none" }, async () => {
    const scenarios = [{ name: "chat", says: ["Hi"], excludes: ["never said"] }];
    const requests = { retry: { retries: 0 } };
    const { results } = await run(CHAT, scenarios, { models: { agent: "openai/test" }, store: false, requests });
    assert.equal(results[0]?.status, "error");
    assert.match(results[0]?.errorMessage ?? "", /^Cannot /);
  });
});

test("a database server with a wrong answer is a StoreError, and a redirect is not followed", async () => {
  await using other = await startServer((_, response) => response.end("{}"));
  const wrong = ["", "null", "[]", "{}", "5", "<html></html>", '{"baton":null,"base_url":null,"results":[]}'];
  for (const body of [...wrong, undefined]) {
    await using server = await startServer((_, response) => {
      if (body === undefined) response.writeHead(307, { location: other.url }).end();
      else response.end(body);
    });
    await assert.rejects(openStore(server.url), (error) => error instanceof StoreError && error.hint !== "", body);
  }
  assert.deepEqual(other.keys, []);
});
