import assert from "node:assert/strict";
import { test } from "node:test";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import { textChanges, withText } from "../../../../src/run/diagnosis/mod.ts";

const lookup = {
  name: "lookup",
  description: "Finds an order",
  parameters: { type: "object", additionalProperties: false },
};
const to = (target_node_id: string, value: string) => ({ target_node_id, condition: { type: "llm_prompt", value } });

function shop(greet: string, changes: { readonly bye?: string; readonly tool?: string; readonly more?: boolean } = {}) {
  const tools = [{ ...lookup, description: changes.tool ?? lookup.description }];
  const transitions = [to("bye", "Caller is done"), ...(changes.more ? [to("ask", "Caller asks again")] : [])];
  return parseGraph({
    entry_node_id: "greet",
    nodes: {
      greet: { state_prompt: greet, transitions: [to("ask", "Caller has an order")], tools },
      ask: { state_prompt: "Ask for the number.", transitions, tools },
      bye: { node_type: "end", state_prompt: changes.bye ?? "Say goodbye." },
    },
  });
}

const withoutPaths = (before: AgentGraph, after: AgentGraph) =>
  textChanges(before, after).texts.map((each) => [each.before, each.after, each.paths.length]);

test("textChanges() finds each text that differs, and nothing in equal graphs", () => {
  assert.deepEqual(textChanges(shop("Greet."), shop("Greet.")), { texts: [], others: [] });
  const { texts, others } = textChanges(shop("Greet."), shop("Greet the caller.", { bye: "Thank the caller." }));
  assert.deepEqual(others, []);
  assert.deepEqual(texts, [
    { before: "Greet.", after: "Greet the caller.", paths: [["nodes", "greet", "state_prompt"]] },
    { before: "Say goodbye.", after: "Thank the caller.", paths: [["nodes", "bye", "state_prompt"]] },
  ]);
});

test("textChanges() puts the same change in several places together, such as that of a tool of two nodes", () => {
  const after = shop("Greet.", { tool: "Finds an order by its number" });
  assert.deepEqual(withoutPaths(shop("Greet."), after), [["Finds an order", "Finds an order by its number", 2]]);
});

test("textChanges() names what is no text: an added transition changes the list", () => {
  const { texts, others } = textChanges(shop("Greet."), shop("Greet.", { more: true }));
  assert.deepEqual([texts, others], [[], [["nodes", "ask", "transitions"]]]);
});

test("withText() changes one text at each of its places", () => {
  const after = shop("Greet.", { tool: "Finds an order by its number" });
  const [change] = textChanges(shop("Greet."), after).texts;
  assert.ok(change);
  assert.deepEqual(textChanges(parseGraph(withText(shop("Greet."), change)), after), { texts: [], others: [] });
});
