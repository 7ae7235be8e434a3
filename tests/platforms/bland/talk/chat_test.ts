import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../../api/connect.ts";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { isCallweaveError, run, scenario } from "../../../../mod.ts";
import { connectTo } from "../../../../platforms/connections/mod.ts";
import { type Answer, startServer } from "../../../call/connection/_server.ts";
import { DESK_SCENARIOS } from "../../connections/_desk.ts";
import { KEY, keyed, statuses } from "../../connections/_runs.ts";
import { type BlandServerOptions, PATHWAY, PATHWAY_ID, startBland } from "./_server.ts";

const LIVE = { store: false, connection: { graph: helpDesk, unchecked: "report", allowRealTools: true } } as const;
const REAL = { store: false, connection: { allowRealTools: true } } as const;
const PASSES = DESK_SCENARIOS.map(() => "pass");
const hi = scenario("hi").says("I want to return a lamp.").includes("30 days");

const READINGS: readonly BlandServerOptions[] = [
  { empty: "opening" },
  { empty: "nothing" },
  { empty: "refused" },
  { empty: "errors" },
];

for (const reading of READINGS) {
  test(`the help desk's scenarios pass on Bland's chat, where no message is answered with ${reading.empty}`, async () => {
    await using server = await startBland(reading);
    using _ = keyed("bland");
    const report = await run(connect.bland({ pathwayId: PATHWAY_ID, baseUrl: server.url }), DESK_SCENARIOS, LIVE);
    assert.deepEqual(statuses(report), PASSES);
    const [order, again] = report.results;
    const checked = order?.checks.map(({ kind, expected }) => `${kind} ${expected}`) ?? [];
    assert.ok(checked.includes("visits ask_number -> tell_status -> goodbye"));
    assert.ok(checked.includes("ends agent_ended"));
    assert.deepEqual(
      order?.connection?.notChecked?.map(({ kind, expected }) => `${kind} ${expected}`),
      ["visits look_up", "calls look_up_order", "mocks look_up_order"],
    );
    assert.deepEqual(again?.nodesVisited.slice(-3), ["not_found", "tell_status", "goodbye"]);
    const isOpened = reading.empty === "opening";
    assert.equal(order?.transcript.find(({ role }) => role !== "tool")?.role, isOpened ? "assistant" : "user");
    assert.match(order?.connection?.callId ?? "", /^chat-/);
    assert.ok(!order?.transcript.some(({ content }) => content === "."));
  });
}

test("wrong words, a wrong path and a wrong variable fail, and never pass", async () => {
  await using server = await startBland({ words: (text) => text.replaceAll("shipped", "lost") });
  using _ = keyed("bland");
  const agent = connect.bland({ pathwayId: PATHWAY_ID, baseUrl: server.url });
  const call = scenario("path", helpDesk).says("I ask for a manager!", "Goodbye.");
  const wrong = [
    call.visits("manager", "tell_status"),
    { name: "variable", says: ["I want to return a lamp."], extracts: { topic: "order" } },
  ];
  const [words, path, variable] = statuses(await run(agent, [...DESK_SCENARIOS.slice(0, 1), ...wrong], LIVE));
  assert.match(words ?? "", /^fail: includes shipped/);
  assert.match(path ?? "", /^fail: visits manager -> tell_status/);
  assert.match(variable ?? "", /^fail: extracts topic/);
});

test("nodes and tools that do something are listed by name, and the run is refused unless they may run", async () => {
  const tool = { name: "send_mail", type: "webhook" };
  const more = [
    { id: "9", type: "Default", data: { name: "Mail", tools: [tool] } },
    { id: "10", data: { type: "SMS" } },
  ];
  const answer = { json: { data: { ...PATHWAY, nodes: [...PATHWAY.nodes, ...more] } } };
  await using server = await startBland({ instead: ({ method }) => (method === "GET" ? answer : undefined) });
  using _ = keyed("bland");
  const agent = connect.bland({ pathwayId: PATHWAY_ID, baseUrl: server.url });
  await assert.rejects(run(agent, [hi], { store: false }), (error) => {
    assert.ok(isCallweaveError(error));
    assert.equal(error.issues[0]?.code, "real-tools");
    assert.match(error.message, /would run: The node look_up, The node technician, 10, send_mail/);
    return true;
  });
  assert.ok(server.taken.every(({ method }) => method === "GET"));
});

test("nodes that a call passes within a turn can neither be visited nor avoided", async () => {
  const returning = { id: "help", type: "Default", data: { isGlobal: true } };
  const pathway = { ...PATHWAY, nodes: [...PATHWAY.nodes, returning] };
  await using server = await startBland({
    instead: ({ method }) => (method === "GET" ? { json: pathway } : undefined),
  });
  using _ = keyed("bland");
  const agent = connect.bland({ pathwayId: PATHWAY_ID, baseUrl: server.url });
  for (const id of ["look_up", "find_topic", "route", "help"]) {
    const avoids = { name: "avoids", says: ["Hi"], avoids: [id] };
    await assert.rejects(run(agent, [avoids], REAL), new RegExp(`does not report the node "${id}"`));
  }
});

test("without look-ups, nodes and transfers are not checked", async () => {
  await using server = await startBland({ looksUp: false });
  using _ = keyed("bland");
  // one scenario expects only a path and a transfer
  const worded = DESK_SCENARIOS.filter((_, at) => at !== 3);
  const agent = connect.bland({ pathwayId: PATHWAY_ID, baseUrl: server.url });
  const report = await run(agent, worded, LIVE);
  assert.deepEqual(statuses(report), PASSES.slice(1));
  const pathAlone = scenario("path alone", helpDesk).says("Hi").visits("check_lamp").ends("agent_transferred");
  await assert.rejects(run(agent, [pathAlone], LIVE), /expects nothing that "bland:pathway-1" reports/);
  assert.ok(report.results[0]?.connection?.notChecked?.some(({ kind }) => kind === "visits"));
});

test("the version and the start node are those that were asked for", async () => {
  await using server = await startBland();
  using _ = keyed("bland");
  const agent = connectTo("bland", { id: PATHWAY_ID, version: "3", baseUrl: server.url });
  const { results } = await run(agent, [hi], REAL);
  assert.equal(results[0]?.status, "pass", results[0]?.errorMessage ?? "");
  assert.equal(results[0]?.connection?.version, "3");
  assert.equal(server.taken[0]?.url, `/v1/pathway/${PATHWAY_ID}/version/3`);
  assert.equal(server.taken[0]?.headers.authorization, KEY);
  const start = connect.bland({ pathwayId: PATHWAY_ID, startNodeId: "manager", baseUrl: server.url });
  await run(
    start,
    [scenario("hi").variables({ name: "Jo" }).says("I want to return a lamp.").includes("30 days")],
    REAL,
  );
  const created = server.taken.filter(({ url }) => url.endsWith("/create")).map(({ body }) => body);
  assert.deepEqual(created, [
    { pathway_id: PATHWAY_ID, pathway_version: 3 },
    { pathway_id: PATHWAY_ID, start_node_id: "manager", request_data: { name: "Jo" } },
  ]);
  await using other = await startBland({ answersVersion: "4" });
  const changed = connect.bland({ pathwayId: PATHWAY_ID, version: "3", baseUrl: other.url });
  assert.match(statuses(await run(changed, [hi], REAL))[0] ?? "", /version 4 answered, not version 3/);
  assert.throws(() => connect.bland({ pathwayId: PATHWAY_ID, version: "latest" }), /version/);
});

const turn = (more: object): Answer => ({
  json: { data: { assistant_responses: ["Hi"], current_node_id: "welcome", variables: {}, completed: false, ...more } },
});

const FAULTS: readonly (readonly [name: string, kind: string, Answer])[] = [
  ["400", "refused", { status: 400, json: { errors: [KEY] } }],
  ["401", "key", { status: 401, json: {} }],
  ["402", "payment", { status: 402, json: {} }],
  ["404", "unknown-agent", { status: 404, json: {} }],
  ["500", "vendor", { status: 500, json: {} }],
  ["errors", "refused", { json: { data: null, errors: [{ message: `not with ${KEY}` }] } }],
  ["half a JSON", "vendor", { text: '{"data":{"assis' }],
  ["no data", "vendor", { json: { status: "ok" } }],
  ["no words", "vendor", turn({ assistant_responses: null })],
  ["words that are no texts", "vendor", turn({ assistant_responses: [{ text: "Hi" }] })],
  ["no node", "vendor", turn({ current_node_id: null })],
  ["no variables", "vendor", turn({ variables: null })],
  ["not whether it is completed", "vendor", turn({ completed: undefined })],
  ["close without an answer", "(?:ended-early|unreachable)", (response) => void response.destroy()],
];

for (const [name, kind, answer] of FAULTS) {
  test(`a fault of a turn is an error of its kind, is not sent again, and shows no key: ${name}`, async () => {
    await using server = await startBland({
      instead: ({ method, body }) => (method === "POST" && body.message !== undefined ? answer : undefined),
    });
    using _ = keyed("bland");
    const report = await run(connect.bland({ pathwayId: PATHWAY_ID, baseUrl: server.url }), [hi], REAL);
    const [first = ""] = statuses(report);
    assert.match(first, new RegExp(`^error: Cannot talk to "bland:${PATHWAY_ID}" \\(${kind}\\)`));
    assert.equal(server.taken.filter(({ body }) => body?.message !== undefined).length, 1);
    assert.ok(!JSON.stringify(report).includes(KEY));
  });
}

test("a chat without an id is an error, and so is an opening that fails", async () => {
  await using nameless = await startServer(({ method }) =>
    method === "GET" ? { json: PATHWAY } : { json: { data: {} } },
  );
  await using broken = await startBland({
    instead: ({ method, body }) =>
      method === "POST" && !body.message && !body.pathway_id ? { status: 500, json: {} } : undefined,
  });
  using _ = keyed("bland");
  for (const { url } of [nameless, broken]) {
    const [first = ""] = statuses(await run(connect.bland({ pathwayId: PATHWAY_ID, baseUrl: url }), [hi], REAL));
    assert.match(first, /^error: .*\(vendor\)/);
  }
});

test("a rejected key stops the run at the look-up", async () => {
  await using server = await startBland({ instead: () => ({ status: 401, json: { errors: [KEY] } }) });
  using _ = keyed("bland");
  await assert.rejects(run(connect.bland({ pathwayId: PATHWAY_ID, baseUrl: server.url }), [hi], REAL), (error) => {
    assert.ok(error instanceof Error);
    assert.match(error.message, /\(key\)/);
    assert.ok(!`${error.message} ${error.stack}`.includes(KEY));
    return true;
  });
});

test("a chat that does not answer is silence, and a throttled one is sent again", async () => {
  let refused = 0;
  const throttled: Answer = { status: 429, json: {}, headers: { "retry-after": "0" } };
  const isTurn = (body: { readonly message?: string } | null) => body?.message !== undefined;
  await using slow = await startBland({ instead: ({ body }) => (isTurn(body) ? () => {} : undefined) });
  await using busy = await startBland({
    instead: ({ body }) => (isTurn(body) && refused++ < 2 ? throttled : undefined),
  });
  using _ = keyed("bland");
  const to = (baseUrl: string) => connect.bland({ pathwayId: PATHWAY_ID, baseUrl });
  const [silent = ""] = statuses(await run(to(slow.url), [hi], { ...REAL, limits: { turnTimeoutMs: 300 } }));
  assert.match(silent, /^error: .*\(silence\)/);
  assert.deepEqual(statuses(await run(to(busy.url), [hi], REAL)), ["pass"]);
  assert.equal(busy.taken.filter(({ body }) => isTurn(body)).length, 3);
});
