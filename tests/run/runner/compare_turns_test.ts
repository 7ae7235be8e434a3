import assert from "node:assert/strict";
import { test } from "node:test";
import { scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { compareTurns } from "../../../src/run/runner/mod.ts";
import { pick, to } from "../../call/engine/calls.ts";

const graph = parseGraph({
  entry_node_id: "a",
  nodes: { a: { state_prompt: "A", transitions: [to("b", "Caller wants b")] }, b: { state_prompt: "B" } },
});
const stay = { objectives_complete: true, transition_to: "none" };

test("compareTurns() lists the turns in which two modes moved or spoke differently", async () => {
  const agent = scripted({
    transition: [stay, pick("b")],
    respond: ["Hello", "Yes?", "This is b", "Hello", "This is b, again"],
    fused: [{ ...stay, transition_to: "b", reply: "b already" }],
  });
  const comparison = await compareTurns(graph, [{ name: "one", says: ["hm", "b please"], excludes: ["never said"] }], {
    models: { agent },
  });
  assert.equal(comparison.turns, 3);
  assert.deepEqual(
    comparison.routedDifferently.map(({ turn, before, after }) => [turn, before.entered, after.entered]),
    [
      [1, [], ["b"]],
      [2, ["b"], []],
    ],
  );
  assert.deepEqual(comparison.saidDifferently, []);
  assert.deepEqual(comparison.calls, [5, 3]);
});

test("compareTurns() uses the same caller messages in both modes, also with a simulated caller", async () => {
  const callers = [
    { message: "b please", should_end: false },
    { message: "thanks", should_end: true },
  ];
  const agent = scripted({
    caller: callers,
    transition: [pick("b"), pick("b")],
    respond: ["Hello", "This is b", "Bye", "Hello", "unheard", "This is b", "Bye"],
  });
  const comparison = await compareTurns(
    graph,
    [{ name: "one", user_prompt: "You want b.", excludes: ["never said"] }],
    { models: { agent } },
    ["split", "speculative"],
  );
  assert.equal(agent.calls.filter(({ signature }) => signature === "caller").length, 2);
  assert.deepEqual([comparison.turns, comparison.routedDifferently, comparison.saidDifferently], [3, [], []]);
});
