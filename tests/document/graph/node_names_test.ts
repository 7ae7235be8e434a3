import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeNames, parseGraph, withNodeNames } from "../../../src/document/graph/mod.ts";

const to = (target_node_id: string) => ({ target_node_id, condition: { type: "llm_prompt", value: "Asks" } });
const node = (name?: string, more: object = {}) => ({
  ...(name === undefined ? {} : { metadata: { retell: { name } } }),
  ...more,
});

const graph = parseGraph({
  entry_node_id: "start-node-1759299298600",
  nodes: {
    "start-node-1759299298600": node("Welcome", { transitions: [to("node-1759299298668")] }),
    "node-1759299298668": node("Identify Appointment"),
    "node-1759299298669": node("Conversation"),
    "node-1759299298670": node("Conversation"),
    look_up: node("Search", { tools: [{ name: "check_customer" }] }),
    check_customer: node("Check the customer"),
    plain: node(),
  },
});

test("nodeNames() gives the names of the platform, with the id where several nodes have one, else the id", () => {
  const { of } = nodeNames(graph);
  assert.deepEqual(Object.keys(graph.nodes).map(of), [
    "Welcome",
    "Identify Appointment",
    "Conversation (node-1759299298669)",
    "Conversation (node-1759299298670)",
    "Search",
    "Check the customer",
    "plain",
  ]);
  assert.equal(of("node-unknown"), "node-unknown");
});

test("nodeNames() replaces ids in texts, but no word that may mean something else", () => {
  const { inText } = nodeNames(graph);
  assert.equal(inText('node "node-1759299298668" has no way out'), 'node "Identify Appointment" has no way out');
  assert.equal(inText("start-node-1759299298600 -> node-1759299298668"), "Welcome -> Identify Appointment");
  assert.equal(inText('"look_up" is read'), '"Search" is read');
  for (const text of ["look_up is read", 'the tool "check_customer" failed', 'node "plain"', 'say "Welcome"'])
    assert.equal(inText(text), text);
});

test("withNodeNames() names nodes in results, and leaves what was spoken, ids of results and values alone", () => {
  const [from, to, because] = ["look_up", "node-1759299298668", "Asks"];
  const metadata = { kind: "transition", from, to, because };
  const result = {
    id: "node-1759299298668",
    nodesVisited: [from, to],
    variables: { last: "node-1759299298668" },
    transcript: [
      { role: "user", content: 'Is "look_up" node-1759299298668?', node_id: from, metadata: {} },
      { role: "tool", content: `${from} -> ${to}: ${because}`, node_id: from, metadata },
    ],
  };
  assert.deepEqual(withNodeNames(result, graph), {
    ...result,
    nodesVisited: ["Search", "Identify Appointment"],
    transcript: [
      { role: "user", content: 'Is "look_up" node-1759299298668?', node_id: "Search", metadata: {} },
      {
        role: "tool",
        content: "Search -> Identify Appointment: Asks",
        node_id: "Search",
        metadata: { ...metadata, from: "Search", to: "Identify Appointment" },
      },
    ],
  });
});
