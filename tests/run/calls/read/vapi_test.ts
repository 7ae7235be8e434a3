import assert from "node:assert/strict";
import { test } from "node:test";
import { vapiEndReason } from "../../../../platforms/vapi/calls/read.ts";
import { callsOf, courseOf, readAll } from "../_read.ts";
import { vapiCall, vapiReport } from "../_vapi.ts";

const COURSE = [
  "Greeter|assistant: Hello, this is Nova.",
  "Greeter|user: Where is my order?",
  "Greeter|tool: handoff_to_Orders({}) succeeded: No handoff destination returned",
  "Greeter|tool: Greeter -> Orders: handoff_to_Orders succeeded",
  'Orders|tool: find_order({"id":"41"}) succeeded: {"city":"Berlin"}',
  "Orders|assistant: It is in Berlin.",
  "Orders|user: Thanks, bye.",
];

test("a call of a Vapi squad has its members as the path; a handoff without destination succeeded", async () => {
  const [call] = await callsOf(vapiCall());
  assert.ok(call);
  assert.deepEqual(courseOf(call), COURSE);
  assert.deepEqual(call.nodesVisited, ["Greeter", "Orders"]);
  assert.deepEqual(
    call.toolsCalled.map(({ name, outcome, durationMs }) => [name, outcome, durationMs]),
    [
      ["handoff_to_Orders", "succeeded", 200],
      ["find_order", "succeeded", 500],
    ],
  );
  assert.deepEqual(call.variables, { customer_name: "Ada", order_id: "41" });
  assert.deepEqual(call.startVariables, { customer_name: "Ada" });
  assert.deepEqual(call.latency, [{ turn: 1, nodeId: "Orders", firstWordMs: 1200 }]);
  const { callId, agentId, platformEndReason } = call.provenance;
  assert.deepEqual([callId, agentId, platformEndReason], ["0b2e", "squad_1", "customer-ended-call"]);
  assert.deepEqual([call.endReason, call.durationMs], ["caller_ended", 12_000]);
  assert.equal(call.transcript[1]?.timestamp, "2026-01-05T09:30:02.000Z");
});

test("an end-of-call report is the same call, with the artifact in the message, also in its old form", async () => {
  const report = vapiReport();
  const { artifact, ...message } = report.message;
  const old = { message: { ...message, messages: artifact.messages, transcript: "AI: Hello" } };
  for (const source of [report, [report], old]) {
    const [call] = await callsOf(source);
    assert.deepEqual(call && courseOf(call), COURSE);
    assert.equal(call?.provenance.callId, "0b2e");
  }
});

test("server messages during a call and calls that are not over are skipped", async () => {
  const call = vapiCall();
  const records = [{ message: { type: "status-update", call } }, { ...call, status: "in-progress" }];
  const read = await readAll(records.map((record) => JSON.stringify(record)).join("\n"));
  assert.deepEqual(
    read.map((each) => ("problem" in each ? [each.problem, each.line] : [])),
    [
      ["skipped", 1],
      ["skipped", 2],
    ],
  );
});

test("the path of a Vapi call is found by its activations where messages do not name their assistant", async () => {
  const call = vapiCall();
  const messages = (call.artifact?.messages ?? []).map(({ ...message }) => {
    if ("assistantName" in message) delete message.assistantName;
    return message;
  });
  const assistantActivations = ["Greeter", "Orders"].map((assistantName) => ({ assistantName }));
  const [read] = await callsOf({ ...call, artifact: { ...call.artifact, messages, assistantActivations } });
  assert.deepEqual(read?.nodesVisited, ["Greeter", "Orders"]);
});

test("the nodes of a Vapi workflow are the path, with their variables", async () => {
  const { artifact, ...call } = vapiCall();
  const [hello, question] = artifact?.messages?.slice(1, 3) ?? [];
  const nodes = [
    { nodeName: "start", messages: [hello, question], variableValues: { order_id: "41" } },
    { nodeName: "end", messages: [{ ...hello, message: "Bye." }] },
  ];
  const [read] = await callsOf({ ...call, workflowId: "w", artifact: { nodes } });
  assert.deepEqual(read?.nodesVisited, ["start", "end"]);
  assert.deepEqual(read.variables, { customer_name: "Ada", order_id: "41" });
});

test("reasons in which a provider failed say nothing about the agent", () => {
  const reasons = [
    "pipeline-error-openai-llm-failed",
    "call.start.error-get-transport",
    "twilio-failed-to-connect-call",
  ];
  assert.deepEqual(reasons.map(vapiEndReason), ["failed", "failed", "failed"]);
  assert.deepEqual(
    ["assistant-forwarded-call", "exceeded-max-duration", "silence-timed-out", "a reason of next year"].map(
      vapiEndReason,
    ),
    ["agent_transferred", "budget_exceeded", undefined, undefined],
  );
});

const HEAD = { id: "0b2e", orgId: "org", createdAt: "2026-01-05T09:30:00Z", updatedAt: "2026-01-05T09:30:00Z" };
const NO_CALLS = {
  "an assistant": {
    name: "Nova",
    model: { provider: "openai", model: "gpt-4.1", messages: [] },
    firstMessage: "Hello",
  },
  "a squad": { name: "Desk", members: [{ assistantId: "a" }] },
  "a phone number": { provider: "vapi", number: "+14155550100", assistantId: "a", status: "active" },
  "a campaign": { name: "May", assistantId: "a", status: "ended", endedReason: "campaign.ended.success", calls: {} },
  "a tool": { type: "apiRequest", name: "look_up", url: "https://acme.test" },
  "a run of an eval": {
    type: "eval",
    status: "ended",
    endedReason: "mockConversation.done",
    startedAt: HEAD.createdAt,
  },
  "a file": { name: "hours.txt", status: "done", bytes: 10 },
};

for (const [what, fields] of Object.entries(NO_CALLS))
  test(`${what} of Vapi is not read as a call`, async () => {
    const read = await readAll(JSON.stringify([{ ...HEAD, ...fields }]));
    assert.deepEqual(
      read.map((each) => ("reason" in each ? each.reason : each)),
      [
        `it is not a call in a known format: its keys are ${Object.keys({ ...HEAD, ...fields })
          .slice(0, 5)
          .join(", ")}`,
      ],
    );
  });

test("a call of Vapi is known by its type, its artifact, or what only calls have", async () => {
  const { type: _, artifact, ...call } = vapiCall();
  const said = { role: "user", message: "Hi", time: 0, endTime: 1, secondsFromStart: 2 };
  for (const given of [
    vapiCall(),
    { id: "0b2e", status: "ended", artifact },
    { ...call, messages: artifact?.messages },
    { ...HEAD, assistantId: "a", status: "ended", messages: [said] },
    { ...HEAD, assistantId: "a", type: "webCall", endedReason: "customer-ended-call" },
  ])
    assert.equal((await callsOf(given)).length, 1);
});
