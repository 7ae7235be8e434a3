import assert from "node:assert/strict";
import { test } from "node:test";
import { emit } from "../../../../platforms/mod.ts";
import { getAt } from "../../../../src/base/values/mod.ts";
import type { AgentGraph, EquationClause } from "../../../../src/document/graph/mod.ts";
import { imported } from "./documents.ts";

const workflow = (liquid: string) => ({
  name: "travel",
  nodes: [
    { name: "ask", type: "conversation", isStart: true, prompt: "Ask." },
    { name: "bye", type: "end" },
  ],
  edges: [{ from: "ask", to: "bye", condition: { type: "logic", liquid } }],
});
const clauseOf = ({ nodes }: AgentGraph) => nodes.ask?.transitions[0]?.condition.equations?.[0];

/** The condition of the edge and the losses after an edit of its equation. */
function edited(liquid: string, right: EquationClause["right"]) {
  const graph = structuredClone(imported(workflow(liquid)));
  const [transition] = graph.nodes.ask?.transitions ?? [];
  const condition = { type: "equation", value: "", equations: [{ left: "city", operator: "==", right }] } as const;
  const ask = { ...graph.nodes.ask, transitions: [{ ...transition, condition }] };
  const { config, losses } = emit({ ...graph, nodes: { ...graph.nodes, ask } } as AgentGraph, "vapi-workflow");
  return [getAt(config, ["edges", 0, "condition"]), losses.map(({ code }) => code)];
}

test("import() reads a bare name in Liquid as a variable, and quoted texts, numbers and booleans as literals", () => {
  for (const [liquid, right] of [
    ["{{ city == town }}", "{{town}}"],
    ["{{ city == customer.town }}", "{{customer.town}}"],
    ['{{ city == "town" }}', "town"],
    ["{{ city == 5 }}", "5"],
    ["{{ city == true }}", "true"],
  ] as const) {
    const graph = imported(workflow(liquid));
    assert.deepEqual(clauseOf(graph), { left: "city", operator: "==", right });
    assert.deepEqual(emit(graph, "vapi-workflow").config, workflow(liquid));
  }
});

test("emit() writes a variable in a right side by its name and a text in quotes, and says where Liquid cannot compare", () => {
  const logic = (liquid: string) => ({ type: "logic", liquid });
  assert.deepEqual(edited("{{ city == town }}", "{{place}}"), [logic("{{ city == place }}"), []]);
  assert.deepEqual(edited("{% if city == town %}true{% endif %}", "place"), [
    logic('{% if city == "place" %}true{% endif %}'),
    [],
  ]);
  const words = { type: "ai", prompt: '{{city}} is "no-{{place}}"' };
  for (const liquid of ["{{ city == town }}", "{% if city == town %}true{% endif %}"])
    assert.deepEqual(edited(liquid, "no-{{place}}"), [words, ["equation-in-words"]]);
});
