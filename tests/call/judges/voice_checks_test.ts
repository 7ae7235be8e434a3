import assert from "node:assert/strict";
import { test } from "node:test";
import { checkVoice } from "../../../src/call/judges/mod.ts";
import { CallFigures } from "../../../src/call/voice/call_figures.ts";
import { completeScenario, type ScenarioInput } from "../../../src/document/scenario/mod.ts";
import type { Message, VoiceRecord } from "../../../src/document/transcript/mod.ts";

const NONE: VoiceRecord = { turns: [], interruptions: [], overlaps: [], pauses: [], words: [] };

function checked(expects: Partial<ScenarioInput>, voice?: Partial<VoiceRecord>, transcript: readonly Message[] = []) {
  const scenario = completeScenario({ name: "one", ...expects });
  const { checks, notChecked } = checkVoice(scenario, {
    transcript,
    latency: [
      { turn: 1, nodeId: "", firstWordMs: 900 },
      { turn: 2, nodeId: "", firstWordMs: 2_500 },
    ],
    voice: voice && { ...NONE, ...voice },
  });
  return [...checks.map(({ passed, reason }) => [passed, reason]), ...notChecked.map(({ reason }) => [reason])];
}

function line(role: Message["role"], content: string, metadata: Message["metadata"] = {}): Message {
  return { role, content, node_id: "", timestamp: "", metadata };
}

test("an interruption passes if the agent stops in time, in each of them", () => {
  const at = (turn: number, stoppedMs: number | null) => ({ turn, afterMs: 500, atMs: 900, stoppedMs });
  assert.deepEqual(checked({ stops_within_ms: 500 }, { interruptions: [at(1, 480)] }), [
    [true, "it stopped 480 ms after the caller's first word, in turn 1"],
  ]);
  assert.equal(checked({ stops_within_ms: 500 }, { interruptions: [at(1, 480), at(2, 501)] })[0]?.[0], false);
  assert.equal(checked({ stops_within_ms: 500 }, { interruptions: [at(1, null)] })[0]?.[0], false);
  assert.deepEqual(checked({ stops_within_ms: 500 }, {}), [["the caller did not interrupt the agent"]]);
  assert.deepEqual(checked({ stops_within_ms: 500 }), [["the call is in text, and nobody hears it"]]);
});

test("talking over the caller and dead air are judged by the longest", () => {
  const list = [
    { turn: 1, ms: 90 },
    { turn: 2, ms: 210 },
  ];
  assert.deepEqual(checked({ talks_over_at_most_ms: 200 }, { overlaps: list }), [
    [false, "it talked over the caller for 210 ms, in turn 2"],
  ]);
  assert.deepEqual(checked({ talks_over_at_most_ms: 0 }, {}), [[true, "it never talked over the caller"]]);
  assert.deepEqual(checked({ dead_air_at_most_ms: 210 }, { pauses: list }), [
    [true, "the longest silence was 210 ms, in turn 2"],
  ]);
  assert.deepEqual(checked({ dead_air_at_most_ms: 210 }, {}), [["the agent said nothing"]]);
});

test("turns with tools have a limit of their own", () => {
  const tool = line("tool", "", { kind: "tool_call" });
  const call = [line("user", "a"), line("assistant", "b"), tool, line("user", "c"), tool, line("assistant", "d")];
  assert.deepEqual(checked({ answers_after_tools_within_ms: 2_500 }, undefined, call), [
    [true, "the slowest of 1 with tools was turn 2, after 2500 ms"],
  ]);
  assert.equal(checked({ answers_after_tools_within_ms: 2_400 }, undefined, call)[0]?.[0], false);
  assert.deepEqual(checked({ answers_after_tools_within_ms: 1 }, undefined, call.slice(0, 3)), [
    ["the agent called no tool before it spoke"],
  ]);
});

test("words are compared with what was said, and with what was heard of the agent", () => {
  const figures = new CallFigures(8_000);
  figures.said(1, "My order is A 1042");
  figures.heard(1, "My border is", false);
  figures.heard(1, "My order is A 1042", true);
  figures.said(2, "Thank you very much");
  figures.agentSaid(2, "It arrives on Monday", "It arrives on Monday");
  figures.agentSaid(2, "Goodbye", undefined);
  const { words } = figures.record(false);
  assert.deepEqual(checked({ word_errors_at_most: 0 }, { words }), [
    [
      true,
      "0 % of 5 words of the caller differ in its platform's transcript; 0 % of 4 words of the agent differ in its platform's transcript",
    ],
  ]);
  // a platform that writes down all words has lost those that it does not have
  assert.equal(checked({ word_errors_at_most: 0.4 }, { words: figures.record(true).words })[0]?.[0], false);
  assert.deepEqual(checked({ word_errors_at_most: 0 }, {}), [["the agent's platform wrote down no words"]]);
});
