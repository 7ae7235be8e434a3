import assert from "node:assert/strict";
import { test } from "node:test";
import { DeployError } from "../../../src/base/errors.ts";
import { createPlatformClient, type PlatformApi, type PlatformRequest } from "../../../src/base/http/mod.ts";
import type { Clock } from "../../../src/base/values/mod.ts";
import { TestClock } from "../../test_clock.ts";
import { ANY, TEST_CONNECTION } from "./connection.ts";

const KEY = "key_0123456789abcdef";
const READ: PlatformRequest = { method: "GET", path: "/get-agent/agent_1", about: "agent agent_1", answer: ANY };
const CREATE: PlatformRequest = {
  method: "POST",
  path: "/create-agent",
  body: { voice_id: "v" },
  about: "a new agent",
  answer: ANY,
};

type Answer = Response | Error | (() => Promise<Response>);

/** A client whose platform gives these responses in order; delays end immediately, and are recorded. */
function clientOf(
  answers: readonly Answer[],
  settings: Partial<PlatformApi> & { key?: string; signal?: AbortSignal; clock?: Clock } = {},
) {
  const sent: { url: string; init: RequestInit }[] = [];
  const pauses: number[] = [];
  const clock: Clock = { now: () => 0, after: () => () => {}, pause: async (ms) => void pauses.push(ms) };
  const client = createPlatformClient({
    ...TEST_CONNECTION,
    baseUrl: "https://api.example.com/",
    key: KEY,
    clock,
    ...settings,
    fetch: async (url, init = {}) => {
      const answer = answers[sent.push({ url: String(url), init }) - 1];
      if (answer instanceof Error) throw answer;
      if (answer === undefined) throw new TypeError("no more answers");
      return answer instanceof Response ? answer : await answer();
    },
  });
  return { client, sent, pauses };
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

async function errorOf(work: Promise<unknown>): Promise<DeployError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof DeployError, String(error));
  return error;
}

test("send() gives the JSON of an answer, and undefined for an empty one", async () => {
  const { client, sent } = clientOf([json(200, { agent_id: "agent_1" }), new Response("", { status: 200 })]);
  assert.deepEqual(await client.send({ ...READ, query: { version: 3, tag: undefined } }), { agent_id: "agent_1" });
  assert.equal(await client.send(CREATE), undefined);
  assert.deepEqual(
    sent.map(({ url }) => url),
    ["https://api.example.com/get-agent/agent_1?version=3", "https://api.example.com/create-agent"],
  );
  assert.equal(new Headers(sent[0]?.init.headers).get("authorization"), `Bearer ${KEY}`);
});

test("a read is sent again after a broken connection and a 5xx, with longer and longer pauses", async () => {
  const { client, pauses } = clientOf([
    new TypeError("fetch failed"),
    json(503, {}),
    json(502, {}),
    json(200, { a: 1 }),
  ]);
  assert.deepEqual(await client.send(READ), { a: 1 });
  assert.deepEqual(pauses, [500, 1000, 2000]);
});

test("a read is given up after five attempts, with the platform's last message", async () => {
  const { client, sent } = clientOf(Array.from({ length: 9 }, () => json(503, { message: "Maintenance" })));
  const error = await errorOf(client.send(READ));
  assert.equal(error.code, "platform-busy");
  assert.match(error.message, /^agent agent_1: Retell answers 503: Maintenance$/);
  assert.equal(sent.length, 5);
});

test("a POST that creates is sent once, whatever breaks, since a second one could create a second resource", async () => {
  for (const answer of [new TypeError("fetch failed"), json(500, {})]) {
    const { client, sent } = clientOf([answer, json(201, {})]);
    await errorOf(client.send(CREATE));
    assert.equal(sent.length, 1);
  }
});

test("a POST is sent again after a 429, and one that only reads after anything", async () => {
  const { client, pauses } = clientOf([json(429, {}, { "retry-after": "7" }), json(201, { ok: true })]);
  assert.deepEqual(await client.send(CREATE), { ok: true });
  assert.deepEqual(pauses, [7000]);
  const list = clientOf([new TypeError("fetch failed"), json(200, { items: [] })]);
  assert.deepEqual(await list.client.send({ ...CREATE, isRead: true }), { items: [] });
});

test("a platform says which writes can be repeated, and a request can say otherwise", async () => {
  const attempts = async (request: Partial<PlatformRequest>, api: Partial<PlatformApi> = {}) => {
    const { client, sent } = clientOf([json(500, {}), json(200, {})], api);
    await client.send({ ...CREATE, ...request }).catch(() => {});
    return sent.length;
  };
  for (const method of ["PUT", "PATCH", "DELETE"] as const) {
    assert.equal(await attempts({ method }), 2, method);
    assert.equal(await attempts({ method }, { repeatable: [] }), 1, method);
  }
  assert.equal(await attempts({}, { repeatable: ["POST"] }), 2);
  assert.equal(await attempts({ isRepeatable: true }), 2);
  assert.equal(await attempts({ method: "PUT", isRepeatable: false }), 1);
  assert.equal(await attempts({ method: "GET" }, { repeatable: [] }), 2, "a read changes nothing");
});

test("a platform says which header has the key, and what stands before it", async () => {
  for (const [authentication, expected] of [
    [{ header: "xi-api-key" }, KEY],
    [{ header: "authorization", scheme: "Token" }, `Token ${KEY}`],
  ] as const) {
    const { client, sent } = clientOf([json(200, {})], { authentication });
    await client.send({ ...CREATE, method: "PUT" });
    const headers = new Headers(sent[0]?.init.headers);
    assert.equal(headers.get(authentication.header), expected);
    assert.equal([...headers.values()].filter((value) => value.includes(KEY)).length, 1);
    assert.equal(sent[0]?.init.method, "PUT");
    assert.equal(sent[0]?.init.body, JSON.stringify(CREATE.body));
  }
});

test("Retry-After is obeyed as seconds and as a time", async () => {
  const waits = ["2", new Date(30_000).toUTCString(), "60", "soon", "-5"];
  for (const [index, expected] of [2000, 30_000, 60_000, 500, 500].entries()) {
    const { client, pauses } = clientOf([json(429, {}, { "retry-after": waits[index] ?? "" }), json(200, {})]);
    await client.send(READ);
    assert.deepEqual(pauses, [expected], waits[index]);
  }
});

test("what a platform refuses is told in its own words, with a code for keys and for what is gone", async () => {
  const cases: readonly (readonly [Response, string, string])[] = [
    [json(401, { status: "error", message: "Invalid API Key" }), "platform-key", "401: Invalid API Key"],
    [json(403, { message: "Forbidden" }), "platform-key", "403: Forbidden"],
    [json(404, { message: "Item agent_1 not found" }), "platform-missing", "404: Item agent_1 not found"],
    [
      json(400, { message: ["property x should not exist", "name must be a string"], statusCode: 400 }),
      "platform-refused",
      "400: property x should not exist; name must be a string",
    ],
    [
      json(404, { errors: [{ code: "10005", title: "Not found", detail: "There is no a_1" }] }),
      "platform-missing",
      "404: There is no a_1",
    ],
    [json(400, { errors: [{ title: "Too many" }, "No name"] }), "platform-refused", "400: Too many; No name"],
    [json(422, { error_message: "voice_id is required" }), "platform-refused", "422: voice_id is required"],
    [
      json(422, { detail: [{ type: "value_error", loc: ["body", "name"], msg: "Field required", input: "secret" }] }),
      "platform-refused",
      "422: body.name: Field required",
    ],
    [
      json(404, { detail: { status: "not_found", message: "no such agent" } }),
      "platform-missing",
      "404: no such agent",
    ],
    [json(404, { detail: "Not Found" }), "platform-answer", '404: {"detail":"Not Found"}'],
    [new Response("<h1>Bad\n gateway</h1>", { status: 400 }), "platform-refused", "400: <h1>Bad gateway</h1>"],
    [new Response("", { status: 409 }), "platform-refused", "409: no message"],
  ];
  for (const [answer, code, message] of cases) {
    const error = await errorOf(clientOf([answer]).client.send(READ));
    assert.equal(error.code, code);
    assert.equal(error.message, `agent agent_1: Retell answers ${message}`);
    assert.notEqual(error.hint, "");
  }
});

test("an answer of 200 that is not JSON, such as the page of a proxy, is refused instead of read as empty", async () => {
  const error = await errorOf(clientOf([new Response("<html>Sign in</html>", { status: 200 })]).client.send(READ));
  assert.equal(error.code, "platform-answer");
  assert.match(
    error.message,
    /^agent agent_1: what Retell answers to GET \/get-agent\/agent_1 is not JSON: <html>Sign in/,
  );
});

test("a redirect is not followed, so that the key stays with the address that was configured", async () => {
  const moved = new Response(null, { status: 307, headers: { location: "https://elsewhere.example.com/" } });
  const { client, sent } = clientOf([moved]);
  const error = await errorOf(client.send(READ));
  assert.match(error.message, /redirects to https:\/\/elsewhere\.example\.com/);
  assert.equal(sent[0]?.init.redirect, "manual");
  assert.equal(sent.length, 1);
});

test("the key is in no error: not where the platform repeats it, nor where the runtime quotes a header", async () => {
  const answers = [
    json(401, { message: `Unknown key ${KEY}` }),
    new Response(`key ${KEY}`, { status: 200 }),
    new Response(null, { status: 302, headers: { location: `https://x.example.com/?key=${KEY}` } }),
  ];
  for (const answer of answers) {
    const error = await errorOf(clientOf([answer]).client.send(CREATE));
    assert.ok(!`${error.message}${error.hint}${error.stack}${JSON.stringify(error)}`.includes(KEY), error.message);
  }
  const broken = Array.from({ length: 5 }, () => new TypeError("fetch failed", { cause: new Error(`Bearer ${KEY}`) }));
  const error = await errorOf(clientOf(broken).client.send(READ));
  assert.equal(error.code, "platform-unreachable");
  assert.ok(!`${error.message}${error.stack}${String(error.cause)}`.includes(KEY));
});

test("a key that no header can hold is refused before anything is sent, without the key", () => {
  for (const key of ["", "abc def", "ключ", "line\nbreak"]) {
    assert.throws(
      () => clientOf([], { key }),
      (error) =>
        error instanceof DeployError && error.code === "platform-key" && (key === "" || !error.message.includes(key)),
    );
  }
});

test("a request without an answer ends when its time is up, by the clock that was passed in", async () => {
  const clock = new TestClock();
  const silent = () =>
    new Promise<Response>((_, reject) => {
      sent.at(-1)?.init.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
    });
  const { client, sent } = clientOf([silent], { clock });
  const settled = await clock.advanceUntilDone(client.send(CREATE), 5000);
  assert.equal(settled.status, "rejected");
  const error = await errorOf(settled.status === "rejected" ? Promise.reject(settled.reason) : Promise.resolve());
  assert.equal(error.code, "platform-unreachable");
  assert.match(error.message, /no answer in 30000 ms/);
});

test("an abort ends a request and a pause between requests, and nothing is sent after it", async () => {
  const during = new AbortController();
  const waiting = () =>
    new Promise<Response>((_, reject) => {
      first.sent
        .at(-1)
        ?.init.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      during.abort();
    });
  const first = clientOf([waiting], { signal: during.signal });
  assert.equal((await errorOf(first.client.send(READ))).code, "aborted");
  assert.equal(first.sent.length, 1);

  const between = new AbortController();
  const clock: Clock = { now: () => 0, after: () => () => {}, pause: async () => between.abort() };
  const second = clientOf([json(503, {}), json(200, {})], { signal: between.signal, clock });
  assert.equal((await errorOf(second.client.send(READ))).code, "aborted");
  assert.equal(second.sent.length, 1);

  const before = clientOf([json(200, {})], { signal: AbortSignal.abort() });
  assert.equal((await errorOf(before.client.send(READ))).code, "aborted");
  assert.equal(before.sent.length, 0);
});

test("a base URL that is not a URL is an error that says so", async () => {
  const client = createPlatformClient({ ...TEST_CONNECTION, baseUrl: "api.retellai.com", key: KEY });
  const error = await errorOf(client.send(READ));
  assert.match(error.message, /the base URL "api\.retellai\.com" is not a URL/);
});

test("an id of dots is not requested: a URL would leave it out, and the request would be another one", async () => {
  const { client, sent } = clientOf([json(200, {})]);
  for (const id of [".", ".."]) {
    const error = await errorOf(client.send({ ...READ, method: "DELETE", path: `/delete-agent/${id}` }));
    assert.equal(error.code, "platform-missing");
  }
  assert.deepEqual(sent, []);
});
