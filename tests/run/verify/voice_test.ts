import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, verify } from "../../../api/connect.ts";
import { flow, scenario, scripted } from "../../../mod.ts";
import { twilioConnection } from "../../../platforms/twilio/talk/bot.ts";
import { PLAIN } from "../../../src/base/values/mod.ts";
import { formatVerification } from "../../../src/surface/cli/format/mod.ts";
import { FAST } from "../../call/voice/_fast_clock.ts";
import { hummingModels, tone } from "../../call/voice/_tones.ts";
import { startTwilio } from "../../platforms/twilio/talk/_bot.ts";

const DESK = flow("desk")
  .conversation("greet", { prompt: "Greet.", next: ({ to }) => [to("bye", "Caller is done")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();
const HELLO = { acts: [{ sound: tone(440, 20_000) }], yieldsMs: 100 };
const MONDAY = { acts: [{ sound: tone(600, 300) }] };

/** What the graph's model says, for two calls. */
function graphModel(opening: string) {
  const stays = { objectives_complete: true, transition_to: "none" };
  const one = [opening, "It arrives on Monday."];
  return scripted({ respond: [...one, ...one], transition: [stays, stays] });
}

test("verify() compares calls by voice with the graph: words, end and verdict, and counts what only voice shows", async () => {
  await using server = await startTwilio({ replies: [HELLO, MONDAY] });
  const given = { url: `${server.socketUrl}/media`, ...hummingModels(), hangUpMs: 0, turns: { endMs: 100 } };
  const agent = twilioConnection(given, { clock: FAST });
  const over = scenario("over").interrupts({ afterMs: 1_600 }).says("No, stop!").includes("Monday").stopsWithin(10_000);
  const options = { store: false, graph: DESK, repeat: { times: 2 }, limits: { concurrency: 1 } } as const;
  const report = await verify(agent, [over], {
    ...options,
    models: { agent: graphModel("Hello, how can I help you with that today?") },
  });
  assert.deepEqual(report.notCompared, []);
  assert.equal(report.calls.length, 2);
  assert.deepEqual(report.notReported, ["path", "variable", "tool"]);
  const shares = Object.fromEntries((report.voice?.figures ?? []).map(({ kind, count, of }) => [kind, [count, of]]));
  assert.deepEqual(shares, { words: [2, 4], stops: [2, 2], overlap: [0, 2] });
  const [words] = report.voice?.figures ?? [];
  assert.ok(words && words.rate === 0.5 && words.interval.low < 0.5 && words.interval.high > 0.5);
  assert.deepEqual(
    report.voice?.times.map(({ count }) => count),
    [4, 2, 4],
  );
  assert.match(formatVerification(report, PLAIN), /2 of 2 \(34 to 100 %\) interruptions after which the agent stops/);
});

test("verify() of calls in text has no figures of voice", async () => {
  const agent = connect.custom({ agent: () => "It arrives on Monday." });
  const asks = scenario("asks").says("Hi").includes("Monday");
  const report = await verify(agent, [asks], {
    store: false,
    graph: DESK,
    allowRealTools: true,
    models: { agent: graphModel("Hello") },
  });
  assert.equal(report.voice, undefined);
});

test("a call that fails with the graph is named as not compared", async () => {
  const agent = connect.custom({ agent: () => "It arrives on Monday." });
  const asks = scenario("asks").says("Hi").includes("Monday");
  const models = { agent: scripted({ respond: ["Hello"], transition: [{ transition_to: 3 }] }) };
  const report = await verify(agent, [asks], { store: false, graph: DESK, allowRealTools: true, models });
  assert.deepEqual(
    report.notCompared.map(({ scenario: name, trial, side }) => [name, trial, side]),
    [["asks", 1, "graph"]],
  );
  assert.equal(report.same, false);
});
