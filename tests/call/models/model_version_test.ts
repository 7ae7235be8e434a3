import assert from "node:assert/strict";
import { test } from "node:test";
import type { LanguageModelV2 } from "@ai-sdk/provider";
import { type Conversation, conversation, flow, type ModelReference } from "../../../mod.ts";
import { toCurrentVersion } from "../../../src/call/models/layers.ts";

const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
const NO_DETAILS = { noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
const USAGE = {
  inputTokens: { total: 7, ...NO_DETAILS },
  outputTokens: { total: 3, text: undefined, reasoning: undefined },
};
const END = {
  v2: { finishReason: "stop", usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10 } },
  v3: { finishReason: { unified: "stop", raw: "stop" }, usage: USAGE },
  v4: { finishReason: { unified: "stop", raw: "stop" }, usage: USAGE },
};

/** A model as providers for version 5, 6 and 7 of the AI SDK make them. */
function modelOf(specificationVersion: "v2" | "v3" | "v4"): ModelReference {
  const end = END[specificationVersion];
  const parts = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "Good morning!" },
    { type: "text-end", id: "0" },
    { type: "finish", ...end },
  ];
  const model = {
    specificationVersion,
    provider: "acme",
    modelId: "voice-1",
    supportedUrls: {},
    doGenerate: async () => ({ content: [{ type: "text", text: "Good morning!" }], ...end, warnings: [] }),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      }),
    }),
  };
  return model as unknown as ModelReference; // the type of each version is known only where that version is installed
}

function tokensOf({ usage }: Conversation): readonly (readonly number[])[] {
  return usage.map(({ inputTokens, outputTokens }) => [inputTokens, outputTokens]);
}

for (const version of ["v2", "v3", "v4"] as const) {
  test(`a model of specification ${version} answers, streams and reports its tokens`, async () => {
    const spoken = conversation(hello, { models: { agent: modelOf(version) } });
    await spoken.open();
    assert.deepEqual(
      spoken.transcript.map(({ content }) => content),
      ["Good morning!"],
    );
    assert.deepEqual(tokensOf(spoken), [[7, 3]]);

    const tokens: string[] = [];
    const streamed = conversation(hello, {
      models: { agent: modelOf(version) },
      listeners: { onToken: ({ text }) => void tokens.push(text) },
    });
    await streamed.open();
    assert.deepEqual(tokens, ["Good morning!"]);
    assert.deepEqual(tokensOf(streamed), [[7, 3]]);
  });
}

test("toCurrentVersion() converts the end and the token counts of version 2, and keeps what is equal", async () => {
  const usage = { inputTokens: 7, cachedInputTokens: 5, outputTokens: 3, reasoningTokens: 2, totalTokens: 10 };
  const content = { type: "text", text: "Hi" } as const;
  const warnings = [{ type: "other", message: "old" } as const];
  const delta = { type: "text-delta", id: "0", delta: "Hi" } as const;
  const model: LanguageModelV2 = {
    ...{ specificationVersion: "v2", provider: "acme", modelId: "voice-1", supportedUrls: {} },
    doGenerate: async () => ({ content: [content], finishReason: "unknown", usage, warnings }),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: "stream-start", warnings });
          controller.enqueue(delta);
          controller.enqueue({ type: "finish", finishReason: "length", usage });
          controller.close();
        },
      }),
    }),
  };
  const current = toCurrentVersion(model);
  const counted = {
    inputTokens: { total: 7, noCache: undefined, cacheRead: 5, cacheWrite: undefined },
    outputTokens: { total: 3, text: undefined, reasoning: 2 },
  };
  assert.deepEqual([current.specificationVersion, current.provider, current.modelId], ["v3", "acme", "voice-1"]);
  assert.deepEqual(await current.doGenerate({ prompt: [] }), {
    content: [content],
    finishReason: { unified: "other", raw: undefined },
    usage: counted,
    warnings: [],
  });
  const parts: unknown[] = [];
  for await (const part of (await current.doStream({ prompt: [] })).stream) parts.push(part);
  assert.deepEqual(parts, [
    { type: "stream-start", warnings: [] },
    delta,
    { type: "finish", finishReason: { unified: "length", raw: undefined }, usage: counted },
  ]);
});
