import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ALWAYS,
  all,
  any,
  contractChains,
  expandSnippets,
  extractByTool,
  extractionByTool,
  foldLogic,
  guardGoBacks,
  isAlways,
  isSilent,
  isTerminal,
  lower,
  multiplyGlobals,
  multiplySpeakingGlobals,
  none,
  promoteBusy,
} from "../../../platforms/lower/mod.ts";
import { own } from "../../../src/base/values/mod.ts";
import { snippetUses } from "../../../src/document/expressions/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { always, equal, graphOf, told } from "../vapi/compile/graphs.ts";

const text = (name: string) => ({ name, description: "", type: "string" });

test("every pass has the documented name", () => {
  const passes = [
    ...[expandSnippets, contractChains(() => true), multiplyGlobals, multiplySpeakingGlobals],
    ...[guardGoBacks(() => ""), extractByTool],
  ];
  assert.deepEqual(
    passes.map(({ name }) => name),
    [
      ...["expand-snippets", "contract-chains", "multiply-globals", "multiply-speaking-globals"],
      ...["guard-go-backs", "extract-by-tool"],
    ],
  );
});

test("isSilent() and isTerminal() depend on the node's type", () => {
  const types = ["conversation", "logic", "extract", "function", "end", "transfer"];
  const nodes = Object.values(graphOf(Object.fromEntries(types.map((type) => [type, { node_type: type }]))).nodes);
  assert.deepEqual(
    nodes.filter(isSilent).map(({ id }) => id),
    ["logic", "extract", "function"],
  );
  assert.deepEqual(
    nodes.filter(isTerminal).map(({ id }) => id),
    ["end", "transfer"],
  );
});

test("all(), any() and none() flatten guards without changing their meaning", () => {
  const [a, b] = [
    { kind: "is", variable: "x", value: "a" },
    { kind: "is", variable: "x", value: "b" },
  ] as const;
  const either = { kind: "any", guards: [a, b] } as const;
  assert.deepEqual(all([a]), a);
  assert.deepEqual(all([{ kind: "all", guards: [a, b] }, either]), { kind: "all", guards: [a, b, either] });
  assert.deepEqual([any([a, b]), none([a]), none([])], [either, { kind: "not", guard: a }, ALWAYS]);
  assert.deepEqual([ALWAYS, a, either, { kind: "any", guards: [] } as const].map(isAlways), [
    true,
    false,
    false,
    false,
  ]);
});

test("foldLogic combines an equation's clauses with its operator; an equation without clauses never holds", () => {
  const clause = (left: string) => ({ left, operator: "exists" });
  const to = (equations: readonly object[], logical_operator?: string) => ({
    target_node_id: "b",
    condition: { type: "equation", value: "", equations, ...(logical_operator ? { logical_operator } : {}) },
  });
  const two = [clause("x"), clause("y")];
  const graph = graphOf({ a: { transitions: [to(two, "or"), to(two, "and"), to(two), to([])] }, b: {} });
  const state = { outcome: () => undefined, outcomeWords: () => "", work: () => undefined };
  const guards = [...foldLogic(graph, () => true, state).routes("a")].map(({ guard }) => guard);
  const kinds = guards.map((guard) => (guard.kind === "all" ? (guard.guards[0] ?? guard) : guard));
  const clauses = two.map((each) => ({ kind: "clause", clause: each }));
  assert.deepEqual(kinds[0], { kind: "any", guards: clauses });
  assert.deepEqual(
    guards.slice(1, 3).map((guard) => guard.kind === "all" && guard.guards.slice(0, 2)),
    [clauses, clauses],
  );
  assert.deepEqual(kinds[3], { kind: "any", guards: [] });
});

test("contractChains writes a step for each node and keeps all tools, variables and transitions", () => {
  const tool = (name: string) => ({ name, description: "" });
  const graph = graphOf({
    a: { state_prompt: "Hello.", tools: [tool("s")], transitions: [always("b")] },
    b: { state_prompt: "Name?", variables_to_extract: [text("name")], transitions: [told("c", "Caller says a name")] },
    c: { state_prompt: "Age?", tools: [tool("t")], transitions: [told("d", "Young"), told("e", "Old")] },
    d: { transitions: [told("a", "Again")] },
    e: {},
  });
  const { graph: lowered, merged } = lower(graph, [contractChains(() => true)]);
  assert.deepEqual([...merged], [["a", ["b", "c"]]]);
  assert.deepEqual(lowered.nodes.a, {
    ...graph.nodes.a,
    state_prompt: [
      "## Step 1\nHello.\nStay with this step once it is said; then take the next one.",
      "## Step 2\nName?\nStay with this step until this holds: Caller says a name; then take the next one.",
      "## Step 3\nAge?",
    ].join("\n\n"),
    tools: [...(graph.nodes.a?.tools ?? []), ...(graph.nodes.c?.tools ?? [])],
    variables_to_extract: graph.nodes.b?.variables_to_extract,
    transitions: graph.nodes.c?.transitions.map((each, index) => ({
      madeFrom: ["nodes", "c", "transitions", index],
      ...each,
    })),
  });
});

test("contractChains does not merge nodes that route by a tool's outcome, or that no conversation leads to", () => {
  const outcome = { type: "tool_call", value: "", outcome: "failed" };
  const merged = (nodes: Parameters<typeof graphOf>[0]) => [
    ...lower(graphOf(nodes), [contractChains(() => true)]).merged,
  ];
  const leads = (target_node_id: string, condition: object) => ({ transitions: [{ target_node_id, condition }] });
  assert.deepEqual(merged({ a: leads("b", outcome), b: {} }), []);
  assert.deepEqual(merged({ a: { transitions: [told("b", "Yes")] }, b: leads("c", outcome), c: {} }), []);
  assert.deepEqual(merged({ a: { transitions: [told("b", "Yes")] }, b: { node_type: "end" } }), []);
  assert.deepEqual(merged({ a: { node_type: "logic", transitions: [always("b")] }, b: {} }), []);
  assert.deepEqual(merged({ a: { transitions: [always("b")] }, b: {} }), [["a", ["b"]]]);
});

test("guardGoBacks records the go-back condition of a transition, and reports nested detours", () => {
  const back = { id: "done", condition: { type: "llm_prompt", value: "Thanks" } };
  const graph = graphOf({
    a: {},
    g: { global_node_setting: { condition: "Help", go_back_conditions: [back] } },
    h: { global_node_setting: { condition: "More", go_back_conditions: [] } },
  });
  const { graph: lowered, losses } = lower(graph, [multiplyGlobals, guardGoBacks((id) => `from_${id}`)]);
  assert.deepEqual(lowered.nodes.g?.transitions.at(-1), {
    target_node_id: "h",
    condition: back.condition,
    back: { id: "done", variable: "from_g", origin: "h" },
    madeFrom: ["nodes", "g", "global_node_setting", "go_back_conditions", 0],
  });
  assert.deepEqual(losses, [
    {
      code: "nested-global-return",
      kind: "emulated",
      path: ["nodes", "g", "global_node_setting", "go_back_conditions"],
      message: "A variable stores only one node that the call returns to, not a stack of nodes",
      instead: "a return to the last node that led to each global node",
      hint: "Remove the transitions from one global node to another",
    },
  ]);
});

test("multiplyGlobals keeps an empty condition, and settings if guardGoBacks needs them", () => {
  const setting = { condition: "", go_back_conditions: [] };
  const graph = graphOf({ a: {}, g: { global_node_setting: setting } });
  const { nodes } = lower(graph, [multiplyGlobals]).graph;
  assert.deepEqual(nodes.a?.transitions[0]?.condition, { type: "llm_prompt", value: "" });
  assert.equal(nodes.g?.global_node_setting, null);
  const back = { id: "done", condition: { type: "llm_prompt", value: "Thanks" } };
  const returning = graphOf({ a: {}, g: { global_node_setting: { ...setting, go_back_conditions: [back] } } });
  const kept = lower(returning, [multiplyGlobals]).graph.nodes.g?.global_node_setting;
  assert.deepEqual(kept, returning.nodes.g?.global_node_setting);
  assert.deepEqual(lower(graphOf({ a: {} }), [multiplySpeakingGlobals]).graph, graphOf({ a: {} }));
});

test("snippetUses() returns the path of a global node's condition and ignores equations", () => {
  const graph = graphOf(
    {
      a: { transitions: [{ ...equal("a", "x", "1"), condition: { type: "equation", value: "{%x%}", equations: [] } }] },
      g: { global_node_setting: { condition: "{%x%}", go_back_conditions: [] } },
    },
    { snippets: { x: "X" } },
  );
  assert.deepEqual(snippetUses(graph), [{ name: "x", path: ["nodes", "g", "global_node_setting"] }]);
  assert.deepEqual(snippetUses({ ...graph, snippets: {} }), []);
});

/** Returns which of the variables `x`, `y` and `z` are required at the extract node `note`. */
function required(nodes: Parameters<typeof graphOf>[0], ...transitions: readonly object[]): readonly string[] {
  const graph = graphOf({
    note: { node_type: "extract", variables_to_extract: ["x", "y", "z"].map(text), transitions },
    a: {},
    ...nodes,
  });
  const node = own(graph.nodes, "note");
  assert.ok(node);
  return extractionByTool(node, [node], graph).required;
}

test("extractionOf() requires the variables that the call needs to continue", () => {
  const sort = (...transitions: readonly object[]) => ({ sort: { node_type: "logic", transitions } });
  const absent = {
    target_node_id: "a",
    condition: { type: "equation", value: "", equations: [{ left: "y", operator: "not_exist" }] },
  };
  assert.deepEqual(required({}, equal("a", "x", "1"), equal("a", "{{ y }}", "2")), ["x", "y"]);
  assert.deepEqual(required({}, equal("a", "x", "1"), always("a")), []);
  assert.deepEqual(required({}, equal("a", "x", "1"), absent), []);
  assert.deepEqual(required(sort(equal("a", "z", "1")), equal("sort", "x", "1")), ["x", "z"]);
  assert.deepEqual(required(sort(equal("a", "z", "1")), always("sort")), ["z"]);
  assert.deepEqual(required(sort(equal("note", "z", "1")), equal("sort", "x", "1")), ["x", "z"]);
  assert.deepEqual(required({ talk: { transitions: [equal("a", "z", "1")] } }, equal("talk", "x", "1")), ["x"]);
  assert.deepEqual(required({}, told("a", "Yes"), equal("a", "x", "1")), []);
});

test("extractionOf() ignores equations and the prompt of a conversation node", () => {
  const graph: AgentGraph = graphOf({
    talk: { state_prompt: "Be kind.", variables_to_extract: [text("x")], transitions: [equal("talk", "x", "1")] },
  });
  const node = own(graph.nodes, "talk");
  assert.ok(node);
  const { description, required } = extractionByTool(node, [node], graph);
  assert.deepEqual(
    [description, required],
    ["Notes what the caller has said. Leave out what the caller has not said: never make a value up.", []],
  );
});

test("extractionOf() keeps types that JSON Schema has, and lists choices as an enum", () => {
  const variable = (type: string, choices?: readonly string[]) => ({
    ...text(type),
    type,
    ...(choices ? { choices } : {}),
  });
  const graph = graphOf({
    note: {
      node_type: "extract",
      variables_to_extract: [
        ...["string", "number", "boolean", "integer", "date"].map((type) => variable(type)),
        ...[variable("enum", ["a", "b"]), { ...variable("none", []), type: "number" }],
      ],
      transitions: [equal("note", "string", "1")],
    },
  });
  const node = own(graph.nodes, "note");
  assert.ok(node);
  assert.deepEqual(extractionByTool(node, [node], graph).properties, {
    string: { type: "string" },
    number: { type: "number" },
    boolean: { type: "boolean" },
    integer: { type: "integer" },
    date: { type: "string" },
    enum: { type: "string", enum: ["a", "b"] },
    none: { type: "number" },
  });
});

test("extractByTool only changes extract nodes with variables, and mentions optional variables only if there are any", () => {
  const graph = graphOf({
    talk: { variables_to_extract: [text("x")] },
    empty: { node_type: "extract", transitions: [always("talk")] },
    note: { node_type: "extract", variables_to_extract: [text("x")], transitions: [equal("talk", "x", "1")] },
  });
  const { nodes } = lower(graph, [extractByTool]).graph;
  assert.deepEqual([nodes.talk, nodes.empty], [graph.nodes.talk, graph.nodes.empty]);
  assert.equal(nodes.note?.tools[0]?.description, "Notes what the caller has said.");
});

test("promoteBusy ignores transitions to nodes that do not exist", () => {
  const promoted = new Set<string>();
  const graph = graphOf({ ask: {}, one: { node_type: "logic", transitions: [equal("ask", "x", "1")] } });
  const one = own(graph.nodes, "one");
  assert.ok(one);
  const transitions = one.transitions.map((transition) => ({ ...transition, target_node_id: "gone" }));
  promoteBusy({ ...graph, nodes: { ...graph.nodes, one: { ...one, transitions } } }, promoted);
  assert.deepEqual([...promoted], []);
});

test("promoteBusy counts the routes through silent nodes; a promoted node counts as one", () => {
  const found = (graph: AgentGraph, ...start: readonly string[]) => {
    const promoted = new Set<string>(start);
    promoteBusy(graph, promoted);
    return [...promoted];
  };
  const many = (count: number, target: string) => Array.from({ length: count }, (_, at) => equal(target, "x", `${at}`));
  const silent = (...transitions: readonly object[]) => ({ node_type: "logic", transitions });
  const chain = (inner: number, outer: number) =>
    graphOf({
      ask: { transitions: [told("one", "Yes")] },
      one: silent(...many(outer, "two")),
      two: silent(...many(inner, "ask")),
    });
  assert.deepEqual([found(chain(11, 3)), found(chain(8, 4))], [["one"], []]);
  assert.deepEqual(found(chain(33, 2)), ["two"]);
  assert.deepEqual(found(chain(11, 3), "two"), ["two"]);
  assert.deepEqual(found(graphOf({ ask: {}, one: silent(...many(33, "two")), two: silent() })), ["one"]);
  assert.deepEqual(found(graphOf({ ask: { transitions: many(40, "ask") }, one: silent(...many(1, "ask")) })), []);
  assert.deepEqual(
    found(graphOf({ ask: {}, bye: { node_type: "end" }, one: silent(...many(20, "bye"), ...many(13, "ask")) })),
    ["one"],
  );
});
