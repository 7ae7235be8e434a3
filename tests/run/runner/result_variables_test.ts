import assert from "node:assert/strict";
import { test } from "node:test";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { resultVariables } from "../../../src/run/runner/mod.ts";

const GRAPH = parseGraph({
  entry_node_id: "ask",
  nodes: {
    ask: {
      node_type: "extract",
      variables_to_extract: [
        { name: "count", type: "number" },
        { name: "urgent", type: "boolean" },
        { name: "city", type: "string" },
      ].map((variable) => ({ ...variable, description: variable.name })),
    },
  },
});

test("resultVariables() converts texts to the types that the graph declares", () => {
  assert.deepEqual(resultVariables(GRAPH, { count: " 12.5 ", urgent: "true", city: "12" }), {
    count: 12.5,
    urgent: true,
    city: "12",
  });
  assert.deepEqual(resultVariables(GRAPH, { urgent: "false", other: "1" }), { urgent: false, other: "1" });
});

test("resultVariables() keeps the text of a value that cannot be converted", () => {
  const kept: readonly { readonly [name: string]: string }[] = [
    { count: "twelve" },
    { count: "" },
    { count: " " },
    { count: "Infinity" },
    { urgent: "yes" },
  ];
  for (const given of kept) assert.deepEqual(resultVariables(GRAPH, given), given);
});
