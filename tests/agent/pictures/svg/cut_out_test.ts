import assert from "node:assert/strict";
import { test } from "node:test";
import { drawMermaid, drawSvg } from "../../../../src/agent/pictures/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";

/** A graph by its transitions. */
function graphOf(targets: Readonly<Record<string, readonly string[]>>): AgentGraph {
  const nodes = Object.entries(targets).map(([id, list]) => {
    const transitions = list.map((target) => ({
      target_node_id: target,
      condition: { type: "llm_prompt", value: `Wants ${target}` },
    }));
    return [id, { state_prompt: `Talk as ${id}.`, transitions }];
  });
  return parseGraph({ entry_node_id: Object.keys(targets)[0], nodes: Object.fromEntries(nodes) });
}

const SHOP = graphOf({
  hello: ["order", "repair"],
  order: ["ship", "pay", "bye"],
  ship: ["bye"],
  pay: ["card", "cash"],
  card: ["bye"],
  cash: ["bye"],
  repair: ["bye"],
  bye: [],
});

/** The names of the boxes and the labels of a picture. */
function wordsOf(svg: string): readonly string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);
}

test("a cut-out has the nodes within its depth, and a stub with a count for the transitions that leave it", () => {
  const words = wordsOf(drawSvg(SHOP, { from: "order", depth: 1 }));
  for (const name of ["order", "ship", "pay", "bye"]) assert.ok(words.includes(name), name);
  for (const name of ["hello", "card", "cash", "repair"]) assert.equal(words.includes(name), false, name);
  assert.ok(words.includes("→ 2 more"));
  assert.match(drawSvg(SHOP, { from: "order", depth: 1 }), /<title>card, cash<\/title>/);
});

test("the stub of a single transition names its target, and keeps the condition", () => {
  const words = wordsOf(drawSvg(SHOP, { from: "hello", depth: 1 }));
  assert.ok(words.includes("→ bye") && words.includes("Wants bye"), words.join(" | "));
});

test("a cut-out is two transitions deep by default, and ends where the graph ends", () => {
  const names = new Set(wordsOf(drawSvg(SHOP, { from: "pay" })));
  assert.deepEqual(
    ["pay", "card", "cash", "bye"].filter((name) => !names.has(name)),
    [],
  );
  assert.equal(
    [...names].some((name) => name.startsWith("→")),
    false,
  );
});

test("Mermaid draws the same cut-out", () => {
  const drawn = drawMermaid(SHOP, { from: "order", depth: 1 });
  for (const line of ['n0["order"]:::conversation', 'more0["→ 2 more"]:::elsewhere', "--> more0"]) {
    assert.ok(drawn.includes(line), drawn);
  }
  assert.doesNotMatch(drawn, /hello|card|missing\d/);
  assert.doesNotMatch(drawMermaid(SHOP), /elsewhere/);
});

test("a cut-out from an unknown node, or of a depth alone, is refused", () => {
  for (const draw of [drawSvg, drawMermaid]) {
    assert.throws(() => draw(SHOP, { from: "ordr" }), { code: "unknown-node", hint: 'Did you mean "order"?' });
    assert.throws(() => draw(SHOP, { depth: 2 }), { code: "invalid-option" });
    assert.throws(() => draw(SHOP, { from: "order", depth: 0 }), { code: "invalid-option" });
  }
});

test("a group stands in a frame with its name, and its transitions to other frames end at boxes that name the target", () => {
  const groups = [{ name: "Payment", nodes: ["pay", "card", "cash"] }];
  const svg = drawSvg(SHOP, { groups });
  const words = wordsOf(svg);
  assert.ok(words.includes("Payment · 3 nodes"));
  assert.equal(words.filter((word) => word === "→ pay").length, 1);
  assert.equal(words.filter((word) => word === "→ bye").length, 2);
  for (const id of Object.keys(SHOP.nodes)) assert.equal(words.filter((word) => word === id).length, 1, id);
  assert.deepEqual(
    words.filter((word) => /^\d+ transitions?$/.test(word)),
    ["1 transition", "2 transitions"],
  );
});

test("the boxes of a frame are inside it, and frames do not overlap", () => {
  const groups = [
    { name: "Payment", nodes: ["pay", "card", "cash"] },
    { name: "Rest", nodes: ["hello", "order", "ship", "repair", "bye", "unknown"] },
  ];
  const svg = drawSvg(SHOP, { groups });
  const number = (text: string, key: string) => Number(new RegExp(` ${key}="([-\\d.]+)"`).exec(text)?.[1]);
  const frames = [...svg.matchAll(/<rect[^>]*rx="14"[^>]*>/g)].map(([rect]) => ({
    left: number(rect, "x"),
    top: number(rect, "y"),
    right: number(rect, "x") + number(rect, "width"),
    bottom: number(rect, "y") + number(rect, "height"),
  }));
  assert.equal(frames.length, 2);
  const [one, other] = frames;
  assert.ok(one && other);
  assert.ok(one.bottom < other.top || other.bottom < one.top || one.right < other.left || other.right < one.left);
  const framed =
    /<g>(<rect[^>]*rx="14"[^>]*>)[\s\S]*?<g transform="translate\(([\d.]+) ([\d.]+)\)">([\s\S]*?)<\/g><\/g>/g;
  for (const [index, [, , x, y, content = ""]] of [...svg.matchAll(framed)].entries()) {
    const { left = 0, top = 0, right = 0, bottom = 0 } = frames[index] ?? {};
    const boxes = [...content.matchAll(/<rect[^>]*rx="8"[^>]*>/g)];
    assert.ok(boxes.length >= 3);
    for (const [rect] of boxes) {
      const [l, t] = [Number(x) + number(rect, "x"), Number(y) + number(rect, "y")];
      assert.ok(l > left && t > top && l + number(rect, "width") < right && t + number(rect, "height") < bottom, rect);
    }
  }
});
