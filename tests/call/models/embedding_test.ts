import assert from "node:assert/strict";
import { test } from "node:test";
import type { EmbeddingModelV3 } from "@ai-sdk/provider";
import { embedTexts } from "../../../src/call/models/mod.ts";

const QUICK = { minDelayMs: 1, maxDelayMs: 2 };

/** An embedding model that throws these first. */
function failing(failures: readonly unknown[], asked: string[][] = []): EmbeddingModelV3 {
  return {
    ...{ specificationVersion: "v3", provider: "test", modelId: "lengths", maxEmbeddingsPerCall: 1000 },
    supportsParallelCalls: false,
    doEmbed: async ({ values }) => {
      const failure = failures[asked.push(values) - 1];
      if (failure !== undefined) throw failure;
      return { embeddings: values.map((text) => [text.length]), warnings: [] };
    },
  };
}

function busy(statusCode: number): Error {
  return Object.assign(new Error("try later"), { statusCode });
}

test("embeddings are retried by the same rules as other requests to models", async () => {
  const asked: string[][] = [];
  const model = failing([busy(503), new TypeError("fetch failed")], asked);
  assert.deepEqual(await embedTexts(model, ["a", "bc"], { retry: QUICK }), [[1], [2]]);
  assert.deepEqual(asked, [
    ["a", "bc"],
    ["a", "bc"],
    ["a", "bc"],
  ]);
  const limited: string[][] = [];
  const always = Array.from({ length: 9 }, () => busy(503));
  await assert.rejects(embedTexts(failing(always, limited), ["a"], { retry: { ...QUICK, retries: 2 } }), {
    code: "model-failed",
  });
  assert.equal(limited.length, 3);
});

test("a refused key fails at once, and many texts are sent in parts", async () => {
  const asked: string[][] = [];
  await assert.rejects(embedTexts(failing([busy(401)], asked), ["a"], { retry: QUICK }), { code: "key-refused" });
  assert.equal(asked.length, 1);
  const parts: string[][] = [];
  const texts = Array.from({ length: 300 }, (_, index) => "x".repeat(index));
  const vectors = await embedTexts(failing([], parts), texts);
  assert.deepEqual(
    vectors.map(([length]) => length),
    texts.map(({ length }) => length),
  );
  assert.deepEqual(
    parts.map(({ length }) => length),
    [256, 44],
  );
});

test("each attempt has the time limit, and a late answer is asked for again", async () => {
  let attempts = 0;
  const slow: EmbeddingModelV3 = {
    ...failing([]),
    doEmbed: () => {
      attempts += 1;
      return new Promise(() => {});
    },
  };
  const retry = { ...QUICK, timeoutRetries: 1 };
  await assert.rejects(embedTexts(slow, ["a"], { tryTimeoutMs: 5, retry }), { code: "model-timeout" });
  assert.equal(attempts, 2);
  await assert.rejects(embedTexts(slow, ["a"], { signal: AbortSignal.abort() }), { code: "aborted" });
  assert.equal(attempts, 2);
});
