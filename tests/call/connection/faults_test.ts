import assert from "node:assert/strict";
import { env } from "node:process";
import { test } from "node:test";
import { connect } from "../../../api/connect.ts";
import { type AgentConnection, type RunReport, run, scenario } from "../../../mod.ts";
import { createCallClock } from "../../../src/call/models/mod.ts";
import { type Answer, startServer } from "./_server.ts";

/** Neither its name nor its words look like a secret: only the connection knows that it is one. */
const KEY = "marmalade-evening-harbour";
env.CALLWEAVE_TEST_AGENT = KEY;

/** Both kinds of connections over HTTP, and the JSON of a good answer. */
const KINDS: readonly {
  readonly name: string;
  readonly good: unknown;
  readonly open: (url: string, more?: { readonly throttleLimitMs?: number }) => AgentConnection;
}[] = [
  {
    name: "http",
    good: { reply: "Hello" },
    open: (url, more) =>
      connect.http({ url, keyVariable: "CALLWEAVE_TEST_AGENT", paths: { text: "$.reply" }, ...more }),
  },
  {
    name: "openAICompatible",
    good: { choices: [{ message: { role: "assistant", content: "Hello" } }] },
    open: (url, more) =>
      connect.openAICompatible({ url, model: "agent", keyVariable: "CALLWEAVE_TEST_AGENT", ...more }),
  },
];

/** Everything of it holds also for a call in which nothing was said. */
const hi = scenario("hi").says("Hi", "And?", "Well").excludes("sorry");

function runHi(agent: AgentConnection, turnTimeoutMs = 20_000): Promise<RunReport> {
  return run(agent, [hi], { store: false, limits: { turnTimeoutMs } });
}

const status = (code: number): Answer => ({ status: code, json: { error: { message: `code ${code} for ${KEY}` } } });

/** Faults, each with the kind of the error. None may be sent twice: the agent may have called a tool. */
const FAULTS: readonly (readonly [name: string, kind: string, Answer])[] = [
  ["401", "key", status(401)],
  ["403", "key", status(403)],
  ["402", "payment", status(402)],
  ["404", "unknown-agent", status(404)],
  ["400", "refused", status(400)],
  ["redirect", "refused", { status: 302, text: "", headers: { location: "http://127.0.0.1:9/" } }],
  ["500", "vendor", status(500)],
  ["503", "vendor", status(503)],
  ["504", "silence", status(504)],
  ["text", "vendor", { text: `hello ${KEY}` }],
  ["half a JSON", "vendor", { text: '{"reply":"Hel' }],
  ["nothing", "vendor", { text: "" }],
  ["null", "vendor", { json: null }],
  ["another shape", "vendor", { json: { reply: 1, choices: [] } }],
  ["a shape of nulls", "vendor", { json: { reply: null, choices: [{ message: { content: null } }] } }],
  ["a key twice", "vendor", { text: '{"reply":"Hello","reply":"Bye"}' }],
  [
    "close in the middle of the answer",
    "ended-early",
    (response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"reply":', () => response.destroy());
    },
  ],
  ["close without an answer", "(ended-early|unreachable)", (response) => void response.destroy()],
];

for (const { name, good, open } of KINDS) {
  for (const place of [1, 2]) {
    test(`${name}: a fault in request ${place} is an error of its kind, is not sent again, and shows no key`, async () => {
      for (const [fault, kind, answer] of FAULTS) {
        await using server = await startServer((_, number) => (number === place ? answer : { json: good }));
        const report = await runHi(open(server.url));
        const [result] = report.results;
        assert.equal(result?.status, "error", fault);
        assert.match(result?.errorMessage ?? "", new RegExp(`Cannot talk to "\\w+" \\(${kind}\\)`), fault);
        assert.equal(server.taken.length, place, fault);
        assert.equal(server.taken[0]?.headers.authorization, `Bearer ${KEY}`, fault);
        assert.ok(!JSON.stringify(report).includes(KEY), fault);
        assert.equal(result?.transcript.filter(({ role }) => role === "assistant").length, place - 1, fault);
        assert.equal(report.stopped !== undefined, ["key", "payment", "unknown-agent"].includes(kind), fault);
      }
    });
  }

  test(`${name}: a server that stalls is silence within the limit of a turn`, async () => {
    const stalls: readonly Answer[] = [
      () => {},
      (response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.write('{"reply":');
      },
    ];
    for (const stall of stalls) {
      await using server = await startServer((_, number) => (number === 2 ? stall : { json: good }));
      const { results } = await runHi(open(server.url), 300);
      assert.equal(results[0]?.status, "error");
      assert.match(results[0]?.errorMessage ?? "", /\(silence\)/);
      assert.equal(server.taken.length, 2);
    }
  });

  test(`${name}: a refused request is sent again after the time that the server asks for`, async () => {
    await using server = await startServer((_, number) =>
      number < 4 ? { status: 429, json: {}, headers: { "retry-after": "0" } } : { json: good },
    );
    const { results } = await runHi(open(server.url));
    assert.equal(results[0]?.status, "pass");
    assert.equal(server.taken.length, 6, "three refusals, and three turns");
    assert.deepEqual(new Set(server.taken.slice(0, 4).map(({ body }) => JSON.stringify(body))).size, 1);
  });

  test(`${name}: the clock of the call stands still while a refused request waits`, async () => {
    await using server = await startServer((_, number) =>
      number < 4 ? { status: 429, json: {}, headers: { "retry-after": "0" } } : { json: good },
    );
    let pauses = 0;
    const startCall = () => {
      const clock = createCallClock();
      const pause = () => {
        pauses += 1;
        return clock.pause();
      };
      return { ...clock, pause };
    };
    await run(open(server.url), [hi], { store: false, clock: { startCall } });
    assert.equal(pauses, 3);
  });

  test(`${name}: throttling beyond the limit is an error, and no request waits for it`, async () => {
    await using long = await startServer(() => ({ status: 429, json: {}, headers: { "retry-after": "3600" } }));
    const { results } = await runHi(open(long.url));
    assert.equal(results[0]?.status, "error");
    assert.match(results[0]?.errorMessage ?? "", /\(throttled\).*asks to wait 3600000 ms/);
    assert.equal(long.taken.length, 1);
    await using always = await startServer(() => ({ status: 429, json: {}, headers: { "retry-after": "0" } }));
    const worn = await runHi(open(always.url, { throttleLimitMs: 200 }));
    assert.match(worn.results[0]?.errorMessage ?? "", /\(throttled\)/);
    assert.equal(always.taken.length, 5, "a pause of 50 ms each");
  });

  test(`${name}: a cancelled run cancels the request`, async () => {
    const abort = new AbortController();
    await using server = await startServer(() => () => abort.abort());
    const { results } = await run(open(server.url), [hi], { store: false, signal: abort.signal });
    assert.deepEqual(
      results.map((each) => each.status),
      ["cancelled"],
    );
    assert.equal(server.taken.length, 1);
  });

  test(`${name}: nothing at the address is unreachable`, async () => {
    const server = await startServer(() => ({ json: good }));
    await server[Symbol.asyncDispose]();
    const { results } = await runHi(open(server.url));
    assert.match(results[0]?.errorMessage ?? "", /\((unreachable|ended-early)\)/);
    assert.equal(results[0]?.status, "error");
  });
}

test("a missing key, a wrong URL and a wrong option are errors before any call", () => {
  delete env.CALLWEAVE_TEST_NO_KEY;
  const url = "http://127.0.0.1:9";
  const paths = { text: "$.reply" };
  assert.throws(() => connect.http({ url, paths, keyVariable: "CALLWEAVE_TEST_NO_KEY" }), {
    code: "missing-key-variable",
  });
  assert.throws(() => connect.openAICompatible({ url, model: "m", keyVariable: "CALLWEAVE_TEST_NO_KEY" }), {
    code: "missing-key-variable",
  });
  for (const wrong of ["", "example.com", "ftp://example.com", "http://user:word@example.com", 1])
    assert.throws(() => connect.http({ url: wrong as string, paths }), { code: "invalid-option" }, String(wrong));
  assert.throws(() => connect.http({ url, paths, headers: { "x-a": "a\nb" } }), { code: "invalid-option" });
  for (const make of [connect.custom, connect.http, connect.openAICompatible])
    for (const options of [undefined, null, 1, "x", [], {}, { url }, { url, path: "$" }])
      assert.throws(() => make(options as never), { code: "invalid-option" }, JSON.stringify(options));
});
