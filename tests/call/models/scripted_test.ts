import assert from "node:assert/strict";
import { test } from "node:test";
import { generateText } from "ai";
import { generated } from "../../../src/call/models/embedded.ts";
import {
  callForReply,
  callModel,
  extractSignature,
  judgeSignature,
  offline,
  resolveModel,
  scripted,
  transitionSignature,
} from "../../../src/call/models/mod.ts";
import { embeddedModel } from "../../../src/call/models/model.ts";

const transition = {
  current_state_prompt: "",
  conversation_history: [],
  last_agent_message: "",
  available_transitions: [],
};
const extraction = (type: string, choices: string[] = []) => ({
  instructions: "",
  variables: [{ name: "x", description: "X", type, choices }],
  conversation_history: [],
});

test("scripted() answers from its queues and records its calls", async () => {
  const answer = { objectives_complete: true, transition_to: "b" };
  const model = scripted({ transition: [answer] });
  assert.deepEqual(await callModel(model, transitionSignature, transition), answer);
  assert.deepEqual(model.calls, [{ signature: "transition", input: transition, output: answer }]);
});

test("scripted() names the signature whose queue is empty", async () => {
  await assert.rejects(callModel(scripted({ transition: [] }), transitionSignature, transition), {
    code: "empty-queue",
    path: ["transition"],
  });
});

test("scripted() throws errors in its queue and calls functions with the input", async () => {
  const model = scripted({
    transition: [new Error("boom"), () => ({ objectives_complete: false, transition_to: "none" })],
  });
  await assert.rejects(callModel(model, transitionSignature, transition), /boom/);
  assert.equal((await callModel(model, transitionSignature, transition)).objectives_complete, false);
});

test("scripted() makes tool calls", async () => {
  const model = scripted({ respond: [{ text: "hm", toolCalls: [{ name: "look", arguments: { a: 1 } }] }] });
  const messages = [{ role: "user" as const, content: "hi" }];
  const tools = [{ name: "look", description: "", parameters: {} }];
  const reply = await callForReply(model, { instructions: "", messages, input: {}, tools });
  assert.deepEqual(reply, { text: "hm", toolCalls: [{ id: "call_1", name: "look", arguments: { a: 1 } }] });
});

test("built-in models answer only Callweave's requests", async () => {
  for (const model of [scripted({}), offline()]) {
    await assert.rejects(generateText({ model, prompt: "hi", maxRetries: 0 }), { code: "model-failed" });
  }
});

test("an extracted value matches its variable's type, or is a typed error", async () => {
  const extract = async (type: string, x: unknown, choices?: string[]) =>
    (await callModel(scripted({ extract: [{ x }] }), extractSignature, extraction(type, choices))).get("x");
  assert.equal(await extract("number", -5.5), "-5.5");
  assert.equal(await extract("number", "7"), "7");
  assert.equal(await extract("boolean", true), "true");
  assert.equal(await extract("boolean", "False"), "false");
  assert.equal(await extract("string", 12), "12");
  assert.equal(await extract("enum", " Billing ", ["billing", "other"]), "billing");
  assert.equal(await extract("string", null), undefined);
  for (const [type, value, choices] of [
    ["number", "many", []],
    ["number", "", []],
    ["boolean", "perhaps", []],
    ["enum", "weather", ["billing"]],
  ] as const) {
    await assert.rejects(extract(type, value, [...choices]), { code: "model-output" });
  }
});

test("additional keys of an answer are ignored, missing keys are an error", async () => {
  const answer = { objectives_complete: true, transition_to: "b" };
  const model = scripted({ transition: [{ mood: "calm", ...answer }, { transition_to: "b" }] });
  assert.deepEqual(await callModel(model, transitionSignature, transition), answer);
  await assert.rejects(callModel(model, transitionSignature, transition), { code: "model-output" });
  const extracted = scripted({ extract: [{ x: "1", because: "said" }, { y: "1" }, {}] });
  assert.equal((await callModel(extracted, extractSignature, extraction("string"))).get("x"), "1");
  await assert.rejects(callModel(extracted, extractSignature, extraction("string")), { code: "model-output" });
  assert.equal((await callModel(extracted, extractSignature, extraction("string"))).size, 0);
});

test("schemas sent to models forbid additional keys", async () => {
  let schema: unknown;
  const model = embeddedModel("listening", async ({ responseFormat }) => {
    schema = responseFormat?.type === "json" ? responseFormat.schema : undefined;
    return generated('{"verdicts":[]}');
  });
  const judged = await callModel(model, judgeSignature, { criteria: [], transcript: [] });
  assert.deepEqual(judged.verdicts, []);
  const objects = JSON.stringify(schema).match(/"type":"object"/g)?.length;
  assert.equal(JSON.stringify(schema).match(/"additionalProperties":false/g)?.length, objects);
  assert.ok(objects);
});

test("a variable named __proto__ can be extracted", async () => {
  const input = {
    ...extraction("string"),
    variables: [{ name: "__proto__", description: "", type: "string", choices: [] }],
  };
  const model = scripted({ extract: [JSON.parse('{"__proto__":"p"}')] });
  assert.equal((await callModel(model, extractSignature, input)).get("__proto__"), "p");
});

test("resolveModel() says what is missing in a reference", async () => {
  for (const [reference, code] of [
    ["gpt-5", "unknown-model"],
    ["/gpt-5", "unknown-model"],
    ["nowhere/model", "missing-package"],
  ] as const) {
    await assert.rejects(resolveModel(reference), { code });
  }
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: url } = process.env;
  delete process.env.OPENAI_API_KEY;
  delete process.env.OPENAI_BASE_URL;
  try {
    await assert.rejects(resolveModel("openai/gpt-5"), { code: "missing-key-variable" });
  } finally {
    if (key !== undefined) process.env.OPENAI_API_KEY = key;
    if (url !== undefined) process.env.OPENAI_BASE_URL = url;
  }
});

test("resolveModel() resolves local servers without a key, and any server by its URL", async () => {
  process.env.SOME_BASE_URL = "http://127.0.0.1:1/v1";
  try {
    for (const reference of ["ollama/llama3", "some/model", "offline"]) {
      assert.equal(typeof (await resolveModel(reference)).doGenerate, "function");
    }
  } finally {
    delete process.env.SOME_BASE_URL;
  }
});
