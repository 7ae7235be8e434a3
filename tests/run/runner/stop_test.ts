import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import { formatReport } from "../../../api/reporters.ts";
import { flow, type RunEvent, run, scenario } from "../../../mod.ts";
import { fitting, startChatServer } from "../../chat_server.ts";

const hello = flow("hello")
  .conversation("greet", { prompt: "Greet the caller.", next: ({ to }) => [to("bye", "Caller says goodbye")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();

const calls = (...names: readonly string[]) => names.map((name) => scenario(name, hello).says("Hi").visits("greet"));

test("failFast cancels the calls after the first failure, and the report says so", async () => {
  const bad = scenario("fails", hello).says("Hi").includes("a word that nobody says");
  const scenarios = [...calls("first"), bad, ...calls("third", "fourth")];
  const report = await run(hello, scenarios, { store: false, limits: { concurrency: 1, failFast: true } });
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["pass", "fail", "cancelled", "cancelled"],
  );
  assert.equal(report.stopped, '"fails" did not pass');
  const text = formatReport(report);
  assert.match(text, /^Stopped: "fails" did not pass$/m);
  assert.doesNotMatch(text, /cancelled before the call was over/);

  const whole = await run(hello, scenarios, { store: false, limits: { concurrency: 1 } });
  assert.equal(whole.counts.cancelled, 0);
  assert.equal(whole.stopped, undefined);
});

for (const [name, answer] of [
  ["401", { status: 401, body: '{"error":{"message":"Incorrect API key provided"}}' }],
  ["403", { status: 403, body: '{"error":{"message":"Incorrect API key provided: no access"}}' }],
  ["400 for a key", { status: 400, body: '{"error":{"message":"API key not valid. Incorrect API key provided"}}' }],
] as const)
  test(`a key that is rejected with ${name} stops the run with the provider's message`, async () => {
    await using server = await startChatServer(() => answer);
    const agent = createOpenAI({ baseURL: server.url, apiKey: "wrong" }).chat("m");
    const scenarios = calls("a", "b", "c", "d", "e", "f");
    const report = await run(hello, scenarios, { models: { agent }, store: false, limits: { concurrency: 2 } });
    assert.ok(server.requests.length <= 2, `${server.requests.length} requests`);
    assert.equal(report.counts.error + report.counts.cancelled, scenarios.length);
    assert.ok(report.counts.error >= 1 && report.counts.cancelled >= 4);
    assert.match(report.stopped ?? "", /Incorrect API key provided.*Check the provider's key/);
  });

test("a retry is reported to onProgress and counted in the result", async () => {
  await using server = await startChatServer((request, index) =>
    index === 0 ? { status: 503 } : fitting(request, { say: "Hello, how are you?" }),
  );
  const agent = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
  const events: RunEvent[] = [];
  const report = await run(hello, calls("greets"), {
    models: { agent },
    store: false,
    limits: { maxTurns: 1 },
    requests: { retry: { minDelayMs: 0 } },
    listeners: { onProgress: (event) => void events.push(event) },
  });
  const retries = events.flatMap((event) => (event.kind === "retry" ? [event] : []));
  assert.deepEqual(
    retries.map(({ scenario: name, retry }) => [name, retry.signature, retry.retry]),
    [["greets", "respond", 1]],
  );
  assert.match(retries[0]?.retry.reason ?? "", /503/);
  assert.equal(report.results[0]?.usage.retries, 1);
  assert.match(formatReport(report), /model calls? \(1 retry\)/);
});
