import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord } from "../../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import { compileWithSdks, exampleGraphs } from "../../sdk_literals.ts";
import { CLINIC } from "./documents.ts";

/** Emits a graph; returns the LLM as a literal for the SDK's types, including unknown keys. */
function literal(name: string, graph: AgentGraph): string {
  const { config } = emit(graph, "retell-llm");
  const body = isRecord(config) && isRecord(config.retellLlmData) ? config.retellLlmData : config;
  const { model: _, ...rest } = isRecord(body) ? body : {}; // model names change faster than the types
  return `export const ${name}: LlmCreateParams = ${JSON.stringify(rest, null, 2)};`;
}

const IMPORT = 'import type { LlmCreateParams } from "retell-sdk/resources/llm";';

test("emitted examples are assignable to the SDK's create parameters", { timeout: 300_000 }, async () => {
  const examples = await exampleGraphs();
  assert.ok(examples.length > 0);
  const { graph: flow } = importAgent(emit(importAgent(CLINIC).graph, "retell").config);
  const graphs = [...examples, flow];
  assert.equal(
    await compileWithSdks([IMPORT, ...graphs.map((graph, index) => literal(`llm${index}`, graph))].join("\n")),
    "",
  );
});

test("an unknown key of the SDK's types is an error", { timeout: 300_000 }, async () => {
  const errors = await compileWithSdks(`${IMPORT}\nexport const llm: LlmCreateParams = { generalPrompt: "" };`);
  assert.match(errors, /generalPrompt/);
});
