import assert from "node:assert/strict";
import { test } from "node:test";
import { importCalls } from "../../../../api/calls.ts";
import { importAgent, openStore } from "../../../../mod.ts";
import type { JsonObject } from "../../../../src/base/values/mod.ts";
import { callsOf, readAll } from "../_read.ts";

const ended = { id: "c", type: "inboundPhoneCall", status: "ended", endedReason: "customer-ended-call" };

function toolCall(name: string, args: object, result: string): readonly JsonObject[] {
  const id = `${name} ${result}`;
  const toolCalls = [{ id, type: "function", function: { name, arguments: JSON.stringify(args) } }];
  return [
    { role: "tool_calls", toolCalls },
    { role: "tool_call_result", toolCallId: id, name, result },
  ];
}

const said = (role: "bot" | "user", message: string, more: JsonObject = {}) => ({ role, message, ...more });

/** A call of a deployed squad: only ids, and no list of the assistants that were active. */
const squadCall = {
  ...ended,
  squadId: "s",
  artifact: {
    messages: [
      said("bot", "Hello."),
      said("user", "My bill is wrong."),
      ...toolCall("handoff_to_billing", { destination: "id-billing" }, "Handoff initiated."),
      said("bot", "Which bill?"),
    ],
  },
};

function handoff(name: string, assistantId: string): JsonObject {
  const destinations = [{ type: "assistant", assistantId, description: "Caller asks" }];
  return { "tools:append": [{ type: "handoff", function: { name }, destinations }] };
}

const squad = JSON.stringify({
  name: "Desk",
  members: [
    { assistantId: "id-front", assistantOverrides: handoff("handoff_to_billing", "id-billing") },
    { assistantId: "id-billing", assistantOverrides: handoff("speak_to_manager", "id-manager") },
    { assistantId: "id-manager" },
  ],
});

async function importedWith(call: JsonObject) {
  await using store = await openStore(":memory:");
  const { run } = await importCalls(JSON.stringify(call), { store, agent: importAgent(squad).graph });
  const { results } = await store.showRun(run?.id ?? "");
  return results[0];
}

test("a squad's call whose assistants are not named has the targets of its handoffs as the path", async () => {
  const [call] = await callsOf(squadCall);
  assert.deepEqual(call?.nodesVisited, ["id-billing"]);
  assert.deepEqual(
    call.transcript.map(({ node_id, content }) => `${node_id}|${content}`),
    [
      "|Hello.",
      "|My bill is wrong.",
      '|handoff_to_billing({"destination":"id-billing"}) succeeded: Handoff initiated.',
      "|-> id-billing: handoff_to_billing succeeded",
      "id-billing|Which bill?",
    ],
  );
});

test("with its squad, such a call starts at the first member", async () => {
  const result = await importedWith(squadCall);
  assert.deepEqual(result?.nodesVisited, ["id-front", "id-billing"]);
  assert.deepEqual(
    result?.transcript.map(({ node_id }) => node_id),
    ["id-front", "id-front", "id-front", "id-front", "id-billing"],
  );
  assert.equal(result?.transcript[3]?.content, "id-front -> id-billing: handoff_to_billing succeeded");
  assert.deepEqual(result?.transcript[3]?.metadata.ways, [{ transition: 0 }]);
});

test("with its squad, a call without a handoff is at the first member", async () => {
  const result = await importedWith({ ...squadCall, artifact: { messages: [said("bot", "Hello.")] } });
  assert.deepEqual(result?.nodesVisited, ["id-front"]);
});

test("with its squad, the tool of a handoff without a destination names the target", async () => {
  const messages = [
    ...toolCall("handoff_to_billing", {}, "Handoff initiated."),
    ...toolCall("handoff_to_speak_to_manager", {}, "Handoff initiated."),
  ];
  const result = await importedWith({ ...squadCall, artifact: { messages } });
  assert.deepEqual(result?.nodesVisited, ["id-front", "id-billing", "id-manager"]);
});

test("an assistant's name and id are one node", async () => {
  const messages = [
    said("bot", "Hello.", { assistantName: "Front", assistantId: "id-front" }),
    ...toolCall("handoff_to_billing", { destination: "id-billing" }, "Handoff initiated."),
    said("bot", "Which bill?", { assistantName: "Billing", assistantId: "id-billing" }),
  ];
  const [call] = await callsOf({ ...squadCall, artifact: { messages } });
  assert.deepEqual(call?.nodesVisited, ["Front", "Billing"]);
  const result = await importedWith({ ...squadCall, artifact: { messages } });
  assert.deepEqual(result?.nodesVisited, ["id-front", "id-billing"]);
});

test("a transfer that did not go through failed, by its status or its words, and moves nowhere", async () => {
  const number = { type: "number", number: "+15550100000" };
  const outcomes = async (result: string, status?: string) => {
    const transfers = status === undefined ? [] : [{ status, destination: number }];
    const messages = [said("bot", "Hello.", { assistantName: "Front" }), ...toolCall("transfer_to_desk", {}, result)];
    const [call] = await callsOf({ ...squadCall, artifact: { messages, transfers } });
    return [call?.toolsCalled[0]?.outcome, call?.nodesVisited];
  };
  for (const result of ["Transfer cancelled.", "The transfer failed.", "No answer.", "Could not transfer", "Line busy"])
    assert.deepEqual(await outcomes(result), ["failed", ["Front"]], result);
  for (const status of ["no-answer", "busy", "voicemail", "failed", "cancelled"])
    assert.deepEqual(await outcomes("Transferring now", status), ["failed", ["Front"]], status);
  for (const status of ["connected", "completed"])
    assert.deepEqual(await outcomes("Done", status), ["succeeded", ["Front"]], status);
});

test("a transfer to a number or a SIP address is not an assistant of the path", async () => {
  for (const destination of ["+1 555 010 0000", "sip:desk@example.com"]) {
    const messages = [
      said("bot", "Hello.", { assistantName: "Front" }),
      ...toolCall("transferCall", { destination }, "Transferring."),
    ];
    const [call] = await callsOf({ ...squadCall, artifact: { messages } });
    assert.deepEqual([call?.toolsCalled[0]?.outcome, call?.nodesVisited], ["succeeded", ["Front"]]);
  }
});

test("transfers, costs and recordings of a call are kept", async () => {
  const transfers = [{ status: "cancelled", destination: { type: "number", number: "+15550100000" } }];
  const costBreakdown = { llm: 0.2, tts: 0.3, total: 0.5 };
  const recordingUrl = "https://example.com/r.wav";
  const [call] = await callsOf({ ...squadCall, costBreakdown, recordingUrl, artifact: { transfers } });
  const { facts } = call?.provenance ?? {};
  assert.deepEqual(
    [facts?.transfers, facts?.costBreakdown, facts?.recordingUrl],
    [transfers, costBreakdown, recordingUrl],
  );
  const [other] = await callsOf({ ...squadCall, artifact: { recordingUrl, recording: { stereoUrl: recordingUrl } } });
  assert.deepEqual(
    [other?.provenance.facts?.recordingUrl, other?.provenance.facts?.recording],
    [recordingUrl, { stereoUrl: recordingUrl }],
  );
});

test("the reply to a request that creates a call is no call yet", async () => {
  const { status: _, endedReason: __, ...created } = { ...ended, assistantId: "a", createdAt: "2026-02-02T16:05:46Z" };
  const retell = { call_id: "r", call_type: "phone_call", agent_id: "a" };
  for (const record of [created, { ...created, status: "not-found" }, retell]) {
    const read = await readAll(JSON.stringify([record]));
    assert.deepEqual(
      read.map((each) => ("problem" in each ? each.problem : "read")),
      ["skipped"],
    );
  }
  const unanswered = await readAll(JSON.stringify([{ ...created, endedReason: "customer-did-not-answer" }]));
  assert.deepEqual("problem" in (unanswered[0] ?? {}), false);
});
