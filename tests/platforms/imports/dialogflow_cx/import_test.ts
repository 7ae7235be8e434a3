import assert from "node:assert/strict";
import { test } from "node:test";
import { conversation, importAgent, parseGraph, scripted } from "../../../../mod.ts";
import { CLINIC } from "./_agent.ts";

const { graph, format, findings } = importAgent(CLINIC);

const ways = (id: string) =>
  graph.nodes[id]?.transitions.map(({ target_node_id: to, condition, timing }) =>
    [to, condition.equations ?? condition.outcome ?? condition.type, timing].filter((part) => part !== undefined),
  );

test("the files of an agent are detected, with their head", () => {
  assert.equal(format, "dialogflow-cx");
  assert.deepEqual(graph.source_metadata, { name: "Clinic", language: "en" });
  assert.equal(graph.entry_node_id, "Default Start Flow");
  assert.equal(graph.nodes["Default Start Flow"]?.state_prompt, "Clinic, how can I help?");
  assert.deepEqual(parseGraph(JSON.parse(JSON.stringify(graph))), graph);
});

test("an agent in a folder of an archive is found, and other files are not an agent", () => {
  const moved = Object.fromEntries(Object.entries(CLINIC.files).map(([path, file]) => [`export/${path}`, file]));
  assert.deepEqual(importAgent({ files: moved }).graph.nodes, graph.nodes);
  assert.throws(() => importAgent({ files: { "package.json": {} } }), { code: "unknown-format" });
  assert.throws(() => importAgent({ files: { "agent.json": {} } }, { format: "dialogflow-cx" }), {
    code: "unknown-shape",
  });
});

test("an intent is a condition in words with its phrases, and reads its parameters", () => {
  const [welcome, appointment] = graph.nodes["Default Start Flow"]?.transitions ?? [];
  assert.equal(welcome?.condition.value, 'The caller means "Default Welcome Intent"');
  assert.equal(
    appointment?.condition.value,
    'The caller means "appointment", as in "I need an appointment", "book me in"',
  );
  const reads = graph.nodes[appointment?.target_node_id ?? ""];
  assert.deepEqual(reads?.variables_to_extract, [
    { name: "doctor", description: "doctor; doctor: Day (Doctor Day), Kim", type: "enum", choices: ["Day", "Kim"] },
  ]);
});

test("a form asks for what is unknown, and each answer may fill all of it", () => {
  assert.deepEqual(ways("Booking"), [
    ["Booking needs day", [{ left: "doctor", operator: "exists" }]],
    ["Booking asks doctor", "always"],
  ]);
  assert.deepEqual(
    graph.nodes["Booking answers"]?.variables_to_extract.map(({ name, type }) => [name, type]),
    [
      ["doctor", "enum"],
      ["day", "string"],
      ["note", "string"],
    ],
  );
  assert.deepEqual(ways("Booking needs day"), [
    ["Booking routes", [{ left: "day", operator: "exists" }]],
    ["Booking asks day", "always"],
  ]);
});

test("conditions are equations; the status of a page is known once its form is filled", () => {
  const found = ways("Booking routes") ?? [];
  assert.deepEqual(
    found.map(([, condition]) => condition),
    [
      [
        { left: "doctor", operator: "==", right: "Day" },
        { left: "visits", operator: ">", right: 3 },
      ],
      "always",
    ],
  );
  assert.equal(graph.nodes["Booking routes"]?.transitions[0]?.condition.logical_operator, "or");
});

test("a webhook is a tool with its address, and a transfer has its number", () => {
  const [called] = Object.values(graph.nodes).filter(({ node_type: type }) => type === "function");
  const [tool] = called?.tools ?? [];
  assert.equal(tool?.name, "book");
  assert.equal(tool?.url, "https://clinic.example/book");
  assert.deepEqual(tool?.metadata, { callweave: { method: "POST", timeout_ms: 5000 } });
  assert.equal(graph.nodes["Front desk"]?.transfer_to, "+15550100");
});

test("what is not read is named", () => {
  const found = findings.map(({ code, path }) => [code, path.slice(1).join(".")]);
  assert.deepEqual(found.sort(), [
    ["approximated", "flows/Default Start Flow/pages/Booking.json.transitionRoutes.1.triggerFulfillment.webhook"],
    [
      "set-variable",
      "flows/Default Start Flow/pages/Booking.json.transitionRoutes.0.triggerFulfillment.setParameterActions.0",
    ],
    ["unread-branch", "flows/Default Start Flow/Default Start Flow.json.eventHandlers.0"],
    ["unread-part", "testCases/first.json"],
    ["unread-settings", "flows/Default Start Flow/Default Start Flow.json"],
  ]);
});

async function callOf(turns: readonly string[], answers: Parameters<typeof scripted>[0]) {
  const call = conversation(graph, { models: { agent: scripted(answers) }, tools: { book: () => ({ ok: true }) } });
  const said = [(await call.open()).spoken];
  for (const turn of turns) said.push((await call.hear(turn)).spoken);
  return { said, endReason: call.endReason };
}

const picks = (target: string) => ({ objectives_complete: true, transition_to: target });

test("a call books: it asks what is missing, calls the webhook and says the case that holds", async () => {
  const to = graph.nodes["Default Start Flow"]?.transitions[1]?.target_node_id ?? "";
  const { said, endReason } = await callOf(["An appointment with Kim", "On the first of January"], {
    transition: [picks(to), picks("none")],
    extract: [{ doctor: "Kim" }, { day: "2027-01-01" }],
    arguments: [{ tag: "book" }],
  });
  assert.deepEqual(said, [
    ["Clinic, how can I help?"],
    ["Gladly.", "On which day?"],
    ["One moment.", "It is booked.", "We are open that day."],
  ]);
  assert.equal(endReason, "agent_ended");
});

test("a call stays in a page whose route has no target, and goes back when a flow ends", async () => {
  const billing = graph.nodes["Default Start Flow"]?.transitions[2]?.target_node_id ?? "";
  const [yes, no] = graph.nodes["Bill%2fAsk"]?.transitions ?? [];
  const again = graph.nodes[no?.target_node_id ?? ""]?.transitions[0]?.target_node_id ?? "";
  const { said } = await callOf(["My bill", "No, an older one", "Yes"], {
    transition: [picks(billing), picks(no?.target_node_id ?? ""), picks(yes?.target_node_id ?? "")],
  });
  assert.deepEqual(said, [
    ["Clinic, how can I help?"],
    ["Is it about your last bill?"],
    ["Which one then?"],
    ["It was paid."],
  ]);
  assert.equal(again, "Bill%2fAsk waits");
});
