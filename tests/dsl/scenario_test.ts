import assert from "node:assert/strict";
import { test } from "node:test";
import { scenario } from "../../dsl/mod.ts";
import { isCallweaveError } from "../../src/base/errors.ts";
import { CHECKS, parseScenarios, toScenario } from "../../src/document/scenario/mod.ts";
import { clinic } from "./clinic.ts";

test("scenario() builds the document", () => {
  const built = scenario("books", clinic)
    .persona("You are Jo")
    .says("Hello")
    .says("I want to book", "Bye")
    .variables({ caller_name: "Jo", current_time: "Monday" })
    .mock("manager", "busy")
    .mock("manager", { args: { id: 1 }, output: { ok: true } })
    .mock("manager", { output: "down", fails: true })
    .mock("manager", { status: "sent", output: "kept" })
    .judge("The agent is kind")
    .judge("The agent is brief", { threshold: 0.5 })
    .includes("appointment")
    .excludes("sorry")
    .matches(/ref-\d+/i, "REF-*")
    .visits("greet", "book")
    .avoids("manager")
    .ends("agent_ended")
    .extracts({ intent: "book" })
    .turns(6);

  const any = { type: "any" };
  assert.deepEqual(built.toJSON(), {
    name: "books",
    user_prompt: "You are Jo",
    says: ["Hello", "I want to book", "Bye"],
    dynamic_variables: { caller_name: "Jo", current_time: "Monday" },
    tool_mocks: [
      { tool_name: "manager", input_match_rule: any, output: "busy", result: true },
      {
        tool_name: "manager",
        input_match_rule: { type: "partial_match", args: { id: 1 } },
        output: { ok: true },
        result: true,
      },
      { tool_name: "manager", input_match_rule: any, output: "down", result: false },
      { tool_name: "manager", input_match_rule: any, output: { status: "sent", output: "kept" }, result: true },
    ],
    metrics: [{ criterion: "The agent is kind" }, { criterion: "The agent is brief", threshold: 0.5 }],
    includes: ["appointment"],
    excludes: ["sorry"],
    patterns: ["re2:(?i)ref-\\d+", "REF-*"],
    visits: ["greet", "book"],
    avoids: ["manager"],
    extracts: { intent: "book" },
    calls: [],
    ends: "agent_ended",
    max_turns: 6,
  });
});

test("mock() supports delays and a number of answers", () => {
  const built = scenario("slow")
    .mock("find", { output: "busy", fails: true, delayMs: 20, times: 1 })
    .mock("find", "free");
  const any = { type: "any" };
  assert.deepEqual(built.toJSON().tool_mocks, [
    { tool_name: "find", input_match_rule: any, output: "busy", result: false, delay_ms: 20, times: 1 },
    { tool_name: "find", input_match_rule: any, output: "free", result: true },
  ]);
});

test("answersWithin() limits the time until the agent's first word", () => {
  const built = scenario("quick").says("Hi").answersWithin(3_000).answersWithin(1_500);
  assert.equal(built.toJSON().answers_within_ms, 1_500);
  for (const wrong of [0, -1, Number.NaN])
    assert.throws(
      () => scenario("quick").answersWithin(wrong),
      (error) => isCallweaveError(error) && error.code === "invalid-scenario",
    );
});

test("scenario() is a document for JSON, parseScenarios() and toScenario()", () => {
  const built = scenario("any").says("Hi").calls("find", { id: 1 });
  assert.deepEqual(parseScenarios(JSON.parse(JSON.stringify([built]))), [built.toJSON()]);
  assert.equal(toScenario(built), built.toJSON());
  assert.equal(toScenario(built.toJSON()), built.toJSON());
});

test("adding to a scenario does not change it", () => {
  const base = scenario("base").says("Hi");
  base.says("Bye").ends("agent_ended");
  assert.deepEqual(base.toJSON().says, ["Hi"]);
  assert.equal(base.toJSON().ends, undefined);
});

for (const [what, build] of [
  ["a threshold above 1", () => scenario("x").judge("c", { threshold: 7 })],
  ["a threshold of 0, with which nothing fails", () => scenario("x").judge("c", { threshold: 0 })],
  ["no turns", () => scenario("x").turns(0)],
  ["a mock that answers half a call", () => scenario("x").mock("find", { output: "", times: 0.5 })],
  ["a mock that answers before it is asked", () => scenario("x").mock("find", { output: "", delayMs: -1 })],
  ["an empty name", () => scenario("").says("Hi")],
] as const) {
  test(`scenario() rejects ${what} where it is written`, () => {
    assert.throws(build, (error) => isCallweaveError(error) && error.code === "invalid-scenario");
  });
}

test("scenario() rejects expectations without arguments, which would always pass", () => {
  const loose = scenario("x") as unknown as { readonly [method: string]: (...args: readonly unknown[]) => unknown }; // no types there
  for (const method of ["says", "includes", "excludes", "matches", "visits", "avoids", "ends", "extracts", "turns"])
    assert.throws(
      () => loose[method]?.(),
      (error) => isCallweaveError(error) && error.code === "invalid-option" && error.path[0] === method,
      method,
    );
  for (const values of [{}, { topic: undefined }])
    assert.throws(() => scenario("x").extracts(values), { code: "invalid-option", path: ["extracts"] });
  for (const method of ["includes", "excludes", "matches", "visits", "avoids"])
    assert.throws(() => loose[method]?.("fine", " "), { code: "invalid-option", path: [method] });
  assert.deepEqual(scenario("x").says("", "Hi").toJSON().says, ["", "Hi"]); // a caller may be silent
});

test("custom checks stay with their scenario, and JSON has their names", () => {
  const built = scenario("priced", clinic)
    .says("Hi")
    .check("says the price", ({ transcript }) => transcript.some(({ content }) => content.includes("30")))
    .check("is quick", ({ turnCount }) => 1 / turnCount, { threshold: 0.5, checkTimeoutMs: 50 });
  const [read] = parseScenarios([built.toJSON()]);
  assert.deepEqual(read?.checks, ["says the price", "is quick"]);
  assert.deepEqual(
    read?.[CHECKS]?.map(({ name, threshold, checkTimeoutMs }) => [name, threshold, checkTimeoutMs]),
    [
      ["says the price", undefined, undefined],
      ["is quick", 0.5, 50],
    ],
  );
  assert.equal(toScenario(built), built.toJSON());
  const saved = parseScenarios(JSON.parse(JSON.stringify([built])))[0];
  assert.deepEqual([saved?.checks, saved?.[CHECKS]], [["says the price", "is quick"], undefined]);
});

for (const [what, args] of [
  ["no name", ["", () => true]],
  ["no function", ["polite", "The agent is polite"]],
  ["a threshold above 1", ["polite", () => true, { threshold: 2 }]],
  ["a threshold of 0, with which no score fails", ["polite", () => 0, { threshold: 0 }]],
  ["a misspelled option", ["polite", () => true, { treshold: 1 }]],
] as const)
  test(`check() rejects ${what}`, () => {
    const loose = scenario("x") as unknown as { readonly check: (...args: readonly unknown[]) => unknown }; // no types there
    assert.throws(() => loose.check(...args), { code: "invalid-option" });
  });

test("check() rejects a name that the scenario already has", () => {
  const once = scenario("x").check("polite", () => true);
  assert.throws(() => once.check("polite", () => false), { code: "invalid-scenario", path: [0, "checks", 1] });
});

test("mock() rejects an answer with a misspelt key, which would become the output", () => {
  // @ts-expect-error the compiler says so, too
  assert.throws(() => scenario("x").mock("find", { output: "gone", fail: true }), {
    code: "invalid-option",
    hint: 'Did you mean "fails"?',
  });
});
