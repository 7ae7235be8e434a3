import assert from "node:assert/strict";
import { test } from "node:test";
import { type JudgedCall, judgeFlow } from "../../../src/call/judges/mod.ts";
import { offline, type ScriptedQueues, scripted } from "../../../src/call/models/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";
import type { Message } from "../../../src/document/transcript/mod.ts";
import { finishedCall, line } from "./_fixtures.ts";

const llm = (target_node_id: string, value: string) => ({ target_node_id, condition: { type: "llm_prompt", value } });

const GRAPH: AgentGraph = parseGraph({
  entry_node_id: "greet",
  nodes: {
    greet: {
      node_type: "conversation",
      state_prompt: "Greet {{name}}.",
      transitions: [llm("repair", "Caller needs a repair"), llm("rental", "Caller wants to rent a bicycle")],
    },
    repair: { node_type: "conversation", state_prompt: "Ask for the day.", transitions: [llm("bye", "Day is known")] },
    rental: { node_type: "conversation", state_prompt: "Offer bicycles.", transitions: [llm("bye", "Day is known")] },
    bye: { node_type: "end", state_prompt: "Say goodbye." },
    owner: {
      node_type: "conversation",
      state_prompt: "Take a message.",
      global_node_setting: {
        condition: "Caller asks for the owner",
        go_back_conditions: [{ id: "back", condition: { type: "llm_prompt", value: "Caller goes on" } }],
      },
    },
  },
});

function move(from: string, to: string, metadata: Message["metadata"] = {}): Message {
  const because = "Caller needs a repair";
  return {
    ...line("tool", `${from} -> ${to}`, from),
    metadata: { kind: "transition", from, to, because, ...metadata },
  };
}

const DECIDED = { decision: { objectives_complete: true, transition_to: "x", reasoning: "a secret of the model" } };

const CALL = finishedCall({
  transcript: [
    line("assistant", "Good morning, Ann."),
    line("user", "My bicycle needs a repair."),
    move("greet", "rental", DECIDED),
    line("assistant", "We have red ones.", "rental"),
    line("user", "Is the owner there?", "rental"),
    line("assistant", "We have blue ones too.", "rental"),
  ],
  nodesVisited: ["greet", "rental"],
  variables: { name: "Ann" },
});

const step = (number: number, right: boolean, should_have_taken: string, quote = "needs a repair") => ({
  step: number,
  evidence: { role: "user", quote },
  reasoning: "the caller said so",
  right,
  should_have_taken,
});
const answer = (steps: readonly unknown[], score = 0.2) => ({ steps, reasoning: "Off track.", score, confidence: 0.9 });
const WRONG = answer([step(1, false, "repair"), step(2, false, "Owner", "Is the owner there?")]);

async function judged(flow: ScriptedQueues["flow"], call: JudgedCall = CALL, options = {}) {
  const model = scripted({ flow: flow ?? [] });
  const verdict = await judgeFlow(GRAPH, call, { model, retry: { retries: 0 }, ...options });
  return { verdict, calls: model.calls };
}

test("judgeFlow() names each wrong step, the node that was right, and the words that decide it", async () => {
  const { verdict } = await judged([WRONG]);
  assert.equal(verdict?.passed, false);
  assert.equal(verdict?.evidence, "caller: needs a repair\ncaller: Is the owner there?");
  assert.equal(verdict?.evidenceFound, true);
  assert.match(
    verdict?.reasoning ?? "",
    /In turn 1 the call went from "greet" to "rental" and should have gone to "repair"/,
  );
  assert.match(verdict?.reasoning ?? "", /In turn 2 the call stayed at "rental" and should have gone to "owner"/);
  assert.deepEqual(
    verdict?.steps?.map(({ turn, node, took, right, instead }) => ({ turn, node, took, right, instead })),
    [
      { turn: 1, node: "greet", took: "rental", right: false, instead: "repair" },
      { turn: 2, node: "rental", took: null, right: false, instead: "owner" },
    ],
  );
});

test("judgeFlow() shows the judge prompts, conditions and steps, but not why the agent's model decided", async () => {
  const { calls } = await judged([WRONG]);
  const input = calls[0]?.input;
  assert.deepEqual(input?.nodes, [
    {
      id: "greet",
      node_type: "conversation",
      prompt: "Greet Ann.",
      transitions: [
        { target: "repair", condition: "Caller needs a repair", condition_type: "llm_prompt" },
        { target: "rental", condition: "Caller wants to rent a bicycle", condition_type: "llm_prompt" },
      ],
    },
    {
      id: "rental",
      node_type: "conversation",
      prompt: "Offer bicycles.",
      transitions: [{ target: "bye", condition: "Day is known", condition_type: "llm_prompt" }],
    },
  ]);
  assert.deepEqual(input?.global_nodes, [{ target: "owner", condition: "Caller asks for the owner" }]);
  assert.deepEqual(input?.call, [
    { role: "assistant", content: "Good morning, Ann." },
    { role: "user", content: "My bicycle needs a repair." },
    { step: 1, at: "greet", took: "rental", because: "" },
    { role: "assistant", content: "We have red ones." },
    { role: "user", content: "Is the owner there?" },
    { step: 2, at: "rental", took: "none", because: "" },
    { role: "assistant", content: "We have blue ones too." },
  ]);
});

test("judgeFlow() notices words that nobody said, like the judge of criteria", async () => {
  const { verdict } = await judged([answer([step(1, false, "repair", "I want to fly"), step(2, true, "none")])]);
  assert.equal(verdict?.evidenceFound, false);
  const praised = answer([step(1, true, "rental", ""), step(2, true, "none", "")], 1);
  assert.equal((await judged([praised])).verdict?.evidenceFound, false);
});

test("judgeFlow() rejects answers that omit steps, invent targets or contradict themselves", async () => {
  const answers = [
    [answer([step(1, true, "rental")]), /step 2 is not judged/],
    [answer([step(1, true, "rental"), step(1, true, "rental"), step(2, true, "none")]), /step 1 is judged twice/],
    [answer([step(1, true, "rental"), step(2, true, "none"), step(3, true, "none")], 1), /there is no step 3/],
    [answer([step(1, false, "bye"), step(2, true, "none")]), /"bye" cannot be reached from "greet"/],
    [answer([step(1, false, "rental"), step(2, true, "none")]), /is what it took/],
    [answer([step(1, false, "repair"), step(2, true, "none")], 1), /it is 1, but step 1 is wrong/],
    [answer([step(1, true, "rental"), step(2, true, "none")], 0.1), /no step is wrong/],
  ] as const;
  for (const [given, message] of answers) await assert.rejects(judged([given]), { code: "model-output", message });
});

test("judgeFlow() lets a panel decide by majority", async () => {
  const right = answer([step(1, true, "rental"), step(2, true, "none", "Is the owner there?")], 1);
  const { verdict, calls } = await judged([WRONG, right, right], CALL, { panel: 3 });
  assert.equal(calls.length, 3);
  assert.equal(verdict?.passed, true);
  assert.deepEqual(
    verdict?.votes?.map(({ passed }) => passed),
    [false, true, true],
  );
});

test("judgeFlow() asks no model about a call without a choice, or at nodes that the graph does not have", async () => {
  const silent = finishedCall({ transcript: [line("assistant", "Hello.")], nodesVisited: ["greet"] });
  const elsewhere = finishedCall({
    transcript: [
      line("user", "A repair", "old"),
      { ...move("old", "older"), node_id: "old" },
      line("assistant", "Fine", "older"),
    ],
  });
  for (const call of [silent, elsewhere]) {
    const { verdict, calls } = await judged([], call);
    assert.deepEqual([verdict, calls.length], [undefined, 0]);
  }
});

test("judgeFlow() offers the way back from a global node, and takes equations as decided by no model", async () => {
  const transcript = [
    line("user", "Is the owner there?"),
    move("greet", "owner", DECIDED),
    line("assistant", "What is it about?", "owner"),
    line("user", "Let us go on.", "owner"),
    move("owner", "greet", { ways: [{ go_back: 0 }], ...DECIDED }),
    line("assistant", "How can I help?"),
  ];
  const { calls } = await judged(
    [answer([step(1, true, "owner", "the owner"), step(2, true, "greet", "go on")], 1)],
    finishedCall({ transcript }),
  );
  const nodes = calls[0]?.input.nodes;
  assert.ok(Array.isArray(nodes));
  assert.deepEqual(nodes[1]?.transitions, [
    { target: "greet", condition: "Caller goes on", condition_type: "go_back" },
  ]);
});

test("offline() judges a path by the words of conditions, says so, and gives the same verdict each time", async () => {
  const [one, two] = [
    await judgeFlow(GRAPH, CALL, { model: offline() }),
    await judgeFlow(GRAPH, CALL, { model: offline() }),
  ];
  assert.deepEqual(one, two);
  assert.deepEqual(
    one?.steps?.map(({ right, instead }) => [right, instead]),
    [
      [false, "repair"],
      [false, "owner"],
    ],
  );
  assert.match(one?.reasoning ?? "", /only matches words/);
});
