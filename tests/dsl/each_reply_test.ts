import assert from "node:assert/strict";
import { test } from "node:test";
import { scenarioModule } from "../../dsl/eject/eject_scenarios.ts";
import { estimate, parseGraph, parseScenarios, run, scenario } from "../../mod.ts";
import { emitBlandScenarios } from "../../platforms/bland/scenarios.ts";
import { emitAgentTests } from "../../platforms/elevenlabs/agent_tests.ts";
import type { Loss } from "../../platforms/platform.ts";
import { emitTestCases } from "../../platforms/retell/test_cases.ts";
import { emitTelnyxTests } from "../../platforms/telnyx/assistant_tests.ts";
import { emitVapiTests } from "../../platforms/vapi/simulations.ts";
import { checkScenarios } from "../../src/agent/analysis/mod.ts";
import { scenarioFingerprint } from "../../src/document/scenario/mod.ts";
import { clinic } from "./clinic.ts";

const WHOLE = scenario("whole")
  .says("Hi")
  .eachReply("is courteous", { atLeast: 0.9, fromTurn: 0, toTurn: 3, after: /no thanks/i })
  .eachReply.matches("[a-z]")
  .eachReply.lacks("glob:*refund*")
  .eachReply.words(30, { node: "greet" })
  .eachReply.seconds(12)
  .eachReply.questions(1)
  .eachReply.readingLevel(8)
  .eachReply.silence(900)
  .eachReply.repeatsNothing()
  .eachReply.saysBack("day");

test("rules for each reply are a part of the document and of its fingerprint", () => {
  const document = WHOLE.toJSON();
  assert.deepEqual(document.each_reply, [
    { criterion: "is courteous", from_turn: 0, to_turn: 3, after: "re2:(?i)no thanks", at_least: 0.9 },
    { pattern: "[a-z]" },
    { no_pattern: "glob:*refund*" },
    { words_at_most: 30, node: "greet" },
    { seconds_at_most: 12 },
    { questions_at_most: 1 },
    { reading_level_at_most: 8 },
    { silence_at_most_ms: 900 },
    { no_repetition: true },
    { says_back: "day" },
  ]);
  assert.deepEqual(parseScenarios(JSON.parse(JSON.stringify([document])))[0], document);
  const plain = scenario("a").says("Hi");
  const all = [plain, plain.eachReply("x"), plain.eachReply("x", { atLeast: 0.5 }), plain.eachReply.words(2)];
  assert.equal(new Set(all.map((each) => scenarioFingerprint(each.toJSON()))).size, all.length);
});

test("a rule that says nothing, or that nothing reads, is refused", () => {
  const rule = (each_reply: readonly unknown[]) => () => parseScenarios([{ name: "a", each_reply }]);
  for (const wrong of [
    {},
    { criterion: " " },
    { pattern: "re2: " },
    { words_at_most: 0 },
    { no_repetition: false },
    { words_at_most: 3, questions_at_most: 1 },
    { words_at_most: 3, at_least: 0 },
    { words_at_most: 3, from_turn: 2, to_turn: 1 },
    { words_at_most: 3, nod: "greet" },
    "is kind",
  ])
    assert.throws(rule([wrong]), { code: "invalid-scenario" }, JSON.stringify(wrong));
  const hintOf = (call: () => unknown) => {
    try {
      call();
    } catch (error) {
      return JSON.stringify(error instanceof Error && "issues" in error ? error.issues : "");
    }
    return "";
  };
  assert.match(hintOf(rule([{ words_at_most: 3, nod: "greet" }])), /Did you mean \\"node\\"/);
  const plain = scenario("a").says("Hi");
  assert.throws(() => plain.eachReply(""), { code: "invalid-scenario" });
  assert.throws(() => plain.eachReply.words(2.5), { code: "invalid-scenario" });
  const misspelt: object = { atleast: 1 };
  assert.throws(() => plain.eachReply("x", misspelt), { code: "invalid-option" });
});

test("names in rules are checked against the graph, by the compiler, too", () => {
  // @ts-expect-error the flow has no such node
  const wrong = scenario("a", clinic).says("Hi").eachReply.words(3, { node: "greeet" });
  // @ts-expect-error the flow has no such variable
  const unknown = scenario("b", clinic).says("Hi").eachReply.saysBack("dya");
  const found = checkScenarios(clinic, [wrong, unknown]).map(({ code, path }) => [code, path.join(".")]);
  assert.deepEqual(found, [
    ["unknown-node", "0.each_reply.0.node"],
    ["unknown-variable", "1.each_reply.0.says_back"],
  ]);
});

const GRAPH = parseGraph({
  entry_node_id: "greet",
  nodes: { greet: { id: "greet", node_type: "conversation", state_prompt: "Say hello." } },
});

test("ejected scenarios have their rules as calls", () => {
  const code = scenarioModule([WHOLE.toJSON()], GRAPH);
  assert.match(code, /\.eachReply\("is courteous", \{/);
  assert.match(code, /\.eachReply\.lacks\("glob:\*refund\*"\)/);
  assert.match(code, /\.eachReply\.repeatsNothing\(\)/);
  assert.doesNotMatch(code, /each_reply|words_at_most/);
});

test("run() checks rules for each reply, and a scenario with nothing else expects something", async () => {
  const kept = scenario("kept").says("Hi").eachReply.words(500);
  const broken = scenario("broken").says("Hi").eachReply.matches("never said");
  const nowhere = scenario("nowhere").says("Hi").eachReply.words(500, { after: "never said" });
  const { results } = await run(GRAPH, [kept, broken, nowhere]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["pass", "fail", "error"],
  );
  assert.match(results[1]?.checks[0]?.reason ?? "", /^0 of \d+ repl.* the first that breaks it, in /);
  await assert.rejects(run(GRAPH, [scenario("bad").says("Hi").eachReply.matches("(")]), { code: "invalid-pattern" });
});

test("estimate() counts the requests that judge replies", () => {
  const calls = (source: typeof WHOLE) => estimate(GRAPH, [source], {}).roles.judge.calls;
  assert.deepEqual(calls(scenario("a").says("Hi").eachReply.words(3)), { least: 0, most: 0, worst: 0 });
  assert.deepEqual(calls(scenario("a").says("Hi").eachReply("is kind")), { least: 0, most: 1, worst: 1 });
  const long = scenario("a")
    .says(..."x".repeat(50))
    .turns(60)
    .eachReply("is kind");
  assert.equal(calls(long).most, 2);
});

test("platforms' tests have rules in words, and name each one that they lose", () => {
  const emitted = [emitTestCases, emitVapiTests, emitAgentTests, emitTelnyxTests, emitBlandScenarios];
  for (const emit of emitted) {
    const made: { readonly losses: readonly Loss[] } = emit([WHOLE]);
    const lost = made.losses.filter(({ path }) => path.some((part) => String(part).startsWith("each_reply")));
    const dropped = lost.filter(({ kind }) => kind === "dropped").map(({ path }) => path.slice(1).join("."));
    assert.deepEqual(dropped, ["each_reply.3", "each_reply.7"], emit.name);
    assert.ok(
      lost.some(({ kind }) => kind === "emulated"),
      emit.name,
    );
    assert.match(JSON.stringify(made), /In each reply of the agent \(.*at least 90 %\): is courteous/, emit.name);
    assert.doesNotMatch(JSON.stringify(made), /at most 30 words/, emit.name);
  }
});
