import assert from "node:assert/strict";
import { test } from "node:test";
import { extractSecrets } from "../../../api/platforms.ts";
import { emit, importAgent, parseGraph } from "../../../mod.ts";
import { fingerprint } from "../../../src/document/graph/mod.ts";

/** Unusual JSON: a byte order mark, mixed indentation, big numbers, no final line break. */
const FLOW = `\uFEFF{ "start_node_id": "hi", "unknown": 12345678901234567890,\r
  "nodes": [\r
    {"type": "conversation", "id": "hi", "x": 1e400,\r
     "instruction": {"text": "Say hello.", "type": "prompt"},\r
     "edges": [ { "id": "e1", "destination_node_id": "bye", "transition_condition": { "type": "prompt", "prompt": "Done" } } ]},\r
    {"id": "bye", "type": "end", "instruction": {"type": "prompt", "text": "Say goodbye."}}\r
  ],\r
  "start_speaker": "agent" }`;
const ASSISTANT =
  '{"model":{"messages":[{"content":"Be kind.","role":"system"}],"model":"gpt-4.1","provider":"openai"},"name":"Desk"}';

function edited(text: string, change: (graph: ReturnType<typeof importAgent>["graph"]) => unknown) {
  const { graph, format } = importAgent(text);
  return emit(parseGraph(JSON.parse(JSON.stringify(change(graph)))), format);
}

test("emit() returns the imported text, also if the graph was saved as JSON in between", () => {
  for (const text of [FLOW, ASSISTANT]) {
    const { graph, format } = importAgent(text);
    assert.equal(emit(graph, format).text, text);
    assert.equal(edited(text, (same) => same).text, text);
  }
});

test("emit() changes only the edited words of the imported text", () => {
  const { text } = edited(FLOW, (graph) => {
    const { hi } = graph.nodes;
    return { ...graph, nodes: { ...graph.nodes, hi: { ...hi, state_prompt: "Say good morning." } } };
  });
  assert.equal(text, FLOW.replace("Say hello.", "Say good morning."));
});

test("emit() changes only the name of a renamed node", () => {
  const { text } = edited(FLOW, (graph) => {
    const { hi, bye } = graph.nodes;
    const transitions = hi?.transitions.map((edge) => ({ ...edge, target_node_id: "end" }));
    return { ...graph, nodes: { hi: { ...hi, transitions }, end: { ...bye, id: "end" } } };
  });
  assert.equal(
    text,
    FLOW.replace('"destination_node_id": "bye"', '"destination_node_id": "end"').replace('"id": "bye"', '"id": "end"'),
  );
});

test("emit() indents by two spaces if the document was imported as a value", () => {
  const { graph, format } = importAgent(JSON.parse(ASSISTANT));
  assert.equal(emit(graph, format).text, `${JSON.stringify(JSON.parse(ASSISTANT), null, 2)}\n`);
});

test("emit() ignores the imported document if it emits another format", () => {
  const { graph } = importAgent(FLOW);
  const { original: _, ...metadata } = graph.source_metadata;
  assert.deepEqual(emit(graph, "vapi-squad"), emit({ ...graph, source_metadata: metadata }, "vapi-squad"));
});

test("emit() rejects a graph if its kept document cannot be parsed", () => {
  const { graph } = importAgent(FLOW);
  for (const text of ["{", '"agent"', "{}"])
    assert.throws(
      () =>
        emit(
          { ...graph, source_metadata: { ...graph.source_metadata, original: { format: "retell", text } } },
          "retell",
        ),
      { name: "PlatformError", code: "damaged-original" },
    );
});

test("the fingerprint of an imported agent does not depend on the layout of its document", () => {
  const spelled = FLOW.replace("1e400", "1.50e1");
  const tidy = JSON.stringify(JSON.parse(spelled.slice(1)), null, 2);
  assert.equal(fingerprint(importAgent(spelled).graph), fingerprint(importAgent(tidy).graph));
});

test("secrets are removed from the imported text and restored verbatim", () => {
  const key = "w8Jt5Nq2Vc7Hs4Pf9Lx3";
  const tool = `{"type":"custom", "name":"find","tool_id":"t1", "url":"https://crm.test/find","headers":{"Authorization" : "Bearer ${key}"}}`;
  const text = FLOW.replace('"start_speaker"', `"tools": [${tool}], "start_speaker"`);
  const { graph, values } = extractSecrets(importAgent(text).graph);
  assert.ok(!JSON.stringify(graph).includes(key));
  assert.deepEqual(Object.values(values), [key]);
  const [name = ""] = Object.keys(values);
  assert.equal(emit(graph, "retell").text, text.replace(key, `{{env:${name}}}`));
  assert.equal(emit(graph, "retell", { env: values }).text, text);
});
