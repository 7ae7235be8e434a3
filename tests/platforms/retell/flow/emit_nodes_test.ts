import assert from "node:assert/strict";
import { test } from "node:test";
import { emitFlow } from "../../../../platforms/retell/flow/emit.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";

test("emit() lets an end and a transfer with a prompt speak, and no other node", () => {
  const node = (node_type: string, state_prompt: string) => ({ node_type, state_prompt });
  const graph = parseGraph({
    nodes: {
      ask: node("conversation", "Ask."),
      desk: node("transfer", "One moment."),
      silent: node("transfer", ""),
      bye: node("end", "Goodbye."),
      over: node("end", ""),
    },
    entry_node_id: "ask",
  });
  assert.deepEqual(
    emitFlow(graph).config.nodes.map((each) => JSON.parse(JSON.stringify(each)).speak_during_execution),
    [undefined, true, undefined, true, undefined],
  );
});

test("emit() writes a function node without words during its tool, and calls a code node by its tool", () => {
  const tools = [{ name: "find_order", type: "custom", url: "https://example.test" }];
  const graph = parseGraph({
    nodes: {
      ask: { node_type: "function", tools },
      compute: { node_type: "function", tools, metadata: { retell: { type: "code", code: "return 1;" } } },
    },
    entry_node_id: "ask",
  });
  const nodes: { [key: string]: unknown }[] = JSON.parse(JSON.stringify(emitFlow(graph).config.nodes));
  assert.deepEqual(
    nodes.map(({ name, speak_during_execution: speaks }) => [name, speaks]),
    [
      ["ask", false],
      ["find_order", false],
    ],
  );
});
