import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import { conversation } from "../../../src/call/engine/mod.ts";
import { scripted, transitionSignature } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { type ChatRequest, startChatServer } from "../../chat_server.ts";

const QUICK = { requests: { retry: { minDelayMs: 0 } } } as const;
const llm = (target_node_id: string, value: string) => ({ target_node_id, condition: { type: "llm_prompt", value } });
const graph = parseGraph({
  nodes: {
    ask: { state_prompt: "Ask.", transitions: [llm("book", "They book"), llm("bye", "They are done")] },
    book: { state_prompt: "Book." },
    bye: { state_prompt: "Bye." },
  },
  entry_node_id: "ask",
  source_metadata: {},
});

/** A call whose model answers `transition` with each of these in turn, over and over the last. */
async function callWith(picks: readonly string[]) {
  let decided = 0;
  const answer = ({ response_format }: ChatRequest) => {
    if (!response_format) return { say: "Well." };
    const transition_to = picks[decided++] ?? picks.at(-1) ?? "";
    return {
      say: JSON.stringify({ reasoning: ` Because\n\nof ${transition_to}. `, objectives_complete: true, transition_to }),
    };
  };
  await using server = await startChatServer(answer);
  const agent = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
  const call = conversation(graph, { models: { agent }, ...QUICK });
  await call.open();
  await call.hear("I am done.");
  const decisions = server.requests.filter(({ response_format }) => response_format);
  return { call, decisions, tools: call.transcript.filter(({ role }) => role === "tool") };
}

test("the schema of a decision allows the offered transitions and none", async () => {
  const { decisions } = await callWith(["bye"]);
  const properties = decisions[0]?.response_format?.json_schema?.schema.properties ?? {};
  assert.deepEqual(Object.keys(properties), ["reasoning", "objectives_complete", "transition_to"]);
  assert.deepEqual(properties.transition_to?.enum, ["book", "bye", "none"]);
});

test("a model that picks an unknown transition is asked again", async () => {
  for (const wrong of ["nowhere", "", "constructor"]) {
    const { call, decisions, tools } = await callWith([wrong, "bye"]);
    assert.deepEqual([decisions.length, call.nodesVisited], [2, ["ask", "bye"]]);
    assert.equal(call.usage.filter(({ signature }) => signature === "transition").length, 2);
    assert.equal(tools.length, 1);
  }
});

test("a model that insists on an unknown transition keeps the call where it is, as the transcript shows", async () => {
  const { call, decisions, tools } = await callWith(["nowhere"]);
  assert.deepEqual([decisions.length, call.nodesVisited, call.ended], [3, ["ask"], false]);
  assert.deepEqual(
    tools.map(({ content }) => content),
    [
      'no transition taken: unusable answer: the model picks "nowhere", which was not offered; offered: "book", "bye"; reasoning: Because of nowhere.',
    ],
  );
  const decision = { reasoning: " Because\n\nof nowhere. ", objectives_complete: true, transition_to: "nowhere" };
  const offered = ["book", "bye"];
  assert.deepEqual(tools[0]?.metadata, { kind: "unusable_answer", signature: "transition", offered, decision });
});

test("the transcript has the decision and reasoning of every move and stay", async () => {
  const stays = [
    { objectives_complete: false, transition_to: "bye", reasoning: "They gave no name." },
    { objectives_complete: true, transition_to: " None " },
    { objectives_complete: false, transition_to: "" },
  ];
  const moves = { objectives_complete: true, transition_to: " BYE ", reasoning: "They said goodbye." };
  const call = conversation(graph, { models: { agent: scripted({ transition: [...stays, moves] }) } });
  await call.open();
  for (const words of ["Hm.", "Hm.", "Hm.", "Bye."]) await call.hear(words);
  const tools = call.transcript.filter(({ role }) => role === "tool");
  assert.deepEqual(
    tools.map(({ content }) => content),
    [
      "no transition taken: the objectives are not complete; reasoning: They gave no name.",
      'no transition taken: the model picks none of "book", "bye"',
      "no transition taken: the objectives are not complete",
      "ask -> bye: They are done; reasoning: They said goodbye.",
    ],
  );
  assert.deepEqual(
    tools.map(({ metadata }) => [metadata.kind, metadata.decision]),
    [
      ["decision", stays[0]],
      ["decision", stays[1]],
      ["decision", stays[2]],
      ["transition", moves],
    ],
  );
});

test("the transcript shows the equation that fired, or that none did, with the variables' values", async () => {
  const equation = (target: string, left: string, operator: string, right: string) => ({
    target_node_id: target,
    condition: { type: "equation", equations: [{ left, operator, right }], logical_operator: "and" },
  });
  const routed = parseGraph({
    nodes: {
      ask: {
        node_type: "conversation",
        state_prompt: "Ask.",
        transitions: [equation("route", "balance", "<", "{{limit}}")],
      },
      route: {
        node_type: "logic",
        transitions: [
          equation("bye", "plan", "==", "gold"),
          { target_node_id: "bye", condition: { type: "equation", equations: [], logical_operator: "or" } },
        ],
      },
      bye: { state_prompt: "Bye." },
    },
    entry_node_id: "ask",
    source_metadata: {},
  });
  const variables = { balance: "-3", limit: 0 };
  const call = conversation(routed, { models: { agent: scripted({}) }, variables });
  await call.open();
  await call.hear("Hello");
  assert.deepEqual(
    call.transcript.flatMap(({ role, content }) => (role === "tool" ? [content] : [])),
    [
      'ask -> route: balance < {{limit}} (balance = "-3", limit = "0")',
      'no transition taken: no equation holds: plan == "gold" (plan is not set) -> bye; an equation without clauses -> bye',
    ],
  );
});

test("an unknown target with unmet objectives is asked again, an empty target is no pick", () => {
  const offer = { target: "b", condition: "", condition_type: "llm_prompt" as const, description: "" };
  const input = { current_state_prompt: "", conversation_history: [], last_agent_message: "" };
  const { read } = transitionSignature.output({ ...input, available_transitions: [offer] });
  const problem = (objectives_complete: boolean, transition_to: string) => {
    const found = read({ objectives_complete, transition_to });
    return "problem" in found;
  };
  assert.deepEqual(
    [problem(false, "x"), problem(false, ""), problem(true, ""), problem(true, " B ")],
    [true, false, true, false],
  );
});
