import assert from "node:assert/strict";
import { test } from "node:test";
import { drawSvg, type Mark, type SvgOptions } from "../../../../src/agent/pictures/mod.ts";
import { type NodeType, parseGraph } from "../../../../src/document/graph/mod.ts";

/** A node with two transitions to itself, and one to an end. */
const LOOPS = parseGraph({
  entry_node_id: "ask",
  nodes: {
    ask: {
      transitions: [
        { target_node_id: "ask", condition: { type: "llm_prompt", value: "again" } },
        { target_node_id: "ask", condition: { type: "llm_prompt", value: "other" } },
        { target_node_id: "bye", condition: { type: "llm_prompt", value: "done" } },
      ],
    },
    bye: { node_type: "end" },
  },
});

const marksOf = (node: string, ...marks: readonly Mark[]) => new Map([[node, new Map(marks.entries())]]);

/** The first line of a picture of {@link LOOPS} that contains the words. */
const lineOf = (words: string, options: SvgOptions = {}) =>
  drawSvg(LOOPS, options)
    .split("\n")
    .find((line) => line.includes(words)) ?? "";

test("drawSvg() gives each type of node its colours of paper, border and text", () => {
  const coloursOf = (type: NodeType) => {
    const entry = { transitions: [{ target_node_id: "next", condition: { type: "always" } }] };
    const graph = parseGraph({ entry_node_id: "entry", nodes: { entry, next: { node_type: type } } });
    const line = drawSvg(graph)
      .split("\n")
      .find((each) => each.includes(">next<"));
    return [...new Set(line?.match(/#[0-9a-f]{6}/g))].join(" ");
  };
  assert.equal(coloursOf("conversation"), "#ffffff #64748b #0f172a");
  assert.equal(coloursOf("extract"), "#e0f2fe #0284c7 #082f49");
  assert.equal(coloursOf("logic"), "#fef9c3 #ca8a04 #422006");
  assert.equal(coloursOf("function"), "#f1f5f9 #475569 #0f172a");
  assert.equal(coloursOf("end"), "#fee2e2 #dc2626 #450a0a");
  assert.equal(coloursOf("transfer"), "#ffedd5 #ea580c #431407");
});

test("drawSvg() dashes the box of a missing target", () => {
  const { ask, bye: _, ...others } = LOOPS.nodes;
  const lines = ask ? drawSvg({ ...LOOPS, nodes: { ...others, ask } }).split("\n") : [];
  const missing = lines.find((line) => line.includes("bye is missing")) ?? "";
  assert.match(missing, /fill="#ffffff" stroke="#dc2626" stroke-width="1.5" stroke-dasharray="5 4"\/>/);
  assert.match(missing, /fill="#450a0a" font-size="14" font-weight="600">bye is missing</);
});

test("drawSvg() dashes the box that stands for any place of the call, and its text has no bold line", () => {
  const global_node_setting = { condition: "Caller is lost" };
  const graph = parseGraph({ entry_node_id: "ask", nodes: { ask: { global_node_setting } } });
  const lines = drawSvg(graph).split("\n");
  const anywhere = lines.find((line) => line.includes("wherever")) ?? "";
  assert.match(anywhere, /fill="#faf5ff" stroke="#9333ea" stroke-width="1.5" stroke-dasharray="5 4"\/>/);
  assert.match(anywhere, /fill="#3b0764">wherever<.* fill="#3b0764">the caller is</);
});

test("drawSvg() draws further lines of a box below its bold name", () => {
  const variables = ["day", "time"].map((name) => ({ name, description: name, type: "string" }));
  const graph = parseGraph({
    entry_node_id: "ask",
    nodes: { ask: { node_type: "extract", variables_to_extract: variables } },
  });
  const texts = drawSvg(graph).matchAll(/y="(\d+)" text-anchor="middle" fill="#052e16"([^>]*)>([^<]*)/g);
  assert.deepEqual(
    [...texts].map(([, ...found]) => found),
    [
      ["25", ' font-size="14" font-weight="600"', "ask"],
      ["43", "", "⟨day⟩"],
      ["60", "", "⟨time⟩"],
    ],
  );
});

test("drawSvg() draws the transitions of a node to itself as one arrow at its right side, with a label each", () => {
  assert.match(lineOf(">ask<"), /<rect x="75.96" y="0" width="64.49" height="41"/);
  assert.equal(
    lineOf(">again<"),
    '<path d="M140.45 12.3C170.45 2.3000000000000007 170.45 38.7 145.45 28.7" fill="none" stroke="#64748b" stroke-width="1.5"/>' +
      '<polygon points="140.45,28.7 149.45,25.7 148.45,34.7" fill="#64748b"/>' +
      '<rect x="166.45" y="1.5" width="45.96" height="38" rx="4" fill="#ffffff"/>' +
      '<text x="189.43" y="16.5" text-anchor="middle" fill="#334155">again</text>' +
      '<text x="189.43" y="33.5" text-anchor="middle" fill="#334155">other</text>',
  );
  assert.equal(drawSvg(LOOPS).split("<path ").length, 3); // the loop, and the arrow to "bye"
});

test("drawSvg() marks an arrow of several transitions as partly covered if their coverage differs", () => {
  const strokeOf = (...marks: readonly Mark[]) => {
    const transitions = marksOf("ask", ...marks);
    return /stroke="[^>]*"/.exec(
      lineOf(" again<", { marks: { about: "coverage", nodes: new Map(), transitions } }),
    )?.[0];
  };
  const partly = 'stroke="#b45309" stroke-width="3" stroke-dasharray="11 5"';
  assert.equal(strokeOf("covered", "covered"), 'stroke="#15803d" stroke-width="3"');
  assert.equal(strokeOf("covered", "uncovered"), partly);
  assert.equal(strokeOf("partly", "uncovered"), partly);
});

test("drawSvg() gives an arrow of several transitions with different changes the first one's mark", () => {
  const marks = { nodes: new Map(), transitions: marksOf("ask", "added", "removed") };
  assert.match(lineOf(" again<", { marks }), /stroke="#15803d" stroke-width="3.5"\/>/);
});

test("drawSvg() draws the sign of a marked node at the top left corner of its box", () => {
  const marks = { nodes: new Map([["bye", "changed"]] as const), transitions: new Map() };
  const box = lineOf(">bye<", { marks });
  assert.match(box, /<rect x="71.96" y="106" width="72.49" height="41"/);
  assert.match(box, /<circle cx="75.96" cy="108" r="9" fill="#b45309"\/>/);
});

test("drawSvg() fills only the boxes of uncovered nodes white", () => {
  const fillOf = (mark: Mark) => {
    const marks = { about: "coverage", nodes: new Map([["bye", mark]]), transitions: new Map() } as const;
    return /fill="(#[^"]*)"/.exec(lineOf(">bye<", { marks }))?.[1];
  };
  assert.equal(fillOf("covered"), "#fee2e2");
  assert.equal(fillOf("uncovered"), "#ffffff");
});

test("drawSvg() with addresses groups a label apart from its arrow", () => {
  const label = lineOf(">done<", { isAddressed: true });
  assert.match(label, /^<g class="label transition" data-from="ask" data-to="bye" data-place="2"><rect /);
});
