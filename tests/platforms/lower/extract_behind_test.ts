import assert from "node:assert/strict";
import { test } from "node:test";
import { extractBehind } from "../../../platforms/lower/mod.ts";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { isRecord, type JsonObject, own } from "../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";
import { fc } from "../../properties.ts";
import { json } from "../vapi/compile/graphs.ts";
import type { ComparedCall } from "../vapi/compile/squads/compared_call.ts";
import { comparedCall } from "../vapi/compile/squads/random_graph.ts";
import { decisionsOf, type FinishedCall, runCall } from "./run_call.ts";

const SAID = { name: "said", description: "What the caller said", type: "string" };

/** The graph with a variable at each conversation node, which no transition compares. Nodes wait for an answer. */
function withVariables(graph: AgentGraph): AgentGraph {
  const nodes = Object.entries(graph.nodes).map(([id, node]) => {
    if (node.node_type !== "conversation") return [id, node];
    const transitions = node.transitions.map((each) =>
      each.condition.type === "always" ? { ...each, timing: each.timing ?? "else" } : each,
    );
    return [id, { ...node, transitions, variables_to_extract: [SAID] }];
  });
  return parseGraph(json({ ...graph, nodes: Object.fromEntries(nodes) }));
}

const spare = <Item>(item: Item) => Array.from({ length: 500 }, () => item);
const namesIn = ({ variables }: JsonObject) =>
  Array.isArray(variables) ? variables.filter(isRecord).map(({ name }) => name) : [];

/** Repeats the decisions of a call on a graph whose conversations extract behind them. */
async function repeat(
  graph: AgentGraph,
  origins: ReadonlyMap<string, string>,
  call: ComparedCall,
  before: FinishedCall,
) {
  const { transition = [], extract = [], respond = [], arguments: filled = [] } = decisionsOf(before);
  const extractions = [...extract];
  const targetOf = (id: string): string =>
    origins.has(id) ? (own(graph.nodes, id)?.transitions[0]?.target_node_id ?? "") : id;
  const decide = (decision: unknown) => (input: JsonObject) => {
    const wanted = isRecord(decision) ? decision.transition_to : "";
    const offers = Array.isArray(input.available_transitions) ? input.available_transitions.filter(isRecord) : [];
    const offer = offers.find(({ target }) => targetOf(String(target)) === wanted);
    return { ...(isRecord(decision) ? decision : {}), transition_to: offer?.target ?? wanted };
  };
  return await runCall(graph, call, {
    transition: transition.map(decide),
    respond,
    arguments: filled,
    extract: spare((input: JsonObject) =>
      namesIn(input).includes(SAID.name) ? { said: "yes" } : (extractions.shift() ?? {}),
    ),
  });
}

test("extractBehind changes no calls but for the variables, on 200 random graphs and their Retell documents", async () => {
  let extracted = 0;
  const check = async (seed: number) => {
    const call = comparedCall(seed);
    const graph = withVariables(call.graph);
    const before = await runCall(graph, call, call.answers);
    const { graph: lowered, origins } = extractBehind(graph);
    for (const { node_type: type, variables_to_extract: all, transitions } of Object.values(lowered.nodes))
      if (type === "conversation" && all.length > 0)
        assert.ok(
          transitions.every(({ timing }) => timing === "skip_response"),
          "only what nobody answers is left",
        );
    const { text, losses } = emit(graph, "retell");
    const outcomes = losses.some(({ code }) => code === "tool-condition");
    for (const after of [
      await repeat(parseGraph(json(lowered)), origins, call, before),
      // Retell asks its model for a tool's outcome
      ...(outcomes ? [] : [await repeat(importAgent(text).graph, origins, call, before)]),
    ]) {
      if ([before, after].some(({ endReason }) => endReason === "hop_limit")) return; // an extraction is a hop
      const visited = after.visited.filter((id) => !origins.has(id));
      // a node that nothing leads out of extracts after each answer, and is visited again
      const stays = (id: string, index: number) =>
        id === visited[index - 1] && graph.nodes[id]?.transitions.length === 0;
      assert.deepEqual(
        visited.filter((id, index) => !stays(id, index)),
        before.visited,
      );
      const { said, ...variables } = after.variables;
      assert.deepEqual(variables, before.variables);
      if (said === "yes") extracted++;
    }
  };
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), check), {
    numRuns: 200,
    endOnFailure: true,
  });
  assert.ok(extracted > 5, `${extracted} calls`);
});

const PLAN = { name: "plan", description: "The caller's plan", type: "string" };

test("a node whose transitions compare what it extracts asks again until one of them holds", async () => {
  const graph = parseGraph({
    entry_node_id: "ask",
    nodes: {
      ask: {
        state_prompt: "Ask for the plan.",
        variables_to_extract: [PLAN],
        transitions: [
          {
            target_node_id: "gold",
            condition: { type: "equation", value: "", equations: [{ left: "plan", operator: "==", right: "gold" }] },
          },
          { target_node_id: "desk", condition: { type: "llm_prompt", value: "Caller wants a person" } },
        ],
      },
      gold: { node_type: "end", state_prompt: "Say thanks." },
      desk: { node_type: "transfer", transfer_to: "+14155550100" },
    },
  });
  const { text, losses } = emit(graph, "retell");
  assert.deepEqual(
    losses.map(({ code, kind, path }) => [code, kind, path.join(".")]),
    [["extract-behind", "emulated", "nodes.ask.variables_to_extract"]],
  );
  const call = { lines: ["Hm.", "The gold one."] };
  const answers = {
    transition: [{ objectives_complete: false, transition_to: "none" }],
    extract: [{ plan: "basic" }, { plan: "gold" }],
    respond: spare("Which plan?"),
  };
  const { visited, variables } = await runCall(importAgent(text).graph, call, answers);
  assert.deepEqual(visited, ["ask", "ask_extract", "ask", "ask_extract", "gold"]);
  assert.equal(variables.plan, "gold");
});

test("losses of what a node extracts are at the node, once for all its targets", () => {
  const node = {
    state_prompt: "Ask.",
    variables_to_extract: [{ ...PLAN, type: "date" }],
    transitions: ["gold", "desk"].map((id) => ({
      target_node_id: id,
      condition: { type: "llm_prompt", value: `Caller wants ${id}` },
      description: "Why",
    })),
  };
  const end = { node_type: "end", state_prompt: "Say goodbye." };
  const { losses } = emit(parseGraph({ entry_node_id: "ask", nodes: { ask: node, gold: end, desk: end } }), "retell");
  assert.deepEqual(losses.map(({ code, path }) => `${code} ${path.join(".")}`).sort(), [
    "extract-behind nodes.ask.variables_to_extract",
    "transition-description nodes.ask.transitions.0",
    "transition-description nodes.ask.transitions.1",
    "variable-type nodes.ask.variables_to_extract.0.type",
  ]);
});

test("a node that waits for no answer extracts nothing, and an imported flow is not changed", () => {
  const node = (rest: object) => ({ state_prompt: "Say hello.", variables_to_extract: [PLAN], ...rest });
  const always = { target_node_id: "bye", condition: { type: "always", value: "" }, timing: "skip_response" };
  const graph = (source: string) =>
    parseGraph({
      ...{ entry_node_id: "hi", source_type: source },
      nodes: { hi: node({ transitions: [always] }), bye: { node_type: "end", state_prompt: "Say goodbye." } },
    });
  for (const source of ["custom", "retell"]) {
    const { losses } = emit(graph(source), "retell");
    assert.deepEqual(
      losses.map(({ code }) => code),
      ["variables"],
    );
  }
});
