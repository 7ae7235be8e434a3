import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTask } from "node:timers/promises";
import { conversation, type TurnMode } from "../../../src/call/engine/mod.ts";
import { type ScriptedModel, scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { to } from "./calls.ts";

const TOOL = { name: "look", description: "", parameters: { properties: { id: { type: "string" } } } };
const nodes = {
  ask: { state_prompt: "Ask.", transitions: [to("read", "Caller answers")] },
  read: { node_type: "extract", variables_to_extract: [{ name: "id" }], transitions: [to("look")] },
  look: { node_type: "function", tools: [TOOL], transitions: [to("talk")] },
  talk: { state_prompt: "Talk.", tools: [TOOL], transitions: [to("bye", "Caller is done")] },
  bye: { node_type: "end", state_prompt: "Say goodbye." },
};
const LINES = ["7", "And?", "Bye"];

/** The model, and a moment before and after each of its answers. */
function slowly(model: ScriptedModel, moment: () => Promise<void>): ScriptedModel {
  return {
    ...model,
    doGenerate: async (options) => {
      await moment();
      const answer = await model.doGenerate(options);
      await moment();
      return answer;
    },
  };
}

/** Runs the call, aborts it at the given moment, and reports its state then and a little later. */
async function runCall(turn: TurnMode, at: number) {
  const controller = new AbortController();
  let moments = 0;
  const moment = async () => {
    if (moments++ === at) controller.abort();
    await nextTask();
  };
  const decide = (target: string) => ({ objectives_complete: true, transition_to: target, reply: "Well" });
  const plain = ({ objectives_complete, transition_to } = decide("none")) => ({ objectives_complete, transition_to });
  const call = { toolCalls: [{ name: "look", arguments: { id: "7" } }], text: "One moment" };
  const decisions = [decide("read"), decide("none"), decide("bye")];
  const model = scripted({
    transition: decisions.map(() => () => plain(decisions.shift())),
    fused: decisions.map(() => () => decisions.shift()),
    extract: [{ id: "7" }],
    arguments: [{ id: "7" }],
    respond: Array.from({ length: 20 }, (_, index) => (index % 2 === 1 ? call : "Well")),
  });
  const talk = conversation(parseGraph({ nodes, entry_node_id: "ask" }), {
    models: { agent: slowly(model, moment) },
    tools: { look: async () => await moment().then(() => "found") },
    signal: controller.signal,
    turn,
  });
  await talk.open();
  for (const line of LINES) if (!talk.ended) await talk.hear(line);
  const then = structuredClone({ transcript: talk.transcript, tools: talk.toolsCalled, end: talk.endReason });
  for (let task = 0; task < 30; task++) await nextTask(); // everything in progress settles
  return { talk, then, moments, aborted: controller.signal.aborted };
}

for (const turn of ["split", "speculative", "fused"] as const) {
  test(`an abort at any moment ends the call and freezes its transcript: ${turn}`, async () => {
    const whole = await runCall(turn, -1);
    assert.equal(whole.talk.endReason, "agent_ended");
    assert.ok(whole.moments > 15);
    for (let at = 0; at < whole.moments; at++) {
      const { talk, then, aborted } = await runCall(turn, at);
      if (!aborted) continue; // speculative requests do not come in the same order every time
      assert.ok(talk.endReason === "aborted" || talk.endReason === "agent_ended", `moment ${at}: ${talk.endReason}`);
      assert.deepEqual({ transcript: talk.transcript, tools: talk.toolsCalled, end: talk.endReason }, then);
      const recorded = talk.transcript.filter(({ metadata }) => metadata.kind === "tool_call");
      assert.equal(recorded.length, talk.toolsCalled.length, `moment ${at}`);
      const seen = talk.transcript.map(({ role, content }) => `${role} ${content}`);
      const full = whole.talk.transcript.map(({ role, content }) => `${role} ${content}`);
      if (turn === "split") assert.deepEqual(seen, full.slice(0, seen.length), `moment ${at}`);
      await assert.rejects(talk.hear("Hello?"), { code: "call-ended" });
    }
  });
}
