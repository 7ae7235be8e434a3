import assert from "node:assert/strict";
import { test } from "node:test";
import { compose, decompose } from "../../../../src/agent/analysis/mod.ts";
import { own } from "../../../../src/base/values/mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";
import { always, end, extract, llm, logic, says } from "../_graphs.ts";

const chain = (name: string, next: string, ...rest: readonly string[]): { readonly [id: string]: object } => ({
  [name]: says(`${name}.`, llm(rest[0] === undefined ? "bye" : next, "Go on")),
  ...(rest[0] === undefined ? {} : chain(next, rest[0], ...rest.slice(1))),
});
/** A reception that leads to two departments of three nodes each. */
const office = (nodes: { readonly [id: string]: object } = {}, head: object = {}) =>
  parseGraph({
    entry_node_id: "hello",
    ...head,
    nodes: {
      hello: says("Greet.", llm("visit", "Visit"), llm("bill", "Bill")),
      visit: says("Visit.", llm("day", "Go on")),
      day: says("Day.", llm("time", "Go on")),
      time: says("Time.", llm("bye", "Done")),
      bill: says("Bill.", llm("number", "Go on")),
      number: says("Number.", llm("sum", "Go on")),
      sum: says("Sum.", llm("bye", "Done")),
      bye: end,
      ...nodes,
    },
  });

test("decompose() says whether the other part waits for the caller after a handoff", () => {
  const tool = { target_node_id: "bill", condition: { type: "tool_call", value: "find", outcome: "failed" } };
  const find = { name: "find", description: "Finds" };
  const [speaks, silent] = [says("Bill.", llm("number", "Go on")), logic(always("number"))];
  const rows = [
    [says("Time.", llm("bill", "Bill")), speaks, false],
    [says("Time.", always("bill")), speaks, true],
    [says("Time.", always("bill", { timing: "else" })), speaks, false],
    [says("Time.", always("bill", { timing: "skip_response" })), speaks, false],
    [{ ...says("Time.", tool), tools: [find] }, speaks, true],
    [says("Time.", always("bill")), silent, true],
    [extract([{ name: "x" }], always("bill")), speaks, false],
  ] as const;
  for (const [time, bill, waits] of rows) {
    const { manifest } = decompose(office({ time, bill }), { parts: 3 });
    const [handoff, ...others] = manifest.handoffs.filter(({ from }) => from === "visit");
    assert.deepEqual(
      [handoff, others],
      [{ from: "visit", node_id: "time", transition: 0, to: "bill", waits, destination: "handoff_bill" }, []],
    );
  }
});

test("decompose() gives each part a variable of its own for its number", () => {
  const graph = parseGraph(
    JSON.parse(JSON.stringify(office()).replaceAll('"visit"', '"the part"').replaceAll('"bill"', '"the-part"')),
  );
  const { manifest, parts } = decompose(graph, { parts: 3 });
  assert.deepEqual(
    manifest.handoffs.map(({ to, destination }) => [to, destination]),
    [
      ["the part", "handoff_the_part"],
      ["the-part", "handoff_the_part_2"],
    ],
  );
  assert.equal(own(parts, "hello")?.nodes["the-part"]?.transfer_to, "{{handoff_the_part_2}}");
});

test("decompose() names the parts of a named agent after it and their entry", () => {
  const namesOf = (source_metadata: object) =>
    Object.values(decompose(office({}, { source_metadata }), { parts: 3 }).parts).map(
      (part) => part.source_metadata.name,
    );
  assert.deepEqual(namesOf({ name: "Office" }), ["Office", "Office visit", "Office bill"]);
  assert.deepEqual(namesOf({}), [undefined, undefined, undefined]);
});

test("decompose() keeps nodes that no call reaches in the main part", () => {
  const { manifest } = decompose(office({ lost: says("Lost.", llm("visit", "Back")) }), { parts: 3 });
  assert.deepEqual(manifest.parts[0]?.nodes, ["hello", "lost"]);
  assert.ok(!manifest.handoffs.some(({ node_id: id }) => id === "lost"));
});

test("decompose() copies ends, and global nodes with the few nodes that only they lead to", () => {
  const global = (next: string) => ({
    ...says("Help.", llm(next, "Go on")),
    global_node_setting: { condition: "x", go_back_conditions: [] },
  });
  const help = (...names: readonly [string, ...string[]]) => ({
    help: global(names[0]),
    ...chain(names[0], names[1] ?? "bye", ...names.slice(2)),
  });
  const partsOf = (nodes: { readonly [id: string]: object }) =>
    decompose(office(nodes), { parts: 3 }).manifest.parts.map(({ name, shared }) => [name, shared.join(" ")]);
  const few = help("h1", "h2", "h3", "h4", "h5", "");
  assert.deepEqual(partsOf(few), [
    ["hello", "bye help h1 h2 h3 h4 h5"],
    ["visit", "bye help h1 h2 h3 h4 h5"],
    ["bill", "bye help h1 h2 h3 h4 h5"],
  ]);
  const many = help("h1", "h2", "h3", "h4", "h5", "h6", "");
  assert.deepEqual(
    partsOf(many).map(([, shared]) => shared),
    Array.from({ length: partsOf(many).length }, () => "bye help"),
  );
  assert.ok(partsOf(many).some(([name]) => name === "h1"));
});

test("decompose() passes every variable to a part that asks for a tool's arguments", () => {
  const call = {
    node_type: "function",
    tools: [
      {
        name: "book",
        description: "Books",
        parameters: { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
      },
    ],
    transitions: [always("sum")],
  };
  const head = { source_metadata: { default_dynamic_variables: { one: "1", two: "2" } } };
  const needsOf = (number: object) =>
    Object.fromEntries(
      decompose(office({ number }, head), { parts: 3 }).manifest.parts.map(({ name, needs }) => [name, needs]),
    );
  assert.deepEqual(needsOf(call), { hello: ["one", "two"], visit: [], bill: ["one", "two"] });
  assert.deepEqual(needsOf(says("At {{two.hour}}?", llm("sum", "Go on"))), {
    hello: ["two"],
    visit: [],
    bill: ["two"],
  });
});

test("decompose() cuts large graphs into parts of about 20 nodes, and leaves small ones whole", () => {
  const names = (letter: string, count: number) => Array.from({ length: count }, (_, index) => `${letter}${index}`);
  const cluster = (letter: string) => chain(`${letter}0`, `${letter}1`, ...names(letter, 20).slice(2), "");
  const letters = ["a", "b", "c"];
  const large = parseGraph({
    entry_node_id: "hello",
    nodes: {
      hello: says("Greet.", ...letters.map((letter) => llm(`${letter}0`, letter))),
      ...Object.assign({}, ...letters.map(cluster)),
      bye: end,
    },
  });
  assert.deepEqual(
    decompose(large)
      .manifest.parts.map(({ name, nodes }) => [name, nodes.length])
      .sort(),
    [
      ["a0", 20],
      ["b0", 20],
      ["hello", 21],
    ],
  );
  assert.deepEqual(
    decompose(office()).manifest.parts.map(({ name }) => name),
    ["hello"],
  );
});

test("compose() refuses what is no manifest", () => {
  const { manifest, parts } = decompose(office(), { parts: 3 });
  const wrong: readonly object[] = [
    { main: 1 },
    { parts: {} },
    { parts: [...manifest.parts, null] },
    { parts: [...manifest.parts, { name: 1, shared: [] }] },
    { parts: [...manifest.parts, { name: "bill", shared: "bye" }] },
    { parts: [...manifest.parts, { name: "bill", shared: [1] }] },
    { order: "hello" },
    { order: [1] },
    { snippets: {} },
  ];
  for (const more of wrong)
    assert.throws(
      () => compose({ manifest: { ...manifest, ...more }, parts }),
      { code: "wrong-type" },
      JSON.stringify(more),
    );
  // @ts-expect-error plain JavaScript passes anything
  assert.throws(() => compose({ manifest: null, parts }), { code: "wrong-type" });
  assert.throws(() => compose({ manifest: { ...manifest, main: "nobody" }, parts }), {
    code: "missing-part",
    path: ["parts", "nobody"],
  });
});

test("compose() names the two parts that do not fit together", () => {
  const { manifest, parts } = decompose(office(), { parts: 3 });
  const [visit, bill] = [own(parts, "visit"), own(parts, "bill")];
  assert.ok(visit && bill);
  const { sum, bye } = bill.nodes;
  assert.ok(sum && bye);
  const withBill = (edit: object) => ({ manifest, parts: { ...parts, bill: { ...bill, ...edit } } });
  const nodes = (more: object) => ({ nodes: { ...bill.nodes, ...more } });
  const rows = [
    [nodes({ day: { ...sum, id: "day" } }), "duplicate-node", 'parts "visit" and "bill" both have a node "day"'],
    [
      nodes({ bye: { ...bye, state_prompt: "Ciao." } }),
      "different-copies",
      'node "bye" differs between parts "visit" and "bill"',
    ],
    [
      { default_model: "openai/gpt-5" },
      "different-copies",
      'a setting of the agent differs between parts "hello" and "bill"',
    ],
  ] as const;
  for (const [edit, code, state] of rows)
    assert.throws(() => compose(withBill(edit)), { code, message: `Cannot compose a graph: ${state}` });
});
