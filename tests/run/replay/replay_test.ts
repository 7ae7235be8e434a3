import assert from "node:assert/strict";
import { test } from "node:test";
import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { scenarios } from "../../../examples/help-desk/scenarios.ts";
import { offline } from "../../../src/call/models/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";
import type { Message } from "../../../src/document/transcript/mod.ts";
import { type ReplayOptions, replay } from "../../../src/run/replay/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { type NewResult, openStore } from "../../../src/run/store/mod.ts";
import { formatReport, formatResult } from "../../../src/surface/reporters/mod.ts";
import { modelOf } from "./_calls.ts";

const models = { agent: offline() };
const message = (role: Message["role"], content: string, node_id = "", metadata = {}): Message => ({
  role,
  content,
  node_id,
  timestamp: "2026-03-01T09:00:00Z",
  metadata,
});

/** An agent that looks orders up, with the tool's arguments as the model chooses them. */
const orders = parseGraph({
  entry_node_id: "ask",
  nodes: {
    ask: {
      id: "ask",
      node_type: "conversation",
      state_prompt: "Ask for the number.",
      transitions: [{ target_node_id: "find", condition: { type: "llm_prompt", value: "Caller gives it" } }],
    },
    find: {
      id: "find",
      node_type: "function",
      tools: [
        {
          name: "find_order",
          parameters: { type: "object", properties: { id: { type: "string" } } },
          response_variables: { state: "$.state" },
        },
      ],
      transitions: [{ target_node_id: "ask", condition: { type: "always" } }],
    },
  },
});

/** Answers as a caller of `orders` needs, looking up an order by each number in turn. */
function clerk(...ids: readonly string[]) {
  const left = [...ids];
  return modelOf({
    transition: () => ({ objectives_complete: true, transition_to: "find" }),
    respond: (input) => `Say the number. ${JSON.stringify(input).length > 0 ? "" : "!"}`,
    arguments: () => ({ id: left.shift() ?? "0" }),
  });
}

async function recordedOrders(mock: (call: number) => unknown) {
  await using store = await openStore(":memory:");
  let calls = 0;
  const { id } = await run(orders, [{ name: "twice", says: ["seven", "seven again"], excludes: ["never said"] }], {
    models: { agent: clerk("7", "7") },
    tools: { find_order: () => mock(++calls) },
    store,
  });
  return await store.showRun(id);
}

test("replay() of the help desk's calls takes the same path in all of them", async () => {
  await using store = await openStore(":memory:");
  const { id, results: recorded } = await run(helpDesk, scenarios, { models, store });
  const report = await replay(id, helpDesk, { models, store });
  assert.equal(report.kind, "replay");
  assert.equal(report.passed, true);
  assert.deepEqual(
    report.results.map(({ scenario, nodesVisited, replay }) => [scenario, nodesVisited, replay?.divergences]),
    recorded.map(({ scenario, nodesVisited }) => [scenario, nodesVisited, []]),
  );
  const { run: stored, results } = await store.showRun(report.id);
  assert.equal(stored.kind, "replay");
  assert.deepEqual(new Set(results.map(({ replay }) => replay?.ofResult)), new Set(recorded.map(({ id }) => id)));
});

test("equal tool calls of a replay get the recorded answers in order, and no function is called", async () => {
  const stored = await recordedOrders((call) => ({ state: `state ${call}` }));
  let called = 0;
  const { results } = await replay(stored, orders, {
    models: { agent: clerk("7", "7") },
    tools: { find_order: () => ++called },
    store: false,
  });
  assert.deepEqual(results[0]?.replay?.divergences, []);
  assert.deepEqual(
    results[0]?.toolsCalled.map(({ result }) => result),
    [{ state: "state 1" }, { state: "state 2" }],
  );
  assert.equal(called, 0);
});

test("a tool call that the recording does not have fails, is mocked or is made, as the option says", async () => {
  const stored = await recordedOrders(() => ({ state: "sent" }));
  const scenario = {
    name: "twice",
    says: ["x"],
    excludes: ["never said"],
    tool_mocks: [{ tool_name: "find_order", output: { state: "mocked" } }],
  };
  const answer = async (options: ReplayOptions) => {
    const given = { models: { agent: clerk("7", "8") }, tools: { find_order: () => "live" }, store: false } as const;
    const { results } = await replay(stored, orders, { ...given, ...options });
    const [divergence] = results[0]?.replay?.divergences ?? [];
    assert.equal(divergence?.kind, "tool");
    assert.equal(divergence?.turn, 2);
    assert.equal(divergence?.nodeId, "find");
    return results[0]?.toolsCalled[1];
  };
  const failed = await answer({});
  assert.equal(failed?.outcome, "failed");
  assert.match(String(failed?.result), /the recording has no unused result for it/);
  assert.deepEqual((await answer({ scenarios: [scenario] }))?.result, { state: "mocked" });
  assert.equal((await answer({ scenarios: [scenario], unmatchedTools: "fail" }))?.outcome, "failed");
  assert.equal((await answer({ unmatchedTools: "run" }))?.result, "live");
});

test("the reports of a replay show the first difference with its transitions, reasons and the change of the graph", async () => {
  await using store = await openStore(":memory:");
  const { id } = await run(helpDesk, scenarios, { models, store });
  const nodes: AgentGraph["nodes"] = helpDesk.nodes;
  const { welcome } = nodes;
  assert.ok(welcome);
  const changed: AgentGraph = {
    ...helpDesk,
    nodes: {
      ...helpDesk.nodes,
      welcome: { ...welcome, transitions: welcome.transitions.map((each) => ({ ...each, target_node_id: "goodbye" })) },
    },
  };
  const report = await replay(id, changed, { models, store, only: ["takes a lamp back"] });
  assert.deepEqual([report.passed, report.results.length], [false, 1]);
  const [first, ...others] = report.results[0]?.replay?.divergences ?? [];
  assert.deepEqual([first?.kind, first?.turn, first?.nodeId], ["path", 1, "welcome"]);
  assert.deepEqual(first?.recordedTransition?.ways, [{ transition: 0 }]);
  assert.equal(first?.replayedTransition?.to, "goodbye");
  assert.ok(others.length > 0 && others.every(({ follows }) => follows));
  const [result] = (await store.showRun(report.id)).results;
  for (const text of [formatReport(report), result ? formatResult(result) : ""]) {
    assert.match(text, /diverged from the recording in turn 1 at "welcome": the path/);
    assert.match(text, /recorded {2}welcome -> find_topic: Caller gives a reason for the call \(transition 0\)/);
    assert.match(text, /changed {3}Transition of "welcome"/);
  }
});

test("an adaptive caller says recorded words where the agent asks the same, and a model speaks elsewhere", async () => {
  await using store = await openStore(":memory:");
  const asking = (...questions: readonly string[]) => {
    const left = [...questions];
    return modelOf({
      respond: () => left.shift() ?? "Anything else?",
      caller: (input) => {
        assert.match(String(input.persona), /You: My name is Ada[\s\S]*- In March/);
        return { message: "I said Ada before.", should_end: false };
      },
    });
  };
  const graph = parseGraph({
    entry_node_id: "talk",
    nodes: { talk: { id: "talk", node_type: "conversation", state_prompt: "Talk.", transitions: [] } },
  });
  const says = ["My name is Ada", "In March"];
  const { id } = await run(graph, [{ name: "books", says, excludes: ["never said"] }], {
    models: { agent: asking("Name?", "When?", "Thanks.") },
    store,
  });
  const agent = asking("Name?", "How do you spell that?", "When?", "Thanks.");
  const { results } = await replay(id, graph, { models: { agent }, mode: "adaptive", store, limits: { maxTurns: 3 } });
  const said = results[0]?.transcript.filter(({ role }) => role === "user").map(({ content }) => content);
  assert.deepEqual(said, ["My name is Ada", "I said Ada before.", "In March"]);
  assert.equal(results[0]?.replay?.mode, "adaptive");
});

test("an adaptive caller that invents a number makes the call invalid", async () => {
  const stored = await recordedOrders(() => ({ state: "sent" }));
  const agent = modelOf({
    respond: () => "Which customer number?",
    transition: () => ({ objectives_complete: false, transition_to: "none" }),
    caller: () => ({ message: "It is 4711999.", should_end: true }),
  });
  const { results } = await replay(stored, orders, { models: { agent }, mode: "adaptive", store: false });
  assert.equal(results[0]?.status, "invalid");
  assert.equal(results[0]?.audit?.findings[0]?.fact, "4711999");
});

test("of an imported call only what its platform recorded is compared", async () => {
  await using store = await openStore(":memory:");
  const { id } = await store.startRun({
    kind: "imported",
    agent: "orders",
    graph: orders,
    models: NO_MODELS,
    options: {},
  });
  const imported = (scenario: string, transcript: readonly Message[], nodesVisited: readonly string[]): NewResult => ({
    scenario,
    status: "imported",
    transcript,
    nodesVisited,
    verdicts: [],
    checks: [],
    toolsCalled: [],
    variables: {},
    usage: { calls: 0, inputTokens: 0, outputTokens: 0, modelMs: 0 },
    turnCount: 1,
    durationMs: 1000,
    endReason: undefined,
    errorMessage: null,
    provenance: { format: "text", callId: null, source: "calls.txt", position: 1, redacted: false },
  });
  const words = [message("assistant", "Hello"), message("user", "It is"), message("user", "seven")];
  await store.addResult(id, imported("words only", words, []));
  const placed = words.map((each) => ({ ...each, node_id: "ask" }));
  await store.addResult(id, imported("with nodes", [...placed, message("assistant", "Bye", "gone")], ["ask", "gone"]));
  await store.finishRun(id);
  const { results } = await replay(id, orders, { models: { agent: clerk("7") }, store });
  const [plain, known] = results;
  assert.deepEqual(
    plain?.transcript.filter(({ role }) => role === "user").map(({ content }) => content),
    ["It is seven"],
  );
  assert.deepEqual(plain?.replay?.divergences, []);
  assert.deepEqual(
    known?.replay?.divergences.map(({ kind, turn, recorded }) => [kind, turn, recorded]),
    [["path", 1, "ask -> gone"]],
  );
});

const NO_MODELS = { agent: "unknown", caller: "unknown", judge: "unknown" };

test("replay() refuses a run without calls to replay, and a name that no result has", async () => {
  const stored = await recordedOrders(() => "sent");
  const options = { models: { agent: clerk() }, store: false } as const;
  await assert.rejects(replay(stored, orders, { ...options, only: ["other"] }), {
    code: "invalid-option",
    path: ["only"],
  });
  await assert.rejects(replay(stored, orders, { ...options, statuses: ["error"] }), { code: "invalid-option" });
  await assert.rejects(replay("01", orders, options), { code: "invalid-option", path: ["store"] });
});
