import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeFlow } from "../../../src/call/judges/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { finishedCall, line } from "./_fixtures.ts";
import { asked, flowGraph, llm, moved } from "./_flow.ts";

const GRAPH = flowGraph({
  a: { node_type: "conversation", transitions: [llm("b"), llm("c")] },
  b: { node_type: "conversation", transitions: [llm("a")] },
  c: { node_type: "end" },
});
const WORDS = ["one", "two", "three", "four"];
/** Stays four times. */
const STAYED = WORDS.flatMap((words) => [line("user", `I say ${words}`, "a"), line("assistant", "Yes?", "a")]);
/** Takes a way before anybody has spoken. */
const OPENING = [moved("a", "b")];

test("judgeFlow() says what was judged, and by which rule", async () => {
  const { verdict } = await asked(GRAPH, STAYED);
  assert.equal(verdict.criterion, "The call took the right path");
  assert.match(verdict.requirement, /take the transition whose condition the conversation meets, and stay where none/);
});

test("judgeFlow() quotes three steps of a right path, and each wrong step of another", async () => {
  const right = (quote: string) => ({ quote });
  const wrong = (quote: string) => ({ quote, instead: "b" });
  const rows = [
    [
      [right("one"), right("two"), right("three"), right("four")],
      ["one", "two", "three"],
    ],
    [
      [right("  "), right("two"), right("three"), right("four")],
      ["two", "three", "four"],
    ],
    [[right("one"), wrong("two"), right("three"), right("four")], ["two"]],
    [[wrong("one"), wrong("two"), wrong("three"), wrong("four")], WORDS],
    [
      [wrong("one"), wrong(" "), right("three"), wrong("four")],
      ["one", "four"],
    ],
    [[right("one"), wrong(""), right("three"), right("four")], []],
  ] as const;
  for (const [steps, quotes] of rows) {
    const { verdict } = await asked(GRAPH, STAYED, { steps, score: steps.some((step) => "instead" in step) ? 0.5 : 1 });
    assert.equal(verdict.evidence, quotes.map((quote) => `caller: ${quote}`).join("\n"), JSON.stringify(steps));
  }
});

test("judgeFlow() gives the judge's reasoning, and a sentence for each wrong step alone", async () => {
  const wrong = (instead: string) => ({ instead, reasoning: " it was said " });
  const stayed = (turn: number, instead: string) =>
    `In turn ${turn} the call stayed at "a" and should have gone to "${instead}": it was said`;
  const rows = [
    [STAYED, " Fine. ", [], "Fine."],
    [STAYED, " Off track. ", [{}, wrong("b")], `Off track. ${stayed(2, "b")}`],
    [STAYED, " ", [{}, wrong("b"), {}, wrong("c")], `${stayed(2, "b")} ${stayed(4, "c")}`],
    [STAYED, "", [{ instead: "b", reasoning: "  " }], 'In turn 1 the call stayed at "a" and should have gone to "b":'],
    [
      OPENING,
      "",
      [wrong("c")],
      'In the opening the call went from "a" to "b" and should have gone to "c": it was said',
    ],
    [
      OPENING,
      "",
      [wrong("none")],
      'In the opening the call went from "a" to "b" and should have stayed at "a": it was said',
    ],
  ] as const;
  for (const [transcript, reasoning, steps, expected] of rows) {
    const { verdict } = await asked(GRAPH, transcript, { reasoning, steps, score: steps.length > 0 ? 0.5 : 1 });
    assert.equal(verdict.reasoning, expected);
  }
});

test("judgeFlow() tells of a wrong step where the call should have gone, and null where it should have stayed", async () => {
  for (const [named, instead] of [
    ["c", "c"],
    [" C ", "c"],
    ["none", null],
  ] as const) {
    const steps = [{ instead: named, quote: "q", reasoning: "r" }];
    const { verdict } = await asked(GRAPH, OPENING, { score: 0.5, steps });
    assert.deepEqual(verdict.steps, [
      { turn: 0, node: "a", took: "b", right: false, instead, quote: "q", reasoning: "r" },
    ]);
  }
  const { verdict } = await asked(GRAPH, OPENING);
  assert.deepEqual(verdict.steps, [{ turn: 0, node: "a", took: "b", right: true, quote: "", reasoning: "" }]);
});

test("judgeFlow() passes a score that reaches the threshold", async () => {
  const input = {
    steps: [{ step: 1, evidence: { role: "user", quote: "" }, reasoning: "", right: true, should_have_taken: "b" }],
  };
  const passes = async (score: number, threshold?: number) => {
    const model = scripted({ flow: [{ ...input, reasoning: "", score, confidence: 1 }] });
    const verdict = await judgeFlow(GRAPH, finishedCall({ transcript: OPENING }), { model, threshold });
    return [verdict?.passed, verdict?.threshold];
  };
  assert.deepEqual(await passes(0.7), [true, 0.7]);
  assert.deepEqual(await passes(0.69), [false, 0.7]);
  assert.deepEqual(await passes(0.9, 0.9), [true, 0.9]);
  assert.deepEqual(await passes(0.89, 0.9), [false, 0.9]);
});

test("judgeFlow() doubts a pass without words of the call, unless nobody called", async () => {
  const rows = [
    ["words of the caller", STAYED, { steps: [{ quote: "one" }] }, true],
    ["words that nobody said", STAYED, { steps: [{ quote: "five" }] }, false],
    ["a pass without words", STAYED, {}, false],
    ["a pass with empty words", STAYED, { steps: [{ quote: " " }] }, false],
    ["a failure without words", STAYED, { score: 0.5 }, undefined],
    ["a pass of an opening", [...OPENING, line("assistant", "Hello", "b")], {}, undefined],
    ["a failure of an opening", OPENING, { score: 0.5 }, undefined],
  ] as const;
  for (const [title, transcript, answer, expected] of rows) {
    const { verdict } = await asked(GRAPH, transcript, answer);
    assert.equal(verdict.evidenceFound, expected, title);
  }
});
