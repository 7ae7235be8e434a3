import assert from "node:assert/strict";
import { test } from "node:test";
import { clauseSentence, pathWords } from "../../../../src/agent/analysis/coverage/uncovered.ts";
import type { PathStep } from "../../../../src/agent/analysis/paths/mod.ts";
import { always, end, extract, graphOf, llm, says, when } from "../_graphs.ts";

const GRAPH = graphOf({
  ask: says("Ask.", llm("note", "Caller gives\n a day"), llm("bye", " "), when("bye", "x", "==", "1"), always("note")),
  note: extract([{ name: "day" }], always("bye")),
  help: {
    ...says("Help."),
    global_node_setting: {
      condition: "Caller needs help",
      go_back_conditions: [
        { id: "on", condition: { type: "llm_prompt", value: "Goes on" } },
        { id: "off", condition: { type: "equation", equations: [{ left: "y", operator: ">", right: 5 }] } },
      ],
    },
  },
  bye: end,
});
const wordsOf = (...steps: readonly PathStep[]) => pathWords(GRAPH, { variables: {}, steps }).slice(1);
const decide = (node: string, target?: string): PathStep => ({
  kind: "decide",
  node,
  objectivesComplete: true,
  ...(target === undefined ? {} : { target }),
});
const move = (
  from: string,
  to: string,
  by: Extract<PathStep, { kind: "move" }>["by"],
  more: object = {},
): PathStep => ({
  kind: "move",
  from,
  to,
  by,
  ...more,
});
const tool = (outcome: "succeeded" | "failed", variables: { readonly [name: string]: string }): PathStep => ({
  kind: "tool",
  node: "ask",
  tool: "find",
  by: "reply",
  asksArguments: false,
  outcome,
  result: "",
  variables,
});

test("pathWords() says where a call starts, and with which variables", () => {
  assert.deepEqual(pathWords(GRAPH, { variables: {}, steps: [] }), ["The call starts at ask"]);
  assert.deepEqual(pathWords(GRAPH, { variables: { a: "1", b: "x" }, steps: [] }), [
    'The call starts at ask with a = "1", b = "x"',
  ]);
});

test("pathWords() has a sentence for each step that decides the way", () => {
  const rows = [
    [decide("ask", "note"), 'At ask this is true: "Caller gives a day", so the model picks note'],
    [decide("ask", "bye"), "At ask the model picks bye"],
    [decide("ask"), "At ask the model picks no transition"],
    [decide("ask", "help"), 'At ask this is true: "Caller needs help", so the model picks help'],
    [decide("help", "ask"), 'At help this is true: "Goes on", so the model picks ask'],
    [{ kind: "extract", node: "note", values: {} }, "note extracts any values"],
    [{ kind: "extract", node: "note", values: { day: "1", hour: null } }, 'note extracts day = "1", no hour'],
    [tool("succeeded", {}), "Tool find succeeds at ask"],
    [tool("succeeded", { day: "1", hour: "2" }), 'Tool find succeeds at ask and sets day = "1", hour = "2"'],
    [tool("failed", {}), "Tool find fails at ask"],
    [move("ask", "bye", "equation", { transition: 2 }), "x == 1 leads to bye"],
    [move("ask", "bye", "equation"), "An equation leads to bye"],
    [move("help", "ask", "go-back", { goBack: 1 }), "y > 5 leads back to ask"],
    [move("ask", "note", "always", { transition: 3 }), "The call continues at note"],
    [move("ask", "note", "transfer-failed", { transition: 3 }), "The transfer at ask fails, which leads to note"],
  ] as const;
  for (const [step, sentence] of rows) assert.deepEqual(wordsOf(step), [sentence]);
});

test("pathWords() has no sentence for what the step before has said", () => {
  for (const step of [
    move("ask", "note", "model", { transition: 0 }),
    move("ask", "help", "global"),
    move("help", "ask", "go-back", { goBack: 0 }),
    move("help", "ask", "go-back"),
    { kind: "speak", node: "ask", verbatim: true },
    { kind: "end", node: "bye", reason: "agent_ended" },
  ] as const)
    assert.deepEqual(wordsOf(step), []);
  const hear = { kind: "hear", node: "ask" } as const;
  assert.deepEqual(wordsOf(hear), ["The caller speaks at ask"]);
  assert.deepEqual(wordsOf(hear, decide("ask")), ["At ask the model picks no transition"]);
});

test("clauseWords() names the clause of a transition or of a go-back condition", () => {
  const at = { kind: "clause", clause: 0, isTrue: false } as const;
  const rows = [
    [{ ...at, node: "ask", of: "transition", index: 2 }, "There x == 1 is false"],
    [{ ...at, node: "help", of: "go-back", index: 1, isTrue: true }, "There y > 5 is true"],
    [{ ...at, node: "help", of: "go-back", index: 0 }, "There the equation is false"],
    [{ ...at, node: "nobody", of: "transition", index: 0 }, "There the equation is false"],
  ] as const;
  for (const [clause, words] of rows) assert.equal(clauseSentence(GRAPH, clause), words);
});
