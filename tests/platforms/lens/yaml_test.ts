import assert from "node:assert/strict";
import { test } from "node:test";
import { createRegistry } from "../../../platforms/registry/registry.ts";
import { extractSecrets } from "../../../src/document/secrets/mod.ts";
import { OUTLINE } from "../outline_format.ts";

const TEXT = `# Our outline
first: hello
steps:
  - step: hello # the first
    says: Say hello.
    next: [{ when: Caller is done, step: bye }]
  # the last
  - step: bye
    says: >
      Say goodbye,
      and hang up.
`;

const { importAgent, emit } = createRegistry([{ ...OUTLINE, yaml: true }]);

test("a document in YAML comes back as it was, and an edit changes its line", () => {
  const { graph } = importAgent(TEXT);
  assert.equal(emit(graph, "outline").text, TEXT);
  const bye = { ...Object(graph.nodes.bye), state_prompt: "Say goodbye, and ring off.\n" };
  const { text } = emit({ ...graph, nodes: { ...graph.nodes, bye } }, "outline");
  assert.equal(text, TEXT.replace("hang up", "ring off"));
});

test("a new document is YAML, and one that was JSON stays JSON", () => {
  const { graph } = importAgent(JSON.stringify(importAgent(TEXT).graph && { first: "a", steps: [{ step: "a" }] }));
  assert.equal(emit(graph, "outline").text, '{"first":"a","steps":[{"step":"a"}]}');
  const { source_metadata: _original, ...fresh } = graph;
  assert.match(emit({ ...fresh, source_metadata: {} }, "outline").text, /^first: a\nsteps:\n {2}- step: a\n/);
});

test("a format without YAML refuses it, and a damaged original is named", () => {
  const json = createRegistry([OUTLINE]);
  assert.throws(() => json.importAgent(TEXT), { code: "invalid-json", message: /Outline: the text is YAML/ });
  const { graph } = importAgent(TEXT);
  const damaged = { ...graph, source_metadata: { original: { format: "outline", text: "a: [" } } };
  assert.throws(() => emit(damaged, "outline"), { code: "damaged-original" });
});

test("extractSecrets() replaces a key in YAML, and keeps the rest of the text", () => {
  const key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD";
  const { graph, variables } = extractSecrets(importAgent(`${TEXT}api_key: ${key} # ours\n`).graph);
  const [{ name = "" } = {}] = variables;
  const text = `${TEXT}api_key: "{{env:${name}}}" # ours\n`;
  assert.deepEqual(graph.source_metadata.original, { format: "outline", text });
  const env = { [name]: key };
  assert.equal(emit(graph, "outline", { env }).text, text.replace(`{{env:${name}}}`, key));
});
