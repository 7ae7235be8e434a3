import assert from "node:assert/strict";
import { test } from "node:test";
import { flow, scenario, text, tool } from "../../../dsl/mod.ts";
import { checkScenarios } from "../../../src/agent/analysis/mod.ts";
import { parseScenarios } from "../../../src/document/scenario/mod.ts";

const graph = flow("shop", {
  variables: { name: text("Name") },
  tools: [tool({ name: "find", description: "Finds", responseVariables: { status: "$.status" } })],
})
  .function("look", { tool: "find", next: ({ to }) => [to("hand")] })
  .transfer("hand", { next: ({ to }) => [to("bye", { outcome: "failed" })] })
  .end("bye", {})
  .compile();

test("checkScenarios() finds names that are not in the graph", () => {
  const scenarios = parseScenarios([
    {
      name: "mistyped",
      visits: ["look", "hnad"],
      avoids: ["toString"],
      calls: [{ tool: "fnd" }],
      tool_mocks: [{ tool_name: "fynd", output: "x" }],
      extracts: { nme: "Jo" },
    },
  ]);
  const found = checkScenarios(graph, scenarios);
  assert.deepEqual(
    found.map(({ severity, code, path, hint }) => [severity, code, path.join("."), hint]),
    [
      ["error", "unknown-node", "0.visits.1", 'Did you mean "hand"?'],
      ["error", "unknown-node", "0.avoids.0", "Name a node of the graph"],
      ["error", "unknown-tool", "0.calls.0.tool", 'Did you mean "find"?'],
      ["warning", "unknown-tool", "0.tool_mocks.0.tool_name", 'Did you mean "find"?'],
      ["error", "unknown-variable", "0.extracts.nme", 'Did you mean "name"?'],
    ],
  );
});

test("checkScenarios() accepts names of the graph, its transfers and the call", () => {
  const known = scenario("known", graph).visits("look", "bye").calls("find").mock("hand", { fails: true });
  const given = scenario("given").variables({ plan: "pro" }).extracts({ status: "sent", plan: "pro", name: "Jo" });
  assert.deepEqual(checkScenarios(graph, [known, given]), []);
});
