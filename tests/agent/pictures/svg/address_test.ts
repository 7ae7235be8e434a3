import assert from "node:assert/strict";
import { test } from "node:test";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { drawSvg } from "../../../../src/agent/pictures/mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";

const attributes = (svg: string, pattern: RegExp) => [...svg.matchAll(pattern)].map(([, ...found]) => found);

test("drawSvg() with addresses names the node of each box and the transition of each arrow", () => {
  const svg = drawSvg(helpDesk, { isAddressed: true });
  const boxes = attributes(svg, /<g class="box [^"]+" data-node="([^"]+)">/g).flat();
  assert.deepEqual(boxes, Object.keys(helpDesk.nodes));
  const arrows = attributes(
    svg,
    /<g class="arrow transition" data-from="([^"]+)" data-to="([^"]+)" data-place="(\d+)">/g,
  );
  const transitions = Object.entries(helpDesk.nodes).flatMap(([id, { transitions }]) =>
    transitions.map(({ target_node_id: target }, place) => [id, target, String(place)]),
  );
  assert.deepEqual(arrows, transitions);
  assert.deepEqual(attributes(svg, /<g class="arrow enter" data-to="([^"]+)">/g), [["manager"]]);
  assert.deepEqual(attributes(svg, /<g class="arrow back" data-from="([^"]+)" data-place="(\d+)">/g), [
    ["manager", "0"],
  ]);
});

test("drawSvg() with addresses draws the same, and escapes ids", () => {
  const ungrouped = (svg: string) => svg.replaceAll(/<\/?g\b[^>]*>/g, "");
  assert.equal(ungrouped(drawSvg(helpDesk, { isAddressed: true })), ungrouped(drawSvg(helpDesk)));
  const id = 'a"><script>';
  const graph = parseGraph({ entry_node_id: id, nodes: { [id]: { id, state_prompt: "Hello." } } });
  assert.match(drawSvg(graph, { isAddressed: true }), /data-node="a&quot;&gt;&lt;script&gt;"/);
});
