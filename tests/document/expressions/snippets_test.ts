import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { expandPrompt } from "../../../src/document/expressions/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { fc } from "../../properties.ts";

const SNIPPETS = { bye: "Goodbye", nested: "{%bye%}" };

/** Marks the ends of the prompt, to find it again in what a platform gets. */
const [OPEN, CLOSE] = ["<<", ">>"];

function graphOf(prompt: string) {
  return parseGraph({
    source_type: "custom",
    entry_node_id: "talk",
    snippets: SNIPPETS,
    nodes: { talk: { id: "talk", state_prompt: `${OPEN}${prompt}${CLOSE}` } },
  });
}

/** Every text between the marks, anywhere in a document. */
function markedTexts(value: unknown): readonly string[] {
  if (typeof value === "string") {
    const [from, to] = [value.indexOf(OPEN), value.indexOf(CLOSE)];
    return from < 0 || to < 0 ? [] : [value.slice(from + OPEN.length, to)];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(markedTexts) : [];
}

for (const format of ["retell", "retell-llm"] as const)
  test(`emit() to ${format} expands snippets like a call`, () => {
    const pieces = fc.constantFrom(
      "{%",
      "%}",
      "{",
      "%",
      "}",
      " ",
      "\n",
      "bye",
      "nested",
      "x",
      "{%bye%}",
      "{% nested %}",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const prompt = parts.join("");
        const expected = expandPrompt(prompt, { snippets: SNIPPETS, variables: {} });
        const { config } = emit(graphOf(prompt), format);
        assert.deepEqual([...new Set(markedTexts(config))], [expected], JSON.stringify(prompt));
      }),
    );
  });

test("emit() of an edited Vapi assistant expands snippets like a call", () => {
  const model = { provider: "openai", model: "gpt-4o", messages: [{ role: "system", content: "Say hello." }] };
  const { graph } = importAgent({ name: "Desk", firstMessage: "Hello.", model }, { format: "vapi-assistant" });
  const nodes = Object.entries(graph.nodes).map(
    ([id, node]) => [id, { ...node, state_prompt: "<<{% {%bye%} {%\nbye %}>>" }] as const,
  );
  const edited = { ...graph, snippets: SNIPPETS, nodes: Object.fromEntries(nodes) };
  assert.deepEqual(markedTexts(emit(edited, "vapi-assistant").config), ["{% Goodbye Goodbye"]);
});

test("expandPrompt() finds a snippet after an open brace and keeps the rest", () => {
  const expand = (text: string) => expandPrompt(text, { snippets: SNIPPETS, variables: {} });
  assert.equal(expand("{% {%bye%}"), "{% Goodbye");
  assert.equal(expand("{%nested%} {%other%}"), "{%bye%} {%other%}");
});
