import assert from "node:assert/strict";
import { test } from "node:test";
import { findRenamed } from "../../../../../src/agent/analysis/diff/matching/mod.ts";
import { end, graphOf, llm, says } from "../../_graphs.ts";

/** The renamed nodes of two versions of a call with the nodes "greet" and "bye", and the nodes that differ. */
function renamedIn(before: Nodes, after: Nodes): { readonly [id: string]: string } {
  const graph = ({ from = [], ...nodes }: Nodes) =>
    graphOf({ greet: says("Greet the caller.", ...from), bye: end, ...nodes });
  return Object.fromEntries(findRenamed(graph(before), graph(after)));
}

type Nodes = { readonly [id: string]: object } & { readonly from?: readonly object[] };

const TOOL = { name: "book", description: "Books a day" };
const DAY = { name: "day", description: "The day", type: "string" };
const NEW_WORDS = { state_prompt: "Arrange an appointment." };

test("a node under another id with the same content is the same node, wherever it is declared", () => {
  const [ask, check] = [says("Ask for the day of the visit."), says("Check the number of the order.")];
  assert.deepEqual(renamedIn({ ask, check }, { verify: check, inquire: ask }), { ask: "inquire", check: "verify" });
});

test("nodes of another type are other nodes", () => {
  const before = { ask: { ...says("Ask for the day of the visit."), node_type: "conversation" } };
  const after = { day: { ...says("Ask for the day of the visit."), node_type: "end" } };
  assert.deepEqual(renamedIn(before, after), {});
});

test("nodes with the same content are told apart by the transitions that lead to them", () => {
  const take = says("Take the order and repeat it.", llm("bye", "Order is complete"));
  const before = { from: [llm("food", "Caller is hungry"), llm("wine", "Caller is thirsty")], food: take, wine: take };
  const after = { from: [llm("meal", "Caller is hungry"), llm("drink", "Caller is thirsty")], drink: take, meal: take };
  assert.deepEqual(renamedIn(before, after), { food: "meal", wine: "drink" });
});

test("nodes with the same content are told apart by renamed nodes that lead to them", () => {
  const ask = (what: string, next: string) => says(`Ask the caller for the ${what}.`, llm(next, "Done"));
  const repeat = says("Repeat the order to the caller.");
  const [food, wine] = [llm("food", "Caller is hungry"), llm("wine", "Caller is thirsty")];
  const [meal, drink] = [llm("meal", "Caller is hungry"), llm("drink", "Caller is thirsty")];
  const before = { from: [food, wine], food: ask("food", "r1"), wine: ask("wine", "r2"), r1: repeat, r2: repeat };
  const after = { from: [meal, drink], meal: ask("food", "s1"), drink: ask("wine", "s2"), s2: repeat, s1: repeat };
  assert.deepEqual(renamedIn(before, after), { food: "meal", wine: "drink", r1: "s1", r2: "s2" });

  const one = { from: [food], food: ask("food", "r1"), r1: repeat };
  const two = { from: [meal, drink], meal: ask("food", "s1"), drink: ask("car", "s2"), s2: repeat, s1: repeat };
  assert.deepEqual(renamedIn(one, two), { food: "meal", r1: "s1" });
  assert.deepEqual(renamedIn(two, one), { meal: "food", s1: "r1" });
});

test("nodes that nothing tells apart are paired in their order", () => {
  const ask = says("Ask for the day of the visit.");
  assert.deepEqual(renamedIn({ a: ask, b: ask }, { c: ask, d: ask }), { a: "c", b: "d" });
  assert.deepEqual(renamedIn({ a: ask, b: ask }, { c: ask }), { a: "c" });
  assert.deepEqual(renamedIn({ a: ask }, { c: ask, d: ask }), { a: "c" });
});

test("a node with little content is the same only if the same transitions lead to it", () => {
  const [reason, other] = [llm("x", "Caller is done"), llm("x", "Caller is angry")];
  const to = (id: string, way: object) => ({ from: [{ ...way, target_node_id: id }] });
  const rows = [
    [end, reason, true],
    [end, other, false],
    [{ node_type: "conversation" }, other, false],
    [{ ...says("Ask for the day of the visit.") }, other, true],
    [{ node_type: "conversation", tools: [TOOL] }, other, true],
    [{ node_type: "extract", variables_to_extract: [DAY] }, other, true],
  ] as const;
  for (const [node, way, isSame] of rows)
    assert.deepEqual(
      renamedIn({ ...to("old", reason), old: node }, { ...to("now", way), now: node }),
      isSame ? { old: "now" } : {},
    );
});

test("a renamed node with other words is found by its transitions and by what it has besides", () => {
  const setting = { global_node_setting: { condition: "Caller asks for a day", go_back_conditions: [] } };
  const node = { ...says("Take down when they come.", llm("bye", "Caller is done")) };
  const rows = [
    [{}, false],
    [{ tools: [TOOL] }, true],
    [{ variables_to_extract: [DAY] }, true],
    [setting, true],
  ] as const;
  for (const [more, isFound] of rows) {
    const before = { from: [llm("old", "Caller wants a visit")], old: { ...node, ...more } };
    const after = { from: [llm("now", "Caller wants a visit")], now: { ...node, ...more, ...NEW_WORDS } };
    assert.deepEqual(renamedIn(before, after), isFound ? { old: "now" } : {}, JSON.stringify(more));
  }
});

test("a renamed node with other words is not found if its transitions changed too", () => {
  const node = (text: string, reason: string) => ({ ...says(text, llm("bye", reason)), tools: [TOOL] });
  const before = { from: [llm("old", "A visit")], old: node("Take down a day.", "Done") };
  const after = { from: [llm("now", "A date")], now: node("Arrange.", "Agreed") };
  assert.deepEqual(renamedIn(before, after), {});
});

test("words count without case and punctuation, and as often as they occur", () => {
  const rows = [
    ["ASK FOR THE DAY!", "Ask for (the) day, please.", true],
    ["Spell it. Spell it. Spell it.", "Ask for the name, then spell it back to them.", false],
    ["day day day day", "day hour minute", false],
    ["Ask for the day of the visit.", "Ask for the day of birth.", true],
    ["Ask for the day of the visit.", "Ask whether it may be recorded.", false],
  ] as const;
  for (const [old, now, isFound] of rows)
    assert.deepEqual(renamedIn({ old: says(old) }, { now: says(now) }), isFound ? { old: "now" } : {}, now);
});

test("the most similar of several new nodes is the renamed one", () => {
  const old = says("Ask for the day and the hour of the visit.");
  const near = says("Ask for the day and the hour of the visit, please.");
  const far = says("Ask for the day and the hour of the call, and note both.");
  assert.deepEqual(renamedIn({ old }, { far }), { old: "far" });
  assert.deepEqual(renamedIn({ old }, { far, near }), { old: "near" });
  assert.deepEqual(renamedIn({ old }, { near, far }), { old: "near" });
  assert.deepEqual(renamedIn({ far, near }, { old }), { near: "old" });
  assert.deepEqual(renamedIn({ near, far }, { old }), { near: "old" });
});

test("a node is found through neighbours that are found first", () => {
  const chain = (first: string, second: string, words: readonly [string, string]) => ({
    from: [llm(first, "Caller wants a visit")],
    [second]: { ...says(words[1], llm("bye", "Caller agrees to the day")), variables_to_extract: [DAY] },
    [first]: { ...says(words[0], llm(second, "Caller has named a day")), tools: [TOOL] },
  });
  const before = chain("when", "note", ["Ask for the day of the visit.", "Take it down."]);
  for (const words of ["Ask for the day of the visit.", "Ask on which day of the week they visit, politely."])
    assert.deepEqual(renamedIn(before, chain("day", "memo", [words, "Write all of this into your file."])), {
      when: "day",
      note: "memo",
    });
});

test("many renamed and edited nodes that begin alike are told apart by the rest of their prompts", () => {
  const things = ["day", "hour", "name", "street", "town", "phone", "order", "colour", "size", "price", "brand", "tax"];
  const nodes = (prefix: string, list: readonly string[], more: string) =>
    Object.fromEntries(
      list.map((thing) => [
        `${prefix}_${thing}`,
        says(`Ask the caller for the ${thing} kindly ${thing}s matter${more}.`),
      ]),
    );
  const found = renamedIn(nodes("old", things, ""), nodes("new", things.toReversed(), " much"));
  assert.deepEqual(found, Object.fromEntries(things.map((thing) => [`old_${thing}`, `new_${thing}`])));
});

test("without removed or without added nodes, nothing is renamed", () => {
  const ask = says("Ask for the day of the visit.");
  assert.deepEqual(renamedIn({ a: ask, b: ask }, { a: ask }), {});
  assert.deepEqual(renamedIn({ a: ask }, { a: ask, b: ask }), {});
  assert.deepEqual(renamedIn({ a: ask }, { a: says("Say that it is closed.") }), {});
});
