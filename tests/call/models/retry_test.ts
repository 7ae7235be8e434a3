import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import {
  type CallOptions,
  type CallUsage,
  callForReply,
  callModel,
  transitionSignature,
} from "../../../src/call/models/mod.ts";
import { type ChatAnswer, fitting, startChatServer } from "../../chat_server.ts";
import { TestClock, WITHOUT_PAUSES } from "../../test_clock.ts";

const QUICK = { timers: WITHOUT_PAUSES } as const;
/** Time limit of a try, on clocks that stand still. */
const TRY_MS = 60_000;
const GOOD = { reasoning: "They said b.", objectives_complete: true, transition_to: "b" };
const input = {
  current_state_prompt: "Ask.",
  conversation_history: [{ role: "user" as const, content: "b" }],
  last_agent_message: "",
  available_transitions: [],
};

/**
 * Makes one transition call against a server that first gives the bad answers, then good ones.
 *
 * @param onHang Called when a request is there that is never answered. Default: its time is up.
 */
async function callAfter(bad: readonly ChatAnswer[], options: CallOptions = {}, onHang?: () => void) {
  const clock = new TestClock();
  const timers = { ...WITHOUT_PAUSES, now: clock.now, after: clock.after };
  await using server = await startChatServer((request, index) => {
    const answer = bad[index] ?? fitting(request, GOOD);
    if (answer === "hang") setImmediate(onHang ?? (() => clock.advance(TRY_MS)));
    return answer;
  });
  const model = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
  const usage: CallUsage[] = [];
  try {
    const output = await callModel(model, transitionSignature, input, {
      tryTimeoutMs: TRY_MS,
      timers,
      ...options,
      onUsage: (one) => usage.push(one),
    });
    return { output, requests: server.requests.length, usage, error: undefined };
  } catch (error) {
    assert.ok(error instanceof Error && "code" in error);
    return { output: undefined, requests: server.requests.length, usage, error };
  }
}

const json = (body: object, status = 200): ChatAnswer => ({ status, body: JSON.stringify(body) });

for (const [name, bad] of [
  ["a rate limit", { status: 429 }],
  [
    "a rate limit that names a page",
    json({ error: { message: "Rate limit reached. Add a payment method at /billing to raise it." } }, 429),
  ],
  ["a rate limit that says when", { status: 429, headers: { "retry-after": "0" } }],
  ["a time limit of the server", { status: 408 }],
  ["a conflict", { status: 409 }],
  ["a server error", { status: 500 }],
  ["an overloaded server", { status: 503 }],
  ["a hang", "hang"],
  ["a cut connection", "cut"],
  ["an answer that is not JSON", { status: 200, body: "<html>" }],
  ["an empty answer", { status: 200, body: "" }],
  ["an answer without a choice", { status: 200, body: '{"choices":[]}' }],
  ["a text instead of JSON", { say: "I would go to b" }],
  ["JSON of another schema", { say: '{"next":"b"}' }],
] as const satisfies readonly (readonly [string, ChatAnswer])[]) {
  test(`a call is retried after ${name}`, { timeout: 60_000 }, async () => {
    const { output, requests, usage } = await callAfter([bad]);
    assert.deepEqual(output, GOOD);
    assert.equal(requests, 2);
    assert.equal(usage.length, 2);
  });
}

for (const [name, bad, code, words] of [
  [
    "a refused key",
    json({ error: { message: "Incorrect API key provided" } }, 401),
    "key-refused",
    /Incorrect API key/,
  ],
  ["a bad request", json({ error: { message: "Unknown parameter" } }, 400), "model-failed", /Unknown parameter/],
  [
    "an exhausted quota",
    json({ error: { message: "You exceeded your current quota", code: "insufficient_quota" } }, 429),
    "model-failed",
    /exceeded your current quota/,
  ],
  ["a refusal that is a text", json({ error: 'model "m" not found' }, 404), "model-failed", /model "m" not found/],
  ["a refusal of a framework", json({ detail: [{ msg: "field required" }] }, 422), "model-failed", /field required/],
  [
    "a refusal that is a page",
    { status: 403, body: "<h1>Blocked</h1>" },
    "model-failed",
    /: Forbidden: Blocked \(HTTP/,
  ],
  ["an empty purse", json({ message: "Your credit balance is too low" }, 400), "model-failed", /balance is too low/],
  ["a wait of an hour", { status: 429, headers: { "retry-after": "3600" } }, "model-failed", /429/],
] as const satisfies readonly (readonly [string, ChatAnswer, string, RegExp])[]) {
  test(`a call fails at once after ${name}, with the provider's message`, async () => {
    const { error, requests } = await callAfter([bad]);
    assert.equal(requests, 1);
    assert.equal(error?.code, code);
    assert.match(error?.message ?? "", words);
  });
}

test("a call fails after four retries", async () => {
  const { error, requests } = await callAfter(Array.from({ length: 9 }, () => ({ status: 500 })));
  assert.deepEqual([error?.code, requests], ["model-failed", 5]);
});

test("undefined fields of a retry policy have their defaults", async () => {
  const retry = { retries: undefined, timeoutRetries: undefined, minDelayMs: 1, maxDelayMs: undefined } as object;
  const { error, requests } = await callAfter(
    Array.from({ length: 9 }, () => ({ status: 500 })),
    { retry },
  );
  assert.deepEqual([error?.code, requests], ["model-failed", 5]);
});

test("a call fails after two retries of timeouts", async () => {
  const { error, requests } = await callAfter(["hang", "hang", "hang", "hang"]);
  assert.deepEqual([error?.code, requests], ["model-timeout", 3]);
});

test("a retry waits for Retry-After", async () => {
  const pauses: number[] = [];
  const timers = { ...WITHOUT_PAUSES, pause: async (ms: number) => void pauses.push(ms) };
  const retry = { minDelayMs: 0 };
  await callAfter([{ status: 429, headers: { "retry-after-ms": "150" } }, { status: 500 }], { timers, retry });
  assert.deepEqual(pauses, [150, 0]);
});

test("retry delays grow up to the longest delay", async () => {
  const pauses: number[] = [];
  const timers = { ...WITHOUT_PAUSES, pause: async (ms: number) => void pauses.push(ms) };
  const retry = { minDelayMs: 100, maxDelayMs: 500 };
  await callAfter(Array(4).fill({ status: 500 }), { timers, retry });
  const [first = 0, second = 0, third = 0, fourth] = pauses;
  assert.ok(first >= 100 && first <= 200 && second >= 200 && second <= 400 && third >= 400, pauses.join());
  assert.equal(fourth, 500);
});

test("an abort ends a call at once, also during a retry delay", async () => {
  const hanging = new AbortController();
  const { error } = await callAfter(["hang"], { signal: hanging.signal }, () => hanging.abort());
  assert.equal(error?.code, "aborted");
  const clock = new TestClock();
  const pausing = new AbortController();
  clock.pausing().then(() => pausing.abort());
  const waiting = await callAfter([{ status: 500 }], { timers: clock, signal: pausing.signal });
  assert.equal(waiting.error?.code, "aborted");
});

test("JSON in a fence or in prose is parsed", async () => {
  const say = `Here it is:\n\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``;
  assert.deepEqual((await callAfter([{ say }])).requests, 1);
  assert.deepEqual((await callAfter([{ say: `Sure! ${JSON.stringify(GOOD)} Anything else?` }])).output, GOOD);
});

test("errors never contain a key", async () => {
  process.env.CANARY_API_KEY = "canary-7f3a9c51d2";
  try {
    const { error } = await callAfter([json({ error: { message: "no access with canary-7f3a9c51d2" } }, 401)]);
    assert.match(error?.message ?? "", /\[CANARY_API_KEY\]/);
    assert.doesNotMatch(JSON.stringify([error, error?.message, error?.stack]), /canary-7f3a9c51d2/);
  } finally {
    delete process.env.CANARY_API_KEY;
  }
});

test("a truncated error message does not show part of a key", async () => {
  process.env.CANARY_API_KEY = "canary-7f3a9c51d2";
  try {
    const detail = `${"x".repeat(292)} canary-7f3a9c51d2`;
    const { error } = await callAfter([json({ detail }, 401)]);
    assert.match(error?.message ?? "", /xxx \[CANAR/);
    assert.doesNotMatch(error?.message ?? "", /canary/);
  } finally {
    delete process.env.CANARY_API_KEY;
  }
});

test("streaming a reply gives the same reply as without streaming", async () => {
  await using server = await startChatServer(() => ({ say: "Your order is on its way." }));
  const model = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
  const tokens: string[] = [];
  const request = { instructions: "", messages: [{ role: "user" as const, content: "hi" }], input: {}, tools: [] };
  const reply = await callForReply(model, request, { ...QUICK, onToken: (text) => tokens.push(text) });
  assert.equal(reply.text, "Your order is on its way.");
  assert.equal(tokens.join(""), reply.text);
  assert.ok(tokens.length > 1);
});

const sse = (...events: string[]): ChatAnswer => ({
  status: 200,
  headers: { "content-type": "text/event-stream" },
  body: events.map((event) => `data: ${event}\n\n`).join(""),
});

for (const [name, bad, requests, words] of [
  ["what cannot be read", sse("{nonsense"), 2, undefined],
  ["an error of the server", sse('{"error":{"message":"Overloaded","type":"server_error"}}'), 2, undefined],
  ["a refusal", sse('{"error":{"message":"Too long","type":"invalid_request_error"}}'), 1, /Too long/],
  ["a quota", sse('{"error":{"message":"No more","code":"insufficient_quota"}}'), 1, /No more/],
] as const) {
  test(`a stream that fails with ${name} is handled like a call`, async () => {
    await using server = await startChatServer((_, index) => (index === 0 ? bad : { say: "Hello." }));
    const model = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
    const request = { instructions: "", messages: [{ role: "user" as const, content: "hi" }], input: {}, tools: [] };
    const reply = callForReply(model, request, { ...QUICK, onToken: () => {} });
    if (words) await assert.rejects(reply, words);
    else assert.equal((await reply).text, "Hello.");
    assert.equal(server.requests.length, requests);
  });
}

test("a call is retried when its tool arguments cannot be parsed", async () => {
  const broken = (args: string) => ({
    choices: [
      {
        index: 0,
        finish_reason: "tool_calls",
        message: {
          role: "assistant",
          tool_calls: [{ id: "1", type: "function", function: { name: "pay", arguments: args } }],
        },
      },
    ],
  });
  const bad: ChatAnswer[] = [json(broken('{"sum": 1')), json(broken("[1]")), json(broken('{"sum":12}'))];
  await using server = await startChatServer((_, index) => bad[index] ?? { say: "?" });
  const model = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
  const tools = [{ name: "pay", description: "", parameters: {} }];
  const messages = [{ role: "user" as const, content: "hi" }];
  const reply = await callForReply(model, { instructions: "", messages, input: {}, tools }, QUICK);
  assert.deepEqual(reply.toolCalls, [{ id: "1", name: "pay", arguments: { sum: 12 } }]);
  assert.equal(server.requests.length, 3);
});

test("arguments named like inherited keys arrive complete", async () => {
  const args = '{"__proto__":{"a":1},"constructor":2}';
  const call = { id: "1", type: "function", function: { name: "pay", arguments: args } };
  const choice = { index: 0, finish_reason: "tool_calls", message: { role: "assistant", tool_calls: [call] } };
  await using server = await startChatServer(() => json({ choices: [choice] }));
  const model = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
  const tools = [{ name: "pay", description: "", parameters: {} }];
  const messages = [{ role: "user" as const, content: "hi" }];
  const reply = await callForReply(model, { instructions: "", messages, input: {}, tools }, QUICK);
  assert.equal(JSON.stringify(reply.toolCalls[0]?.arguments), args);
});
