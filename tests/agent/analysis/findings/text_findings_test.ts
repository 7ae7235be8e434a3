import assert from "node:assert/strict";
import { test } from "node:test";
import { personalDataIn } from "../../../../src/agent/analysis/findings/text_findings.ts";
import { checkGraph } from "../../../../src/agent/analysis/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import { always, end, extract, graphOf, llm, onTool, says } from "../_graphs.ts";

const findingsOf = (graph: AgentGraph, code: string) => checkGraph(graph).filter((each) => each.code === code);

test("personalDataIn() finds data of persons by their check digits, and leaves examples out", () => {
  const rows = [
    ["Write to anna.lind@gmail.com today.", ["a private mail address: ann…"]],
    ["Write to office@clinic.example today.", []],
    ["Write to john.doe@gmail.com today.", []],
    ["Card 4929 1234 5678 9010.", []],
    ["Card 4532 0151 1283 0366.", ["a payment card's number: 453…"]],
    ["Card 4222222222222.", ["a payment card's number: 422…"]],
    ["Card 4242 4242 4242 4242.", []],
    ["Order 1532 0151 1283 0369.", []],
    ["Pay to DE89 3704 0044 0532 0130 00.", ["a bank account's number: DE8…"]],
    ["Pay to DE88 3704 0044 0532 0130 00.", []],
    ["Number 219-09-9998.", ["a social security number: 219…"]],
    ["Number 123-45-6789.", []],
    ["Number 900-09-9998.", []],
    ["Call 555 0100.", []],
    ["anna.lind@gmail.com or anna.lind@gmail.com", ["a private mail address: ann…"]],
  ] as const;
  for (const [text, found] of rows)
    assert.deepEqual(
      personalDataIn(text).map(({ kind, shown }) => `${kind}: ${shown}`),
      found,
      text,
    );
});

test("checkGraph() finds conversation nodes that nothing tells what to say", () => {
  const empty = says(" ", llm("bye", "Done"));
  const [lone, two] = [{ a: says("") }, { a: empty, b: empty, bye: end }];
  const settings = (source_metadata: object) => ({ source_metadata });
  const rows = [
    [lone, {}, ["a"]],
    [lone, settings({ general_prompt: "Be kind." }), []],
    [lone, settings({ general_prompt: " " }), ["a"]],
    [two, settings({ general_prompt: "Be kind." }), ["a", "b"]],
    [two, settings({ begin_message: "Hello!" }), ["b"]],
    [two, settings({ begin_message: " " }), ["a", "b"]],
    [{ a: says("Talk.", llm("bye", "Done")), bye: end }, {}, []],
  ] as const;
  for (const [nodes, head, ids] of rows)
    assert.deepEqual(
      findingsOf(graphOf(nodes, head), "empty-prompt").map(({ path }) => path[1]),
      ids,
    );
});

test("checkGraph() finds prompts that name a tool of other nodes only", () => {
  const tool = (name: string) => ({ name, description: "Books" });
  const graph = (prompt: string, name: string, { own = false, leads = ["bye"] } = {}) =>
    graphOf({
      a: { ...says(prompt, ...leads.map((id) => llm(id, `to ${id}`)), llm("c", "x")), tools: own ? [tool(name)] : [] },
      b: { ...says("Book.", llm("bye", "Done")), tools: [tool(name)] },
      c: says("Talk.", llm("b", "Book")),
      bye: end,
    });
  const rows = [
    [graph("Call book_visit at once.", "book_visit"), true],
    [graph("Use the tool `bookVisit`.", "bookVisit"), true],
    [graph("Call book at once.", "Book"), false],
    [graph("Say book_visit.", "book_visit"), false],
    [graph("Call book_visit at once.", "book_visit", { own: true }), false],
    [graph("Call book_visit at once.", "book_visit", { leads: ["b", "bye"] }), false],
    [graph("Call the manager.", "book_visit"), false],
  ] as const;
  for (const [of, isFound] of rows) assert.equal(findingsOf(of, "tool-not-on-node").length, isFound ? 1 : 0);
});

test("checkGraph() finds variables that nothing reads, unless a tool may get all of them as arguments", () => {
  const call = (parameters: object, type = "function") => ({
    node_type: type,
    state_prompt: "Book.",
    tools: [{ name: "book", description: "Books", parameters }],
    transitions: [onTool("bye")],
  });
  const properties = { day: { type: "string" } };
  const unused = (node: object) =>
    findingsOf(graphOf({ a: extract([{ name: "day" }], always("b")), b: node, bye: end }), "unused-variable").length;
  assert.equal(unused(call({ type: "object", properties })), 0);
  assert.equal(unused(call({ type: "object", properties: {} })), 1);
  assert.equal(unused(call({ type: "object", properties }, "conversation")), 1);
  assert.equal(unused(says("On {{ day.date }}.", llm("bye", "Done"))), 0);
});

test("checkGraph() finds global nodes that can be entered from each other without limit", () => {
  const setting = (metadata: object = {}) => ({
    condition: "x",
    go_back_conditions: [{ id: "b", condition: { type: "llm_prompt", value: "Back" } }],
    metadata,
  });
  const global = (prompt: string, more: object = {}, metadata: object = {}) => ({
    ...says(prompt),
    global_node_setting: { ...setting(metadata), condition: prompt },
    ...more,
  });
  const start = says("Talk.", llm("bye", "Done"));
  const limit = { retell: { cool_down: 3 } };
  const count = (one: object, other: object) =>
    findingsOf(graphOf({ a: start, one, other, bye: end }), "global-reentry").length;
  assert.equal(count(global("Owner"), global("Help")), 1);
  assert.equal(count(global("Owner", {}, limit), global("Help")), 0);
  assert.equal(count(global("Owner", { metadata: limit }), global("Help")), 0);
  assert.equal(count(global("Owner", { node_type: "logic" }), global("Help")), 0);
  assert.equal(count(global("Owner"), says("Help.", llm("bye", "x"))), 0);
});

test("checkGraph() shows the condition that two targets share, shortened", () => {
  const shared = (text: string) =>
    findingsOf(graphOf({ a: says("Talk.", llm("b", text), llm("c", text)), b: end, c: end }), "same-condition")[0]
      ?.message;
  assert.ok(shared(" Caller is done ")?.startsWith('"Caller is done" is also the condition for "b"'), shared(" x "));
  const long = `${"word ".repeat(16)}and more`;
  assert.ok(shared(long)?.startsWith(`"${"word ".repeat(16).trim()}…" is also`), shared(long));
});
