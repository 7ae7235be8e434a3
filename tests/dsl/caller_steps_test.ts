import assert from "node:assert/strict";
import { test } from "node:test";
import { scenarioModule } from "../../dsl/eject/eject_scenarios.ts";
import { parseGraph, parseScenarios, scenario } from "../../mod.ts";
import { emitBlandScenarios } from "../../platforms/bland/scenarios.ts";
import type { Loss } from "../../platforms/platform.ts";
import { emitTestCases } from "../../platforms/retell/test_cases.ts";
import { emitVapiTests } from "../../platforms/vapi/simulations.ts";
import { callerLinesOf, callerTurns, scenarioFingerprint } from "../../src/document/scenario/mod.ts";

const WHOLE = scenario("whole")
  .says("Hi", "I need help")
  .interrupts({ afterMs: 600 })
  .says("Stop")
  .silence(3_000)
  .interrupts({ afterWords: 4 })
  .dtmf("12*#")
  .holdMusic(5_000)
  .voicemail("You have reached Ana.")
  .says("I would like")
  .hangsUp({ midSentence: true })
  .speaks({ voice: "ana", language: "de", rate: 1.5, noise: 10, line: { packetLoss: 0.02 } })
  .answersWithin(1_500, { afterTools: 3_000 })
  .stopsWithin(500)
  .neverTalksOver(0)
  .noDeadAir()
  .saysNothingTwice()
  .wordErrors(0.1);

test("the steps of a caller are a part of the document", () => {
  const document = WHOLE.toJSON();
  assert.deepEqual(document.says, [
    "Hi",
    "I need help",
    { interrupts: { after_ms: 600 } },
    "Stop",
    { silence_ms: 3_000 },
    { interrupts: { after_words: 4 } },
    { dtmf: "12*#" },
    { hold_music_ms: 5_000 },
    { voicemail: "You have reached Ana." },
    "I would like",
    { hangs_up: { mid_sentence: true } },
  ]);
  const {
    speaks,
    answers_after_tools_within_ms: tools,
    talks_over_at_most_ms: over,
    dead_air_at_most_ms: air,
  } = document;
  assert.deepEqual([speaks?.noise_db, speaks?.packet_loss, tools, over, air], [10, 0.02, 3_000, 0, 4_000]);
  const [again] = parseScenarios(JSON.parse(JSON.stringify({ scenarios: [document] })));
  assert.deepEqual(again, document);
  assert.deepEqual(callerLinesOf(callerTurns(document.says)), document.says);
});

test("each step changes the fingerprint", () => {
  const plain = scenario("a").says("Hi");
  const all = [
    plain,
    plain.silence(1),
    plain.silence(2),
    plain.dtmf("1"),
    plain.holdMusic(1),
    plain.voicemail("Hi"),
    plain.hangsUp(),
    plain.hangsUp({ midSentence: true }),
    plain.interrupts({ afterMs: 5 }).says("Hi"),
    plain.interrupts({ afterWords: 5 }).says("Hi"),
    plain.speaks({ rate: 2 }),
    plain.stopsWithin(1),
    plain.neverTalksOver(1),
    plain.noDeadAir(1),
    plain.saysNothingTwice(),
    plain.wordErrors(1),
  ];
  assert.equal(new Set(all.map((each) => scenarioFingerprint(each.toJSON()))).size, all.length);
});

test("a scenario with steps is ejected as the code that builds it", () => {
  const graph = parseGraph({ entry_node_id: "talk", nodes: { talk: { state_prompt: "Talk." } } });
  const code = scenarioModule([WHOLE.toJSON()], graph);
  for (const part of [
    '.says("Hi", "I need help")',
    ".interrupts({ afterMs: 600 })",
    ".interrupts({ afterWords: 4 })",
    '.dtmf("12*#")',
    ".hangsUp({ midSentence: true })",
    "packetLoss: 0.02",
    ".answersWithin(1500, { afterTools: 3000 })",
    ".neverTalksOver(0)",
    ".saysNothingTwice()",
  ])
    assert.ok(code.includes(part), `${part} is not in\n${code}`);
});

const WRONG: readonly (readonly [name: string, document: object, path: string])[] = [
  ["an interruption with nothing over it", { says: ["Hi", { interrupts: { after_ms: 5 } }] }, "says.1"],
  ["an interruption by silence", { says: [{ interrupts: { after_ms: 5 } }, { silence_ms: 5 }] }, "says.0"],
  ["two ways to count", { says: [{ interrupts: { after_ms: 5, after_words: 1 } }, "Hi"] }, "says.0"],
  ["no key of a telephone", { says: [{ dtmf: "12x" }] }, "says.0"],
  ["a line after a hang-up", { says: ["Hi", { hangs_up: {} }, "Bye"] }, "says.1"],
  ["a persona after a hang-up", { says: ["Hi", { hangs_up: {} }], user_prompt: "You call." }, "says.1"],
  ["a cut line that is none", { says: [{ silence_ms: 5 }, { hangs_up: { mid_sentence: true } }] }, "says.1"],
  ["a misspelt step", { says: [{ silence: 5 }] }, "says.0"],
  ["a misspelt key of speech", { says: ["Hi"], speaks: { speed: 2 } }, "speaks.speed"],
  ["a share above 1", { says: ["Hi"], word_errors_at_most: 2 }, "word_errors_at_most"],
];

for (const [name, document, path] of WRONG)
  test(`parseScenarios() rejects ${name}`, () => {
    assert.throws(
      () => parseScenarios({ name: "wrong", ...document }),
      (error: { readonly code?: string; readonly path?: readonly unknown[]; readonly hint?: string }) => {
        assert.equal(error.code, "invalid-scenario");
        assert.ok(error.path?.join(".").includes(path), `${error.path?.join(".")} is not ${path}`);
        assert.notEqual(error.hint, "");
        return true;
      },
    );
  });

test("the builder rejects an interruption that nothing follows", () => {
  const open = scenario("open").says("Hi").interrupts({ afterMs: 5 }).includes("x");
  assert.throws(() => open.toJSON(), { code: "invalid-scenario" });
  assert.throws(() => open.silence(5), { code: "invalid-scenario" });
  assert.throws(() => open.interrupts({ afterMs: 5 }), { code: "invalid-scenario" });
  assert.deepEqual(open.says("Stop").toJSON().says.length, 3);
});

test("platforms' tests name each step and each expectation that they lose", () => {
  const parts = [
    ...["2", "4", "5", "6", "7", "8", "10"].map((at) => `says.${at}`),
    ...["voice", "language", "rate", "noise_db", "packet_loss"].map((key) => `speaks.${key}`),
    ...["answers_after_tools_within_ms", "stops_within_ms", "talks_over_at_most_ms"],
    ...["dead_air_at_most_ms", "says_nothing_twice", "word_errors_at_most"],
  ];
  const retell = emitTestCases([WHOLE]);
  const lost = (code: RegExp, losses: readonly Loss[]) =>
    losses.filter((loss) => code.test(loss.code)).map(({ path }) => path.slice(1).join("."));
  assert.deepEqual(lost(/^voice-/, retell.losses), parts);
  assert.deepEqual(lost(/^voice-as-text/, retell.losses), ["says.6", "says.8"]);
  assert.match(retell.cases[0]?.user_prompt ?? "", /4\. 1 2 \* #\n/);
  assert.doesNotMatch(JSON.stringify(retell.cases), /\[object/);
  const vapi = emitVapiTests([WHOLE]);
  assert.deepEqual(lost(/^voice-only/, vapi.losses), parts);
  const said = vapi.evals[0]?.eval.messages.flatMap((message) => ("content" in message ? [message.content] : []));
  assert.deepEqual(said, ["Hi", "I need help", "Stop", "1 2 * #", "You have reached Ana. (beep)", "I would…"]);
  const bland = emitBlandScenarios([WHOLE]);
  assert.deepEqual(lost(/^voice-only/, bland.losses), parts);
  const texts = JSON.stringify([retell.cases, vapi.evals, bland]);
  assert.doesNotMatch(texts, /\[object/);
  assert.equal(texts.split("You have reached Ana. (beep)").length, 4);
});
