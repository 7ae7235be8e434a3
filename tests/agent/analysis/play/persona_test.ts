import assert from "node:assert/strict";
import { test } from "node:test";
import { type CallerMoment, lineAt, writePersona } from "../../../../src/agent/analysis/play/persona.ts";

const moment = (more: Partial<CallerMoment> = {}): CallerMoment => ({
  agentIsTold: "Ask.",
  conditions: [],
  others: [],
  facts: [],
  ...more,
});
const fact = (name: string, value: string | null, meaning = "") => ({ name, meaning, value });
const persona = (moments: readonly CallerMoment[], given: readonly ReturnType<typeof fact>[] = []) =>
  writePersona({ agent: "the clinic", given, moments, agentEnds: true }).replace("You call the clinic. ", "");

test("writePersona() says whom the caller calls, what they do in turn, and that they hang up", () => {
  const moments = [moment({ conditions: ["Caller wants to book"] }), moment({ conditions: ["Caller is done"] })];
  assert.equal(persona(moments), "First you want to book. Then you are done.");
  assert.equal(
    writePersona({ agent: "the clinic", given: [], moments, agentEnds: false }),
    "You call the clinic. First you want to book. Then you are done. After that, say goodbye and hang up.",
  );
});

test("writePersona() says once what the caller does several times in a row", () => {
  const [book, wait] = [moment({ conditions: ["Caller wants to book"] }), moment()];
  assert.equal(
    persona([book, book, wait, book]),
    "First you want to book. Then you answer what the agent says. Then you want to book.",
  );
});

test("writePersona() says of which conditions none is true", () => {
  assert.equal(
    persona([moment({ others: ["Caller is  angry", "Caller is lost"] })]),
    "First you say something else: it is not so that you are angry, or that you are lost.",
  );
});

test("writePersona() tells the caller the values that they give, and those that they do not know", () => {
  const rows = [
    [
      [fact("order_number", "5", "Number of\n the order ")],
      "Your order number (Number of the order) is 5: say so if you are asked for it. First you say your order number.",
    ],
    [[fact("name", "Anna", "NAME")], 'Your name is "Anna": say so if you are asked for it. First you say your name.'],
    [
      [fact("name", null)],
      "You do not know your name: say so if you are asked for it. First you say nothing about your name.",
    ],
    [
      [fact("name", "Anna"), fact("day", "May 3"), fact("hour", null), fact("town", null)],
      'Your name is "Anna": say so if you are asked for it. Your day is "May 3": say so if you are asked for it. You do not know your hour: say so if you are asked for it. You do not know your town: say so if you are asked for it. First you say your name and your day, but not your hour or your town.',
    ],
  ] as const;
  for (const [facts, words] of rows) assert.equal(persona([moment({ facts })]), words);
});

test("writePersona() gives the values of a variable in their order, each once in a row", () => {
  const values = (...list: readonly (string | null)[]) =>
    persona(list.map((value) => moment({ facts: [fact("day", value)] }))).replace(/ First.*/, "");
  assert.equal(values("1", "1"), "Your day is 1: say so if you are asked for it.");
  assert.equal(values("1", "2", "1"), "Your day is first 1, then 2, then 1: say so each time you are asked for it.");
  assert.equal(values(null, "1"), "Your day is 1: say so when it is time.");
});

test("writePersona() tells the caller what the call was given", () => {
  assert.ok(
    persona([moment()], [fact("plan", "gold"), fact("age", "-1.5")]).startsWith(
      'Your plan is "gold". Your age is -1.5. First',
    ),
  );
});

test("writePersona() says what the agent knows of the caller, where it is a yes or no", () => {
  assert.ok(
    persona([moment()], [fact("has_dispute", "true"), fact("plan", "gold"), fact("vip", "false")]).startsWith(
      'Your plan is "gold". The agent knows this about you: has dispute is "true", vip is "false". First',
    ),
  );
});

test("lineAt() says all conditions and values of a moment", () => {
  const rows = [
    [moment({ conditions: ["Caller is ready", "Caller wants to book"] }), "I am ready. I want to book."],
    [
      moment({ conditions: ["Caller is ready"], facts: [fact("first_name", " Anna ")] }),
      "I am ready. My first name is Anna.",
    ],
    [moment({ facts: [fact("day", " "), fact("hour", null)] }), "My day is blank."],
    [moment({ facts: [fact("hour", null)] }), "Please go on."],
    [moment({ others: ["Caller is ready"] }), "Please go on."],
  ] as const;
  for (const [at, line] of rows) assert.equal(lineAt(at), line);
});
