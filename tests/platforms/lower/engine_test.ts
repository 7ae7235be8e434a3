import assert from "node:assert/strict";
import { test } from "node:test";
import {
  contractChains,
  ECHOES,
  expandSnippets,
  extractByTool,
  guardGoBacks,
  type LoweredGraph,
  type LoweredNode,
  lower,
  multiplyGlobals,
  type Pass,
} from "../../../platforms/lower/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { fc } from "../../properties.ts";
import { json } from "../vapi/compile/graphs.ts";
import type { ComparedCall } from "../vapi/compile/squads/compared_call.ts";
import { comparedCall } from "../vapi/compile/squads/random_graph.ts";
import { decisionsOf, type FinishedCall, runCall } from "./run_call.ts";

const GRAPHS = 25;

/** Number of fixed seeds that are tried if no random call uses the tested feature. */
const MORE_SEEDS = 200;

/**
 * Simulates calls of random graphs and checks each. At least one call uses the tested feature.
 *
 * @param check Asserts on a call, and returns whether the call uses the tested feature.
 * @param change Changes the random graph before the call.
 */
async function forRandomCalls(
  check: (call: ComparedCall, before: FinishedCall) => Promise<boolean>,
  change = (g: AgentGraph) => g,
) {
  let shown = false;
  const checkSeed = async (seed: number) => {
    const drawn = comparedCall(seed);
    const call = { ...drawn, graph: change(drawn.graph) };
    const before = await runCall(call.graph, call, drawn.answers);
    if (before.endReason === "hop_limit") return; // a pass may add or save hops
    if (await check(call, before)) shown = true;
  };
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), checkSeed), {
    numRuns: GRAPHS,
    endOnFailure: true,
  });
  for (let seed = 1; !shown && seed <= MORE_SEEDS; seed++) await checkSeed(seed);
  assert.ok(shown, "no call uses the tested feature");
}

/** Returns the result of a call, without the tool messages that led to it. */
const course = ({ messages, variables, visited, endReason }: FinishedCall) => ({
  visited,
  variables,
  endReason,
  said: messages.filter(({ role }) => role !== "tool"),
});

const loweredBy = (graph: AgentGraph, ...passes: readonly Pass[]) => parseGraph(json(lower(graph, passes).graph));

/** Adds snippets to the prompts and conditions of a graph; one snippet uses another. */
function withSnippets(graph: AgentGraph): AgentGraph {
  const text = JSON.stringify(graph)
    .replaceAll("Caller says", "{%caller%} says")
    .replaceAll("At ", "{%here%} At ")
    .replaceAll("Be kind.", "{%kind%} {%unknown%}");
  const snippets = { caller: "Caller", here: "{{plan}} {%kind%}", kind: "Be kind." };
  return parseGraph({ ...JSON.parse(text), snippets });
}

test("expandSnippets changes neither calls nor the prompts that the model gets", async () => {
  await forRandomCalls(async (call, before) => {
    const graph = loweredBy(call.graph, expandSnippets);
    assert.deepEqual(graph.snippets, {});
    const after = await runCall(graph, call, decisionsOf(before));
    assert.deepEqual(course(after), course(before));
    assert.deepEqual(after.calls, before.calls);
    return JSON.stringify(before.calls).includes("Be kind.");
  }, withSnippets);
});

test("multiplyGlobals does not change calls", async () => {
  await forRandomCalls(async (call, before) => {
    const graph = loweredBy(call.graph, multiplyGlobals);
    const after = await runCall(graph, call, decisionsOf(before));
    assert.deepEqual(course(after), course(before));
    return before.visited.includes("manager");
  });
});

/**
 * Converts `sets` and `back` to nodes that the engine can run: an extract node for each transition that sets a
 * variable, a logic node for each way back.
 */
function walkable(graph: LoweredGraph): AgentGraph {
  const added: { [id: string]: JsonObject } = {};
  const nodes = Object.values(graph.nodes).map((node: LoweredNode) => {
    const transitions = node.transitions.flatMap((transition, index) => {
      const { target_node_id: target, back, sets, condition } = transition;
      const helper = `${index} ${node.id}`;
      if (sets) {
        const [[name, value] = ["", ""]] = Object.entries(sets);
        const variables = [{ name, description: value, type: "string" }];
        added[helper] = { node_type: "extract", variables_to_extract: variables, transitions: [always(target)] };
        return [{ ...transition, target_node_id: helper }];
      }
      if (!back) return [transition];
      const isHere = { left: back.variable, operator: "==", right: back.origin };
      const clauses = condition.type === "equation" ? [...(condition.equations ?? []), isHere] : [];
      if (condition.type === "equation") return [{ ...transition, condition: { ...condition, equations: clauses } }];
      added[helper] = {
        node_type: "logic",
        transitions: [{ target_node_id: target, condition: { type: "equation", value: "", equations: [isHere] } }],
      };
      return [{ ...transition, target_node_id: helper }];
    });
    return [node.id, { ...node, transitions }];
  });
  return parseGraph(json({ ...graph, nodes: { ...Object.fromEntries(nodes), ...added } }));
}

const always = (target_node_id: string) => ({ target_node_id, condition: { type: "always", value: "" } });

/** Joins the clauses of go-back equations by `and`, so that a helper node can add a clause. */
function withAllClauses(graph: AgentGraph): AgentGraph {
  const text = JSON.stringify(graph.nodes.manager ?? null).replaceAll(
    '"logical_operator":"or"',
    '"logical_operator":"and"',
  );
  const manager = JSON.parse(text);
  return manager ? parseGraph(json({ ...graph, nodes: { ...graph.nodes, manager } })) : graph;
}

test("guardGoBacks returns to the node that the caller came from, with a variable instead of a stack", async () => {
  await forRandomCalls(async (call, before) => {
    const { graph, losses } = lower(call.graph, [multiplyGlobals, guardGoBacks((id) => `from ${id}`)]);
    assert.deepEqual(losses, []);
    for (const node of Object.values(graph.nodes)) assert.equal(node.global_node_setting ?? null, null);
    const engineGraph = walkable(graph);
    const { transition = [], extract = [], ...others } = decisionsOf(before);
    const extractions = [...extract];
    const after = await runCall(engineGraph, call, {
      ...others,
      transition: transition.map((decision) => (input: JsonObject) => {
        const offers = Array.isArray(input.available_transitions) ? input.available_transitions.filter(isRecord) : [];
        const wanted = isRecord(decision) ? decision.transition_to : "";
        const behind = (id: string): string => {
          const isHelper = !Object.hasOwn(graph.nodes, id);
          return isHelper ? behind(engineGraph.nodes[id]?.transitions[0]?.target_node_id ?? "") : id;
        };
        const offer = offers.find(({ target }) => behind(String(target)) === wanted);
        return { ...(isRecord(decision) ? decision : {}), transition_to: offer?.target ?? wanted };
      }),
      extract: Array.from({ length: 500 }, () => (input: JsonObject) => {
        const [variable] = Array.isArray(input.variables) ? input.variables.filter(isRecord) : [];
        const name = String(variable?.name);
        return name.startsWith("from ") ? { [name]: variable?.description } : extractions.shift();
      }),
    });
    const visited = after.visited.filter((id) => Object.hasOwn(graph.nodes, id));
    const variables = Object.fromEntries(Object.entries(after.variables).filter(([name]) => !name.startsWith("from ")));
    assert.deepEqual({ ...course(after), visited, variables }, course(before));
    return /manager,(?!bye)/.test(before.visited.join());
  }, withAllClauses);
});

/** A graph that starts with a chain of three nodes. */
function withChain(graph: AgentGraph): AgentGraph {
  const told = (target_node_id: string, value: string) => ({
    target_node_id,
    condition: { type: "llm_prompt", value },
  });
  const node = (state_prompt: string, ...transitions: readonly JsonObject[]) => ({ state_prompt, transitions });
  const chain = {
    hello: node("Say hello.", told("name", "Caller says hello")),
    name: node("Ask for the name.", told("age", "Caller says a name")),
    age: node("Ask for the age.", told("greet", "Caller says an age"), told("ask", "Caller asks why")),
  };
  return parseGraph(json({ ...graph, nodes: { ...chain, ...graph.nodes }, entry_node_id: "hello" }));
}

test("contractChains does not change which nodes calls visit, except for merged nodes", async () => {
  await forRandomCalls(async (call, before) => {
    const { graph, merged } = lower(call.graph, [contractChains(() => true)]);
    assert.deepEqual(
      [...merged].filter(([id]) => id === "hello"),
      [["hello", ["name", "age"]]],
    );
    const standsFor = new Map([...merged].flatMap(([id, rest]) => rest.map((each) => [each, id] as const)));
    const kept = (id: string) => standsFor.get(id) ?? id;
    const steps = ["hello", ...standsFor.keys()].map((id) => call.graph.nodes[id]?.state_prompt);
    const transition = before.calls.flatMap(({ signature, input, output }) => {
      if (signature !== "transition" || !isRecord(output)) return [];
      const wanted = String(output.transition_to);
      const isStep = standsFor.has(wanted) && steps.includes(String(input.current_state_prompt));
      return [{ ...output, transition_to: isStep ? "" : kept(wanted) }];
    });
    const after = await runCall(parseGraph(json(graph)), call, { ...decisionsOf(before), transition });
    const visited = before.visited.map(kept).filter((id, index, all) => index === 0 || id !== all[index - 1]);
    const once = after.visited.filter((id, index, all) => index === 0 || id !== all[index - 1]);
    assert.deepEqual([once, after.endReason, after.variables], [visited, before.endReason, before.variables]);
    return visited.length < before.visited.length;
  }, withChain);
});

test("extractByTool does not change calls if the tool returns its arguments", async () => {
  await forRandomCalls(async (call, before) => {
    const graph = loweredBy(call.graph, extractByTool);
    const tools = Object.values(graph.nodes).flatMap(({ tools }) => tools.filter(({ metadata }) => metadata?.[ECHOES]));
    const said = before.calls.flatMap(({ signature, output }) => {
      if (signature === "arguments") return [output];
      if (signature !== "extract" || !isRecord(output)) return [];
      return [Object.fromEntries(Object.entries(output).filter(([, value]) => value !== null))];
    });
    const echoes = Object.fromEntries(tools.map(({ name }) => [name, (input: unknown) => input]));
    const after = await runCall(graph, call, { ...decisionsOf(before), arguments: said }, echoes);
    assert.deepEqual(course(after), course(before));
    return after.messages.some(({ content }) => content.includes("extract_"));
  });
});
