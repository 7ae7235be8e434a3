import assert from "node:assert/strict";
import { test } from "node:test";
import { importRetell } from "../../../platforms/retell/import.ts";
import { retell } from "../../../platforms/retell/mod.ts";
import { hotelExport } from "./every_node.ts";

const says = (prompt: string) => ({ type: "prompt", prompt });

/** What is found in a flow that starts with this node, beside an end. */
function found(node: object, more: object = {}): string[] {
  const flow = {
    start_speaker: "agent",
    model_choice: { type: "cascading", model: "gpt-4.1" },
    start_node_id: "a",
    nodes: [
      { id: "a", ...node },
      { id: "z", type: "end" },
    ],
    ...more,
  };
  return (retell.checkGraph?.(importRetell(flow)) ?? []).map(({ code, path }) => `${code} ${path.join(".")}`);
}

const talk = { type: "conversation", instruction: { type: "prompt", text: "Hi" } };

test("check() finds nothing in a flow that Retell takes", () => {
  assert.deepEqual(retell.checkGraph?.(importRetell(hotelExport)), []);
});

test("check() finds what Retell refuses in edges", () => {
  const edges = [
    { id: "e", transition_condition: says("x"), destination_node_id: "z" },
    { id: "e", transition_condition: says("y"), destination_node_id: "a" },
    {
      id: "f",
      transition_condition: {
        type: "equation",
        operator: "&&",
        equations: Array(51).fill({ left: "v", operator: "exists" }),
      },
    },
    {
      id: "g",
      transition_condition: { type: "equation", equations: [{ left: "v", operator: "~" }] },
      destination_node_id: "q",
    },
    { id: "h" },
  ];
  assert.deepEqual(found({ ...talk, edges }), [
    "duplicate-edge-id nodes.a.edges.1.id",
    "self-edge nodes.a.edges.1",
    "too-many-equations nodes.a.edges.2.transition_condition.equations",
    "equation-operator nodes.a.edges.3.transition_condition.operator",
    "equation-shape nodes.a.edges.3.transition_condition.equations.0",
    "unknown-destination nodes.a.edges.3.destination_node_id",
    "missing-condition nodes.a.edges.4.transition_condition",
  ]);
});

test("check() finds examples that lead where no edge does any more", () => {
  const edges = [{ id: "e", transition_condition: says("x"), destination_node_id: "z" }];
  const example = (id: string, to?: string) => ({ id, transcript: [], destination_node_id: to });
  const examples = { finetune_transition_examples: [example("f", "z"), example("g", "gone"), example("h")] };
  assert.deepEqual(found({ ...talk, edges, ...examples }), ["stale-example nodes.a.finetune_transition_examples.1"]);
});

test("check() finds required edges that are missing, and literals that differ", () => {
  assert.deepEqual(found({ type: "branch", edges: [] }), ["missing-edge nodes.a.else_edge"]);
  assert.deepEqual(found({ type: "component", component_id: "c", component_type: "shared", else_edge: null }), [
    "edge-id nodes.a.else_edge.id",
    "missing-condition nodes.a.else_edge.transition_condition",
    "missing-edge nodes.a.else_edge",
  ]);
  const code = { type: "code", code: "x", wait_for_result: true };
  assert.deepEqual(found({ ...code, else_edge: { id: "e", transition_condition: says("Otherwise") } }), [
    "edge-literal nodes.a.else_edge.transition_condition.prompt",
  ]);
});

test("check() finds fields that are missing or empty", () => {
  assert.deepEqual(
    found(
      { type: "function", tool_id: "t", wait_for_result: true },
      { tools: [{ type: "custom", tool_id: "t", name: "a b" }] },
    ),
    ["missing-field nodes.a.tool_type", "tool-name tools.0.name", "tool-url tools.0.url"],
  );
  const transfer = {
    type: "transfer_call",
    transfer_destination: { type: "predefined", number: "" },
    transfer_option: { type: "cold_transfer" },
    edge: { id: "e", transition_condition: says("Transfer failed") },
  };
  assert.deepEqual(found(transfer), ["empty-destination nodes.a.transfer_destination.number"]);
  assert.deepEqual(found({ type: "subagent", instruction: { type: "static_text", text: "x" } }), [
    "instruction-type nodes.a.instruction",
  ]);
  assert.deepEqual(found({ type: "code", code: "x".repeat(5001), wait_for_result: true }), [
    "code-length nodes.a.code",
  ]);
});

test("check() finds what is missing at the start", () => {
  assert.deepEqual(found(talk, { start_node_id: "nowhere" }), ["unknown-start start_node_id"]);
  assert.deepEqual(found(talk, { start_node_id: undefined, starting_node_id: "a" }), [
    "unknown-start-key starting_node_id",
  ]);
  assert.deepEqual(found({ ...talk, type: "logic_split" }), [
    "node-type nodes.a.type",
    "missing-edge nodes.a.else_edge",
  ]);
});
