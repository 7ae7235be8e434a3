import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { resolveSpeech, resolveTranscription } from "../../../src/call/audio/models.ts";
import { resolveModel } from "../../../src/call/models/mod.ts";
import { callweave, folder } from "../../surface/cli/_terminal.ts";

/** A package of the AI SDK, as npm installs it: ES modules only, with a provider that is also a function. */
const packageOf = (name: string, code: string) => ({
  [`node_modules/${name}/package.json`]: {
    name,
    version: "1.0.0",
    type: "module",
    exports: { ".": { types: "./index.d.ts", import: "./index.mjs" } },
  },
  [`node_modules/${name}/index.mjs`]: code,
});

const MODEL = (provider: string) => `
const answer = (modelId) => ({
  specificationVersion: "v3", provider: "${provider}", modelId, supportedUrls: {},
  doGenerate: async () => { throw new Error("not called"); }, doStream: async () => { throw new Error("not called"); },
});`;

const PROJECT = folder({
  "flow.ts": "",
  ...packageOf(
    "@ai-sdk/acme",
    `${MODEL("acme.chat")}
export const acme = Object.assign((id) => answer(id), {
  languageModel(id) { if (id === "none") throw new Error("No such model: none"); return answer(id); },
  speechModel: (id) => ({ ...answer(id), kind: "speech" }),
  transcription: (id) => ({ ...answer(id), kind: "transcription" }),
});`,
  ),
  ...packageOf("@ai-sdk/two-words", `${MODEL("two.words")} export const twoWords = answer;`),
  ...packageOf("ai-sdk-provider-codex-cli", `${MODEL("codex-cli")} export const codexCli = { chat: answer };`),
  ...packageOf("@ai-sdk/hollow", "export const other = 1;"),
  ...packageOf("@ai-sdk/broken", 'throw new Error("needs version 9 of ai");'),
});

async function inProject<Made>(work: () => Promise<Made>): Promise<Made> {
  const before = process.cwd();
  process.chdir(PROJECT);
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}

test("provider/model is a model of the provider's AI SDK package in the working directory", async () => {
  for (const [reference, provider, modelId] of [
    ["acme/big-1", "acme.chat", "big-1"],
    ["ACME/team/big:free", "acme.chat", "team/big:free"],
    ["two-words/x", "two.words", "x"],
    ["codex-cli/gpt-5", "codex-cli", "gpt-5"],
  ] as const) {
    const model = await inProject(() => resolveModel(reference));
    assert.deepEqual([model.provider, model.modelId], [provider, modelId]);
  }
});

test("speech and transcription models come from the same packages, by the newer or the older name of the method", async () => {
  const speech = await inProject(() => resolveSpeech("acme/voice"));
  const transcription = await inProject(() => resolveTranscription("acme/ear"));
  assert.deepEqual([Object(speech).kind, Object(transcription).kind], ["speech", "transcription"]);
  await assert.rejects(
    inProject(() => resolveSpeech("two-words/voice")),
    /no models for speech/,
  );
});

test("a package that is missing, has no such provider, refuses the name or cannot be loaded is named", async () => {
  for (const [reference, code, words] of [
    ["anthropic/claude", "missing-package", /@ai-sdk\/anthropic is not installed[\s\S]*npm install @ai-sdk\/anthropic/],
    ["gemini/x", "missing-package", /npm install @ai-sdk\/google/],
    ["hollow/x", "unknown-model", /no language models under "hollow"/],
    ["acme/none", "unknown-model", /No such model: none/],
    ["broken/x", "missing-package", /cannot be loaded: needs version 9/],
    ["../flow/x", "missing-package", /is not installed/],
  ] as const)
    await assert.rejects(
      inProject(() => resolveModel(reference)),
      (error) => {
        assert.match(`${String(error)} ${Object(error).hint}`, words, reference);
        assert.equal(Object(error).code, code);
        return true;
      },
    );
});

test("a base URL takes precedence over a package", async () => {
  process.env.ACME_BASE_URL = "http://127.0.0.1:9/v1";
  try {
    const model = await inProject(() => resolveModel("acme/big-1"));
    assert.equal(model.provider, "acme.chat");
    assert.ok(!("kind" in model));
    assert.match(JSON.stringify(Object(model).config?.provider ?? model.provider), /acme/);
    assert.notEqual(Object(model).doGenerate.toString(), 'async () => { throw new Error("not called"); }');
  } finally {
    delete process.env.ACME_BASE_URL;
  }
});

test("the command says what to install", async () => {
  const path = folder({
    "flow.json": { entry_node_id: "a", nodes: { a: { node_type: "end", state_prompt: "Bye." } } },
    "scenarios.json": [{ name: "x", says: ["Hi"], excludes: ["never"] }],
  });
  const ran = await callweave(["run", "flow.json", "--scenarios", "scenarios.json", "--model", "mistral/x"], {
    cwd: path,
  });
  assert.notEqual(ran.code, 0);
  assert.match(ran.err, /npm install @ai-sdk\/mistral/);
});
