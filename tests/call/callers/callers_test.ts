import assert from "node:assert/strict";
import { test } from "node:test";
import { createPersonaCaller, createReplayCaller, createScriptedCaller } from "../../../src/call/callers/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";

test("createScriptedCaller() says its lines verbatim and is then exhausted", async () => {
  const caller = createScriptedCaller(["Hi {{name}}", ""]);
  assert.deepEqual(await caller.next([]), { say: "Hi {{name}}" });
  assert.deepEqual(await caller.next([]), { say: "" });
  assert.deepEqual(await caller.next([]), { hangUp: "caller_exhausted" });
});

test("createPersonaCaller() passes the persona and the conversation to the model", async () => {
  const model = scripted({ caller: [{ message: " I want a refund. ", should_end: false }] });
  const history = [{ role: "assistant", content: "Hello" }] as const;
  assert.deepEqual(await createPersonaCaller("You are Jo.", model).next(history), { say: "I want a refund." });
  assert.deepEqual(model.calls[0]?.input, { persona: "You are Jo.", conversation_history: [...history] });
});

test("createPersonaCaller() says the line that comes with a hang-up", async () => {
  const model = scripted({ caller: [{ message: "Bye", should_end: true }] });
  assert.deepEqual(await createPersonaCaller("", model).next([]), { say: "Bye", hangUp: "caller_ended" });
});

test("createPersonaCaller() treats an empty line as a hang-up", async () => {
  const model = scripted({ caller: [{ message: " \n", should_end: false }] });
  assert.deepEqual(await createPersonaCaller("", model).next([]), { hangUp: "caller_ended" });
});

test("createPersonaCaller() rejects an answer with the wrong shape", async () => {
  const caller = createPersonaCaller("", scripted({ caller: [{ text: "Hi" }] }));
  await assert.rejects(caller.next([]), { code: "model-output" });
});

test("createReplayCaller() repeats the recorded caller's lines", async () => {
  const at = { node_id: "a", timestamp: "2026-01-01T00:00:00.000Z", metadata: {} };
  const transcript = [
    { ...at, role: "assistant", content: "Hello" },
    { ...at, role: "user", content: "One" },
    { ...at, role: "tool", content: "a -> b" },
    { ...at, role: "user", content: "Two" },
  ] as const;
  const caller = createReplayCaller({ transcript, endReason: "caller_ended" });
  assert.deepEqual(await caller.next([]), { say: "One" });
  assert.deepEqual(await caller.next([]), { say: "Two" });
  assert.deepEqual(await caller.next([]), { hangUp: "caller_ended" });
  const other = createReplayCaller({ transcript: [], endReason: "agent_ended" });
  assert.deepEqual(await other.next([]), { hangUp: "caller_exhausted" });
});
