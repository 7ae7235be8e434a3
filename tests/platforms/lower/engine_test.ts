import assert from "node:assert/strict";
import { test } from "node:test";
import {
  contractChains,
  ECHOES,
  expandSnippets,
  extractByTool,
  guardGoBacks,
  lower,
  mapLoweredNodes,
  multiplyGlobals,
  multiplySpeakingGlobals,
  type Pass,
} from "../../../platforms/lower/mod.ts";
import { isRecord, type JsonObject, own } from "../../../src/base/values/mod.ts";
import { type AgentGraph, isTerminal, parseGraph } from "../../../src/document/graph/mod.ts";
import { fc } from "../../properties.ts";
import { seeded } from "../mutate.ts";
import { json } from "../vapi/compile/graphs.ts";
import type { ComparedCall } from "../vapi/compile/squads/compared_call.ts";
import { comparedCall } from "../vapi/compile/squads/random_graph.ts";
import { type Draw, ODDITIES, withChain, withDottedNames, withGlobals, withSnippets } from "./draw.ts";
import { decisionsOf, type FinishedCall, runCall } from "./run_call.ts";
import { walkable } from "./walkable.ts";

const GRAPHS = 25;

/** Number of fixed seeds that are tried until every tested feature was used. */
const MORE_SEEDS = 200;

/**
 * Simulates calls of random graphs and checks each. Together they use all tested features.
 *
 * @param draw Changes the random call.
 * @param features Names of the tested features.
 * @param check Asserts on a call, and returns the tested features that it uses.
 */
async function forRandomCalls<Feature extends string>(
  draw: Draw,
  features: readonly Feature[],
  check: (call: ComparedCall, before: FinishedCall) => Promise<{ readonly [Name in Feature]?: boolean }>,
) {
  const missing = new Set(features);
  const checkSeed = async (seed: number) => {
    const call = draw(comparedCall(seed), seeded(seed));
    const before = await runCall(call.graph, call, call.answers);
    if (before.endReason === "hop_limit") return; // a pass may add or save hops
    const used = await check(call, before);
    for (const feature of features) if (used[feature]) missing.delete(feature);
  };
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), checkSeed), {
    numRuns: GRAPHS,
    endOnFailure: true,
  });
  for (let seed = 1; missing.size > 0 && seed <= MORE_SEEDS; seed++) await checkSeed(seed);
  assert.deepEqual([...missing], [], "no call uses these features");
}

/** Returns the result of a call, without the tool messages that led to it. */
const course = ({ messages, variables, visited, endReason }: FinishedCall) => ({
  visited,
  variables,
  endReason,
  said: messages.filter(({ role }) => role !== "tool"),
});

const loweredBy = (graph: AgentGraph, ...passes: readonly Pass[]) => parseGraph(json(lower(graph, passes).graph));

const offersIn = ({ available_transitions: offers }: JsonObject) =>
  Array.isArray(offers) ? offers.filter(isRecord) : [];

/** Formats what each decision of a call offered. A global node may be offered at another place of the list. */
const offered = ({ calls }: FinishedCall) =>
  calls.flatMap(({ signature, input }) =>
    signature === "transition"
      ? [
          offersIn(input)
            .map(({ target, condition }) => `${String(target)}: ${String(condition)}`)
            .sort(),
        ]
      : [],
  );

test("expandSnippets changes neither calls nor the prompts that the model gets", async () => {
  await forRandomCalls(withSnippets, ["expands"], async (call, before) => {
    const graph = loweredBy(call.graph, expandSnippets);
    assert.deepEqual(graph.snippets, {});
    const after = await runCall(graph, call, decisionsOf(before));
    assert.deepEqual(course(after), course(before));
    assert.deepEqual(after.calls, before.calls);
    return { expands: JSON.stringify(before.calls).includes("Be kind.") };
  });
});

test("multiplyGlobals changes neither calls nor what the model can choose from", async () => {
  await forRandomCalls(withGlobals(false), ["manager", "helper", "end", "unnamed"], async (call, before) => {
    const graph = loweredBy(call.graph, multiplyGlobals);
    for (const node of Object.values(graph.nodes)) assert.equal(node.global_node_setting ?? null, null);
    const after = await runCall(graph, call, decisionsOf(before));
    assert.deepEqual(course(after), course(before));
    assert.deepEqual(offered(after), offered(before));
    const entered = before.visited.slice(1).map((id) => own(call.graph.nodes, id)?.global_node_setting);
    return {
      manager: before.visited.includes("manager"),
      helper: before.visited.includes("helper"),
      end: Boolean(before.visited.includes("bye") && call.graph.nodes.bye?.global_node_setting),
      unnamed: entered.some((setting) => setting?.condition === ""),
    };
  });
});

test("multiplySpeakingGlobals changes no calls if only ends stay global", async () => {
  await forRandomCalls(withGlobals(false), ["global", "end"], async (call, before) => {
    const { graph: lowered } = lower(call.graph, [multiplySpeakingGlobals]);
    for (const { id, global_node_setting: setting } of Object.values(call.graph.nodes))
      assert.deepEqual(lowered.nodes[id]?.global_node_setting ?? null, setting ?? null);
    const graph = mapLoweredNodes(lowered, (node) =>
      isTerminal(node) ? node : { ...node, global_node_setting: null },
    );
    const after = await runCall(parseGraph(json(graph)), call, decisionsOf(before));
    assert.deepEqual(course(after), course(before));
    assert.deepEqual(offered(after), offered(before));
    return {
      global: before.visited.some((id) => id === "manager" || id === "helper"),
      end: Boolean(before.visited.includes("bye") && call.graph.nodes.bye?.global_node_setting),
    };
  });
});

const VARIABLE = "from ";

/** Repeats a call on a graph of guardGoBacks. After a difference that it reports, answers are made up. */
async function repeatGuarded(graph: AgentGraph, original: AgentGraph, call: ComparedCall, before: FinishedCall) {
  const { transition = [], extract = [], respond = [], arguments: filled = [] } = decisionsOf(before);
  const extractions = [...extract];
  const targetOf = (id: string): string =>
    Object.hasOwn(original.nodes, id) ? id : targetOf(graph.nodes[id]?.transitions[0]?.target_node_id ?? "");
  const values = new Map<string, unknown>();
  /** What a decision offers, without ways back to another node than the call came from. */
  const open: string[][] = [];
  const decide = (decision: unknown) => (input: JsonObject) => {
    const wanted = isRecord(decision) ? decision.transition_to : "";
    const offers = offersIn(input).filter(({ target }) => {
      const guard = own(graph.nodes, String(target));
      const [clause] = guard?.id.includes(" ") ? (guard.transitions[0]?.condition.equations ?? []) : [];
      return clause === undefined || values.get(clause.left) === clause.right;
    });
    open.push(offers.map(({ target, condition }) => `${targetOf(String(target))}: ${String(condition)}`).sort());
    const offer = offers.find(({ target }) => targetOf(String(target)) === wanted);
    return { ...(isRecord(decision) ? decision : {}), transition_to: offer?.target ?? wanted };
  };
  const spare = <Item>(item: Item) => Array.from({ length: 500 }, () => item);
  const after = await runCall(graph, call, {
    transition: [...transition.map(decide), ...spare(decide({ objectives_complete: false, transition_to: "none" }))],
    respond: [...respond, ...spare("…")],
    arguments: [...filled, ...spare({ day: "Monday" })],
    extract: spare((input: JsonObject) => {
      const [variable] = Array.isArray(input.variables) ? input.variables.filter(isRecord) : [];
      const name = String(variable?.name);
      if (!name.startsWith(VARIABLE)) return extractions.shift() ?? {};
      values.set(name, variable?.description);
      return { [name]: variable?.description };
    }),
  });
  return { after, open };
}

test("guardGoBacks changes calls only at the nodes that it reports, and returns to the last node there", async () => {
  const features = ["returns", "nested", "lost", "repeated"] as const;
  await forRandomCalls(withGlobals(true), features, async (call, before) => {
    const { graph, losses } = lower(call.graph, [multiplyGlobals, guardGoBacks((id) => `${VARIABLE}${id}`)]);
    for (const node of Object.values(graph.nodes)) assert.equal(node.global_node_setting ?? null, null);
    const engineGraph = walkable(graph);
    const { after, open } = await repeatGuarded(engineGraph, call.graph, call, before);
    const nested = new Set(losses.map(({ path }) => path[1]));
    const isGlobal = (id = "") => Boolean(own(call.graph.nodes, id)?.global_node_setting);
    const isKept = (id: string) => Object.hasOwn(graph.nodes, id);
    const variables = Object.entries(after.variables).filter(([name]) => !name.startsWith(VARIABLE));
    const visited = after.visited.filter(isKept);
    const found = { ...course(after), visited, variables: Object.fromEntries(variables), offers: open };
    const expected = { ...course(before), offers: offered(before) };
    const cut = before.visited.findIndex((id, index) => nested.has(id) && isGlobal(before.visited[index - 1])) + 1;
    if (cut === 0) assert.deepEqual(found, expected);
    assert.deepEqual(visited.slice(0, cut), before.visited.slice(0, cut));

    const origins: { [name: string]: string } = {};
    for (const [index, id] of after.visited.entries()) {
      const [source, target] = [after.visited[index - 1] ?? "", after.visited[index + 1] ?? ""];
      if (own(engineGraph.nodes, id)?.node_type === "extract" && !isKept(id) && source !== target)
        origins[`${VARIABLE}${target}`] = source;
    }
    const stored = Object.entries(after.variables).filter(([name]) => name.startsWith(VARIABLE));
    assert.deepEqual(Object.fromEntries(stored), origins);
    return {
      returns: cut === 0 && /(manager|helper),(?!bye)/.test(before.visited.join()),
      nested: cut > 0,
      lost: cut > 0 && visited.join() !== before.visited.join(),
      repeated: after.visited.some((id, index) => isGlobal(id) && id === after.visited[index - 1]),
    };
  });
});

test("contractChains does not change which nodes calls visit, except for merged nodes", async () => {
  const features = ["merged", "tools", ...ODDITIES] as const;
  await forRandomCalls(withChain, features, async (call, before) => {
    const { graph, merged } = lower(call.graph, [contractChains(() => true)]);
    const standsFor = new Map([...merged].flatMap(([id, rest]) => rest.map((each) => [each, id] as const)));
    const kept = (id: string) => standsFor.get(id) ?? id;
    const steps = new Map([...merged].map(([id, rest]) => [id, [id, ...rest]] as const));
    const prompts = new Map(Object.values(call.graph.nodes).map(({ id, state_prompt: prompt }) => [prompt, id]));
    const transition = before.calls.flatMap(({ signature, input, output }) => {
      if (signature !== "transition" || !isRecord(output)) return [];
      const wanted = String(output.transition_to);
      const at = prompts.get(String(input.current_state_prompt)) ?? "";
      const chain: readonly string[] = steps.get(kept(at)) ?? [];
      const isStep = chain.includes(wanted) && chain.indexOf(wanted) === chain.indexOf(at) + 1;
      return [{ ...output, transition_to: isStep ? "none" : kept(wanted) }];
    });
    const after = await runCall(parseGraph(json(graph)), call, { ...decisionsOf(before), transition });
    const once = (ids: readonly string[]) => ids.filter((id, index) => index === 0 || id !== ids[index - 1]);
    const result = (finished: FinishedCall) => ({
      visited: once(finished.visited.map(kept)),
      variables: finished.variables,
      endReason: finished.endReason,
      messages: finished.messages
        .filter(({ role, content }) => role !== "tool" || /^\w+_slot\(/.test(content))
        .map((message) => ({ ...message, node_id: kept(message.node_id) })),
      requests: finished.calls.map(({ signature }) => signature),
    });
    assert.deepEqual(result(after), result(before));
    const passed = before.visited.filter(
      (id, index) => standsFor.has(id) && kept(before.visited[index - 1] ?? "") === kept(id),
    );
    const met = new Set(before.visited.map((id) => call.graph.nodes[id]?.metadata.odd));
    return {
      merged: passed.length > 0,
      tools: before.events.some(({ kind, node_id }) => kind === "tool_call" && standsFor.has(String(node_id))),
      ...Object.fromEntries(ODDITIES.map((oddity) => [oddity, met.has(oddity)])),
    };
  });
});

test("extractByTool does not change calls if the tool returns its arguments", async () => {
  await forRandomCalls(withDottedNames, ["extracts", "dotted"], async (call, before) => {
    const graph = loweredBy(call.graph, extractByTool);
    const tools = Object.values(graph.nodes).flatMap(({ tools }) => tools.filter(({ metadata }) => metadata?.[ECHOES]));
    const pathOf = new Map(tools.map(({ name, response_variables: paths }) => [name, paths ?? {}]));
    const said = before.calls.flatMap(({ signature, output }) => {
      if (signature === "arguments") return [output];
      if (signature !== "extract" || !isRecord(output)) return [];
      return [
        ({ tool }: JsonObject) => {
          const paths = pathOf.get(isRecord(tool) ? String(tool.name) : "") ?? {};
          const values = Object.entries(output).filter(([, value]) => value !== null);
          return Object.fromEntries(values.map(([name, value]) => [paths[name]?.replace("$.", "") ?? name, value]));
        },
      ];
    });
    const echoes = Object.fromEntries(tools.map(({ name }) => [name, (input: unknown) => input]));
    const after = await runCall(graph, call, { ...decisionsOf(before), arguments: said }, echoes);
    assert.deepEqual(course(after), course(before));
    return {
      extracts: after.messages.some(({ content }) => content.includes("extract_")),
      dotted: Object.keys(before.variables).some((name) => name.includes(".")),
    };
  });
});
