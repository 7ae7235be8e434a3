import assert from "node:assert/strict";
import { test } from "node:test";
import { drawSvg, type Marks } from "../../../../src/agent/pictures/mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";

const GRAPH = parseGraph({
  entry_node_id: "greet",
  nodes: {
    greet: {
      state_prompt: 'Say "hello" & <smile>.',
      transitions: [
        { target_node_id: "bye", condition: { type: "llm_prompt", value: "Caller is done" } },
        { target_node_id: "ask", condition: { type: "always" } },
      ],
    },
    ask: { state_prompt: "" },
    bye: { node_type: "end", state_prompt: `Say goodbye. ${"Thank the caller. ".repeat(100)}` },
  },
});

test("drawSvg() shows the prompt of a node as its tooltip, long ones shortened", () => {
  const titles = [...drawSvg(GRAPH).matchAll(/<g><title>(.*?)<\/title>/g)].map(([, title = ""]) => title);
  assert.deepEqual(titles.slice(0, 2), [
    "greet (conversation): Say &quot;hello&quot; &amp; &lt;smile&gt;.",
    "ask (conversation)",
  ]);
  assert.match(titles[2] ?? "", /^bye \(end\): Say goodbye\. .{400,600}…$/);
});

test("drawSvg() tells added, removed and changed apart by sign and line, not by colour alone", () => {
  const marks: Marks = {
    nodes: new Map([
      ["bye", "removed"],
      ["ask", "added"],
    ]),
    transitions: new Map([["greet", new Map([[0, "changed"] as const])]]),
    formerIds: new Map([["greet", "welcome"]]),
  };
  const picture = drawSvg(GRAPH, { marks });
  const boxOf = (id: string) => picture.split("\n").find((line) => line.includes(`<title>${id} (`)) ?? "";
  assert.match(boxOf("bye"), /stroke-dasharray="7 4".*>−<\/text>/);
  assert.match(boxOf("ask"), /stroke-width="3.5".*>\+<\/text>/);
  assert.match(boxOf("greet"), /<g opacity="0.45">.*>was welcome<\/text>/);
  assert.match(picture, />~ Caller is done<\/text>/);
  for (const word of ["added", "removed", "changed"]) assert.match(picture, new RegExp(`>${word}</text>`));
  assert.doesNotMatch(drawSvg(GRAPH), /opacity|>added</);
});
