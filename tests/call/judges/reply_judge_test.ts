import assert from "node:assert/strict";
import { test } from "node:test";
import { isRecord } from "../../../src/base/values/mod.ts";
import { compilePattern, judgeReplies } from "../../../src/call/judges/mod.ts";
import { offline, resolveModel, scripted } from "../../../src/call/models/mod.ts";
import { line } from "./_fixtures.ts";

const CALL = [
  line("assistant", "Hello, welcome."),
  line("user", "I want a refund"),
  line("assistant", "No.", "refund"),
  line("user", "Why?"),
  line("assistant", "Whatever.", "refund"),
];
const NONE = { patterns: new Map() };

/** Answers that hold of every reply but those with one of the words. */
function rulings(...bad: readonly string[]) {
  return (input: unknown) => {
    const replies = isRecord(input) && Array.isArray(input.replies) ? input.replies : [];
    return {
      rulings: replies.flatMap(({ number, criteria, reply }: { number: number; criteria: number[]; reply: string }) =>
        criteria.map((criterion) => {
          const word = bad.find((each) => reply.includes(each));
          return { reply: number, criterion, met: word === undefined, quote: word ?? reply, reasoning: "rude" };
        }),
      ),
    };
  };
}

test("judgeReplies() asks once for all criteria, each about the replies to which it applies", async () => {
  const model = scripted({ replies: [rulings("No", "Whatever")] });
  const rules = [{ criterion: "is courteous" }, { criterion: "is brief", node: "refund", at_least: 0.5 }];
  const [verdicts] = await judgeReplies(rules, { transcripts: [CALL], ...NONE }, { model });
  assert.deepEqual(model.calls[0]?.input, {
    criteria: [
      { number: 1, criterion: "is courteous" },
      { number: 2, criterion: "is brief" },
    ],
    replies: [
      { number: 1, criteria: [1], heard: "", reply: "Hello, welcome." },
      { number: 2, criteria: [1, 2], heard: "I want a refund", reply: "No." },
      { number: 3, criteria: [1, 2], heard: "Why?", reply: "Whatever." },
    ],
  });
  assert.equal(model.calls.length, 1);
  const [courteous, brief] = verdicts ?? [];
  assert.deepEqual(
    [courteous?.criterion, courteous?.passed, courteous?.threshold, courteous?.replies?.held, courteous?.replies?.of],
    ["each reply: is courteous", false, 1, 1, 3],
  );
  assert.deepEqual([courteous?.evidence, courteous?.evidenceFound], ["agent: No", true]);
  assert.equal(
    courteous?.reasoning,
    '1 of 3 replies (95 % interval 6.1 % to 79.2 %); the first that breaks it, in turn 1, node "refund": "No.", rude',
  );
  assert.deepEqual([brief?.score, brief?.passed], [0, false]);
});

test("judgeReplies() says when the quoted words are not in the reply", async () => {
  const invented = { rulings: [{ reply: 1, criterion: 1, met: false, quote: "Whatever", reasoning: "" }] };
  const model = scripted({ replies: [invented] });
  const rules = [{ criterion: "is courteous", to_turn: 0 }];
  const [verdicts] = await judgeReplies(rules, { transcripts: [CALL], ...NONE }, { model });
  assert.equal(verdicts?.[0]?.evidenceFound, false);
});

test("judgeReplies() judges a stretch of the call, and gives no verdict where there is none", async () => {
  const after = "I want a refund";
  const patterns = new Map([[after, await compilePattern(after)]]);
  const judged = async (transcript: typeof CALL) => {
    const model = scripted({ replies: [rulings()] });
    const [verdicts] = await judgeReplies(
      [{ criterion: "is kind", after }],
      { transcripts: [transcript], patterns },
      { model },
    );
    return [model.calls.length, verdicts?.[0]?.replies?.of];
  };
  assert.deepEqual(await judged(CALL), [1, 2]);
  assert.deepEqual(await judged(CALL.slice(0, 1)), [0, undefined]);
});

test("judgeReplies() rejects answers that leave out a reply, judge one twice, or judge another", async () => {
  const ruling = (reply: number) => ({ reply, criterion: 1, met: true, quote: "", reasoning: "" });
  for (const [answer, problem] of [
    [[1, 2], /reply 3 by criterion 1 is not judged/],
    [[1, 2, 3, 3], /reply 3 by criterion 1 is judged twice/],
    [[1, 2, 3, 4], /reply 4 by criterion 1 is not asked/],
  ] as const) {
    const wrong = { rulings: answer.map(ruling) };
    const model = scripted({ replies: Array.from({ length: 9 }, () => wrong) });
    await assert.rejects(judgeReplies([{ criterion: "is kind" }], { transcripts: [CALL], ...NONE }, { model }), {
      code: "model-output",
      message: problem,
    });
  }
});

test("the offline model judges each reply by its own words", async () => {
  const transcripts = [
    [line("assistant", "Sorry to hear that."), line("user", "hm"), line("assistant", "Next, please.")],
  ];
  const model = await resolveModel(offline());
  const [verdicts] = await judgeReplies([{ criterion: "says sorry" }], { transcripts, ...NONE }, { model });
  assert.deepEqual([verdicts?.[0]?.replies?.held, verdicts?.[0]?.replies?.of], [1, 2]);
  assert.match(verdicts?.[0]?.reasoning ?? "", /in turn 1.*"Next, please\."/);
});
