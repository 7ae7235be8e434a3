import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord, records } from "../../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../src/document/graph/mod.ts";
import * as fc from "../../../fast_check.ts";
import { lawGraphs } from "./_graphs.ts";

/** The parts of a node that are compared. Equations are asked before the model, so that the order of kinds means nothing. */
function meaningOf({ metadata: _, instruction_type, global_node_setting: global, ...rest }: AgentNode): unknown {
  const kinds = ["tool_call", "equation", "llm_prompt", "always"];
  const isSilent = !["conversation", "end", "transfer"].includes(rest.node_type);
  const ways = rest.transitions.map(({ metadata: __, timing, ...way }) => ({
    ...way,
    ...(rest.node_type === "conversation" && way.condition.type === "always"
      ? { timing: timing ?? "after_speech" }
      : {}),
  }));
  const inOrder =
    isSilent && rest.node_type === "function"
      ? ways.filter(({ condition: { type } }) => type === "equation" || type === "tool_call")
      : [];
  return plain({
    ...rest,
    instruction_type: rest.state_prompt === "" ? null : (instruction_type ?? "prompt"),
    tools: rest.tools.map(({ metadata: __, ...each }) => each),
    transitions: [...ways].sort((a, b) => kinds.indexOf(a.condition.type) - kinds.indexOf(b.condition.type)),
    inOrder,
    global: global && { condition: global.condition, backs: global.go_back_conditions.length },
  });
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(
    ([, each]) => each !== undefined && each !== null && !(Array.isArray(each) && each.length === 0),
  );
  return Object.fromEntries(kept.map(([key, each]) => [key, plain(each)]));
}

function checkReading(graph: AgentGraph): number {
  const { config, losses, text: written } = emit(graph, "bland");
  const back = importAgent(written, { format: "bland" }).graph;
  assert.deepEqual(Object.keys(back.nodes), Object.keys(graph.nodes));
  assert.equal(back.entry_node_id, graph.entry_node_id);
  assert.equal(back.source_metadata.general_prompt ?? null, graph.source_metadata.general_prompt ?? null);
  const lost = new Set(losses.map(({ path }) => path[1]));
  const same = Object.values(graph.nodes).filter(({ id }) => !lost.has(id));
  for (const each of same) assert.deepEqual(meaningOf(back.nodes[each.id] ?? assert.fail()), meaningOf(each), each.id);
  const nodes = records(isRecord(config) ? config.nodes : []).filter(({ id }) => id !== undefined);
  assert.equal(new Set(nodes.map(({ id }) => id)).size, nodes.length);
  return same.length;
}

test("a graph that is emitted and imported is the same, but for the nodes that losses name", () => {
  let compared = 0;
  fc.assert(
    fc.property(lawGraphs, (graph) => {
      compared += checkReading(graph);
    }),
    { numRuns: 500 },
  );
  assert.ok(compared > 0);
});

test("an emitted graph that is imported is emitted byte for byte", () => {
  fc.assert(
    fc.property(lawGraphs, (graph) => {
      const { text: written } = emit(graph, "bland");
      assert.equal(emit(importAgent(written, { format: "bland" }).graph, "bland").text, written);
    }),
    { numRuns: 100 },
  );
});
