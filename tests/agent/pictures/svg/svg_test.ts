import assert from "node:assert/strict";
import { test } from "node:test";
import { importAgent } from "../../../../platforms/mod.ts";
import { drawSvg } from "../../../../src/agent/pictures/mod.ts";
import { layOutBoxes } from "../../../../src/agent/pictures/svg/layout.ts";
import { rank } from "../../../../src/agent/pictures/svg/ranks.ts";
import { clinic } from "../../../dsl/clinic.ts";
import { documents } from "../../../platforms/graph/_documents.ts";
import { fc } from "../../../properties.ts";

// On a busy machine these take longer than a runner's usual limit.
const SLOW = { timeout: 120_000 };

function draw(document: unknown): string {
  return drawSvg(importAgent(document, { format: "graph" }).graph);
}

/** The texts of the picture, in order; throws where it is no well-formed XML. */
function textsOf(svg: string): readonly string[] {
  const open: string[] = [];
  const texts: string[] = [];
  const parts = svg.matchAll(/<(\/?)([a-z]+)((?: [a-zA-Z0-9-]+="[^"<&]*")*)(\/?)>|([^<]+)|(.)/gs);
  for (const [all, closing, name = "", , closed, text, rest] of parts) {
    assert.equal(rest, undefined, `"${rest}" is out of place`);
    if (text !== undefined) {
      assert.doesNotMatch(
        text,
        /&(?!amp;|lt;|gt;|quot;)|>|[^\n\P{Cc}]|[\ud800-\udfff\ufffe\uffff](?<![\ud800-\udbff][\udc00-\udfff])(?![\udc00-\udfff])/u,
      );
      if (open.at(-1) === "text") texts.push(text);
    } else if (closing) assert.equal(open.pop(), name, all);
    else if (!closed) open.push(name);
  }
  assert.deepEqual(open, []);
  const read = (text: string) =>
    text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  return texts.map(read);
}

test("emit() draws every node and every label", () => {
  const texts = textsOf(draw(clinic)).join(" ");
  for (const text of ["greet", "ask ⟨intent⟩", "book", "manager", "bye", "wherever the caller is"]) {
    assert.ok(texts.includes(text), text);
  }
  for (const text of ["Caller gives a reason", "intent = book", "else", "Booked", "Caller asks for a manager"]) {
    assert.ok(texts.includes(text), text);
  }
});

test("the picture is self-contained and its text is readable", () => {
  const svg = draw(clinic);
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+" viewBox="0 0 \d+ \d+"/);
  assert.doesNotMatch(
    svg.replace('xmlns="http://www.w3.org/2000/svg"', ""),
    /https?:|<script|<image|<style|url\(|href/,
  );
  const sizes = [...svg.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size));
  assert.ok(sizes.length > 0 && sizes.every((size) => size >= 12), sizes.join());
});

test("the entry is green and on top, global nodes are purple, go-back is dotted", () => {
  const svg = draw(clinic);
  assert.equal(svg.split("#dcfce7").length, 2);
  assert.match(svg, /<rect [^>]*stroke="#9333ea" stroke-width="3"[^>]*\/><text[^>]*>manager</);
  assert.equal(svg.split('stroke-dasharray="2 5"').length, 2);
});

test("texts are escaped and shortened", () => {
  const id = '</text><script>alert("&")</script>';
  const nodes = {
    [id]: {
      transitions: [{ target_node_id: id, condition: { type: "llm_prompt", value: `${"x".repeat(99)}\u0000<` } }],
    },
  };
  const texts = textsOf(draw({ entry_node_id: id, nodes }));
  assert.deepEqual(texts.toSorted(), ['</text><script>…rt("&")</script>', `${"x".repeat(31)}…`]);
});

test("a transition to its own node is a loop with its label", () => {
  const nodes = { a: { transitions: [{ target_node_id: "a", condition: { type: "llm_prompt", value: "again" } }] } };
  const svg = draw({ entry_node_id: "a", nodes });
  assert.deepEqual(textsOf(svg).toSorted(), ["a", "again"]);
  assert.match(svg, /<path /);
});

test("the picture is well-formed XML for any graph", SLOW, () => {
  fc.assert(
    fc.property(documents, (document) => {
      assert.ok(textsOf(draw(document)).length >= Object.keys(importAgent(document).graph.nodes).length);
    }),
    { numRuns: 300 },
  );
});

const NONE = { width: 0, height: 0 };
const size = fc.record({ width: fc.integer({ min: 20, max: 200 }), height: fc.integer({ min: 20, max: 80 }) });
const webs = fc.array(size, { minLength: 1, maxLength: 12 }).chain((boxes) => {
  const end = fc.nat(boxes.length - 1);
  const link = fc.tuple(end, end, fc.oneof(size, fc.constant({ width: 0, height: 0 })));
  const tops = fc.oneof(fc.tuple(end), fc.tuple(end, end));
  return fc.tuple(fc.constant(boxes), fc.array(link, { maxLength: 24 }), tops);
});

test("boxes and labels do not overlap, and stay within the picture", SLOW, () => {
  fc.assert(
    fc.property(webs, ([boxes, ends, tops]) => {
      const links = ends.filter(([from, to]) => from !== to).map(([from, to, label]) => ({ from, to, ...label }));
      const place = layOutBoxes(boxes, links, tops);
      const labels = place.routes.map(({ label: { x, y } }, index) => ({ x, y, ...(links[index] ?? NONE) }));
      const spots = boxes.map((box, index) => ({ ...place.boxes[index], ...box }));
      const all = [...spots, ...labels].flatMap(({ x = 0, y = 0, width = 0, height = 0 }) =>
        width === 0 ? [] : [{ left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 }],
      );
      for (const [index, a] of all.entries()) {
        assert.ok(a.left > -0.01 && a.top > -0.01 && a.right < place.width + 0.01 && a.bottom < place.height + 0.01);
        for (const b of all.slice(index + 1)) {
          const apart = a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top;
          assert.ok(apart, JSON.stringify({ a, b }));
        }
      }
      assert.equal(place.boxes[tops.at(-1) ?? 0]?.rowTop, 0);
      for (const [index, { isUpward }] of place.routes.entries()) {
        const { from = 0, to = 0 } = links[index] ?? {};
        const [upper, lower] = isUpward ? [to, from] : [from, to];
        assert.ok((place.boxes[upper]?.rowBottom ?? 0) < (place.boxes[lower]?.rowTop ?? 0), `link ${from} -> ${to}`);
      }
    }),
    { numRuns: 300 },
  );
});

test("targets of the entry are below it, even if a global node leads to them", () => {
  const [entry, ask, answer, manager, anywhere] = [0, 1, 2, 3, 4];
  const ways = [
    [entry, ask],
    [ask, answer],
    [answer, ask],
    [anywhere, manager],
    [manager, answer],
    [manager, anywhere],
  ] as const;
  const links = ways.map(([from, to]) => ({ from, to }));
  const { rankOf, upward } = rank(5, links, [anywhere, entry]);
  assert.deepEqual(rankOf, [0, 1, 2, 1, 0]);
  assert.deepEqual([...upward].sort(), [2, 5]);
});

if (fc.RUNS_SLOW_CASES)
  test("the size of a picture of many nodes stays limited", SLOW, () => {
    const always = { type: "always" };
    const nodes = Object.fromEntries(
      Array.from({ length: 1500 }, (_, index) => [
        `n${index}`,
        {
          transitions: [
            { target_node_id: `n${Math.min(index + 1, 1499)}`, condition: always },
            { target_node_id: "n0", condition: always },
            { target_node_id: "n1499", condition: always },
          ],
        },
      ]),
    );
    const svg = draw({ entry_node_id: "n0", nodes });
    assert.ok(svg.length < 10_000_000, String(svg.length));
    assert.ok(svg.includes("→ n1499"));
  });
