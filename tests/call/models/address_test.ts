import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { isCallweaveError, run } from "../../../mod.ts";
import { resolveModel } from "../../../src/call/models/mod.ts";
import { CHAT } from "../../run/runner/_fixtures.ts";

/** Sets a variable of the environment for as long as the work takes. */
async function withVariable(name: string, value: string, work: () => Promise<void>): Promise<void> {
  const before = process.env[name];
  process.env[name] = value;
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
}

for (const [variable, model] of [
  ["OPENAI_BASE_URL", "openai/gpt-5-mini"],
  ["OLLAMA_BASE_URL", "ollama/llama"],
  ["MY_SERVER_BASE_URL", "my-server/any"],
] as const)
  test(`an invalid URL in ${variable} is rejected before the first call, and not shown`, async () => {
    for (const value of [
      "sk-not-an-address",
      "192.0.2.1:8080/v1",
      "localhost:11434",
      "ftp://127.0.0.1/v1",
      "http//127.0.0.1",
    ])
      await withVariable(variable, value, async () => {
        const options = {
          models: { agent: model },
          store: false,
          listeners: { onProgress: () => assert.fail("it has begun") },
        } as const;
        await assert.rejects(
          run(CHAT, [{ name: "chat", says: ["Hi"], excludes: ["never said"] }], options),
          (error) => {
            assert.ok(isCallweaveError(error), String(error));
            assert.deepEqual([error.name, error.code, error.path], ["ModelError", "unknown-model", [variable]]);
            assert.ok(!`${error.message} ${error.hint}`.includes(value));
            return true;
          },
        );
      });
  });

test("a server's URL is used unchanged", async () => {
  await withVariable("MY_SERVER_BASE_URL", "http://127.0.0.1:9/v1", async () => {
    const model = await resolveModel("my-server/any");
    assert.equal(model.modelId, "any");
  });
});
