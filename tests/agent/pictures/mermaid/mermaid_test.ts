import assert from "node:assert/strict";
import { test } from "node:test";
import { importAgent } from "../../../../platforms/mod.ts";
import { drawMermaid } from "../../../../src/agent/pictures/mod.ts";
import { clinic } from "../../../dsl/clinic.ts";
import { documents } from "../../../platforms/graph/_documents.ts";
import { fc } from "../../../properties.ts";

// On a busy machine these take longer than a runner's usual limit.
const SLOW = { timeout: 120_000 };

function draw(document: unknown): readonly string[] {
  const text = drawMermaid(importAgent(document, { format: "graph" }).graph);
  assert.ok(text.endsWith("\n"));
  return text.trimEnd().split("\n");
}

/** A graph of two nodes with one transition between them. */
function pair(id: string, condition: unknown, more: object = {}) {
  return { entry_node_id: id, nodes: { [id]: { transitions: [{ target_node_id: id, condition }], ...more } } };
}

const LABEL = '"(?:[^"#\\n]|#\\d+;|#160;)+"';
const NODE = new RegExp(
  `^  (?:n\\d+|missing\\d+|anywhere)(?:\\[${LABEL}\\]|\\{${LABEL}\\}|\\{\\{${LABEL}\\}\\}|\\[\\[${LABEL}\\]\\]|\\(\\[${LABEL}\\]\\)|\\(\\(${LABEL}\\)\\)):::[a-z]+$`,
);
const EDGE = new RegExp(`^  (?:n\\d+|anywhere) (?:-->|==>|-\\.->)(?:\\|${LABEL}\\|)? (?:n\\d+|missing\\d+|anywhere)$`);
const STYLE = /^ {2}(?:class(?:Def)? [a-z0-9,]+ [a-z0-9#:,\- ]+|linkStyle [\d,]+ stroke:#[0-9a-f]{6})$/;

test("emit() draws a flow", () => {
  assert.deepEqual(draw(clinic).slice(0, 16), [
    "flowchart TD",
    '  n0["greet"]:::conversation',
    '  n1{{"ask<br/>⟨intent⟩"}}:::extract',
    '  n2["book"]:::conversation',
    '  n3["manager"]:::conversation',
    '  n4(["bye"]):::ending',
    '  anywhere(("wherever<br/>the caller is")):::anyplace',
    '  n0 -->|"Caller gives a reason"| n1',
    '  n1 -->|"intent = book"| n2',
    '  n1 -->|"else"| n4',
    '  n2 -->|"Booked"| n4',
    '  anywhere ==>|"Caller asks for a manager"| n3',
    '  n3 -.->|"Caller is ready to<br/>continue"| anywhere',
    "  class n0 entry",
    "  class n3 everywhere",
    "  linkStyle 4,5 stroke:#9333ea",
  ]);
});

test("emit() gives every node type its shape", () => {
  const nodes = {
    end: { node_type: "conversation" },
    a: { node_type: "logic" },
    b: { node_type: "extract" },
    c: { node_type: "function", tools: [{ name: "look_up" }] },
    d: { node_type: "end" },
    e: { node_type: "transfer" },
  };
  assert.deepEqual(draw({ entry_node_id: "end", nodes }).slice(1, 7), [
    '  n0["end"]:::conversation',
    '  n1{"a"}:::logic',
    '  n2{{"b"}}:::extract',
    '  n3[["c<br/>look_up()"]]:::tool',
    '  n4(["d"]):::ending',
    '  n5(["e"]):::transfer',
  ]);
});

test("equations and tool outcomes read like sentences", () => {
  const equations = [
    { left: "age", operator: ">=", right: 18 },
    { left: "plan", operator: "not_contains", right: "gold" },
    { left: "email", operator: "exists" },
    { left: "note", operator: "==", right: "" },
  ];
  const written = draw(pair("a", { type: "equation", equations, logical_operator: "or" }))[2];
  const text = "age ≥ 18 or plan does not<br/>contain gold or email is<br/>known or note = #34;#34;";
  assert.equal(written, `  n0 -->|"${text}"| n0`);
  assert.equal(draw(pair("a", { type: "tool_call", value: "pay", outcome: "failed" }))[2], '  n0 -->|"pay failed"| n0');
  const failed = { type: "tool_call", value: "", outcome: "failed" };
  assert.equal(draw(pair("a", failed, { node_type: "function" }))[2], '  n0 -->|"tool failed"| n0');
  assert.equal(draw(pair("a", failed, { node_type: "transfer" }))[2], '  n0 -->|"transfer failed"| n0');
  assert.equal(draw(pair("a", { type: "always" }))[2], "  n0 --> n0");
});

test("labels are escaped and shortened", () => {
  const label = (text: string) => draw(pair("a", { type: "llm_prompt", value: text }))[2]?.match(/"(.*)"/)?.[1];
  assert.equal(label('say "hi"; <b>#35;</b>'), "say #34;hi#34;#59; #60;b#62;#35;35#59;#60;/b#62;");
  assert.equal(label("a\r\nb\u2028c\0d"), "a b c d");
  assert.equal(label("1. first"), "#49;. first");
  assert.equal(label("_x_ snake_case"), "#95;x#95; snake_case");
  assert.equal(label(" \n "), undefined);
  const long = label(`${"word ".repeat(50)}end`) ?? "";
  assert.ok(long.replaceAll("<br/>", " ").length <= 90 && long.endsWith("word…"), long);
  assert.equal([...(label("😀".repeat(200)) ?? "")].length, 90);
});

test("ids never collide with Mermaid's keywords", () => {
  for (const id of ["end", "__proto__", "constructor", "graph", 'a"]; click n0', "ü 😀", "", "\ud83d"]) {
    const [first, node, edge] = draw(pair(id, { type: "always" }));
    assert.equal(first, "flowchart TD");
    assert.match(node ?? "", NODE, id);
    assert.equal(edge, "  n0 --> n0");
  }
});

test("a text that names a direction is not a statement of Mermaid, which would drop its edge or node", () => {
  // Mermaid takes any line with these words for a direction, also inside of quotes
  const statement = /direction\s+(?:TB|BT|RL|LR|TD)/i;
  for (const words of ["direction TB", "Caller gives the direction LR now", "Direction  td", "in direction\tRL"]) {
    const lines = draw(pair(words, { type: "llm_prompt", value: words }, { state_prompt: words }));
    assert.equal(lines.filter((line) => statement.test(line)).length, 0, words);
    assert.equal(lines.filter((line) => EDGE.test(line)).length, 1, words);
    assert.match(lines[1] ?? "", NODE);
  }
});

test("global nodes add two edges each, for any number of nodes", () => {
  const global = {
    condition: "Caller asks",
    go_back_conditions: [{ condition: { type: "llm_prompt", value: "done" } }],
  };
  const talk = Array.from({ length: 50 }, (_, index) => [`talk ${index}`, {}] as const);
  const nodes = { ...Object.fromEntries(talk), g: { global_node_setting: global }, h: { global_node_setting: global } };
  const edges = draw({ entry_node_id: "g", nodes }).filter((line) => EDGE.test(line));
  assert.deepEqual(edges, [
    '  anywhere ==>|"Caller asks"| n50',
    '  n50 -.->|"done"| anywhere',
    '  anywhere ==>|"Caller asks"| n51',
    '  n51 -.->|"done"| anywhere',
  ]);
});

test("an unknown target is drawn as missing", () => {
  const { graph } = importAgent(clinic);
  const { greet, ...others } = graph.nodes;
  assert.ok(greet);
  const drawn = drawMermaid({
    ...graph,
    nodes: { greet, ...others, ask: { ...greet, id: "ask" } },
    entry_node_id: "x",
  });
  assert.match(drawn, /n0 -->\|"Caller gives a reason"\| n1/);
  const broken = drawMermaid({ ...graph, nodes: { greet } });
  assert.match(broken, /missing0\["ask is missing"\]:::missing/);
});

test("Mermaid can parse every line, for any graph", SLOW, () => {
  fc.assert(
    fc.property(documents, (document) => {
      for (const [index, line] of draw(document).entries())
        assert.ok(index === 0 || NODE.test(line) || EDGE.test(line) || STYLE.test(line), line);
    }),
    { numRuns: 500 },
  );
});
