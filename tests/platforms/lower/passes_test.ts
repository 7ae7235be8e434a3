import assert from "node:assert/strict";
import { test } from "node:test";
import {
  contractChains,
  expandSnippets,
  extractByTool,
  guardGoBacks,
  type LoweredGraph,
  lower,
  multiplyGlobals,
  multiplySpeakingGlobals,
} from "../../../platforms/lower/mod.ts";
import { own } from "../../../src/base/values/mod.ts";
import { snippetUses } from "../../../src/document/expressions/mod.ts";
import { always, equal, graphOf, told } from "../vapi/compile/graphs.ts";

const help = (...backs: readonly string[]) => ({
  state_prompt: "Help.",
  global_node_setting: {
    condition: "Caller needs help",
    go_back_conditions: backs.map((value) => ({ id: value, condition: { type: "llm_prompt", value } })),
  },
});
const targets = (graph: LoweredGraph, id: string) =>
  own(graph.nodes, id)?.transitions.map((each) => each.target_node_id);

test("lower() runs passes in order and collects what they merged and lost", () => {
  const graph = graphOf(
    {
      a: { transitions: [told("b", "Yes")] },
      b: { state_prompt: "{%bye%}" },
      g: help("Thanks"),
      h: help("Fine"),
    },
    { snippets: { bye: "Bye." } },
  );
  const lowered = lower(graph, [
    expandSnippets,
    contractChains(() => true),
    multiplyGlobals,
    guardGoBacks((id) => `from_${id}`),
  ]);
  assert.deepEqual([...lowered.merged], [["a", ["b"]]]);
  assert.deepEqual(Object.keys(lowered.graph.nodes), ["a", "g", "h"]);
  assert.match(lowered.graph.nodes.a?.state_prompt ?? "", /## Step 2\nBye\.$/);
  assert.deepEqual(
    lowered.losses.map(({ code, path }) => [code, path[1]]),
    [
      ["nested-global-return", "g"],
      ["nested-global-return", "h"],
    ],
  );
  assert.deepEqual(lower(graph, []).graph, graph);
});

test("expandSnippets expands snippets once and keeps unknown tags", () => {
  const graph = graphOf(
    { a: { state_prompt: "{%x%} {%none%}", transitions: [told("a", "{% y %}")] } },
    { snippets: { x: "{%y%}", y: "Y" }, source_metadata: { general_prompt: "{%y%}", begin_message: "" } },
  );
  const { nodes, snippets, source_metadata: head } = lower(graph, [expandSnippets]).graph;
  assert.deepEqual(
    [
      nodes.a?.state_prompt,
      nodes.a?.transitions[0]?.condition.value,
      head.general_prompt,
      head.begin_message,
      snippets,
    ],
    ["{%y%} {%none%}", "Y", "Y", "", {}],
  );
});

test("multiplyGlobals adds an edge to every conversation node but the global one, behind its own", () => {
  const graph = graphOf({ a: { transitions: [told("b", "Yes")] }, b: { node_type: "logic" }, g: help() });
  const { graph: lowered } = lower(graph, [multiplyGlobals]);
  assert.deepEqual([targets(lowered, "a"), targets(lowered, "b"), targets(lowered, "g")], [["b", "g"], [], []]);
  assert.equal(lowered.nodes.g?.global_node_setting, null);
  assert.deepEqual(lowered.nodes.a?.transitions[1]?.madeFrom, ["nodes", "g", "global_node_setting"]);
});

test("guardGoBacks opens a way back only for calls that came from its target", () => {
  const graph = graphOf({ a: { transitions: [told("b", "Yes")] }, b: {}, g: help("Thanks") });
  const { graph: lowered, losses } = lower(graph, [multiplyGlobals, guardGoBacks((id) => `from_${id}`)]);
  assert.deepEqual(
    lowered.nodes.b?.transitions.map(({ sets }) => sets),
    [{ from_g: "b" }],
  );
  assert.deepEqual(
    lowered.nodes.g?.transitions.map(({ target_node_id, back }) => [target_node_id, back]),
    [
      ["a", { id: "Thanks", variable: "from_g", origin: "a" }],
      ["b", { id: "Thanks", variable: "from_g", origin: "b" }],
    ],
  );
  assert.deepEqual([losses, lowered.nodes.g?.global_node_setting], [[], null]);
});

test("guardGoBacks reports a node that is entered from another global node", () => {
  const graph = graphOf({ a: {}, g: help("Thanks"), h: help() });
  const { losses } = lower(graph, [multiplyGlobals, guardGoBacks((id) => `from_${id}`)]);
  assert.deepEqual(
    losses.map(({ code, path }) => [code, path[1]]),
    [["nested-global-return", "g"]],
  );
});

test("contractChains does not merge nodes with several predecessors, static text or an equation before them", () => {
  const graph = graphOf({
    a: { transitions: [told("b", "Yes")] },
    b: { instruction_type: "static_text", transitions: [always("c")] },
    c: { transitions: [equal("d", "x", "1")] },
    d: { transitions: [told("e", "Yes")] },
    e: {},
    f: { transitions: [told("e", "Yes")] },
  });
  const { merged } = lower(graph, [contractChains(() => true)]);
  assert.deepEqual([...merged], []);
  assert.deepEqual(
    [...lower(graphOf({ a: { transitions: [told("b", "Yes")] }, b: {} }), [contractChains(() => false)]).merged],
    [],
  );
});

test("extractByTool adds a tool with a parameter for each variable; those that the call needs are required", () => {
  const fills = [
    { name: "day", description: "Day", type: "enum", choices: ["Monday", "Friday"] },
    { name: "caller.name", description: "", type: "string" },
  ];
  const graph = graphOf({
    a: { transitions: [told("note", "Caller answers")] },
    note: {
      node_type: "extract",
      state_prompt: "Ask twice.",
      variables_to_extract: fills,
      transitions: [equal("a", "day", "Monday")],
    },
  });
  const node = lower(graph, [extractByTool]).graph.nodes.note;
  const properties = {
    day: { type: "string", description: "Day", enum: ["Monday", "Friday"] },
    variable_2: { type: "string" },
  };
  assert.deepEqual([node?.node_type, node?.variables_to_extract], ["function", []]);
  assert.deepEqual(node?.tools, [
    {
      name: "extract_note",
      description:
        "Notes what the caller has said. Leave out what the caller has not said: never make a value up. Ask twice.",
      parameters: { type: "object", properties, required: ["day"] },
      response_variables: { day: "$.day", "caller.name": "$.variable_2" },
      metadata: { echoes: true },
    },
  ]);
});

test("contractChains does not merge the entry node or a global node into another node", () => {
  const merged = (nodes: Parameters<typeof graphOf>[0]) => [
    ...lower(graphOf(nodes), [contractChains(() => true)]).merged,
  ];
  const back = { transitions: [told("a", "Again")] };
  assert.deepEqual(merged({ a: { transitions: [told("b", "Yes"), told("c", "No")] }, b: {}, c: back }), []);
  assert.deepEqual(merged({ a: { transitions: [told("g", "Yes")] }, g: help() }), []);
  assert.deepEqual(merged({ a: {}, b: { transitions: [told("b", "Again")] } }), []);
});

test("expandSnippets expands snippets in entry and go-back conditions of global nodes", () => {
  const snippets = { x: "Caller" };
  const graph = graphOf({ a: {}, g: help("{%x%} is done") }, { snippets });
  const setting = lower(graph, [expandSnippets]).graph.nodes.g?.global_node_setting;
  assert.deepEqual(
    [setting?.condition, setting?.go_back_conditions.map(({ condition }) => condition.value)],
    ["Caller needs help", ["Caller is done"]],
  );
  const needy = graphOf(
    { g: { global_node_setting: { condition: "{%x%} asks", go_back_conditions: [] } } },
    { snippets },
  );
  assert.equal(lower(needy, [expandSnippets]).graph.nodes.g?.global_node_setting?.condition, "Caller asks");
});

test("guardGoBacks keeps variables that a transition already sets, and adds no way back from a node to itself", () => {
  const plain = graphOf({
    a: { transitions: [told("g", "Yes")] },
    g: { ...help("Thanks"), transitions: [told("g", "Again")] },
  });
  const [first] = plain.nodes.a?.transitions ?? [];
  assert.ok(first && plain.nodes.a);
  const graph: LoweredGraph = {
    ...plain,
    nodes: { ...plain.nodes, a: { ...plain.nodes.a, transitions: [{ ...first, sets: { x: "1" } }] } },
  };
  const { graph: lowered, losses } = lower(graph, [guardGoBacks((id) => `from_${id}`)]);
  assert.deepEqual(lowered.nodes.a?.transitions[0]?.sets, { x: "1", from_g: "a" });
  assert.deepEqual(
    lowered.nodes.g?.transitions.map(({ target_node_id, sets, back }) => [target_node_id, sets, back?.origin]),
    [
      ["g", undefined, undefined],
      ["a", undefined, "a"],
    ],
  );
  assert.deepEqual(
    losses.map(({ code }) => code),
    ["nested-global-return"],
    "it is entered from itself",
  );
});

test("multiplySpeakingGlobals adds transitions to speaking global nodes and keeps ends and settings", () => {
  const bye = { node_type: "end", global_node_setting: { condition: "Caller hangs up", go_back_conditions: [] } };
  const graph = graphOf({ a: { transitions: [told("b", "Yes")] }, b: { node_type: "logic" }, g: help("Thanks"), bye });
  const { graph: lowered } = lower(graph, [multiplySpeakingGlobals]);
  assert.deepEqual([targets(lowered, "a"), targets(lowered, "b"), targets(lowered, "g")], [["b", "g"], [], []]);
  assert.deepEqual(lowered.nodes.a?.transitions[1], {
    target_node_id: "g",
    condition: { type: "llm_prompt", value: "Caller needs help" },
    madeFrom: ["nodes", "g", "global_node_setting"],
  });
  const settings = ({ nodes }: LoweredGraph) => Object.values(nodes).map((node) => node.global_node_setting ?? null);
  assert.deepEqual(settings(lowered), settings(graph));
});

test("snippetUses() finds exactly the texts in which calls expand snippets", () => {
  const graph = graphOf(
    {
      a: {
        state_prompt: "{%x%} {%none%} {%x%}",
        tools: [{ name: "{%x%}", description: "{%x%}", url: "https://a.test/{%y%}" }],
        transitions: [{ ...told("a", "{%x%}"), description: "{%y%}" }, { ...equal("a", "{%x%}", "{%x%}") }],
      },
      g: help("{%y%}"),
    },
    { snippets: { x: "X", y: "{%x%}" }, source_metadata: { general_prompt: "{%x%}", begin_message: "{%y%}" } },
  );
  assert.deepEqual(
    snippetUses(graph).map(({ name, path }) => `${name} ${path.join(".")}`),
    [
      ...["x nodes.a.state_prompt", "x nodes.a.state_prompt", "x nodes.a.tools.0.description"],
      ...["y nodes.a.tools.0.url", "x nodes.a.transitions.0.condition", "y nodes.a.transitions.0.description"],
      ...["y nodes.g.global_node_setting.go_back_conditions.0.condition"],
      ...["x source_metadata.general_prompt", "y source_metadata.begin_message"],
    ],
  );
  const { nodes } = lower(graph, [expandSnippets]).graph;
  assert.deepEqual(
    [nodes.a?.tools[0]?.description, nodes.a?.tools[0]?.url, nodes.a?.transitions[0]?.description],
    ["X", "https://a.test/{%x%}", "{%x%}"],
  );
});
