import assert from "node:assert/strict";
import { test } from "node:test";
import { findEvidence, judgeMetrics } from "../../../src/call/judges/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { finishedCall, line } from "./_fixtures.ts";

const { transcript } = finishedCall();
const metrics = [
  { criterion: "greets", threshold: 0.7 },
  { criterion: "gives a reference", threshold: 0.9 },
];

function verdict(number: number, score: number, evidence = "") {
  return { number, requirement: "must", evidence, reasoning: "because", score, confidence: 0.8 };
}

test("judgeMetrics() judges all criteria in one call that sees only spoken messages", async () => {
  const model = scripted({ judge: [{ verdicts: [verdict(2, 0.9), verdict(1, 0.69)] }] });
  const verdicts = await judgeMetrics(metrics, transcript, { model });
  assert.equal(model.calls.length, 1);
  assert.deepEqual(model.calls[0]?.input, {
    criteria: [
      { number: 1, criterion: "greets" },
      { number: 2, criterion: "gives a reference" },
    ],
    transcript: transcript.filter(({ role }) => role !== "tool").map(({ role, content }) => ({ role, content })),
  });
  assert.deepEqual(
    verdicts.map(({ criterion, score, threshold, passed }) => ({ criterion, score, threshold, passed })),
    [
      { criterion: "greets", score: 0.69, threshold: 0.7, passed: false },
      { criterion: "gives a reference", score: 0.9, threshold: 0.9, passed: true },
    ],
  );
});

test("judgeMetrics() passes a score equal to the threshold, also at both ends of the scale", async () => {
  for (const [score, threshold, passed] of [
    [0, 0, true],
    [1, 1, true],
    [0.3, 0.3, true],
    [0.29999, 0.3, false],
  ] as const) {
    const model = scripted({ judge: [{ verdicts: [verdict(1, score)] }] });
    const [found] = await judgeMetrics([{ criterion: "x", threshold }], transcript, { model });
    assert.equal(found?.passed, passed, `${score} of ${threshold}`);
  }
});

test("judgeMetrics() makes no call without criteria", async () => {
  assert.deepEqual(await judgeMetrics([], transcript, { model: scripted({}) }), []);
});

test("judgeMetrics() rejects answers that do not cover each criterion once", async () => {
  const answers = [
    [[verdict(1, 1)], /criterion 2 is not judged/],
    [[], /criterion 1 is not judged; criterion 2 is not judged/],
    [[verdict(1, 1), verdict(1, 1), verdict(2, 1)], /criterion 1 is judged twice/],
    [[verdict(1, 1), verdict(2, 1), verdict(3, 1)], /there is no criterion 3/],
    [[verdict(0, 1), verdict(1, 1)], /there is no criterion 0; criterion 2 is not judged/],
    [[verdict(1, 1), verdict(1.5, 1)], /there is no criterion 1.5/],
    [[verdict(1, 1.2), verdict(2, 1)], /score/],
  ] as const;
  for (const [verdicts, message] of answers) {
    const model = scripted({ judge: [{ verdicts }] });
    await assert.rejects(judgeMetrics(metrics, transcript, { model }), (error) => {
      assert.ok(error instanceof Error && "code" in error);
      assert.equal(error.code, "model-output");
      assert.match(error.message, message);
      return true;
    });
  }
});

test("judgeMetrics() marks evidence that nobody said", async () => {
  const found = async (evidence: string) => {
    const model = scripted({ judge: [{ verdicts: [verdict(1, 1, evidence)] }] });
    const [first] = await judgeMetrics([{ criterion: "x", threshold: 0.7 }], transcript, { model });
    return first?.evidenceFound;
  };
  assert.equal(await found("you are THROUGH to acme"), true);
  assert.equal(await found("I will refund you"), false);
  assert.equal(await found("secret tool output"), false);
});

/** The verdict on a criterion, of a judge that answers with these keys. */
async function judged(criterion: string, answer: object, score = 1) {
  const model = scripted({ judge: [{ verdicts: [{ number: 1, score, ...answer }] }] });
  const [first] = await judgeMetrics([{ criterion, threshold: 0.7 }], transcript, { model });
  return first ?? assert.fail();
}

test("judgeMetrics() needs evidence where words must show the result: of a presence that passes, an absence that fails", async () => {
  for (const [claims, score, found] of [
    ["presence", 1, false],
    ["presence", 0, undefined],
    ["absence", 1, undefined],
    ["absence", 0, false],
  ] as const) {
    const verdict = await judged("Spricht über Techniker", { claims, evidence: [] }, score);
    assert.deepEqual([verdict.claims, verdict.evidenceFound], [claims, found], `${claims} ${score}`);
  }
  const invented = await judged("x", { claims: "absence", evidence: "agent: nobody said this" });
  assert.equal(invented.evidenceFound, false);
});

test("judgeMetrics() reads what a criterion claims from its wording when the judge does not say it", async () => {
  for (const [claims, criteria] of [
    [
      "absence",
      [
        "The agent does not mention a technician",
        "The agent never asks for a password",
        "Don't talk about prices",
        "Der Agent erwähnt keinen Techniker",
        "Der Agent fragt nicht nach dem Passwort",
        "L'agent n'évoque pas le prix",
        "El agente no menciona ningún técnico",
        "De agent noemt geen prijs",
      ],
    ],
    [
      "presence",
      [
        "The agent greets the caller",
        "The agent says that there is no order",
        "Der Agent nennt den Preis",
        "Der Agent sagt, dass es keinen Termin gibt",
        "L'agent salue l'appelant",
        "El agente saluda",
      ],
    ],
  ] as const) {
    for (const criterion of criteria) assert.equal((await judged(criterion, {})).claims, claims, criterion);
  }
});

test("judgeMetrics() accepts verdicts without the keys that only explain", async () => {
  const verdict = await judged("greets", { confidence: "high", reasoning: null, evidence: ["Hello", "Bye"] });
  assert.deepEqual([verdict.requirement, verdict.reasoning, verdict.evidence], ["greets", "", "Hello\nBye"]);
  assert.equal("confidence" in verdict, false);
});

test("findEvidence() ignores typography of quotations", () => {
  const call = [line("assistant", "It’s 30 dollars – due on Friday."), line("user", 'I said "no" twice.')];
  const quotations = [
    "It's 30 dollars - due on friday",
    '"It\'s 30 dollars"',
    "“It’s 30 dollars … due on Friday.”",
    "assistant: It’s 30 dollars",
    "Agent: It's 30 dollars\nCaller: I said",
    'Caller: I said "no" twice.',
    'The caller says "no"',
    'The agent says "30 dollars" and "due on Friday".',
  ];
  for (const quotation of quotations) assert.ok(findEvidence(quotation, call), quotation);
  for (const invented of ["It's 40 dollars", 'The agent says "30 dollars" and "never mind"', "…", '""', " "]) {
    assert.equal(findEvidence(invented, call), undefined, invented);
  }
});

test("findEvidence() returns the messages with the quotation", () => {
  assert.deepEqual(findEvidence("ref-a7\ncaller: my ... 123", transcript), [transcript[3], transcript[1]]);
});
