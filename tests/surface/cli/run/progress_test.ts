import assert from "node:assert/strict";
import { test } from "node:test";
import { parseGraph } from "../../../../src/document/graph/mod.ts";
import { parseScenarios } from "../../../../src/document/scenario/mod.ts";
import { run } from "../../../../src/run/runner/mod.ts";
import { createProgress } from "../../../../src/surface/cli/run/progress.ts";
import { inTerminal } from "../_terminal.ts";

test("createProgress() reads the names of the nodes once, however many calls there are", async () => {
  const graph = parseGraph({
    entry_node_id: "node-1759299298668",
    nodes: { "node-1759299298668": { node_type: "end", metadata: { retell: { name: "Say goodbye" } } } },
  });
  const scenarios = parseScenarios(["a", "b", "c"].map((name) => ({ name, says: ["Hi"], ends: "agent_ended" })));
  const { results } = await run(graph, scenarios, { store: false });
  let reads = 0;
  const watched = new Proxy(graph, {
    get: (target, key) => {
      if (key === "nodes") reads += 1;
      return Reflect.get(target, key);
    },
  });
  await inTerminal(async (terminal) => {
    using progress = createProgress(scenarios, terminal, { graph: watched });
    const before = reads;
    for (const result of results)
      progress.onProgress({ kind: "call-end", scenario: result.scenario, trial: 1, attempt: 1, result });
    assert.equal(reads, before);
    return 0;
  });
  assert.equal(results.length, 3);
});
