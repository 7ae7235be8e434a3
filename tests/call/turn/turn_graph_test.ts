import assert from "node:assert/strict";
import { test } from "node:test";
import { createSteeringQueue, Mocks, runTurn, startSpending, type TurnState } from "../../../src/call/turn/mod.ts";
import type { ToolMock } from "../../../src/document/scenario/mod.ts";
import { END_REASONS } from "../../../src/document/transcript/mod.ts";
import { fc } from "../../properties.ts";
import { turnOf } from "./turns.ts";

const call = (id: unknown, text = "") => ({ text, toolCalls: [{ name: "lookup", arguments: { id } }] });
const mock = (more: Partial<ToolMock>): ToolMock => ({
  tool_name: "lookup",
  input_match_rule: { type: "any" },
  output: "{}",
  result: true,
  ...more,
});

const counting = (state: TurnState) => ({
  ...state.call,
  onUsage: () => {
    state.spentInCall.modelCalls += 1;
  },
});

test("text without tool calls is the answer", async () => {
  const { state } = await turnOf([" Hello. "]);
  assert.deepEqual(await runTurn(state), { kind: "answered", text: "Hello." });
});

test("tools are called and the model replies with their results", async () => {
  const sources = { mocks: new Mocks([mock({ output: '{"open":true}' })]), implementations: {} };
  const { state, told } = await turnOf([call("7", "one moment"), "It is open."], { sources });
  assert.deepEqual(await runTurn(state), { kind: "answered", text: "It is open." });
  assert.deepEqual(told, ["unspoken one moment", "lookup succeeded"]);
  assert.deepEqual(
    state.messages.map(({ role }) => role),
    ["user", "assistant", "tool"],
  );
});

test("an empty reply is requested again three times, then the turn fails", async () => {
  const { state } = await turnOf(["", " ", "\n", ""]);
  const outcome = await runTurn(state);
  assert.equal(outcome.kind, "failed");
  assert.equal(state.nudges, 3);
  const { state: recovered } = await turnOf(["", "Hello"]);
  assert.equal((await runTurn(recovered)).kind, "answered");
});

test("a nudge follows the results of the turn's tools", async () => {
  const sources = { mocks: new Mocks([mock({})]), implementations: {} };
  const { state } = await turnOf([call("7"), "", "Done"], { sources });
  await runTurn(state);
  assert.deepEqual(
    state.messages.map(({ role }) => role),
    ["user", "assistant", "tool", "user"],
  );
});

test("the same call failing twice in a row ends the turn with its error", async () => {
  const sources = { mocks: new Mocks([mock({ output: "no such order", result: false })]), implementations: {} };
  const { state } = await turnOf([call("7"), call("7"), "never"], { sources });
  const outcome = await runTurn(state);
  assert.deepEqual(outcome, { kind: "failed", reason: 'lookup({"id":"7"}) failed twice: no such order' });
});

test("a JSON failure is passed to the model as JSON", async () => {
  const sources = { mocks: new Mocks([mock({ output: { error: "busy" }, result: false })]), implementations: {} };
  const { state } = await turnOf([call("7"), call("7"), "never"], { sources });
  const outcome = await runTurn(state);
  assert.deepEqual(outcome, { kind: "failed", reason: 'lookup({"id":"7"}) failed twice: {"error":"busy"}' });
});

test("a failing call with other arguments, or with a step in between, does not end the turn", async () => {
  const sources = { mocks: new Mocks([mock({ result: false })]), implementations: {} };
  const { state } = await turnOf([call("7"), call("8"), call("7"), "I cannot find it."], { sources });
  assert.equal((await runTurn(state)).kind, "answered");
});

test("the same call succeeding twice in a row does not end the turn", async () => {
  const sources = { mocks: new Mocks([mock({})]), implementations: {} };
  const { state } = await turnOf([call("7"), call("7"), "Still open."], { sources });
  assert.deepEqual(await runTurn(state), { kind: "answered", text: "Still open." });
});

test("calls that differ in key order only are equal", async () => {
  const args = (order: readonly string[]) => ({
    toolCalls: [{ name: "lookup", arguments: Object.fromEntries(order.map((key) => [key, key])) }],
  });
  const { state } = await turnOf([args(["a", "b"]), args(["b", "a"]), "never"]);
  assert.equal((await runTurn(state)).kind, "failed");
});

test("steering messages reach the model before its next step, one at a time or all", async () => {
  for (const [mode, count] of [
    ["one", 1],
    ["all", 2],
  ] as const) {
    const steering = createSteeringQueue(mode);
    steering.push("Be brief.");
    steering.push("Be kind.");
    const { state, told } = await turnOf(["Hello"], { steering });
    await runTurn(state);
    assert.equal(told.length, count);
    assert.deepEqual(state.notes, [{ direction: "Be brief." }, { direction: "Be kind." }].slice(0, count));
    assert.equal(steering.drain().length, mode === "one" ? 1 : 0);
  }
});

test("a steering queue starts with the messages that wait already", () => {
  const waiting = ["Be brief."];
  const steering = createSteeringQueue(undefined, waiting);
  steering.push("Be kind.");
  assert.deepEqual(steering.drain(), ["Be brief.", "Be kind."]);
  assert.deepEqual([steering.waiting, waiting], [[], ["Be brief."]]);
});

test("each budget of turn and call ends the turn with its name, limit and value", async () => {
  const spent = { modelCalls: 3, tokens: 900, costUsd: 0.5, wallMs: () => 5_000 };
  const limits = { modelCalls: 3, tokens: 800, costUsd: 0.4, wallMs: 4_000 };
  for (const scope of ["turn", "call"] as const)
    for (const budget of ["modelCalls", "tokens", "costUsd", "wallMs"] as const) {
      const { state } = await turnOf(["never"], {
        budget: { [scope]: { [budget]: limits[budget] } },
        [scope === "turn" ? "spentInTurn" : "spentInCall"]: { ...spent },
      });
      const outcome = await runTurn(state);
      assert.ok(outcome.kind === "aborted" && outcome.endReason === "budget_exceeded");
      assert.equal(outcome.exceeded?.budget, budget);
      assert.equal(outcome.exceeded?.scope, scope);
      assert.equal(outcome.exceeded?.limit, limits[budget]);
      assert.match(outcome.reason, new RegExp(`${scope} budget ${budget}: `));
    }
});

test("an abort before, during and after the tools ends the turn as aborted", async () => {
  const abort = new AbortController();
  abort.abort();
  const { state } = await turnOf(["never"], { call: { signal: abort.signal } });
  const outcome = await runTurn(state);
  assert.ok(outcome.kind === "aborted" && outcome.endReason === "aborted");

  const during = new AbortController();
  const lookupThatIsAborted = async () => {
    during.abort();
    throw new Error("late");
  };
  const implementations = { lookup: lookupThatIsAborted };
  const steering = createSteeringQueue();
  const { state: running, told } = await turnOf([call("7"), "never"], {
    sources: { mocks: new Mocks([]), implementations },
    call: { signal: during.signal, onUsage: () => steering.push("Be brief.") },
    steering,
  });
  const stopped = await runTurn(running);
  assert.deepEqual(stopped, { kind: "aborted", endReason: "aborted", reason: "the call was aborted" });
  // no model receives the message, so it still waits
  assert.deepEqual([told, steering.waiting], [["lookup failed"], ["Be brief."]]);
});

test("an abort while tools run keeps the results of those that are done", async () => {
  const hangUp = new AbortController();
  const { signal } = hangUp;
  const hang = () => {
    hangUp.abort();
    return new Promise(() => {});
  };
  const sources = { mocks: new Mocks([mock({ output: "open" })]), implementations: { hang }, signal };
  const toolCalls = ["hang", "lookup"].map((name) => ({ name, arguments: {} }));
  const { state, told } = await turnOf([{ toolCalls }, "never"], { sources, call: { signal } });
  await assert.rejects(runTurn(state), { code: "aborted" });
  assert.deepEqual(told, ["lookup succeeded"]);
});

test("a turn measures its tools with the call's clock, each one and all together", async () => {
  let now = 0;
  const steps = [40, 25];
  const implementations = {
    lookup: () => {
      now += steps.shift() ?? 0;
    },
  };
  const together: number[] = [];
  const measured: number[] = [];
  const { state } = await turnOf([call("7"), call("8"), "", "Done."], {
    sources: { mocks: new Mocks([]), implementations },
    spentInTurn: startSpending(() => now, 1_000),
    events: {
      onToolCall: ({ durationMs }) => void measured.push(durationMs),
      onToolsAnswered: (ms) => void together.push(ms),
      onUnspoken: () => {},
      onSteering: () => {},
    },
  });
  await runTurn(state);
  assert.deepEqual(
    [measured, together],
    [
      [40, 25],
      [40, 25],
    ],
  );
});

test("a tool is called with the parameters of its node, and one that the node does not have fails by its name", async () => {
  const other = { toolCalls: [{ name: "other", arguments: {} }] };
  const sources = { mocks: new Mocks([]), implementations: { lookup: () => "found" } };
  const { state } = await turnOf([call(7), other, "Done."], { sources });
  await runTurn(state);
  const results = state.messages.flatMap(({ role, content }) => (role === "tool" ? content : []));
  assert.match(JSON.stringify(results[0]), /id must be string/);
  assert.match(JSON.stringify(results[1]), /Cannot call tool \\"other\\": it has no mock/);
});

test("a turn always ends in a named outcome, whatever models and tools do", async () => {
  const answer = fc.oneof(
    fc.constantFrom("", "  ", "Hello."),
    fc.record({
      text: fc.constantFrom("", "hm"),
      toolCalls: fc.array(
        fc.record({
          name: fc.constantFrom("lookup", "unknown", "__proto__", "toString"),
          arguments: fc.dictionary(fc.constantFrom("id", "constructor"), fc.jsonValue({ maxDepth: 1 })),
        }),
        { maxLength: 3 },
      ),
    }),
  );
  const mocks = fc.array(
    fc.record({
      tool_name: fc.constantFrom("lookup", "toString"),
      input_match_rule: fc.constantFrom({ type: "any" as const }, { type: "partial_match" as const, args: { id: 1 } }),
      output: fc.jsonValue({ maxDepth: 2 }),
      result: fc.boolean(),
      times: fc.option(fc.integer({ min: 1, max: 2 })),
    }),
    { maxLength: 3 },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { maxLength: 8 }), mocks, fc.nat(9), async (answers, mocked, limit) => {
      const sources = { mocks: new Mocks(mocked), implementations: {} };
      const budget = { call: { modelCalls: limit } };
      const { state } = await turnOf([...answers, "Goodbye."], { sources, budget });
      const outcome = await runTurn({ ...state, call: counting(state) });
      assert.ok(["answered", "failed", "aborted"].includes(outcome.kind));
      if (outcome.kind === "aborted") assert.ok(END_REASONS.includes(outcome.endReason));
      if (outcome.kind === "answered") assert.notEqual(outcome.text.trim(), "");
    }),
    { numRuns: 300 },
  );
});
