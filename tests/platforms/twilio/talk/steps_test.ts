import assert from "node:assert/strict";
import { test } from "node:test";
import { type RunOptions, run, scenario } from "../../../../mod.ts";
import { twilioConnection } from "../../../../platforms/twilio/talk/bot.ts";
import { FAST } from "../../../call/voice/_fast_clock.ts";
import { hummingModels, tone } from "../../../call/voice/_tones.ts";
import { statuses } from "../../connections/_runs.ts";
import { startTwilio } from "./_bot.ts";

const NOW: RunOptions = { store: false };
/** The bot sends a reply at once: its length is that of the sound on any machine. */
const HELLO = { acts: [{ sound: tone(440, 20_000) }], yieldsMs: 100 };
/** A bot that does not yield talks until its words end, so they are shorter. */
const STUBBORN = { acts: [{ sound: tone(440, 6_000) }] };
const MONDAY = { acts: [{ sound: tone(600, 300) }] };

function agentAt(socketUrl: string) {
  const given = { url: `${socketUrl}/media`, ...hummingModels(), hangUpMs: 0, turns: { endMs: 100 } };
  return twilioConnection(given, { clock: FAST });
}

const over = scenario("over")
  .interrupts({ afterMs: 500 })
  .says("No, stop!")
  .includes("It arrives on Monday.")
  .stopsWithin(10_000)
  .neverTalksOver(10_000)
  .noDeadAir(20_000)
  .saysNothingTwice();

test("a scenario interrupts a bot, and its expectations are checked by what was heard", async () => {
  await using server = await startTwilio({ replies: [HELLO, MONDAY] });
  const report = await run(agentAt(server.socketUrl), [over], NOW);
  assert.deepEqual(statuses(report), ["pass"]);
  const [result] = report.results;
  assert.deepEqual(
    result?.transcript.map(({ role, content }) => `${role}: ${content}`),
    [
      "assistant: Hello, how can I help?",
      "system: the caller interrupts",
      "user: No, stop!",
      "assistant: It arrives on Monday.",
    ],
  );
  assert.deepEqual(
    result?.checks.map(({ kind, passed }) => [kind, passed]),
    [
      ["includes", true],
      ["stops", true],
      ["overlap", true],
      ["dead_air", true],
      ["repeats", true],
    ],
  );
  assert.equal(result?.connection?.voice?.interruptions.length, 1);
  assert.equal(result?.approximations, undefined);
  assert.equal(result?.connection?.notChecked, undefined);
});

test("a bot that talks on when it is interrupted fails the expectation", async () => {
  await using server = await startTwilio({ replies: [STUBBORN, MONDAY] });
  const stubborn = scenario("stubborn").interrupts({ afterMs: 500 }).says("No, stop!").stopsWithin(300);
  const [status] = statuses(await run(agentAt(server.socketUrl), [stubborn], NOW));
  assert.match(status ?? "", /^fail: stops within 300 ms/);
});

test("an interruption that did not take place leaves its expectation unchecked, by name", async () => {
  await using server = await startTwilio({ replies: [{ acts: [{ sound: tone(440, 300) }] }, MONDAY] });
  const late = scenario("late").interrupts({ afterMs: 5_000 }).says("No, stop!").stopsWithin(300).includes("Monday");
  const [result] = (await run(agentAt(server.socketUrl), [late], NOW)).results;
  assert.equal(result?.status, "pass");
  assert.deepEqual(result?.connection?.notChecked, [
    { kind: "stops", expected: "within 300 ms", reason: "the caller did not interrupt the agent" },
  ]);
  assert.match(result?.approximations?.[0]?.instead ?? "", /^the opening was over before/);
  const alone = scenario("alone").interrupts({ afterMs: 5_000 }).says("No, stop!").stopsWithin(300);
  const [nothing] = (await run(agentAt(server.socketUrl), [alone], NOW)).results;
  assert.equal(nothing?.status, "error");
});

test("words that the platform hears wrongly are refused by name where it writes down none", async () => {
  await using server = await startTwilio({ replies: [HELLO, MONDAY] });
  const words = scenario("words").says("Hi").wordErrors(0.1).includes("Monday");
  await assert.rejects(run(agentAt(server.socketUrl), [words], NOW), /does not write down what it heard of the caller/);
});

test("a connection by voice without keys refuses a scenario that presses some, by name", async () => {
  await using server = await startTwilio({ replies: [HELLO, MONDAY] });
  const agent = agentAt(server.socketUrl);
  const keys = scenario("keys").dtmf("12#").includes("Monday");
  const without = { ...agent, prepare: undefined, capabilities: { ...agent.capabilities, dtmf: false } };
  for (const unchecked of ["refuse", "report"] as const)
    await assert.rejects(
      run({ name: without.name, capabilities: without.capabilities, open: without.open }, [keys], {
        ...NOW,
        connection: { unchecked },
      }),
      /scenario "keys" needs dtmf for a caller who presses 12#: .* does not pass keys of the telephone/,
    );
  assert.equal(server.bots.length, 0);
});
