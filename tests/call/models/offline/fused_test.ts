import assert from "node:assert/strict";
import { test } from "node:test";
import { conversation, type TurnMode } from "../../../../src/call/engine/mod.ts";
import { offline } from "../../../../src/call/models/mod.ts";
import { DESK } from "../../../run/runner/_fixtures.ts";

async function runCall(turn: TurnMode, lines: readonly string[]) {
  const call = conversation(DESK, { models: { agent: offline() }, turn });
  await call.open();
  for (const line of lines) if (!call.ended) await call.hear(line);
  const transcript = call.transcript.map(({ role, node_id, content }) => `${role} ${node_id} ${content}`);
  return { lines: transcript, calls: call.usage.map(({ signature }) => signature) };
}

for (const lines of [
  ["It is about the opening hours, the other thing"],
  ["Give me your manager", "I am Jo", "Thanks, bye"],
  ["hm", "what?", "It is about my bill", "Thanks"],
]) {
  test(`the offline model gives the same result in all turn modes: ${lines.join(" / ")}`, async () => {
    const split = await runCall("split", lines);
    const fused = await runCall("fused", lines);
    assert.deepEqual(fused.lines, split.lines);
    assert.deepEqual((await runCall("speculative", lines)).lines, split.lines);
    assert.ok(fused.calls.includes("fused") && !split.calls.includes("fused"));
    assert.ok(fused.calls.length <= split.calls.length);
  });
}
