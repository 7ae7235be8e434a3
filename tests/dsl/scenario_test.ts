import assert from "node:assert/strict";
import { test } from "node:test";
import { scenario } from "../../dsl/mod.ts";
import { isCallweaveError } from "../../src/errors.ts";
import { parseScenarios, toScenario } from "../../src/graph/mod.ts";
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
    metrics: [
      { criterion: "The agent is kind", threshold: 0.7 },
      { criterion: "The agent is brief", threshold: 0.5 },
    ],
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

test("a mock can be slow, and make room for the next one", () => {
  const built = scenario("slow")
    .mock("find", { output: "busy", fails: true, delayMs: 20, times: 1 })
    .mock("find", "free");
  const any = { type: "any" };
  assert.deepEqual(built.toJSON().tool_mocks, [
    { tool_name: "find", input_match_rule: any, output: "busy", result: false, delay_ms: 20, times: 1 },
    { tool_name: "find", input_match_rule: any, output: "free", result: true },
  ]);
});

test("scenario() is a document for JSON, parseScenarios() and toScenario()", () => {
  const built = scenario("any").says("Hi").calls("find", { id: 1 });
  assert.deepEqual(parseScenarios(JSON.parse(JSON.stringify([built]))), [built.toJSON()]);
  assert.equal(toScenario(built), built.toJSON());
  assert.equal(toScenario(built.toJSON()), built.toJSON());
});

test("a scenario is not changed by what is added to it", () => {
  const base = scenario("base").says("Hi");
  base.says("Bye").ends("agent_ended");
  assert.deepEqual(base.toJSON().says, ["Hi"]);
  assert.equal(base.toJSON().ends, undefined);
});

for (const [what, build] of [
  ["a threshold above 1", () => scenario("x").judge("c", { threshold: 7 })],
  ["no turns", () => scenario("x").turns(0)],
  ["a mock that answers half a call", () => scenario("x").mock("find", { output: "", times: 0.5 })],
  ["a mock that answers before it is asked", () => scenario("x").mock("find", { output: "", delayMs: -1 })],
  ["an empty name", () => scenario("").says("Hi")],
] as const) {
  test(`scenario() refuses ${what} where it is written`, () => {
    assert.throws(build, (error) => isCallweaveError(error) && error.code === "invalid-scenario");
  });
}
