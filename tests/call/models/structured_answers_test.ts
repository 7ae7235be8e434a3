import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import {
  answerNotice,
  argumentsSignature,
  type CallOptions,
  type CallUsage,
  callModel,
  extractSignature,
  judgeSignature,
  type Model,
  transitionSignature,
} from "../../../src/call/models/mod.ts";
import { type ChatAnswer, type ChatRequest, startChatServer } from "../../chat_server.ts";
import { WITHOUT_PAUSES } from "../../test_clock.ts";

const GOOD = { reasoning: "They said b.", objectives_complete: true, transition_to: "b" };
const input = {
  current_state_prompt: "Ask.",
  conversation_history: [{ role: "user" as const, content: "b" }],
  last_agent_message: "",
  available_transitions: [{ target: "b", condition: "x", condition_type: "llm_prompt" as const, description: "" }],
};
const decide = (model: Model, options: CallOptions = {}) =>
  callModel(model, transitionSignature, input, { timers: WITHOUT_PAUSES, ...options });

/** How a request asks for its answer. */
function wayOf({ response_format: format, tools }: ChatRequest): string {
  if (tools) return "tool";
  return format?.type ?? "text";
}
const promptOf = ({ messages }: ChatRequest) => JSON.stringify(messages.at(-1)?.content);

const modelAt = (url: string): Model => createOpenAI({ baseURL: url, apiKey: "none" }).chat("m");
const refusal = (message: string, status = 400): ChatAnswer => ({
  status,
  body: JSON.stringify({ error: { message } }),
});
/** Answers a request in its way, with the JSON of a decision. */
function answerIn(request: ChatRequest, values: object = GOOD): ChatAnswer {
  const name = request.tools?.[0]?.function.name;
  return name === undefined ? { say: JSON.stringify(values) } : { call: { name, arguments: values } };
}

const WORDS = {
  json_schema: [
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model",
    "This response_format type is unavailable now",
    "'response_format.type' must be 'text' or 'json_object'",
    "json_schema: unsupported",
    "Bad Request",
    "",
  ],
  json_object: ["'response_format.type' must be 'json_schema' or 'text'"],
  tool: ["m does not support tools"],
};

for (const [refused, way, notice] of [
  [["json_schema"], "json_object", /refuses JSON schemas: .*JSON mode/],
  [["json_schema", "json_object"], "tool", /refuses JSON schemas and JSON mode: .*tool calls/],
  [["json_schema", "json_object", "tool"], "text", /refuses JSON schemas, JSON mode and tool calls: .*texts/],
] as const) {
  for (const words of WORDS.json_schema) {
    test(`a server that refuses ${refused.join(", ")} with "${words}" is asked by ${way}, found out once`, async () => {
      const texts: Record<string, string> = {
        json_schema: words,
        json_object: WORDS.json_object[0] ?? "",
        tool: WORDS.tool[0] ?? "",
      };
      const isRefused = (name: string) => refused.some((each) => each === name);
      await using server = await startChatServer((request) => {
        const name = wayOf(request);
        return isRefused(name) ? refusal(texts[name] ?? "") : answerIn(request);
      });
      const model = modelAt(server.url);
      const answers = await Promise.all([decide(model), decide(model), decide(model)]);
      assert.deepEqual(answers, [GOOD, GOOD, GOOD]);
      assert.deepEqual(server.requests.map(wayOf), [...refused, way, way, way]);
      assert.match(answerNotice(model) ?? "", notice);
    });
  }
}

for (const [message, hint] of [
  ["The model `m` does not exist or you do not have access to it", /model's name/],
  ["This model's maximum context length is 8192 tokens, of which 300 are the json_schema", /longer context/],
  ["Unsupported value: 'temperature' does not support 0", /settings/],
  ["The response was filtered due to the content management policy", /content filter/],
  ["Unknown parameter: 'metadata'", /settings/],
  ["API key not valid. Please pass a valid API key.", /provider's key/],
] as const) {
  test(`a request refused with "${message}" fails at once, with a hint that can be followed`, async () => {
    await using server = await startChatServer(() => refusal(message));
    await assert.rejects(decide(modelAt(server.url)), { hint, message: new RegExp(message.slice(0, 20)) });
    assert.equal(server.requests.length, 1);
  });
}

test("a refusal without a cause that no way of asking avoids is an error, and found out once", async () => {
  await using server = await startChatServer(() => refusal("Bad Request"));
  const model = modelAt(server.url);
  await assert.rejects(decide(model), { code: "model-failed", hint: /log of its server/ });
  assert.deepEqual(server.requests.map(wayOf), ["json_schema", "json_object", "tool", "text"]);
  await assert.rejects(decide(model), { code: "model-failed" });
  assert.equal(server.requests.length, 5);
  assert.equal(answerNotice(model), undefined);
});

test("a server that ignores JSON schemas gets them in its prompts from then on", async () => {
  await using server = await startChatServer((request) =>
    promptOf(request).includes("objectives_complete")
      ? { say: `Here it is:\n\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\`` }
      : { say: "I would go to b." },
  );
  const model = modelAt(server.url);
  for (const requests of [2, 3, 4]) {
    assert.deepEqual(await decide(model), GOOD);
    assert.equal(server.requests.length, requests);
  }
  assert.match(answerNotice(model) ?? "", /does not keep to JSON schemas/);
});

test("a model that keeps to its schema is asked without the schema in the prompt, also after a slip", async () => {
  const answers = [GOOD, { ...GOOD, transition_to: "c" }, GOOD, GOOD];
  await using server = await startChatServer((_, index) => ({ say: JSON.stringify(answers[index]) }));
  const model = modelAt(server.url);
  for (let call = 1; call <= 3; call += 1) assert.deepEqual(await decide(model), GOOD);
  assert.deepEqual(
    server.requests.map((request) => /JSON Schema/.test(promptOf(request))),
    [false, false, true, false],
  );
  assert.match(promptOf(server.requests[2] ?? assert.fail()), /\\"c\\\\\\" was not offered/);
  assert.equal(answerNotice(model), undefined);
});

test("a schema that a server refuses beside others is asked for in another way, for its signature alone", async () => {
  await using server = await startChatServer((request) => {
    const isOdd = JSON.stringify(request.response_format ?? {}).includes("patternProperties");
    return isOdd ? refusal("Invalid schema for response_format: 'patternProperties'") : answerIn(request);
  });
  const model = modelAt(server.url);
  const tool = { name: "t", description: "", parameters: { type: "object", patternProperties: {} } };
  const fill = () =>
    callModel(model, argumentsSignature, { instructions: "", tool, variables: {}, conversation_history: [] });
  await decide(model);
  await fill();
  await fill();
  await decide(model);
  assert.deepEqual(server.requests.map(wayOf), [
    ...["json_schema", "json_schema", "json_object"],
    ...["json_object", "json_schema"],
  ]);
  assert.equal(answerNotice(model), undefined);
});

test("a verdict that lacks what only explains is used at once", async () => {
  await using server = await startChatServer(() => ({ say: '{"verdicts":[{"number":1,"score":0.9}]}' }));
  const criteria = [{ number: 1, criterion: "The agent greets" }];
  const { verdicts } = await callModel(modelAt(server.url), judgeSignature, { criteria, transcript: [] });
  assert.deepEqual(JSON.parse(JSON.stringify(verdicts)), [
    { number: 1, requirement: "", evidence: [], reasoning: "", score: 0.9 },
  ]);
  assert.equal(server.requests.length, 1);
});

test("an answer that cannot be used is asked for again without a pause, twice at most", async () => {
  await using server = await startChatServer(() => ({ say: '{"verdicts":[]}' }));
  const pauses: number[] = [];
  const usage: CallUsage[] = [];
  const timers = { ...WITHOUT_PAUSES, pause: async (ms: number) => void pauses.push(ms) };
  const criteria = [{ number: 1, criterion: "The agent greets" }];
  const asked = callModel(
    modelAt(server.url),
    judgeSignature,
    { criteria, transcript: [] },
    { timers, onUsage: (one) => usage.push(one) },
  );
  await assert.rejects(asked, { code: "model-output", message: /criterion 1 is not judged/ });
  assert.deepEqual([server.requests.length, usage.length, pauses], [3, 3, []]);
});

test("values are extracted by a server without structured answers", async () => {
  const answer = { size: "large" };
  await using server = await startChatServer((request) =>
    wayOf(request) === "text" ? { say: `Sure! ${JSON.stringify(answer)}` } : refusal("not supported"),
  );
  const variables = [{ name: "size", description: "", type: "string", choices: ["small", "large"] }];
  const found = await callModel(modelAt(server.url), extractSignature, {
    instructions: "",
    variables,
    conversation_history: [],
  });
  assert.deepEqual(Object.fromEntries(found), answer);
});
