import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../src/base/values/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { consideredIn } from "../../../src/surface/chat/decision.ts";

/** A global node with a way back and a transition. */
const GRAPH = parseGraph({
  entry_node_id: "greet",
  nodes: {
    greet: { state_prompt: "Greet.", transitions: [] },
    manager: {
      state_prompt: "Take a message.",
      transitions: [{ target_node_id: "bye", condition: { type: "always" }, timing: "skip_response" }],
      global_node_setting: {
        condition: "Caller asks for a manager",
        go_back_conditions: [{ id: "back", condition: { type: "llm_prompt", value: "Caller is done" } }],
      },
    },
    bye: { node_type: "end", state_prompt: "Say goodbye." },
  },
});

/** What was considered at the manager, which the caller reached from the greeting. */
function consideredAtManager(metadata: JsonObject) {
  const message = { role: "tool", content: "", node_id: "manager", timestamp: "2026-03-01T09:00:00Z" } as const;
  return consideredIn({
    message: { ...message, metadata },
    graph: GRAPH,
    variables: {},
    originators: ["bye", "greet"],
  });
}

test("consideredIn() lists the way back from a global node to where the caller was last", () => {
  const picked = { kind: "transition", ways: [{ go_back: 0 }], decision: { objectives_complete: true } };
  const back = { target: "greet", kind: "go back", condition: "Caller is done" };
  assert.deepEqual(consideredAtManager(picked), [
    { target: "bye", kind: "always", condition: "at once after the agent has spoken", outcome: "not taken" },
    { ...back, outcome: "taken" },
  ]);
});

test("consideredIn() says that the objectives were not complete", () => {
  const stayed = { kind: "decision", decision: { objectives_complete: false } };
  assert.equal(consideredAtManager(stayed).at(-1)?.outcome, "offered, but the objectives are not complete");
});
