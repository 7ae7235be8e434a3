import assert from "node:assert/strict";
import { test } from "node:test";
import { replay, scenarioFromCall } from "../../../api/calls.ts";
import { connect } from "../../../api/connect.ts";
import { openStore, parseGraph, run, scenario, scripted } from "../../../mod.ts";
import type { Message } from "../../../src/document/transcript/mod.ts";

const GRAPH = parseGraph({ entry_node_id: "talk", nodes: { talk: { state_prompt: "Talk." } } });
const OPENING = "Welcome to the clinic. Our opening hours are from nine to five.";

/** A run whose agent gives these replies, the opening first. */
function replying(...respond: readonly string[]) {
  return { models: { agent: scripted({ respond: [...respond] }) }, store: false } as const;
}

function spoken(transcript: readonly Message[] | undefined): readonly string[] {
  return (transcript ?? []).filter(({ role }) => role !== "tool").map(({ role, content }) => `${role}: ${content}`);
}

test("an interruption cuts the reply where it was heard, and the record has the rest", async () => {
  const over = scenario("over").interrupts({ afterWords: 4 }).says("Stop, please").includes("Welcome");
  const model = scripted({ respond: [OPENING, "Sorry. Go on."] });
  const report = await run(GRAPH, [over], { models: { agent: model }, store: false });
  const [result] = report.results;
  assert.equal(result?.status, "pass");
  assert.deepEqual(spoken(result?.transcript), [
    "assistant: Welcome to the clinic.…",
    "system: the caller interrupts",
    "user: Stop, please",
    "assistant: Sorry. Go on.",
  ]);
  assert.deepEqual(result?.transcript[1]?.metadata, {
    kind: "interruption",
    by: "caller",
    unheard: "Our opening hours are from nine to five.",
    after_words: 4,
  });
  assert.deepEqual(result?.approximations, [
    { step: "interrupts after 4 words", instead: "the reply is cut after 4 words of text" },
  ]);
  const history = JSON.stringify(model.calls[1]);
  assert.match(history, /Welcome to the clinic\.…/);
  assert.doesNotMatch(history, /opening hours/);
});

test("what was not heard is neither said nor excluded", async () => {
  const over = scenario("over").interrupts({ afterMs: 800 }).says("Stop").includes("opening hours");
  const [missed] = (await run(GRAPH, [over], replying(OPENING, "Yes?"))).results;
  assert.equal(missed?.status, "fail");
  assert.equal(missed?.transcript[0]?.content, "Welcome to…");
});

test("an interruption of a reply that is over is named, and changes nothing", async () => {
  for (const afterWords of [12, 40]) {
    const late = scenario("late").interrupts({ afterWords }).says("Hello?").includes("nine to five");
    const [result] = (await run(GRAPH, [late], replying(OPENING, "Yes?"))).results;
    assert.equal(result?.status, "pass");
    assert.equal(result?.transcript[0]?.content, OPENING);
    assert.deepEqual(result?.approximations?.at(-1), {
      step: `interrupts after ${afterWords} words`,
      instead: "the opening was over before: the caller waits for its end",
    });
  }
});

test("silence, keys, hold music and a voicemail are turns, and named as approximations", async () => {
  const steps = scenario("steps")
    .silence(3_000)
    .dtmf("12#")
    .holdMusic(5_500)
    .voicemail("You have reached Ana")
    .speaks({ rate: 1.5, line: { packetLoss: 0.1 } })
    .includes("five");
  const [result] = (await run(GRAPH, [steps], replying("one", "two", "three", "four", "five"))).results;
  assert.deepEqual(
    spoken(result?.transcript).filter((line) => line.startsWith("user")),
    ["user: (silent for 3 s)", "user: 1 2 #", "user: (hold music for 5.5 s)", "user: You have reached Ana (beep)"],
  );
  assert.deepEqual(
    result?.approximations?.map(({ step }) => step),
    [
      "is silent for 3 s",
      "presses 12#",
      "plays hold music for 5.5 s",
      "answers as a voicemail",
      "speaks with rate 1.5",
      "speaks with packet_loss 0.1",
    ],
  );
  assert.equal(result?.status, "pass");
});

test("a hang-up ends the call: after a reply, in the middle of a line, over the agent", async () => {
  const after = scenario("after").says("Hi").hangsUp().ends("caller_ended").includes("two");
  const middle = scenario("middle").says("I would like to").hangsUp({ midSentence: true }).ends("caller_ended");
  const over = scenario("over").says("Hi").interrupts({ afterWords: 2 }).hangsUp().ends("caller_ended");
  const options = replying("one", "two", "one", "one", "first second third fourth");
  const report = await run(GRAPH, [after, middle, over], { ...options, limits: { concurrency: 1 } });
  assert.deepEqual(
    report.results.map(({ status, turnCount, transcript }) => [status, turnCount, spoken(transcript)]),
    [
      ["pass", 1, ["assistant: one", "user: Hi", "assistant: two"]],
      ["pass", 1, ["assistant: one", "user: I would…"]],
      ["pass", 1, ["assistant: one", "user: Hi", "assistant: first second…", "system: the caller interrupts"]],
    ],
  );
});

test("what text cannot measure is not checked by name, and never passes alone", async () => {
  const mixed = scenario("mixed")
    .says("Hi")
    .includes("two")
    .stopsWithin(500)
    .neverTalksOver()
    .noDeadAir()
    .wordErrors(0.1);
  const alone = scenario("alone").says("Hi").stopsWithin(500);
  const options = { ...replying("one", "two", "one", "two"), limits: { concurrency: 1 } };
  const [first, second] = (await run(GRAPH, [mixed, alone], options)).results;
  assert.equal(first?.status, "pass");
  assert.deepEqual(
    first?.notChecked?.map(({ kind, expected }) => `${kind} ${expected}`),
    ["stops within 500 ms", "overlap at most 200 ms", "dead_air at most 4000 ms", "words at most 10 % of words lost"],
  );
  assert.deepEqual(
    [second?.status, second?.errorMessage],
    ["error", "Nothing of the scenario could be checked in text"],
  );
});

test("sentences that are said twice fail, in text, too", async () => {
  const twice = scenario("twice").says("Hi").saysNothingTwice();
  const again = "Please hold. We are open until five!";
  const [same] = (await run(GRAPH, [twice], replying(again, "Please hold. We're there. We are open, until FIVE.")))
    .results;
  assert.equal(same?.status, "fail");
  assert.match(same?.checks[0]?.reason ?? "", /^"We are open, until FIVE\." is said in opening, .* and turn 1/);
  const [other] = (await run(GRAPH, [twice], replying(again, "Please hold. We are open until six."))).results;
  assert.equal(other?.status, "pass");
});

test("agents that only read get keys as words, no silence, and a reply that is cut afterwards", async () => {
  const heard: string[] = [];
  const agent = connect.custom({
    agent: (messages) => {
      heard.push(messages.at(-1)?.content ?? "");
      return "first second third fourth";
    },
  });
  const steps = scenario("steps").says("Hi").interrupts({ afterWords: 2 }).dtmf("1#").silence(2_000).includes("first");
  const [result] = (await run(agent, [steps], { store: false, connection: { allowRealTools: true } })).results;
  assert.equal(result?.errorMessage, null);
  assert.deepEqual(heard, ["Hi", "1 #"]);
  assert.deepEqual(spoken(result?.transcript), [
    "user: Hi",
    "assistant: first second…",
    "system: the caller interrupts",
    "user: 1 #",
    "assistant: first second third fourth",
    "user: (silent for 2 s)",
  ]);
  assert.match(result?.approximations?.[0]?.instead ?? "", /the agent does not know of it/);
});

test("a replay takes the same steps, and so does a scenario made of the call", async () => {
  await using store = await openStore(":memory:");
  const steps = scenario("steps")
    .interrupts({ afterWords: 4 })
    .says("Stop")
    .silence(2_000)
    .dtmf("9")
    .interrupts({ afterMs: 400 })
    .hangsUp()
    .ends("caller_ended");
  const replies = [OPENING, "two", "three", "four and more"];
  const { id, results } = await run(GRAPH, [steps], { ...replying(...replies), store });
  assert.deepEqual(
    results.map(({ status }) => status),
    ["pass"],
  );
  const again = await replay(id, GRAPH, { ...replying(...replies), store });
  assert.deepEqual(spoken(again.results[0]?.transcript), spoken(results[0]?.transcript));
  assert.deepEqual(again.results[0]?.replay?.divergences, []);
  const [call] = results;
  assert.ok(call);
  const made = await scenarioFromCall(call, { graph: GRAPH, script: true });
  assert.deepEqual(made.scenario.says, steps.toJSON().says);
  assert.equal(made.scenario.ends, "caller_ended");
});
