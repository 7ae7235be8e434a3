import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../../api/connect.ts";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { type AgentConnection, emit, flow, isCallweaveError, run, scenario } from "../../../../mod.ts";
import { connectTo } from "../../../../platforms/connections/mod.ts";
import { startServer } from "../../../call/connection/_server.ts";
import { DESK_SCENARIOS } from "../../connections/_desk.ts";
import { KEY, keyed, statuses } from "../../connections/_runs.ts";
import { ASSISTANT_ID, SQUAD_ID, startVapi } from "./_server.ts";

const hi = scenario("hi").says("I want to return a lamp.").includes("30 days");
const REAL = { store: false, connection: { allowRealTools: true } } as const;

const prepared = async (agent: AgentConnection) =>
  await agent.prepare?.({ signal: AbortSignal.timeout(60_000), pauseClock: () => () => {} });

test("a reference is looked up as an assistant, then as a squad", async () => {
  await using server = await startVapi();
  using _ = keyed("vapi");
  for (const [id, start] of [
    [ASSISTANT_ID, undefined],
    [SQUAD_ID, "welcome"],
  ] as const) {
    const { results } = await run(connectTo("vapi", { id, baseUrl: server.url }), [hi], REAL);
    assert.equal(results[0]?.status, "pass", results[0]?.errorMessage ?? "");
    assert.equal(results[0]?.nodesVisited[0], start);
    assert.equal(results[0]?.connection?.agent, `vapi:${id}`);
  }
});

test("tools that run are listed by name, and the run is refused unless they may run", async () => {
  for (const stored of [false, true]) {
    await using server = await startVapi({ stored });
    using _ = keyed("vapi");
    const agent = connect.vapi({ squadId: SQUAD_ID, baseUrl: server.url });
    await assert.rejects(run(agent, [hi], { store: false }), (error) => {
      assert.ok(isCallweaveError(error));
      assert.equal(error.issues[0]?.code, "real-tools");
      assert.match(error.message, /would run: look_up_order, transferCall/);
      return true;
    });
    assert.ok(server.taken.every(({ method }) => method === "GET"));
  }
});

test("a stored tool that cannot be read counts as one that runs, under any name", async () => {
  const lost = "/tool/tool_extract_find_topic";
  const output = [
    { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: "extract_read_number" } }] },
    { role: "assistant", content: "It takes 30 days." },
  ];
  await using server = await startVapi({
    stored: true,
    instead: ({ url }) =>
      url === lost ? { status: 404, json: {} } : url === "/chat" ? { json: { id: "chat", output } } : undefined,
  });
  using _ = keyed("vapi");
  const agent = connect.vapi({ squadId: SQUAD_ID, baseUrl: server.url });
  await assert.rejects(run(agent, [hi], { store: false }), /look_up_order, tool tool_extract_find_topic, transferCall/);
  assert.deepEqual(statuses(await run(agent, [hi], REAL)), ["pass"]);
});

test("the members of the emitted squad are the nodes that have an assistant", async () => {
  await using server = await startVapi();
  using _ = keyed("vapi");
  const found = await prepared(connect.vapi({ squadId: SQUAD_ID, baseUrl: server.url }));
  const speaking = Object.values(helpDesk.nodes).filter(({ node_type: type }) => type === "conversation");
  assert.deepEqual(found?.nodes?.toSorted(), speaking.map(({ id }) => id).sort());
  assert.equal(found?.capabilities.nodeEachTurn, true);
  assert.equal(found?.capabilities.endSignal, true);
});

test("a node whose id is too long for Vapi is reported by its id", async () => {
  const id = "ask_the_caller_for_the_number_of_the_last_order";
  const graph = flow("long", { prompt: "You answer the phone.", beginMessage: "Hello" })
    .conversation("welcome", { prompt: "Ask.", next: ({ to }) => [to(id, "Caller has an order")] })
    .conversation(id, { prompt: "Ask for the number.", next: ({ to }) => [to("bye", "Done")] })
    .end("bye", { prompt: "Say goodbye." })
    .compile();
  const squad = JSON.parse(emit(graph, "vapi-squad").text);
  const [first, second] = squad.members;
  assert.notEqual(second.assistant.name, id);
  const call = {
    id: "c",
    type: "function",
    function: { name: first.assistantOverrides["tools:append"][0].function.name, arguments: "{}" },
  };
  const destination = {
    ...call,
    function: { name: "handoff_to_x", arguments: JSON.stringify({ destination: second.assistant.name }) },
  };
  for (const made of [call, destination]) {
    const output = [
      { role: "assistant", tool_calls: [made] },
      { role: "assistant", content: "The number?" },
    ];
    await using server = await startServer(({ url }) => ({
      json: url === "/squad/s" ? squad : url === "/session" ? { id: "session" } : { id: "chat", output },
    }));
    using _ = keyed("vapi");
    const asks = scenario("asks", graph).says("An order").visits("welcome", id);
    const agent = connect.vapi({ squadId: "s", baseUrl: server.url });
    const report = await run(agent, [asks], { store: false, connection: { graph } });
    assert.deepEqual(statuses(report), ["pass"]);
  }
});

test("without look-ups, words and tool calls are checked, and neither path nor end", async () => {
  await using server = await startVapi({ looksUp: false });
  using _ = keyed("vapi");
  const agent = connect.vapi({ squadId: SQUAD_ID, baseUrl: server.url });
  const found = await prepared(agent);
  assert.deepEqual([found?.tools, found?.nodes], [undefined, undefined]);
  const { nodeEachTurn, endSignal, opening, toolArguments } = found?.capabilities ?? {};
  assert.deepEqual(
    { nodeEachTurn, endSignal, opening, toolArguments },
    { nodeEachTurn: false, endSignal: false, opening: false, toolArguments: true },
  );
  // one scenario expects only a path and an end
  const worded = DESK_SCENARIOS.filter((_, at) => at !== 3);
  const report = await run(agent, worded, {
    store: false,
    connection: { graph: helpDesk, unchecked: "report", allowRealTools: true },
  });
  assert.deepEqual(
    statuses(report),
    worded.map(() => "pass"),
  );
});

test("a rejected key stops the run at the look-up", async () => {
  const refusal = { status: 401, json: { message: `Invalid Key ${KEY}`, error: "Unauthorized" } };
  await using server = await startVapi({ instead: () => refusal });
  using _ = keyed("vapi");
  await assert.rejects(run(connect.vapi({ assistantId: ASSISTANT_ID, baseUrl: server.url }), [hi], REAL), (error) => {
    assert.ok(error instanceof Error);
    assert.match(error.message, /\(key\)/);
    assert.ok(!`${error.message} ${error.stack}`.includes(KEY));
    return true;
  });
  assert.equal(server.taken.length, 1);
  assert.equal(server.taken[0]?.headers.authorization, `Bearer ${KEY}`);
});

test("an empty answer to a look-up is an error, not an agent that has nothing", async () => {
  await using server = await startVapi({ instead: ({ method }) => (method === "GET" ? { json: {} } : undefined) });
  using _ = keyed("vapi");
  for (const id of [{ squadId: SQUAD_ID }, { assistantId: ASSISTANT_ID }])
    await assert.rejects(
      run(connect.vapi({ ...id, baseUrl: server.url }), [hi], REAL),
      /\(vendor\).*no part of an agent/,
    );
});

test("an agent that does not exist stops the run", async () => {
  await using server = await startVapi();
  using _ = keyed("vapi");
  const report = await run(connect.vapi({ assistantId: "gone", baseUrl: server.url }), [hi], {
    ...REAL,
    limits: { concurrency: 1 },
  });
  assert.match(report.results[0]?.errorMessage ?? "", /\(unknown-agent\)/);
  assert.ok(report.stopped);
});

test("chats use the newest version, so another one is refused", async () => {
  await using server = await startVapi();
  using _ = keyed("vapi");
  const run1 = (agent: AgentConnection) => run(agent, [hi], REAL);
  const { url: baseUrl } = server;
  for (const version of ["v3", "3"]) {
    const { results } = await run1(connect.vapi({ assistantId: ASSISTANT_ID, version, baseUrl }));
    assert.equal(results[0]?.connection?.version, "v3");
  }
  await assert.rejects(
    run1(connect.vapi({ assistantId: ASSISTANT_ID, version: "v2", baseUrl })),
    /its version is v3, and calls cannot choose version v2/,
  );
  await assert.rejects(run1(connect.vapi({ squadId: SQUAD_ID, version: "v2", baseUrl })), /its version is not known/);
});

test("the first message is the opening, with its variables, unless a model or the caller speaks first", async () => {
  const openings = [
    [{ firstMessage: "Hi {{ name }}!" }, "Hi Jo!"],
    [{ firstMessage: 'Hi {{ name | default: "you" }}!' }, undefined],
    [{ firstMessage: "Hi", firstMessageMode: "assistant-waits-for-user" }, undefined],
    [{ firstMessage: "Hi", firstMessageMode: "assistant-speaks-first-with-model-generated-message" }, undefined],
    [{}, undefined],
  ] as const;
  for (const [settings, words] of openings) {
    const output = [{ role: "assistant", content: "Yes" }];
    await using server = await startServer(({ method }) => ({
      json: method === "GET" ? { id: "a", ...settings } : { id: "chat", output },
    }));
    using _ = keyed("vapi");
    const agent = connect.vapi({ assistantId: "a", baseUrl: server.url });
    const said = scenario("yes").variables({ name: "Jo" }).says("One", "Two").includes("Yes");
    const { results } = await run(agent, [said], { store: false });
    assert.equal(results[0]?.status, "pass", results[0]?.errorMessage ?? "");
    const [first] = results[0]?.transcript ?? [];
    assert.equal(first?.role === "assistant" ? first.content : undefined, words);
    const [one, two] = server.taken.filter(({ method }) => method === "POST").map(({ body }) => body);
    const opening = { role: "assistant", content: words };
    assert.deepEqual(one.input, words === undefined ? "One" : [opening, { role: "user", content: "One" }]);
    assert.deepEqual([two.input, two.previousChatId, two.assistantId], ["Two", "chat", "a"]);
    assert.deepEqual(one.assistantOverrides, { variableValues: { name: "Jo" } });
  }
});

test("an assistant or a squad is needed, and not both", () => {
  using _ = keyed("vapi");
  // @ts-expect-error neither
  assert.throws(() => connect.vapi({}), /neither assistantId nor squadId/);
  // @ts-expect-error both
  assert.throws(() => connect.vapi({ assistantId: "a", squadId: "b" }), /both assistantId and squadId/);
  assert.throws(() => connect.vapi({ assistantId: "a/b" }), /assistantId/);
  assert.throws(() => connectTo("vapi", { id: "a b" }), /assistantId/);
});
