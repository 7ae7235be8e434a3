import assert from "node:assert/strict";
import { test } from "node:test";
import { check, emit, importAgent } from "../../../../mod.ts";
import { getAt, type JsonObject } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";

const variable = (name: string) => ({ type: "variable", name });
const number = (value: number) => ({ type: "number_literal", value });
const is = (name: string, value: string) => ({
  ...{ type: "comparison", op: "==", left: variable(name) },
  right: { type: "string_literal", value },
});
const bool = (op: string, ...operands: readonly object[]) => ({ type: "bool_op", op, operands });
const expression = (value: object) => ({ type: "expression", expression: value });

/** Conditions that equations cannot say, and their words. */
const CONDITIONS: readonly (readonly [condition: object, words: string])[] = [
  [
    expression(bool("not", bool("and", is("a", "x"), is("b", "y")))),
    'it is not true that (({{a}} is "x") and ({{b}} is "y"))',
  ],
  [
    expression(bool("and", is("a", "x"), bool("or", is("b", "y"), is("c", "z")))),
    '({{a}} is "x") and (({{b}} is "y") or ({{c}} is "z"))',
  ],
  [
    expression({
      ...{ type: "comparison", op: ">", right: number(5) },
      left: { type: "arithmetic", op: "+", left: variable("a"), right: number(2) },
    }),
    "({{a}} + 2) is more than 5",
  ],
  [{ type: "tool_result", outcome: "error" }, '{"type":"tool_result","outcome":"error"}'],
];

function documentWith(conditions: readonly object[]) {
  const edges = conditions.map((condition, index) => ({
    ...{ id: `e${index}`, start_node_id: "ask", target: { type: "node", node_id: "next" } },
    condition,
  }));
  const nodes = ["ask", "next"].map((id) => ({ id, type: "prompt", instructions: `Do ${id}.` }));
  const flow = { start_node_id: "ask", nodes, edges };
  return { name: "desk", instructions: "Be brief.", model: "openai/gpt-4o", conversation_flow: flow };
}

const DOCUMENT = documentWith(CONDITIONS.map(([condition]) => condition));

const edgesOf = (graph: AgentGraph) => getAt(emit(graph, "telnyx").config, ["conversation_flow", "edges"]);

function edited(graph: AgentGraph, change: (graph: JsonObject) => void): AgentGraph {
  const copy = JSON.parse(JSON.stringify(graph));
  change(copy);
  return parseGraph(copy);
}

test("conditions that equations cannot say are read as words, and check has no error about them", () => {
  const { graph, findings } = importAgent(JSON.stringify(DOCUMENT));
  const read = graph.nodes.ask?.transitions.map(({ condition }) => [condition.type, condition.value]);
  assert.deepEqual(
    read,
    CONDITIONS.map(([, words]) => ["llm_prompt", words]),
  );
  assert.deepEqual([...new Set(findings.map(({ code }) => code))], ["unread-condition"]);
  assert.deepEqual(
    check(graph).filter(({ severity }) => severity === "error"),
    [],
  );
});

test("such conditions come back as they were, also from a graph that was saved and changed elsewhere", () => {
  const text = JSON.stringify(DOCUMENT, null, 2);
  const { graph } = importAgent(text);
  assert.equal(emit(graph, "telnyx").text, text);
  const changed = edited(graph, (copy) => {
    Object.assign(getAt(copy, ["nodes", "next"]) ?? {}, { state_prompt: "Wait." });
  });
  assert.deepEqual(edgesOf(changed), DOCUMENT.conversation_flow.edges);
});

test("edited words of such a condition are an edge in words, and the other edges stay", () => {
  for (const [index] of CONDITIONS.entries()) {
    const { graph } = importAgent(JSON.stringify(DOCUMENT));
    const changed = edited(graph, (copy) => {
      Object.assign(getAt(copy, ["nodes", "ask", "transitions", index, "condition"]) ?? {}, { value: "Caller agrees" });
    });
    assert.deepEqual(
      edgesOf(changed),
      DOCUMENT.conversation_flow.edges.map((edge, at) =>
        at === index ? { ...edge, condition: { type: "llm", prompt: "Caller agrees" } } : edge,
      ),
    );
  }
});

test("such an expression and an equation behind it are one expression", () => {
  const [[condition] = [{}]] = CONDITIONS;
  const { graph } = importAgent(JSON.stringify(documentWith([condition])));
  const changed = edited(graph, (copy) => {
    Object.assign(getAt(copy, ["nodes", "ask", "transitions", 0]) ?? {}, { target_node_id: "split" });
    const equation = { type: "equation", value: "", equations: [{ left: "d", operator: "==", right: "w" }] };
    const split = {
      ...{ id: "split", node_type: "logic", state_prompt: "", tools: [] },
      transitions: [{ target_node_id: "next", condition: equation }],
    };
    Object.assign(getAt(copy, ["nodes"]) ?? {}, { split });
  });
  assert.deepEqual(
    getAt(edgesOf(changed), [0, "condition"]),
    expression(bool("and", bool("not", bool("and", is("a", "x"), is("b", "y"))), is("d", "w"))),
  );
});

test("on another platform such a condition is asked in words", () => {
  const { graph } = importAgent(JSON.stringify(DOCUMENT));
  const { text } = emit(graph, "retell");
  for (const [, words] of CONDITIONS) assert.ok(text.includes(JSON.stringify(words).slice(1, -1)), words);
});
