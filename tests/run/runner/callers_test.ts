import assert from "node:assert/strict";
import { test } from "node:test";
import { formatHtml, formatReport, reportOf } from "../../../api/reporters.ts";
import {
  estimate,
  flow,
  isCallweaveError,
  openStore,
  type RunOptions,
  run,
  scenario,
  scripted,
  text,
} from "../../../mod.ts";
import { CALLER_SETS, CALLERS } from "../../../src/document/scenario/mod.ts";

const desk = flow("desk", { variables: { day: text("Day of the appointment, such as Tuesday") } })
  .conversation("greet", {
    prompt: "Greet the caller and ask how you can help.",
    next: ({ to }) => [to("ask", "Caller wants an appointment")],
  })
  .conversation("ask", {
    prompt: "Ask for the day of the appointment.",
    next: ({ to }) => [to("day", "Caller names a day")],
  })
  .extract("day", { fills: ["day"], next: ({ to }) => [to("bye")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();

const books = scenario("books", desk)
  .persona("You want to book an appointment. The day is Tuesday. Your name is Anna Ruiz.")
  .visits("greet", "ask", "bye");

test("each caller of each set is played by the offline model, shows its traits and reaches the end", async () => {
  const report = await run(desk, [books], { callers: Object.keys(CALLER_SETS), store: false });
  assert.deepEqual(
    report.results.filter(({ status }) => status !== "pass").map(({ scenario, audit }) => [scenario, audit]),
    [],
  );
  assert.deepEqual([...(report.callers?.callers ?? [])].sort(), Object.keys(CALLERS).sort());
  const hard = report.results.find(({ caller }) => caller?.cast?.caller === "hard-of-hearing");
  assert.ok(hard?.transcript.some(({ role, content }) => role === "user" && content.startsWith("Pardon?")));
  assert.deepEqual(hard?.caller?.traits, { hearing: "hard" });
});

/** An agent with whom only a caller who never asks again gets through. */
const deaf = () => {
  const respond = (input: { readonly user_message?: unknown }) =>
    /Pardon/.test(String(input.user_message)) ? "I have said it." : "Which day?";
  const transition = (input: { readonly conversation_history?: unknown }) => {
    const heard = JSON.stringify(input.conversation_history);
    const isOver = /Pardon/.test(heard) ? "" : "bye";
    return { objectives_complete: isOver !== "", transition_to: isOver };
  };
  return scripted({ respond: Array(60).fill(respond), transition: Array(60).fill(transition) });
};

const hello = flow("hello")
  .conversation("greet", { prompt: "Ask for the day.", next: ({ to }) => [to("bye", "Caller names a day")] })
  .end("bye", { text: "Goodbye." })
  .compile();

const talks = (lines: readonly string[]) => {
  const said = (input: { readonly conversation_history?: unknown }) => {
    const { conversation_history: history } = input;
    const count = Array.isArray(history) ? history.filter(({ role }) => role === "user").length : 0;
    return { message: lines[count % lines.length], should_end: false };
  };
  return scripted({ caller: Array(60).fill(said) });
};

/** A caller who asks again if its persona is hard of hearing. */
const hearsOrNot = () => {
  const said = ({ persona, conversation_history: history }: { readonly [key: string]: unknown }) => {
    const isFirst = !JSON.stringify(history).includes('"user"');
    const isHard = String(persona).includes("hard of hearing") && isFirst;
    return { message: isHard ? "Pardon? Say that again." : "I can come … on Tuesday", should_end: false };
  };
  return scripted({ caller: Array(60).fill(said) });
};

const asks = scenario("asks", hello).persona("You want an appointment on Tuesday.").ends("agent_ended").turns(3);

test("the table shows that it works for every caller but the hard of hearing, in all reports", async () => {
  await using store = await openStore(":memory:");
  const options: RunOptions = {
    models: { agent: deaf(), caller: hearsOrNot() },
    callers: ["bad-line", "hard-of-hearing"],
    limits: { concurrency: 1 },
    store,
  };
  const works = await run(hello, [asks], {
    ...options,
    callers: "ordinary",
    models: { agent: deaf(), caller: talks(["On Tuesday"]) },
  });
  assert.equal(works.callers?.totals[0]?.passRate, 1);
  const report = await run(hello, [asks], options);
  assert.deepEqual(report.callers?.callers, ["bad-line", "hard-of-hearing"]);
  assert.deepEqual(
    report.callers?.rows[0]?.cells.map((cell) => [cell?.passes, cell?.trials]),
    [
      [1, 1],
      [0, 1],
    ],
  );
  assert.match(formatReport(report), /asks +1\/1 +0\/1\n/);
  assert.match(formatReport(works), /Works for every caller\n/);
  assert.match(
    formatHtml(report, { graph: hello }),
    /"callers":\{"sentence":"Works for every caller but hard-of-hearing \(0 of 1\)/,
  );
  assert.deepEqual(reportOf(await store.showRun(report.id)).callers, report.callers);
  const [result] = (await store.showRun(report.id)).results;
  assert.deepEqual(result?.caller, { traits: { line: "breaking" }, cast: { scenario: "asks", caller: "bad-line" } });
});

test("a caller that ignores its trait makes the call invalid, and the trial is tried again", async () => {
  const report = await run(hello, [asks.caller({ clarity: "fillers" })], {
    models: { agent: deaf(), caller: talks(["On next Tuesday at ten"]) },
    limits: { concurrency: 1 },
    store: false,
  });
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["invalid", "invalid", "invalid"],
  );
  assert.equal(report.results[0]?.audit?.findings[0]?.kind, "trait-not-shown");
  assert.equal(report.results[0]?.audit?.findings[0]?.fact, "clarity: fillers");
  assert.equal(report.passed, false);
  assert.match(formatReport(report), /not shown +The caller does not show that it is "hesitant"/);
});

test("a call that gave no occasion for any trait has a warning", async () => {
  const report = await run(hello, [asks.caller({ patience: "none" })], {
    models: { agent: deaf(), caller: talks(["On Tuesday"]) },
    store: false,
  });
  assert.equal(report.results[0]?.status, "pass");
  assert.match(formatReport(report), /warning: no occasion for patience: none/);
});

test("a caller who interrupts does so in text, and its words are in its language", async () => {
  const report = await run(hello, [asks.caller({ interrupts: "often", language: "de" }).turns(4)], {
    models: {
      agent: scripted({
        respond: Array(9).fill("An welchem Tag möchten Sie denn zu uns kommen, und wann?"),
        transition: Array(9).fill({ objectives_complete: false, transition_to: "" }),
      }),
      caller: talks(["Ich möchte am Dienstag zu Ihnen kommen"]),
    },
    store: false,
  });
  const said = report.results[0]?.transcript.filter(({ role }) => role === "user") ?? [];
  assert.deepEqual(
    said.map(({ content, metadata }) => [content.slice(0, 6), metadata.interrupts !== undefined]),
    [
      ["Ich mö", false],
      ["Moment", true],
      ["Ich mö", false],
      ["Moment", true],
    ],
  );
  assert.equal(report.counts.invalid, 0);
});

test("a run is resumed only with its callers, and runs of other callers are not compared with it", async () => {
  await using store = await openStore(":memory:");
  const first = await run(desk, [books], { store, callers: "everyday" });
  const again = await run(desk, [books], { store, callers: "everyday", share: { resume: first.id } });
  assert.equal(again.results.length, first.results.length);
  await assert.rejects(
    run(desk, [books], { store, callers: "difficult", share: { resume: first.id } }),
    (error) => isCallweaveError(error) && error.code === "different-plan",
  );
  await assert.rejects(
    run(desk, [books], { store, share: { resume: first.id } }),
    (error) => isCallweaveError(error) && error.code === "different-plan",
  );
});

test("traits of a caller who only says given lines are refused, and estimates count each caller", async () => {
  const says = scenario("says", desk).says("Hello").caller({ mood: "angry" }).visits("greet");
  await assert.rejects(run(desk, [says], { store: false }), /only given lines/);
  const models = { agent: "openai/gpt-5-mini" };
  const cast = estimate(desk, [books], { models, callers: "difficult" });
  assert.equal(cast.scenarios.length, CALLER_SETS.difficult.callers.length);
  assert.equal(estimate(desk, [books], { models }).roles.judge.calls.most, 0);
  assert.equal(cast.roles.judge.calls.least, 0);
  assert.ok(cast.roles.judge.calls.most > 0);
});

test("lines to say are said in their order by callers of a set, with their traits, and a yes first", async () => {
  const desk = flow("desk", { beginMessage: "Hello, what can I do for you?" })
    .conversation("offer", { text: "Shall I send you the label?", next: ({ to }) => [to("bye", "Caller accepts")] })
    .end("bye", { prompt: "Say goodbye." })
    .compile();
  const lines = ["I have a broken lamp.", "Yes, please."];
  const { results } = await run(
    desk,
    [
      scenario("lamp", desk)
        .says(...lines)
        .visits("offer", "bye"),
    ],
    {
      store: false,
      callers: { cross: { mood: "angry" }, deaf: { hearing: "hard" } },
    },
  );
  const said = results.map(({ transcript }) => transcript.filter(({ role }) => role === "user").map((m) => m.content));
  assert.deepEqual(said, [
    ["This is unacceptable! I have a broken lamp.", "Yes, please. I have had enough of this!"],
    ["I have a broken lamp.", "Pardon? Could you say that again, please? I do not hear well.", "Yes, please."],
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["pass", "pass"],
  );
});

test("the offline caller bears as many refusals as its patience says, whatever the agent's words for them", async () => {
  const desk = flow("desk", { beginMessage: "Hello, what can I do for you?" })
    .conversation("no", {
      text: "I am afraid that we have no lamps.",
      next: ({ to }) => [to("never", "Caller wants it")],
    })
    .conversation("never", { text: "That is not possible.", next: ({ to }) => [to("not", "Caller wants it")] })
    .conversation("not", { text: "We cannot do that.", next: ({ to }) => [to("bye", "Caller says goodbye")] })
    .end("bye", { prompt: "Say goodbye." })
    .compile();
  const scenarios = (["patient", "short", "none"] as const).map((patience) =>
    scenario(patience, desk).persona("You want a lamp.").caller({ patience }).visits("no"),
  );
  const { results } = await run(desk, scenarios, { store: false });
  const said = results.map(({ transcript }) => transcript.filter(({ role }) => role === "user").length);
  assert.deepEqual(
    results.map(({ status, caller }) => [status, caller?.unseen]),
    [
      ["pass", undefined],
      ["pass", undefined],
      ["pass", undefined],
    ],
  );
  const [patient = 0, short = 0, none = 0] = said;
  assert.ok(patient > short && short > none, said.join());
  assert.match(
    results[0]?.transcript.filter(({ role }) => role === "user")[1]?.content ?? "",
    /another way: I want a lamp/,
  );
});
