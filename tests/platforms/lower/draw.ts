import { isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";
import { equal, json, told } from "../vapi/compile/graphs.ts";
import type { ComparedCall } from "../vapi/compile/squads/compared_call.ts";

/** Adds what a pass compiles away to a random call. */
export type Draw = (call: ComparedCall, random: () => number) => ComparedCall;

const likely = (share: number, random: () => number) => random() < share;

function oneOf<Item>(items: readonly [Item, ...Item[]], random: () => number): Item {
  return items[Math.floor(random() * items.length)] ?? items[0];
}

const withNodes = (call: ComparedCall, nodes: { readonly [id: string]: JsonObject }, rest: JsonObject = {}) => ({
  ...call,
  graph: parseGraph(json({ ...call.graph, nodes: { ...call.graph.nodes, ...nodes }, ...rest })),
});

/** Adds snippets to the prompts and conditions of a graph; one snippet uses another. */
export const withSnippets: Draw = (call) => {
  const text = JSON.stringify(call.graph)
    .replaceAll("Caller says", "{%caller%} says")
    .replaceAll("At ", "{%here%} At ")
    .replaceAll("Be kind.", "{%kind%} {%unknown%}");
  const snippets = { caller: "Caller", here: "{{plan}} {%kind%}", kind: "Be kind." };
  return { ...call, graph: parseGraph({ ...JSON.parse(text), snippets }) };
};

/**
 * Adds two global nodes that may lead to themselves and to each other, and makes an end global. Conditions may be
 * empty; the engine offers such nodes too.
 *
 * @param hasBacks Whether the nodes may have go-back conditions.
 */
export const withGlobals =
  (hasBacks: boolean): Draw =>
  (call, random) => {
    const ids = ["manager", "helper"].filter((id) => id === "manager" || likely(0.6, random));
    const back = (id: string) => ({ id: "back", condition: oneOf([thanks(id), thanks(id), gold], random) });
    const nodes = ids.map((id) => [
      id,
      {
        state_prompt: `At ${id}, help.`,
        global_node_setting: {
          condition: likely(0.2, random) ? "" : `Caller needs the ${id}`,
          go_back_conditions: hasBacks && likely(0.8, random) ? [back(id)] : [],
        },
        transitions: ["greet", "bye", ...ids]
          .filter(() => likely(0.3, random))
          .map((target) => told(target, `Caller leaves ${id} for ${target}`)),
      },
    ]);
    const hangsUp = { condition: "Caller hangs up", go_back_conditions: [] };
    const bye = { ...call.graph.nodes.bye, ...(likely(0.5, random) ? { global_node_setting: hangsUp } : {}) };
    return withNodes(call, { ...Object.fromEntries(nodes), bye });
  };

const thanks = (id: string) => ({ type: "llm_prompt", value: `Caller thanks the ${id}` });
const gold = equal("", "plan", "gold").condition;

const CHAIN = ["first", "second", "third", "fourth", "fifth"];

/** What a node of a chain may have that keeps it from being merged. */
export const ODDITIES = ["entry", "equation", "global", "static", "tool_call"] as const;

/**
 * Adds a chain of nodes, some with tools, that calls start with and may come back to. At most one node is unlike the
 * others: its `metadata.odd` says how.
 */
export const withChain: Draw = (call, random) => {
  const odd = oneOf([...ODDITIES, "none"], random);
  const oddId = oneOf(["first", "second", "third", "fourth"], random);
  const tool = (name: string) => ({ name, description: "", response_variables: { status: "$.status" } });
  const nodes = CHAIN.map((id, index) => {
    const next = CHAIN[index + 1];
    const is = (oddity: string) => odd === oddity && id === oddId;
    const tools = ["find_slot", "book_slot"].filter(
      (name) => likely(0.4, random) || (is("tool_call") && name === "find_slot"),
    );
    const global = { condition: `Caller needs the ${id}`, go_back_conditions: [] };
    const answered = { target_node_id: "ask", condition: { type: "tool_call", value: "" } };
    const exits = [told("greet", "Caller greets"), told("ask", "Caller asks"), told("first", "Caller starts again")];
    const onward = next && (is("equation") ? equal(next, "plan", "gold") : told(next, `Caller answers ${id}`));
    return [
      id,
      {
        state_prompt: `Ask the ${id} question.${tools.map((name) => ` Use ${name}.`).join("")}`,
        tools: tools.map(tool),
        ...(is("static") ? { instruction_type: "static_text" } : {}),
        ...(is("global") ? { global_node_setting: global } : {}),
        ...(odd !== "none" && id === oddId ? { metadata: { odd } } : {}),
        transitions: [...(is("tool_call") ? [answered] : []), ...(onward ? [onward] : exits)],
      },
    ];
  });
  const respond = (call.answers.respond ?? []).map((answer, index) => (input: JsonObject) => {
    const [, name] = /Use (\w+)\./.exec(String(input.state_instructions)) ?? [];
    if (name && index % 2 === 0) return { toolCalls: [{ name, arguments: {} }] };
    return typeof answer === "function" ? answer(input) : answer;
  });
  const entry = odd === "entry" ? oddId : "first";
  const drawn = withNodes(call, Object.fromEntries(nodes), { entry_node_id: entry });
  const plan = oneOf(["gold", "silver"], random);
  return { ...drawn, variables: { ...call.variables, plan }, answers: { ...call.answers, respond } };
};

const DOTTED: { readonly [name: string]: string } = { pain: "caller.pain", urgent: "urgent.now" };

/** Renames variables to names that JSON paths cannot contain, and gives extract nodes tools of their own. */
export const withDottedNames: Draw = (call) => {
  const text = Object.entries(DOTTED).reduce(
    (all, [name, dotted]) =>
      all.replaceAll(`"name":"${name}"`, `"name":"${dotted}"`).replaceAll(`"left":"${name}"`, `"left":"${dotted}"`),
    JSON.stringify(call.graph),
  );
  const graph: AgentGraph = parseGraph(JSON.parse(text));
  const other = { name: "find_slot", description: "", response_variables: { status: "$.status" } };
  const nodes = Object.values(graph.nodes).map((node) => [
    node.id,
    node.node_type === "extract" ? { ...node, tools: [other] } : node,
  ]);
  const plain = new Map(Object.entries(DOTTED).map(([name, dotted]) => [dotted, name]));
  const extract = (call.answers.extract ?? []).map((answer) => (input: JsonObject) => {
    const wanted = Array.isArray(input.variables) ? input.variables.filter(isRecord) : [];
    const names = wanted.map(({ name }) => String(name));
    const variables = names.map((name) => ({ name: plain.get(name) ?? name }));
    const values = typeof answer === "function" ? answer({ ...input, variables }) : answer;
    return Object.fromEntries(names.map((name) => [name, isRecord(values) ? values[plain.get(name) ?? name] : null]));
  });
  return { ...withNodes({ ...call, graph }, Object.fromEntries(nodes)), answers: { ...call.answers, extract } };
};
