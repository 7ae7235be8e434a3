import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineError, ModelError } from "../../../src/base/errors.ts";
import { callOn, pick, to } from "./calls.ts";

const talk = (prompt: string, ...transitions: unknown[]) => ({ state_prompt: prompt, transitions });

test("hear() returns the messages of the turn", async () => {
  const { call } = callOn({ a: talk("Greet.", to("b", "Wants b")), b: talk("Help.") }, { transition: [pick("b")] });
  await call.open();
  const turn = await call.hear("b please");
  assert.deepEqual(
    turn.messages.map(({ role, node_id }) => [role, node_id]),
    [
      ["user", "a"],
      ["tool", "a"],
      ["assistant", "b"],
    ],
  );
  assert.equal(turn.nodeId, "b");
  assert.equal(turn.spoken.length, 1);
});

test("a transition call gets the history of its node only", async () => {
  const { call, model } = callOn(
    { a: talk("A", to("b", "go")), b: talk("B", to("a", "back")) },
    { transition: [pick("b"), pick("none")], respond: ["one", "two", "three"] },
  );
  await call.open();
  await call.hear("go on");
  await call.hear("well");
  const last = model.calls.filter(({ signature }) => signature === "transition").at(-1);
  assert.deepEqual(last?.input.conversation_history, [
    { role: "assistant", content: "two" },
    { role: "user", content: "well" },
  ]);
  assert.equal(last?.input.last_agent_message, "two");
});

test("a respond call gets the caller's last message separately from the history", async () => {
  const { call, model } = callOn({ a: talk("A") }, { respond: ["Hello", "Fine"] });
  await call.open();
  await call.hear("How are you?");
  assert.deepEqual(model.calls.at(-1)?.input, {
    general_instructions: "",
    state_instructions: "A",
    conversation_history: [{ role: "assistant", content: "Hello" }],
    user_message: "How are you?",
  });
});

test("default dynamic variables replace missing ones", async () => {
  const metadata = { default_dynamic_variables: { name: "friend", city: "Rome" } };
  const { call, model } = callOn({ a: talk("Hi {{name}} in {{city}}") }, {}, { metadata, variables: { name: "Ann" } });
  await call.open();
  assert.equal(model.calls[0]?.input.state_instructions, "Hi Ann in Rome");
});

test("a failed transfer without a failed transition keeps the call open and silent", async () => {
  const mocks = [{ tool_name: "t", input_match_rule: { type: "any" as const }, output: "busy", result: false }];
  const nodes = { a: talk("A", to("t", "human")), t: { node_type: "transfer" } };
  const { call } = callOn(nodes, { transition: [pick("t")] }, { mocks });
  await call.open();
  const turn = await call.hear("a human");
  assert.deepEqual([turn.spoken, turn.ended, turn.nodeId], [[], false, "t"]);
});

test("speaking nodes that form a loop end the call after 20 hops", async () => {
  const skip = { timing: "skip_response" };
  const { call } = callOn({ a: talk("A", to("b", undefined, skip)), b: talk("B", to("a", undefined, skip)) });
  await call.open();
  assert.equal(call.endReason, "hop_limit");
  assert.equal(call.nodesVisited.length, 21);
});

test("a model's error is thrown and ends the call as failed", async () => {
  const { call } = callOn({ a: talk("A", to("b", "go")), b: talk("B") }, { transition: [] });
  await call.open();
  await assert.rejects(call.hear("go"), (error: unknown) => {
    assert.ok(error instanceof ModelError);
    assert.equal(error.code, "empty-queue");
    return true;
  });
  assert.equal(call.endReason, "failed");
});

test("an answer that does not match the signature is a typed error that quotes it", async () => {
  const { call } = callOn({ a: talk("A", to("b", "go")), b: talk("B") }, { transition: [{ next: "b" }] });
  await call.open();
  await assert.rejects(call.hear("go"), { code: "model-output" });
});

test("turns cannot overlap, start before open() or follow the end", async () => {
  const { call } = callOn({ a: talk("A", to("e", "bye")), e: { node_type: "end" } }, { transition: [pick("e")] });
  await assert.rejects(call.hear("too early"), { code: "call-not-open" });
  const opening = call.open();
  await assert.rejects(call.hear("too soon"), { code: "call-busy" });
  await opening;
  await assert.rejects(call.open(), EngineError);
  await call.hear("bye");
  await assert.rejects(call.hear("too late"), { code: "call-ended" });
});

test("an abort ends the call and keeps the transcript so far", async () => {
  const abort = new AbortController();
  const hang = () => {
    abort.abort();
    return new Promise(() => {});
  };
  const { call } = callOn({ a: talk("A") }, { respond: ["Hello"] }, { signal: abort.signal, tools: { hang } });
  await call.open();
  abort.abort();
  const turn = await call.hear("hi");
  assert.equal(turn.endReason, "aborted");
  assert.deepEqual(
    call.transcript.map(({ role }) => role),
    ["assistant", "user"],
  );
});

test("transitions after speech fire after the begin message", async () => {
  const metadata = { begin_message: "Calls are recorded." };
  const { call } = callOn({ a: talk("A", to("b")), b: talk("B") }, {}, { metadata });
  await call.open();
  assert.deepEqual(call.nodesVisited, ["a", "b"]);
  assert.deepEqual(
    call.transcript.filter(({ role }) => role === "assistant").map(({ content }) => content),
    ["Calls are recorded."],
  );
});

test("a begin message is the last message when the entry node ends the call", async () => {
  const { call } = callOn({ e: { node_type: "end" } }, {}, { metadata: { begin_message: "We are closed." } });
  const turn = await call.open();
  assert.deepEqual([turn.spoken, turn.endReason], [["We are closed."], "agent_ended"]);
});

test("a begin message that is empty after expansion makes the opening silent", async () => {
  const metadata = { begin_message: "{{greeting}}" };
  const { call } = callOn({ a: talk("A", to("b")), b: talk("B") }, {}, { metadata, variables: { greeting: "" } });
  const turn = await call.open();
  assert.deepEqual([turn.messages, turn.nodeId, turn.ended], [[], "a", false]);
});

test("the clock of the transcript can be set", async () => {
  const { call } = callOn({ a: talk("A") }, {}, { clock: { now: () => new Date(0) } });
  await call.open();
  assert.equal(call.transcript[0]?.timestamp, "1970-01-01T00:00:00.000Z");
});
