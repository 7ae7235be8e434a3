import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import * as v from "valibot";
import { DeployError } from "../../../src/base/errors.ts";
import { createPlatformClient, ID, type PlatformRequest } from "../../../src/base/http/mod.ts";
import { WITHOUT_PAUSES } from "../../test_clock.ts";
import { TEST_CONNECTION } from "./connection.ts";

const KEY = "key_0123456789abcdef";
const READ = {
  method: "GET",
  path: "/get-agent/agent_1",
  about: "agent agent_1",
  answer: v.looseObject({ agent_id: ID, version: v.number() }),
} as const satisfies PlatformRequest;

/** The error for one answer. */
async function errorFor(answer: Response, request: PlatformRequest = READ): Promise<DeployError> {
  const send = Object.assign(async () => answer.clone(), { preconnect: () => {} });
  const client = createPlatformClient({
    ...TEST_CONNECTION,
    baseUrl: "http://platform.test",
    key: KEY,
    clock: WITHOUT_PAUSES,
    fetch: send,
  });
  const error: unknown = await client.send(request).catch((reason: unknown) => reason);
  assert.ok(error instanceof DeployError, String(error));
  return error;
}

test("an answer of another shape is an error with the platform, the request, the first problem and the first bytes", async () => {
  const start = "agent agent_1: what Retell answers to GET /get-agent/agent_1";
  const cases: readonly (readonly [body: string, problem: string])[] = [
    ["", `${start} is empty`],
    ["null", `${start} is null: null`],
    ["[]", `${start} has no "agent_id": []`],
    ["{}", `${start} has no "agent_id": {}`],
    ['{"agent_id":5,"version":0}', `${start} is not what was asked for: "agent_id" is 5: {"agent_id":5,"version":0}`],
    [
      '{"agent_id":"../../x","version":0}',
      `${start} is not what was asked for: "agent_id" is not an id: {"agent_id":"../../x","version":0}`,
    ],
    [
      '{"agent_id":"a","version":0,"version":1}',
      `${start} has the key "version" twice: {"agent_id":"a","version":0,"version":1}`,
    ],
    ['{"agent_id":"a","version":0', `${start} is not JSON: {"agent_id":"a","version":0`],
    ["<h1>\u001b[31mSign\n in\u0007</h1>", `${start} is not JSON: <h1>\\u001b[31mSign in\\u0007</h1>`],
  ];
  for (const [body, message] of cases) {
    const error = await errorFor(new Response(body));
    assert.deepEqual([error.message, error.code], [message, "platform-answer"]);
    assert.match(error.hint, /base URL/);
  }
});

test("the first bytes are short, and a key in them is replaced before they are cut", async () => {
  const { message } = await errorFor(new Response(`${"x".repeat(190)}${KEY}${"y".repeat(10_000)}`));
  assert.ok(message.length < 300, String(message.length));
  assert.ok(message.includes("[key]") && !message.includes("key_0123"), message);
});

test("ids are letters, digits and the punctuation of ids, numbers and SIP addresses", () => {
  for (const id of ["agent_1", "+14155550100", "3f8a-4c", "a.b@c:5060", "7"]) assert.equal(v.is(ID, id), true, id);
  for (const id of ["", ".", "..", "a..b", "a/b", "a b", "a\n", "-a", "ü", "a".repeat(256), 5, null, ["a"]])
    assert.equal(v.is(ID, id), false, String(id));
});

test("keys such as constructor stay in an answer", async () => {
  const body = { agent_id: "a", version: 0, constructor: { toString: 1 } };
  const send = Object.assign(async () => new Response(JSON.stringify(body)), { preconnect: () => {} });
  const client = createPlatformClient({ ...TEST_CONNECTION, baseUrl: "http://platform.test", key: KEY, fetch: send });
  assert.deepEqual(await client.send(READ), body);
});

test("a page of another server with 404 does not say that a resource is missing", async () => {
  assert.equal((await errorFor(new Response("<h1>Not found</h1>", { status: 404 }))).code, "platform-answer");
  assert.equal((await errorFor(new Response('{"message":"Not found"}', { status: 404 }))).code, "platform-missing");
});

test("a wait that nobody waits for is an error at once", async () => {
  const headers = { "retry-after": "86400" };
  const { code, message } = await errorFor(new Response('{"message":"Slow down"}', { status: 429, headers }));
  assert.equal(code, "platform-busy");
  assert.match(message, /Slow down \(it asks to wait 86400 s\)$/);
});

test("a busy platform says to apply again after a write, and not after a read", async () => {
  for (const status of [429, 500, 503]) {
    const write = { ...READ, method: "PATCH", path: "/update-agent/agent_1" } as const;
    const answer = () => new Response("{}", { status, headers: { "retry-after": "0" } });
    assert.deepEqual(
      [(await errorFor(answer())).hint, (await errorFor(answer(), write)).hint],
      ["Try again", "Apply again"],
    );
  }
});

test("an endless answer of a server ends at the size limit, and its connection is closed", async () => {
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const server = createServer((_, response) => {
    response.once("close", close);
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(1 << 16, " ")));
    };
    response.on("drain", more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = server.address();
    const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const client = createPlatformClient({ ...TEST_CONNECTION, baseUrl, key: KEY });
    await assert.rejects(client.send({ ...READ, mostBytes: 1 << 20 }), {
      code: "platform-answer",
      message: /has more than 1048576 bytes/,
    });
    await closed;
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
