import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { importAgent } from "../../../platforms/mod.ts";
import { coverage } from "../../../src/agent/analysis/mod.ts";
import { draw, drawPng } from "../../../src/agent/draw/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";

// On a busy machine these take longer than a runner's usual limit.
const SLOW = { timeout: 120_000 };

/** Topics with chains of nodes, which the first node leads to. */
function topics(names: readonly string[], length: number): AgentGraph {
  const edge = (target: string) => ({
    target_node_id: target,
    condition: { type: "llm_prompt", value: `To ${target}` },
  });
  const chains = names.flatMap((name) =>
    Array.from({ length }, (_, step) => {
      const next = step + 1 < length ? [edge(`${name}${step + 1}`)] : [];
      return [`${name}${step}`, { state_prompt: `Talk about ${name}.`, transitions: next }] as const;
    }),
  );
  const hello = { state_prompt: "Greet.", transitions: names.map((name) => edge(`${name}0`)) };
  return parseGraph({ entry_node_id: "hello", nodes: { hello, ...Object.fromEntries(chains) } });
}

const LARGE = topics(["orders", "repairs", "returns", "visits"], 15);

function framesOf(svg: string): readonly string[] {
  return [...svg.matchAll(/>([^<]* · \d+ nodes?)</g)].map(([, title = ""]) => title);
}

test("draw() draws the parts of a large agent in frames, each node in one of them", () => {
  const svg = draw(LARGE);
  const titles = framesOf(svg);
  assert.ok(titles.length > 1, titles.join());
  const counts = titles.map((title) => Number(/ · (\d+)/.exec(title)?.[1]));
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    61,
  );
  assert.ok(
    counts.every((count) => count <= 40),
    titles.join(),
  );
});

test("draw() draws small agents and cut-outs without frames, and frames that are asked for", () => {
  assert.deepEqual(framesOf(draw(topics(["orders", "repairs"], 8))), []);
  assert.deepEqual(framesOf(draw(LARGE, { from: "orders0", depth: 3 })), []);
  assert.deepEqual(framesOf(draw(LARGE, { groups: "none" })), []);
  assert.ok(framesOf(draw(topics(["orders", "repairs"], 12), { groups: "parts" })).length > 1);
});

test(
  "a large agent whose every node is entered from everywhere is still drawn in frames of a readable size",
  SLOW,
  () => {
    const { nodes } = LARGE;
    const ids = Object.keys(nodes);
    const tangled = Object.entries(nodes).map(([id, node], index) => {
      const far = ids[(index * 7) % ids.length] ?? id;
      const condition = { type: "llm_prompt", value: "Caller changes the topic" } as const;
      return [id, { ...node, transitions: [...node.transitions, { target_node_id: far, condition }] }];
    });
    const counts = framesOf(draw({ ...LARGE, nodes: Object.fromEntries(tangled) })).map((title) =>
      Number(/ · (\d+)/.exec(title)?.[1]),
    );
    assert.ok(counts.length > 1 && counts.every((count) => count <= 45), counts.join());
  },
);

test("draw() draws the components of a Retell flow in frames, whatever its size", () => {
  const edge = (id: string, to: string) => ({
    id,
    destination_node_id: to,
    transition_condition: { type: "prompt", prompt: "Ready" },
  });
  const talk = (id: string, ...edges: object[]) => ({
    id,
    type: "conversation",
    instruction: { type: "prompt", text: `Talk as ${id}.` },
    edges,
  });
  const { graph } = importAgent({
    start_node_id: "hello",
    start_speaker: "agent",
    nodes: [
      talk("hello", edge("e1", "book")),
      { id: "book", type: "component", component_id: "c1", component_type: "local", edges: [edge("e2", "bye")] },
      { id: "bye", type: "end", instruction: { type: "prompt", text: "Bye." } },
    ],
    components: [
      {
        conversation_flow_component_id: "c1",
        name: "Booking",
        start_node_id: "day",
        nodes: [talk("day", edge("e3", "time")), talk("time", edge("e4", "done")), { id: "done", type: "end" }],
      },
    ],
  });
  assert.deepEqual(framesOf(draw(graph)), ["book · 3 nodes"]);
  assert.deepEqual(framesOf(draw(graph, { groups: "none" })), []);
});

test("the tooltip of a node shows its id, type and prompt, in frames too, and the entry node can be found", () => {
  for (const svg of [draw(LARGE), draw(LARGE, { from: "orders0" }), draw(LARGE, { groups: "none" })]) {
    assert.ok(svg.includes("<title>orders1 (conversation): Talk about orders.</title>"));
  }
  const entries = draw(LARGE)
    .split("\n")
    .filter((line) => line.includes('class="entry"'));
  assert.match(entries.join(), /<title>hello \(conversation\)/);
});

test("draw() refuses options that it does not have", () => {
  const wrong: readonly object[] = [{ format: "gif" }, { groups: "all" }, { from: 5 }, { dept: 2 }];
  for (const options of wrong) assert.throws(() => draw(LARGE, options), { code: "invalid-option" });
});

test(
  "drawPng() draws the same picture on every runtime, with text that needs no font of the machine",
  SLOW,
  async () => {
    const graph = topics(["orders"], 2);
    const { bytes, width, height, scale } = await drawPng(graph);
    assert.deepEqual([...bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const svg = /width="(\d+)" height="(\d+)"/.exec(draw(graph));
    assert.deepEqual([width, height, scale], [Number(svg?.[1]), Number(svg?.[2]), 1]);
    const renamed = JSON.parse(JSON.stringify(graph).replaceAll("orders", "repair"));
    assert.notDeepEqual((await drawPng(parseGraph(renamed))).bytes, bytes, "names are drawn");
    // changes with the look of pictures, and with nothing else
    const hash = createHash("sha256").update(bytes).digest("hex");
    assert.equal(hash, "522b5cda66fed0d4d6f7c0185af15cff601bf0d38652477b24e59735676ed5c8");
  },
);

test("drawPng() scales, two calls at a time work, and wrong options are refused", SLOW, async () => {
  const graph = topics(["orders"], 1);
  const [one, two] = await Promise.all([drawPng(graph), drawPng(graph, { scale: 2 })]);
  assert.ok(Math.abs(two.width - 2 * one.width) <= 1);
  await assert.rejects(drawPng(graph, { scale: 0 }), { code: "invalid-option" });
  const text: object = { fonts: ["font.ttf"] };
  await assert.rejects(drawPng(graph, text), { code: "invalid-option" });
});

test("draw({ coverage }) marks what is covered by sign and line, in frames too, and explains the marks", () => {
  const graph = parseGraph({
    entry_node_id: "a",
    nodes: {
      a: {
        state_prompt: "A.",
        transitions: [
          { target_node_id: "b", condition: { type: "llm_prompt", value: "Go to b" } },
          { target_node_id: "c", condition: { type: "llm_prompt", value: "Go to c" } },
        ],
      },
      b: { node_type: "end", state_prompt: "B." },
      c: { node_type: "end", state_prompt: "C." },
    },
  });
  const moved = { kind: "transition", from: "a", to: "b", because: "Go to b", ways: [{ transition: 0 }] };
  const covered = coverage(graph, [
    {
      nodesVisited: ["a", "b"],
      transcript: [{ role: "tool", node_id: "a", content: "", timestamp: "", metadata: moved }],
    },
  ]);
  for (const groups of ["none", "parts"] as const) {
    const svg = draw(graph, { coverage: covered, groups });
    for (const text of [">✓ Go to b<", ">✗ Go to c<", ">partly covered<", ">½<"]) assert.ok(svg.includes(text), text);
    assert.match(svg, /a \(conversation\): A\.\nvisited in 1 call; not covered:\na -&gt; c: Go to c</);
  }
});
