import assert from "node:assert/strict";
import { test } from "node:test";
import { diffGraphs } from "../../../../../src/agent/analysis/diff/mod.ts";
import { end, graphOf, llm, says } from "../../_graphs.ts";
import { nodeChangesOf, told } from "./_changes.ts";

const spoken = (instruction_type?: string) => ({
  state_prompt: "Hello.",
  ...(instruction_type && { instruction_type }),
});
const setting = (condition: string, ...back: readonly object[]) => ({
  state_prompt: "Take a message.",
  global_node_setting: { condition, go_back_conditions: back },
});
const back = (id: string, value: string) => ({ id, condition: { type: "llm_prompt", value } });

test("diffGraphs() says in words how a node changed", () => {
  const rows = [
    [
      { node_type: "conversation" },
      { node_type: "logic" },
      "node-type-changed",
      'Node "a" is of type "logic" instead of "conversation"',
    ],
    [{ state_prompt: "" }, { state_prompt: "Hello." }, "prompt-changed", 'Prompt of "a" is new'],
    [{ state_prompt: "Hello." }, { state_prompt: "" }, "prompt-changed", 'Prompt of "a" is gone'],
    [spoken(), spoken("static_text"), "speech-changed", 'Prompt of "a" is now spoken verbatim'],
    [
      spoken("static_text"),
      spoken(),
      "speech-changed",
      'Prompt of "a" is now an instruction, no longer spoken verbatim',
    ],
    [
      spoken("static_text"),
      spoken("prompt"),
      "speech-changed",
      'Prompt of "a" is now an instruction, no longer spoken verbatim',
    ],
    [spoken(), spoken("prompt"), "rewritten", 'Prompt of "a" is still an instruction, now by default'],
    [
      { node_type: "transfer", transfer_to: "+15550100" },
      { node_type: "transfer", transfer_to: "+15550101" },
      "transfer-changed",
      'Node "a" transfers to "+15550101" instead of "+15550100"',
    ],
    [
      { node_type: "transfer" },
      { node_type: "transfer", transfer_to: "+15550101" },
      "transfer-changed",
      'Node "a" transfers to "+15550101" instead of ""',
    ],
    [
      { node_type: "transfer", transfer_to: "+15550100" },
      { node_type: "transfer" },
      "transfer-changed",
      'Node "a" transfers to "" instead of "+15550100"',
    ],
  ] as const;
  for (const [before, after, kind, message] of rows)
    assert.deepEqual(told(nodeChangesOf(before, after)), [[kind, message]]);
});

test("diffGraphs() tells options of a platform at a node from unknown keys", () => {
  assert.deepEqual(
    nodeChangesOf({ metadata: { retell: { speed: 1 } } }, { metadata: { retell: { speed: 2 } } }).map(
      ({ kind, path }) => [kind, path.join(".")],
    ),
    [["platform-changed", "nodes.a.metadata.retell.speed"]],
  );
  assert.deepEqual(
    nodeChangesOf({ x_note: "one" }, { x_note: "two" }).map(({ kind, path }) => [kind, path.join(".")]),
    [["other-changed", "nodes.a.x_note"]],
  );
});

test("diffGraphs() says in words how a global node is entered and left", () => {
  const rows = [
    [
      { state_prompt: "Take a message." },
      setting("Caller asks for the owner"),
      "global-added",
      'Node "a" is now global: it is entered from every conversation node when "Caller asks for the owner"',
    ],
    [
      setting("Caller asks for the owner"),
      { state_prompt: "Take a message." },
      "global-removed",
      'Node "a" is no longer global: callers reach it by transitions alone',
    ],
    [
      setting("Caller asks for the owner"),
      setting("Caller asks for the boss"),
      "condition-reworded",
      'Global node "a" is entered when "Caller asks for the boss" instead of when "Caller asks for the owner"',
    ],
    [
      setting("Owner"),
      setting("Owner", back("on", "Caller goes on")),
      "go-back-added",
      'Calls now also return from "a" when "Caller goes on"',
    ],
    [
      setting("Owner", back("on", "Caller goes on")),
      setting("Owner"),
      "go-back-removed",
      'Calls no longer return from "a" when "Caller goes on"',
    ],
    [
      setting("Owner", back("on", "Caller goes on")),
      setting("Owner", back("on", "Caller is done")),
      "condition-reworded",
      'Way back from "a" asks "Caller is done" instead of "Caller goes on"',
    ],
    [
      setting("Owner", back("on", "Caller goes on")),
      setting("Owner", back("return", "Caller goes on")),
      "rewritten",
      'Way back from "a" has the id "return" instead of "on"',
    ],
    [
      setting("Owner", back("on", "Caller goes on"), back("done", "Caller is done")),
      setting("Owner", back("done", "Caller is done"), back("on", "Caller goes on")),
      "transitions-reordered",
      'Go-back conditions of "a" are tried in another order',
    ],
  ] as const;
  for (const [before, after, kind, message] of rows)
    assert.deepEqual(told(nodeChangesOf(before, after)), [[kind, message]]);
});

test("diffGraphs() gives the place of a removed go-back in the earlier version, of a new one in the later", () => {
  const one = setting("Owner", back("on", "Caller goes on"));
  const two = setting("Owner", back("done", "Caller is done"), back("on", "Caller goes on"));
  for (const [before, after] of [
    [one, two],
    [two, one],
  ] as const) {
    const [change] = nodeChangesOf(before, after);
    assert.deepEqual(change?.path, ["nodes", "a", "global_node_setting", "go_back_conditions", 0]);
  }
});

test("diffGraphs() says what a new node is and where it leads", () => {
  const greet = says("Greet.", llm("a1", "Caller asks"));
  const targets = ["a1", "a2", "a3", "a4", "a5", "a6", "a7"];
  const ends = Object.fromEntries(targets.map((id) => [id, end]));
  const added = (node: object) => diffGraphs(graphOf({ greet, ...ends }), graphOf({ greet, ...ends, x: node }))[0];
  const rows = [
    [end, 'New node "x" (end)'],
    [says("Help.", llm("a1", "Done")), 'New node "x" (conversation), leads to "a1"'],
    [says("Help.", llm("a1", "Done"), llm("a1", "Bye")), 'New node "x" (conversation), leads to "a1"'],
    [says("Help.", llm("a1", "Done"), llm("a2", "Bye")), 'New node "x" (conversation), leads to "a1" and "a2"'],
    [
      says("Help.", ...targets.map((id) => llm(id, id))),
      'New node "x" (conversation), leads to "a1", "a2", "a3", "a4", "a5" and 2 more',
    ],
  ] as const;
  for (const [node, message] of rows) assert.deepEqual([added(node)?.message, added(node)?.nodes], [message, ["x"]]);
  const global = added(setting("Caller asks for the owner"));
  assert.deepEqual([global?.message, global?.nodes], ['New global node "x" (conversation)', undefined]);
});
