import assert from "node:assert/strict";
import { test } from "node:test";
import { isRecord } from "../../../src/base/values/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { evaluate, readTimeline } from "../../../src/run/evaluation/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";

/** Replies with counts by hand: words, questions, and whether a person would call them courteous. */
const COUNTED = [
  { text: "Good morning, this is the clinic.", words: 6, questions: 0, isKind: true },
  { text: "What do you want?", words: 4, questions: 1, isKind: false },
  { text: "I am sorry to hear that. When did it start?", words: 10, questions: 1, isKind: true },
  { text: "Name?", words: 1, questions: 1, isKind: false },
  { text: "Thank you. And your date of birth, please?", words: 8, questions: 1, isKind: true },
  { text: "That will not work, as I said before, so choose another day.", words: 12, questions: 0, isKind: false },
  { text: "Would Tuesday suit you? Or do you prefer Friday?", words: 9, questions: 2, isKind: true },
  { text: "Of course.", words: 2, questions: 0, isKind: true },
  { text: "Dr Ames sees you on Tuesday at 10:30 in room 2.", words: 11, questions: 0, isKind: true },
  { text: "Goodbye, and get well soon!", words: 5, questions: 0, isKind: true },
] as const;
const RUDE = COUNTED.filter(({ isKind }) => !isKind).map(({ text }): string => text);

/** A call with replies of the table: of every call others, in another order. */
function callOf(number: number, replies = 1 + (number % 9)) {
  const said = Array.from(
    { length: replies },
    (_, at) => COUNTED[(number * 7 + at * 3) % COUNTED.length] ?? COUNTED[0],
  );
  const events = said.flatMap(({ text }, at) => [
    ...(at === 0 ? [] : [{ type: "message", role: "caller", text: `line ${at}` } as const]),
    { type: "message", role: "agent", text, node: at % 2 === 0 ? "even" : "odd" } as const,
  ]);
  return { said, call: readTimeline({ name: `call ${number}`, events }) };
}

/** A judge that finds rude what the table says. */
function judge() {
  const answer = (input: unknown) => {
    const replies = isRecord(input) && Array.isArray(input.replies) ? input.replies : [];
    return {
      rulings: replies.flatMap(({ number, criteria, reply }: { number: number; criteria: number[]; reply: string }) =>
        criteria.map((criterion) => ({
          reply: number,
          criterion,
          met: !RUDE.includes(reply),
          quote: reply,
          reasoning: "",
        })),
      ),
    };
  };
  return scripted({ replies: Array.from({ length: 1_000 }, () => answer) });
}

test("rules for each reply equal a count by hand on 50 stored calls", async () => {
  await using store = await openStore(":memory:");
  const counted = Array.from({ length: 50 }, (_, number) => callOf(number));
  const stored = await evaluate(
    counted.map(({ call }) => call),
    { expectations: { each_reply: [{ words_at_most: 100 }] }, store },
  );
  const { results: calls } = await store.showRun(stored.id);
  const report = await evaluate(calls, {
    models: { agent: judge() },
    expectations: {
      each_reply: [
        { words_at_most: 9 },
        { questions_at_most: 1, at_least: 0.8 },
        { words_at_most: 9, node: "even" },
        { words_at_most: 5, from_turn: 0, to_turn: 1 },
        { criterion: "is courteous", at_least: 0.6 },
      ],
    },
    store,
  });
  const { results } = await store.showRun(report.id);
  assert.equal(results.length, 50);
  for (const [index, { said }] of counted.entries()) {
    const result = results.find(({ scenario }) => scenario === `call ${index}`);
    const count = (list: typeof said, holds: (each: (typeof said)[number]) => boolean) => [
      list.filter(holds).length,
      list.length,
    ];
    const expected = [
      count(said, ({ words }) => words <= 9),
      count(said, ({ questions }) => questions <= 1),
      count(
        said.filter((_, at) => at % 2 === 0),
        ({ words }) => words <= 9,
      ),
      count(said.slice(0, 2), ({ words }) => words <= 5),
      count(said, ({ isKind }) => isKind),
    ];
    const found = [...(result?.checks ?? []), ...(result?.verdicts ?? [])];
    assert.deepEqual(
      found.map(({ replies }) => [replies?.held, replies?.of]),
      expected,
      `call ${index}`,
    );
    const shares = [1, 0.8, 1, 1, 0.6];
    const passes = expected.map(([held = 0, of = 0], at) => held / of >= (shares[at] ?? 1));
    assert.deepEqual(
      found.map(({ passed }) => passed),
      passes,
      `call ${index}`,
    );
    assert.equal(result?.status, passes.every(Boolean) ? "pass" : "fail");
  }
  const broken = results.find(({ scenario }) => scenario === "call 5")?.checks[0];
  assert.match(broken?.reason ?? "", /; the first that breaks it, in .*: ".*", \d+ words$/);
});

test("10,000 replies of short calls are judged with at most one request for 20 of them", async () => {
  const calls = Array.from({ length: 2_500 }, (_, number) => callOf(number, 4));
  const model = judge();
  const report = await evaluate(
    calls.map(({ call }) => call),
    { models: { agent: model }, expectations: { each_reply: [{ criterion: "is courteous", at_least: 0.01 }] } },
  );
  const verdicts = report.results.flatMap(({ verdicts }) => verdicts);
  assert.equal(
    verdicts.reduce((sum, { replies }) => sum + (replies?.of ?? 0), 0),
    10_000,
  );
  assert.ok(model.calls.length <= 10_000 / 20, `${model.calls.length} requests`);
  const kind = calls.reduce((sum, { said }) => sum + said.filter(({ isKind }) => isKind).length, 0);
  assert.equal(
    verdicts.reduce((sum, { replies }) => sum + (replies?.held ?? 0), 0),
    kind,
  );
});

test("calls with other rules are judged apart, and a failed request is an error of its calls alone", async () => {
  const calls = [callOf(1, 3), callOf(2, 3)].map(({ call }) => call);
  const scenarios = [
    { name: "call 1", says: ["x"], each_reply: [{ criterion: "is courteous" }] },
    { name: "call 2", says: ["x"], each_reply: [{ criterion: "is brief" }] },
  ];
  const model = scripted({ replies: [new Error("down"), { rulings: [] }] });
  const { results } = await evaluate(calls, {
    models: { agent: model },
    scenarios,
    requests: { retry: { retries: 0 } },
  });
  assert.deepEqual(
    results.map(({ status }) => status),
    ["error", "error"],
  );
  const good = await evaluate(calls, { models: { agent: judge() }, scenarios });
  assert.deepEqual(
    good.results.map(({ verdicts }) => verdicts[0]?.requirement),
    ["is courteous", "is brief"],
  );
});

test("a rule that applies to no reply of a call is never passed", async () => {
  const { call } = callOf(1, 3);
  const only = await evaluate([call], { expectations: { each_reply: [{ words_at_most: 99, node: "other" }] } });
  assert.equal(only.results[0]?.status, "error");
  const each_reply = [{ words_at_most: 99 }, { criterion: "is kind", node: "other" }];
  const some = await evaluate([call], { expectations: { each_reply } });
  assert.deepEqual(
    [some.results[0]?.status, some.results[0]?.notChecked?.map(({ expected }) => expected)],
    ["pass", ['each reply: is kind (at "other")']],
  );
});
