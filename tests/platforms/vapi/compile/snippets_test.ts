import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import { graphOf, told } from "./graphs.ts";

/** Emits a document, without the graph in its metadata. */
function emitted(graph: AgentGraph, format: "vapi-squad" | "vapi-assistant", options = {}): string {
  const { config } = emit(graph, format, options);
  return JSON.stringify(config, (key, value: unknown) => (key === "metadata" ? undefined : value));
}

/** A snippet that contains another snippet, an unknown one, and a Liquid tag. */
const snippets = { x: "Say {%y%} {%none%}", y: "never written here" };
const tool = { name: "look_up", description: "Finds {%x%}", url: "https://a.test/{%x%}" };

test("emit() escapes tags inside a snippet's text for Liquid in prompts, conditions and tools", () => {
  const graph = graphOf(
    {
      a: { state_prompt: "{%x%}", tools: [tool], transitions: [told("b", "Caller says {%x%}")] },
      b: { state_prompt: "{%x%}", tools: [{ ...tool, name: "write_down" }], transitions: [told("c", "{%x%}")] },
      c: { node_type: "end", state_prompt: "{%x%}" },
    },
    { snippets, source_metadata: { general_prompt: "{%x%}", begin_message: "{%x%}" } },
  );
  for (const text of [
    emitted(graph, "vapi-squad"),
    emitted(graph, "vapi-squad", { contract: true }),
    emitted(graph, "vapi-assistant"),
  ]) {
    assert.doesNotMatch(text, /\{%(?:x|y|none)%\}/);
    assert.doesNotMatch(text, /never written here/, "a tag inside a snippet is no snippet");
    assert.match(text, /Finds Say \{\{ /);
  }
});

test("emit() keeps Liquid in the prompt of an imported assistant and escapes unknown tags in a snippet", () => {
  const content = "{% if vip %}Hello{% endif %} {%x%}";
  const document = {
    name: "Desk",
    model: { provider: "openai", model: "gpt-4.1", messages: [{ role: "system", content }] },
  };
  const { graph } = importAgent(document, { format: "vapi-assistant" });
  const tags = { x: "{% assign a = 1 %}Say {%y%} {%none%}", y: "Y" };
  const text = emitted({ ...graph, snippets: tags }, "vapi-assistant");
  assert.deepEqual(text.match(/\{%[^}]*%\}/g), ["{% if vip %}", "{% endif %}", "{% assign a = 1 %}"]);
});
