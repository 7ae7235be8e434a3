import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import type { AgentGraph } from "../../../../src/graph/mod.ts";
import { isRecord } from "../../../../src/values/mod.ts";
import { compileWithSdks, exampleGraphs } from "../../sdk_literals.ts";
import { CLINIC } from "./documents.ts";

/** The LLM that a graph becomes, as a literal that the SDK's types must take, unknown keys included. */
function literal(name: string, graph: AgentGraph): string {
  const { config } = emit(graph, "retell-llm");
  const body = isRecord(config) && isRecord(config.retellLlmData) ? config.retellLlmData : config;
  const { model: _, ...rest } = isRecord(body) ? body : {}; // models come and go faster than types
  return `export const ${name}: LlmCreateParams = ${JSON.stringify(rest, null, 2)};`;
}

const IMPORT = 'import type { LlmCreateParams } from "retell-sdk/resources/llm";';

test("what the examples are emitted as is a literal of the SDK's create parameters", { timeout: 300_000 }, async () => {
  const examples = await exampleGraphs();
  assert.ok(examples.length > 0);
  const { graph: flow } = importAgent(emit(importAgent(CLINIC).graph, "retell").config);
  const graphs = [...examples, flow];
  assert.equal(
    await compileWithSdks([IMPORT, ...graphs.map((graph, index) => literal(`llm${index}`, graph))].join("\n")),
    "",
  );
});

test("a key that the SDK's types do not know is an error", { timeout: 300_000 }, async () => {
  const errors = await compileWithSdks(`${IMPORT}\nexport const llm: LlmCreateParams = { generalPrompt: "" };`);
  assert.match(errors, /generalPrompt/);
});
