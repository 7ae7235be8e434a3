import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuditedCall, auditCaller } from "../../../src/call/judges/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import type { Message } from "../../../src/document/transcript/mod.ts";
import { line } from "./_fixtures.ts";

const record: Message["metadata"] = { kind: "tool_call", result: { plan: "Gold" } };
const call: AuditedCall = {
  persona: "You are Ann. You pay 48",
  given: ["15 a month", "  "],
  transcript: [
    line("system", "The line is in Basel."),
    line("assistant", "Are you a customer from Bern?"),
    { ...line("tool", "find succeeded"), metadata: record },
    line("user", "Yes, since the flood. My Gold plan costs 4815 in Basel."),
    line("user", "Bye."),
    line("assistant", "Goodbye."),
  ],
  endReason: "agent_ended",
};

const CLEAN = { invented_facts: [], goal: "a new plan", goal_decided: true, reasoning: "It was booked." };

/** What the audit finds, and the input of its model, when the model answers this. */
async function audited(answer: Partial<Record<keyof typeof CLEAN, unknown>>, changes: Partial<AuditedCall> = {}) {
  const model = scripted({ audit: [{ ...CLEAN, ...answer }] });
  const findings = await auditCaller({ ...call, ...changes }, { model });
  return { findings, inputs: model.calls.map(({ input }) => input) };
}

test("the model of the audit sees all that the caller was given, and all lines but those of the system", async () => {
  const { findings, inputs } = await audited({});
  assert.deepEqual(findings, []);
  const conversation_history = [
    { role: "assistant", content: "Are you a customer from Bern?" },
    { role: "tool", content: `find succeeded ${JSON.stringify(record)}` },
    { role: "user", content: "Yes, since the flood. My Gold plan costs 4815 in Basel." },
    { role: "user", content: "Bye." },
    { role: "assistant", content: "Goodbye." },
  ];
  assert.deepEqual(inputs, [{ persona: "You are Ann. You pay 48\n15 a month", conversation_history }]);
  const { inputs: bare } = await audited({}, { persona: "", given: ["Hello", "\t", "Bye"] });
  assert.equal(bare[0]?.persona, "Hello\nBye");
});

test("a claim of the model is a finding only if the caller said the quote and no source holds the fact", async () => {
  const YES = "Yes, since the flood";
  for (const [quote, fact, isFinding, why] of [
    [YES, "the flood", true, "nobody else spoke of it"],
    [YES, "The  FLOOD", true, "nobody else spoke of it, however it is spelled"],
    ["since the war", "the war", false, "the caller did not say it"],
    ["Are you a customer from Bern?", "customer", false, "the agent said the quote, not the caller"],
    ["", "the flood", false, "nothing is quoted"],
    [YES, "", false, "no fact is named"],
    [YES, "  ", false, "no fact is named"],
    [YES, "You are Ann", false, "it stands in the persona"],
    [YES, "you are  ann", false, "it stands in the persona, in another case and spacing"],
    [YES, "15 a month", false, "the caller was given it"],
    [YES, "Bern", false, "the agent said it"],
    ["My Gold plan", "Gold", false, "a tool returned it"],
    ["My Gold plan costs 4815", "4815", true, "the end of one source and the start of the next are no fact"],
    ["in Basel", "Basel", true, "the caller does not hear lines of the system"],
  ] as const) {
    const { findings } = await audited({ invented_facts: [{ quote, fact }] });
    const reason = `The caller said "${quote}"; neither its persona nor the agent or a tool gave "${fact}"`;
    assert.deepEqual(findings, isFinding ? [{ kind: "invented-fact", fact, quote, reason }] : [], why);
  }
});

test("a caller that hangs up before its goal is decided has ended early; whoever else ends the call has not", async () => {
  const reason = "The caller hung up before its goal was decided (a new plan): It was booked.";
  const early = { kind: "ended-early", quote: "Bye.", reason };
  for (const [endReason, goal_decided, expected] of [
    ["caller_ended", false, [early]],
    ["caller_ended", true, []],
    ["agent_ended", false, []],
    ["agent_ended", true, []],
    [undefined, false, []],
  ] as const) {
    const { findings } = await audited({ goal_decided }, { endReason });
    assert.deepEqual(findings, expected, `${endReason}, ${goal_decided}`);
  }
  const invented_facts = [{ quote: "since the flood", fact: "flood" }];
  const { findings } = await audited({ goal_decided: false, invented_facts }, { endReason: "caller_ended" });
  assert.deepEqual(
    findings.map(({ kind }) => kind),
    ["invented-fact", "ended-early"],
  );
});

test("a caller that hangs up without a word has ended early too, with nothing to quote", async () => {
  const silent = { endReason: "caller_ended", transcript: [line("assistant", "Hello?")] } as const;
  const { findings } = await audited({ goal_decided: false }, silent);
  assert.deepEqual(
    findings.map(({ kind, quote }) => [kind, quote]),
    [["ended-early", ""]],
  );
});
