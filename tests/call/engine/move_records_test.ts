import assert from "node:assert/strict";
import { test } from "node:test";
import { callOn, pick, to } from "./calls.ts";

const when = (left: string, right: string) => ({
  type: "equation",
  equations: [{ left, operator: "==", right }],
  logical_operator: "and",
});
const otherwise = { timing: "else" };
const back = (id: string, condition: unknown) => ({
  id,
  condition: typeof condition === "string" ? { type: "llm_prompt", value: condition } : condition,
});
const global = (condition: string, ...go_back_conditions: readonly unknown[]) => ({
  global_node_setting: { condition, go_back_conditions },
});
const nodes = {
  greet: {
    state_prompt: "Greet.",
    transitions: [
      to("desk", "Wants help"),
      to("boss", "Is angry"),
      to("desk", "Asks again"),
      to("desk", when("vip", "yes")),
    ],
  },
  desk: { state_prompt: "Desk.", transitions: [to("greet", "Is back"), to("bye", undefined, otherwise)] },
  boss: {
    state_prompt: "Boss.",
    ...global("Wants the boss", back("calm", "Is calm"), back("loud", when("loud", "no")), back("done", "Is done")),
    transitions: [to("greet", "Was sent away"), to("desk", "Needs the desk")],
  },
  chief: {
    state_prompt: "Chief.",
    ...global("Wants the chief", back("down", "Goes down")),
    transitions: [to("desk", "Ok")],
  },
  bye: { state_prompt: "Bye." },
};

/** Says one thing for each pick; returns the last move, and the nodes to which the call can go back. */
async function movesOf(picks: readonly unknown[], variables: object = {}) {
  const transition = picks.map((each) => (typeof each === "string" ? pick(each) : each));
  const { call, model } = callOn(nodes, { transition }, { variables: { ...variables } });
  await call.open();
  for (const _ of picks) await call.hear("Well.");
  const kept = call.transcript.filter(({ metadata: { kind } }) => kind === "transition" || kind === "decision");
  const { from, to: target, because, ways } = kept.at(-1)?.metadata ?? {};
  return { move: [from, target, because, ways], kept, at: call.nodesVisited.at(-1), stack: call.originators, model };
}

test("a move names every way that leads to the model's pick", async () => {
  const moves: readonly [readonly string[], readonly unknown[]][] = [
    [["desk"], ["greet", "desk", "Wants help", [{ transition: 0 }, { transition: 2 }]]],
    [["boss"], ["greet", "boss", "Is angry", [{ transition: 1 }]]], // its own transition, not the global entry
    [["chief"], ["greet", "chief", "Wants the chief", [{ global: true }]]],
    [
      ["boss", "greet"],
      ["boss", "greet", "Was sent away", [{ transition: 0 }, { go_back: 0 }, { go_back: 2 }]],
    ],
    [
      ["desk", "boss", "desk"],
      ["boss", "desk", "Needs the desk", [{ transition: 1 }, { go_back: 0 }, { go_back: 2 }]],
    ],
    [
      ["boss", "desk"],
      ["boss", "desk", "Needs the desk", [{ transition: 1 }]],
    ],
    [
      ["boss", "chief", "boss"],
      ["chief", "boss", "Wants the boss", [{ global: true }, { go_back: 0 }]],
    ],
    [
      ["desk", "none"],
      ["desk", "bye", "no other condition is met", [{ transition: 1 }]],
    ],
  ];
  for (const [picks, move] of moves) assert.deepEqual((await movesOf(picks)).move, move, picks.join(" "));
});

test("an equation that holds moves the call without the model, a go-back's too", async () => {
  const text = 'vip == "yes" (vip = "yes")';
  assert.deepEqual((await movesOf(["none"], { vip: "yes" })).move, ["greet", "desk", text, [{ transition: 3 }]]);
  const { move, stack } = await movesOf(["boss", "none"], { loud: "no" });
  assert.deepEqual(move, ["boss", "greet", 'loud == "no" (loud = "no")', [{ go_back: 1 }]]);
  assert.deepEqual(stack, []);
});

test("the stack of nodes to go back to grows at global nodes and shrinks when they are left", async () => {
  for (const [picks, stack] of [
    [["boss"], ["greet"]],
    [
      ["boss", "chief"],
      ["greet", "boss"],
    ],
    [["boss", "chief", "boss"], ["greet"]],
    [["boss", "chief", "boss", "greet"], []],
    [["boss", "chief", "desk"], ["greet"]],
    [["boss", "chief", "desk", "greet"], ["greet"]], // from a node that is not global: no go-back
    [["boss", "chief", "desk", "none"], ["greet"]],
    [["boss", "desk"], []],
  ] as const)
    assert.deepEqual((await movesOf(picks)).stack, stack, picks.join(" "));
});

test("unmet objectives block the `else` transition too, and a stay has one record", async () => {
  const unmet = { objectives_complete: false, transition_to: "none" };
  const { at, kept } = await movesOf(["desk", unmet]);
  assert.deepEqual([at, kept.length], ["desk", 2]);
  const stays = await movesOf(["none"], { vip: "no" });
  assert.deepEqual(
    stays.kept.map(({ content, metadata: { kind, equations } }) => [content, kind, equations]),
    [
      [
        'no transition taken: the model picks none of "desk", "boss", "chief"',
        "decision",
        [{ transition: 3, clauses: [false] }],
      ],
    ],
  );
});

test("an `else` transition that follows equations alone is taken without a request", async () => {
  const only = {
    a: {
      node_type: "conversation",
      state_prompt: "A",
      transitions: [to("b", when("x", "1")), to("b", undefined, otherwise)],
    },
    b: {},
  };
  const { call, model } = callOn(only);
  await call.open();
  const { messages } = await call.hear("Hm.");
  assert.deepEqual(
    messages.flatMap(({ role, content }) => (role === "tool" ? [content] : [])),
    ["a -> b: no other condition is met"],
  );
  assert.deepEqual(
    model.calls.map(({ signature }) => signature),
    ["respond", "respond"],
  );
});

test("the offers of a global node are its own transitions, other globals and its go-backs", async () => {
  const { model } = await movesOf(["boss", "none"]);
  const offer = (target: string, condition: string, condition_type: string) => ({
    target,
    condition,
    condition_type,
    description: "",
  });
  assert.deepEqual(model.calls.findLast(({ signature }) => signature === "transition")?.input.available_transitions, [
    offer("greet", "Was sent away", "llm_prompt"),
    offer("desk", "Needs the desk", "llm_prompt"),
    offer("chief", "Wants the chief", "global"),
    offer("greet", "Is calm", "go_back"),
    offer("greet", "Is done", "go_back"),
  ]);
});

test("a pick is the node of exactly that name, else one that differs in case and outer white space", async () => {
  const similar = {
    a: { state_prompt: "A", transitions: [to("B", "1"), to("b", "2"), to(" c ", "3")] },
    B: {},
    b: {},
    " c ": {},
  };
  for (const [answer, target] of [
    ["b", "b"],
    ["B", "B"],
    [" b ", "B"],
    ["C", " c "],
  ] as const) {
    const { call } = callOn(similar, { transition: [pick(answer)] });
    await call.open();
    assert.equal((await call.hear("Well.")).nodeId, target, answer);
  }
});

test("the limit of moves in a turn says where it was reached", async () => {
  const skip = { timing: "skip_response" };
  const { call } = callOn({
    a: { transitions: [to("b", undefined, skip)] },
    b: { transitions: [to("a", undefined, skip)] },
  });
  await call.open();
  assert.equal(call.endDetail, 'more than 20 moves in one turn, the last from "a" to "b"');
});
