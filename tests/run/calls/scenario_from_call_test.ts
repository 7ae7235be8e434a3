import assert from "node:assert/strict";
import { test } from "node:test";
import { scenarioFromCall } from "../../../api/calls.ts";
import { type AgentGraph, offline, type RunOptions, run, type ScenarioInput, scripted } from "../../../mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { parseScenarios } from "../../../src/document/scenario/mod.ts";
import type { ToolCall } from "../../../src/document/transcript/mod.ts";
import type { ResultRecord } from "../../../src/run/store/mod.ts";

const llm = (target_node_id: string, value: string) => ({ target_node_id, condition: { type: "llm_prompt", value } });
const tool = (name: string) => ({
  name,
  description: "Looks up an order",
  parameters: { type: "object", properties: { id: { type: "string" } } },
});

const GRAPH: AgentGraph = parseGraph({
  entry_node_id: "greet",
  source_metadata: { name: "shop", default_dynamic_variables: { city: "Oslo" } },
  nodes: {
    greet: { node_type: "conversation", state_prompt: "Ask.", transitions: [llm("ask", "Caller gives a reason")] },
    ask: {
      node_type: "extract",
      variables_to_extract: [
        { name: "order", description: "Order number", type: "string" },
        { name: "urgent", description: "Whether it is urgent", type: "boolean" },
      ],
      transitions: [{ target_node_id: "orders", condition: { type: "always" } }],
    },
    orders: {
      node_type: "conversation",
      state_prompt: "Help in {{city}}.",
      tools: [tool("lookup"), tool("notify")],
      transitions: [llm("boss", "Caller asks for the boss"), llm("bye", "Caller is done")],
    },
    boss: {
      node_type: "transfer",
      state_prompt: "",
      transitions: [{ target_node_id: "bye", condition: { type: "tool_call", value: "", outcome: "failed" } }],
    },
    bye: { node_type: "end", state_prompt: "Say goodbye." },
  },
});

const to = (transition_to: string) => ({ objectives_complete: transition_to !== "none", transition_to });
const uses = (...calls: (readonly [name: string, id: string])[]) => ({
  toolCalls: calls.map(([name, id]) => ({ name, arguments: { id } })),
});
const agent = () =>
  scripted({
    transition: [to("ask"), to("none"), to("boss")],
    extract: [{ order: "A-4815", urgent: true }],
    respond: [
      "Good morning. How can I help?",
      uses(["lookup", "A-4815"], ["lookup", "B-1"]),
      uses(["lookup", "A-4815"], ["notify", "A-4815"]),
      "It was sent. What is your name?",
      "Thank you, Ann.",
      "Goodbye.",
    ],
  });

const CALL: ScenarioInput = {
  name: "an old scenario",
  says: ["Hello!", "Where is my order A-4815?", "My name is Ann Meyer.", "Let me talk to your boss."],
  dynamic_variables: { city: "Bergen" },
  tool_mocks: [
    {
      tool_name: "lookup",
      input_match_rule: { type: "partial_match", args: { id: "B-1" } },
      output: "none",
      result: false,
    },
    { tool_name: "lookup", output: { state: "packed" }, times: 1 },
    { tool_name: "lookup", output: { state: "sent" } },
    { tool_name: "notify", output: "done" },
    { tool_name: "boss", output: "busy", result: false },
  ],
  ends: "agent_ended",
};

async function runCall(scenario: ScenarioInput, models: NonNullable<RunOptions["models"]>): Promise<ResultRecord> {
  const { results } = await run(GRAPH, [scenario], { models, store: false });
  const [result] = results;
  assert.ok(result);
  assert.equal(result.errorMessage, null);
  return result;
}

const SHORTER_CALL = { ...CALL, says: CALL.says?.slice(1) };

test("a scripted scenario that was written from a call passes on the same graph, and takes the same path", async () => {
  const result = await runCall(SHORTER_CALL, { agent: agent() });
  const { scenario, personaBy, notes } = await scenarioFromCall(result, { graph: GRAPH, script: true });
  assert.equal(personaBy, null);
  assert.deepEqual(scenario.says, SHORTER_CALL.says);
  const again = await runCall(scenario, { agent: agent() });
  assert.equal(again.status, "pass");
  assert.deepEqual(again.nodesVisited, result.nodesVisited);
  assert.deepEqual(
    again.toolsCalled.map(({ name, result: answer, outcome }) => [name, answer, outcome]),
    result.toolsCalled.map(({ name, result: answer, outcome }) => [name, answer, outcome]),
  );
  assert.deepEqual(notes, ["The variables are those of this call: check that they are still right."]);
  const brief = JSON.parse(JSON.stringify([scenario]));
  assert.deepEqual(parseScenarios(brief), [scenario]);
});

test("scenarioFromCall() expects what the call did: path, end, extracted values and tool calls", async () => {
  const { scenario } = await scenarioFromCall(await runCall(SHORTER_CALL, { agent: agent() }), { graph: GRAPH });
  assert.deepEqual(scenario.visits, ["greet", "ask", "orders", "boss", "bye"]);
  assert.equal(scenario.ends, "agent_ended");
  assert.deepEqual(scenario.extracts, { order: "A-4815", urgent: true });
  assert.deepEqual(
    scenario.calls.map(({ tool: name, args }) => [name, args.id]),
    [
      ["lookup", "A-4815"],
      ["lookup", "B-1"],
      ["lookup", "A-4815"],
      ["notify", "A-4815"],
    ],
  );
  assert.deepEqual(scenario.dynamic_variables, { city: "Bergen" });
});

test("mocks from a call match arguments only where a tool answered differently, and keep the order of answers", async () => {
  const { scenario } = await scenarioFromCall(await runCall(SHORTER_CALL, { agent: agent() }), { graph: GRAPH });
  const withArgs = (id: string) => ({ type: "partial_match", args: { id } });
  assert.deepEqual(
    scenario.tool_mocks.map(({ tool_name, input_match_rule, output, result, times }) => [
      tool_name,
      input_match_rule,
      output,
      result,
      times,
    ]),
    [
      ["lookup", withArgs("A-4815"), { state: "packed" }, true, 1],
      ["lookup", withArgs("A-4815"), { state: "sent" }, true, undefined],
      ["lookup", withArgs("B-1"), "none", false, undefined],
      ["notify", { type: "any" }, "done", true, undefined],
      ["boss", { type: "any" }, "the transfer failed", false, undefined],
    ],
  );
});

test("a persona by rules has the caller's goal, facts and answers, and nothing that the agent said", async () => {
  const call = await runCall(CALL, {
    agent: scripted({
      transition: [to("none"), to("ask"), to("none"), to("boss")],
      extract: [{ order: "A-4815", urgent: true }],
      respond: ["Good morning. How can I help?", "Yes?", "It was sent. What is your name?", "Thank you, Ann.", "Bye."],
    }),
  });
  const { scenario, facts, personaBy } = await scenarioFromCall(call, { graph: GRAPH });
  assert.equal(personaBy, "rules");
  assert.deepEqual(facts, [
    { name: "order", value: "A-4815" },
    { name: "name", value: "Ann Meyer" },
  ]);
  assert.equal(
    scenario.user_prompt,
    'You call shop because of this: "Where is my order A-4815?" You know: order: A-4815; name: Ann Meyer. When you are asked "What is your name?", you answer "My name is Ann Meyer." At some point you say "Let me talk to your boss." You speak in few words, in the language and manner of these quotes. Do not make up other facts. When your request is settled or refused, end the call.',
  );
  assert.equal(scenario.name, "Where is my order A-4815");
  const played = await run(GRAPH, [{ ...scenario, extracts: {}, calls: [], visits: ["greet"], ends: null }], {
    models: { agent: offline() },
    store: false,
  });
  assert.equal(played.results[0]?.audit, undefined);
  assert.notEqual(played.results[0]?.status, "error");
});

test("a persona by rules has at most 2,000 characters, and keeps the answers with facts", async () => {
  const asked = (index: number) => ({
    ...{ role: "assistant" as const, content: `Question ${index}?`, node_id: "greet", timestamp: "", metadata: {} },
  });
  const said = (content: string) => ({ ...asked(0), role: "user" as const, content });
  for (let length = 60; length < 130; length++) {
    const answers = Array.from({ length: 40 }, (_, index) => [
      asked(index),
      said(index === 39 ? "It is the order A-4815." : "A long story".padEnd(length, ".")),
    ]);
    const call = {
      transcript: [said("Where is my parcel? It did not come on Monday."), ...answers.flat()],
      ...{ nodesVisited: ["greet"], toolsCalled: [], variables: { order: "A-4815" }, endReason: undefined },
    };
    const { scenario } = await scenarioFromCall(call, { graph: GRAPH });
    const count = scenario.user_prompt.length;
    assert.ok(count > 2_000 - 2 * length && count <= 2_000, `${count} characters`);
    assert.match(scenario.user_prompt, /you answer "It is the order A-4815\."/);
    assert.match(scenario.user_prompt, /"Question 0\?", you answer "A long story/);
    assert.doesNotMatch(scenario.user_prompt, /Question 38/);
    assert.match(scenario.user_prompt, /end the call\.$/);
  }
});

test("a persona by a model has to state all facts; else rules write it, and a note says so", async () => {
  const call = await runCall(SHORTER_CALL, { agent: agent() });
  const good = { name: "Order status", persona: "You are Ann Meyer. You ask where order A-4815 is." };
  const one = await scenarioFromCall(call, { graph: GRAPH, model: scripted({ scenario: [good] }) });
  assert.deepEqual([one.personaBy, one.scenario.name, one.scenario.user_prompt], ["model", good.name, good.persona]);
  const bad = scripted({ scenario: Array.from({ length: 4 }, () => ({ ...good, persona: "You are Ann Meyer." })) });
  const options = { graph: GRAPH, model: bad, requests: { retry: { retries: 0 } } };
  const two = await scenarioFromCall(call, options);
  assert.equal(two.personaBy, "rules");
  assert.equal(two.notes[0], "The model left facts out of the persona, so rules wrote it.");
});

test("an imported call without a known path becomes a scenario with a criterion, and notes say what is missing", async () => {
  const line = (role: "user" | "assistant", content: string) => ({
    ...{ role, content, node_id: "", timestamp: "2026-01-02T03:04:05.678Z", metadata: {} },
  });
  const lookup: ToolCall = {
    ...{ name: "elsewhere", arguments: {}, result: 1, outcome: "succeeded", durationMs: 0, nodeId: "", mocked: false },
  };
  const { scenario, notes } = await scenarioFromCall(
    {
      transcript: [line("assistant", "Ja?"), line("user", "Mein Name ist Jörg Weiß, ich will morgen absagen.")],
      nodesVisited: ["node-17"],
      toolsCalled: [lookup],
      variables: {},
      endReason: undefined,
      provenance: {
        ...{ format: "retell", callId: "call_1", source: "calls.json", position: 1, redacted: false },
        facts: { start_variables: { plan: "gold", current_time: "noon" } },
      },
    },
    { graph: GRAPH },
  );
  assert.deepEqual(
    scenario.metrics.map(({ criterion }) => criterion),
    ['The agent does what the caller called for: "Mein Name ist Jörg Weiß, ich will morgen absagen"'],
  );
  assert.deepEqual(scenario.dynamic_variables, { plan: "gold" });
  assert.match(scenario.user_prompt, /name: Jörg Weiß/);
  assert.deepEqual(scenario.tool_mocks, []);
  assert.match(notes.join("\n"), /path is not known[\s\S]*no tool "elsewhere"/);
});

test("scenarioFromCall() refuses a call in which the caller said nothing", async () => {
  const call = { transcript: [], nodesVisited: [], toolsCalled: [], variables: {}, endReason: undefined };
  await assert.rejects(scenarioFromCall(call), { code: "invalid-scenario" });
});

test("a script of more lines than a call's default turns still ends after its last line", async () => {
  const line = (index: number) => ({
    ...{ role: "user" as const, content: `Line ${index}`, node_id: "greet", timestamp: "", metadata: {} },
  });
  const call = {
    transcript: Array.from({ length: 25 }, (_, index) => line(index)),
    ...{ nodesVisited: ["greet"], toolsCalled: [], variables: {}, endReason: "caller_ended" as const },
  };
  const { scenario } = await scenarioFromCall(call, { graph: GRAPH, script: true });
  assert.deepEqual([scenario.max_turns, scenario.ends], [26, "caller_exhausted"]);
  const model = scripted({ transition: call.transcript.map(() => to("none")) });
  assert.equal((await runCall(scenario, { agent: model })).status, "pass");
});

test("an unknown end is absent: null is refused", async () => {
  const call = { transcript: [], nodesVisited: [], toolsCalled: [], variables: {}, endReason: null };
  const plain = call as unknown as Parameters<typeof scenarioFromCall>[0]; // as plain JavaScript passes it
  await assert.rejects(scenarioFromCall(plain), { code: "invalid-option", path: ["call"] });
});
