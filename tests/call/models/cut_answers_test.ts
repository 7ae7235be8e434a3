import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import { conversation } from "../../../src/call/engine/mod.ts";
import { callForReply, callModel, judgeSignature, transitionSignature } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { callWarnings } from "../../../src/surface/reporters/problems.ts";
import { type ChatAnswer, startChatServer } from "../../chat_server.ts";

const QUICK = { retry: { minDelayMs: 0 } } as const;
const GOOD = { reasoning: "", objectives_complete: true, transition_to: "b" };
const input = {
  current_state_prompt: "",
  conversation_history: [],
  last_agent_message: "",
  available_transitions: [{ target: "b", condition: "", condition_type: "llm_prompt" as const, description: "" }],
};
const request = { instructions: "", messages: [{ role: "user" as const, content: "hi" }], input: {}, tools: [] };

/** Asks for a decision or a reply; the server gives each of these answers in turn, and over and over the last. */
async function ask(kind: "decision" | "reply" | "streamed reply", answers: readonly [ChatAnswer, ...ChatAnswer[]]) {
  await using server = await startChatServer((_, index) => answers[index] ?? answers.at(-1) ?? answers[0]);
  const model = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
  const tokens: string[] = [];
  const options = kind === "streamed reply" ? { ...QUICK, onToken: (text: string) => tokens.push(text) } : QUICK;
  const asked =
    kind === "decision" ? callModel(model, transitionSignature, input, QUICK) : callForReply(model, request, options);
  const [answer] = await Promise.allSettled([asked]);
  return {
    answer: answer.status === "fulfilled" ? answer.value : undefined,
    error: answer.status === "rejected" ? answer.reason : undefined,
    requests: server.requests.length,
    tokens,
  };
}

for (const kind of ["reply", "streamed reply"] as const) {
  test(`a truncated ${kind} is requested again, then marked`, async () => {
    const cut = { say: "Your order is on", finish: "length" };
    const whole = await ask(kind, [cut, { say: "It is on its way." }]);
    assert.deepEqual([whole.answer, whole.requests], [{ text: "It is on its way.", toolCalls: [] }, 2]);
    const marked = await ask(kind, [cut]);
    assert.deepEqual([marked.answer, marked.requests], [{ text: "Your order is on", toolCalls: [], isCut: true }, 2]);
  });

  test(`a ${kind} without text because of the token limit is an error that names the limit and its setting`, async () => {
    const { error, requests } = await ask(kind, [{ say: "<think>Let me see", finish: "length" }]);
    assert.deepEqual([error.code, requests], ["model-output", 3]);
    assert.match(error.message, /cut off after 5 tokens, at the limit of output tokens/);
    assert.match(error.hint, /maxOutputTokens .*max_tokens/);
  });
}

test("a stream without a finish reason is retried, then an error", async () => {
  const broken = { say: "Your order is on", finish: null };
  const whole = await ask("streamed reply", [broken, { say: "It is on its way." }]);
  assert.deepEqual([whole.answer, whole.requests], [{ text: "It is on its way.", toolCalls: [] }, 2]);
  const { error } = await ask("streamed reply", [broken]);
  assert.equal(error.code, "model-failed");
  assert.match(error.message, /ended early, without a finish reason/);
});

test("a truncated structured answer is an error that names the limit and its setting", async () => {
  const say = JSON.stringify(GOOD).slice(0, -9);
  const limited = await ask("decision", [{ say, finish: "length" }]);
  assert.deepEqual([limited.error.code, limited.requests], ["model-output", 3]);
  assert.match(limited.error.message, /cut off after 5 tokens, at the limit of output tokens/);
  assert.match(limited.error.hint, /maxOutputTokens/);
  const broken = await ask("decision", [{ say }]);
  assert.match(broken.error.message, /its JSON is incomplete/);
  assert.match(broken.error.hint, /max_tokens/);
  const fenced = await ask("decision", [{ say: `\`\`\`json\n${say}` }]);
  assert.match(fenced.error.message, /its JSON is incomplete/);
  assert.deepEqual((await ask("decision", [{ say: JSON.stringify(GOOD), finish: "length" }])).answer, GOOD);
});

test("the transcript and the report mark a truncated reply", async () => {
  await using server = await startChatServer(() => ({ say: "Your order is on", finish: "length" }));
  const agent = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
  const graph = parseGraph({ nodes: { a: { state_prompt: "A" } }, entry_node_id: "a", source_metadata: {} });
  const call = conversation(graph, { models: { agent }, requests: QUICK });
  await call.open();
  assert.deepEqual(
    call.transcript.map(({ content, metadata }) => [content, metadata]),
    [["Your order is on", { cut: true }]],
  );
  const [warning] = callWarnings(call);
  assert.match(warning?.title ?? "", /cut off at the model's limit of output tokens in opening, node "a"/);
});

for (const [name, say] of [
  ["a thought", `<think>It says {"b"}. \`\`\`json {} \`\`\`</think>\n${JSON.stringify(GOOD)}`],
  ["a thought without a beginning", `It says {"b": 1}.</think>${JSON.stringify(GOOD)}`],
  ["a thought and in a fence", `<thinking>b?</thinking>\n\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\`\nDone.`],
  ["prose with braces", `Of {a} and {b} I take: ${JSON.stringify(GOOD)} as {b} fits.`],
] as const) {
  test(`JSON after ${name} is parsed`, async () => {
    const { answer, requests } = await ask("decision", [{ say }]);
    assert.deepEqual([answer, requests], [GOOD, 1]);
  });
}

test("JSON inside an unfinished thought is not an answer", async () => {
  const { error } = await ask("decision", [{ say: `<think>Maybe ${JSON.stringify(GOOD)}` }]);
  assert.equal(error.code, "model-output");
});

test("an answer that is nested too deeply is unusable", async () => {
  const deep = `{"reasoning":${"[".repeat(50_000)}${"]".repeat(50_000)},"objectives_complete":true,"transition_to":"b"}`;
  const { error } = await ask("decision", [{ say: deep }]);
  assert.equal(error.code, "model-output");
});

test("a server that rejects minItems in a schema gets the schema without it", async () => {
  const refusal = { error: { message: "Invalid schema: 'minItems' is not permitted" } };
  const verdict = { number: 1, requirement: "r", evidence: [], reasoning: "", score: 1, confidence: 1 };
  await using server = await startChatServer(({ response_format }) =>
    JSON.stringify(response_format).includes("minItems")
      ? { status: 400, body: JSON.stringify(refusal) }
      : { say: JSON.stringify({ verdicts: [verdict] }) },
  );
  const model = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
  const criteria = [{ number: 1, criterion: "x" }];
  const { verdicts } = await callModel(model, judgeSignature, { criteria, transcript: [] }, QUICK);
  assert.deepEqual([verdicts, server.requests.length], [[verdict], 2]);
});
