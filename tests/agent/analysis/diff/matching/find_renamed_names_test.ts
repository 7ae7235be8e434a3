import assert from "node:assert/strict";
import { test } from "node:test";
import {
  renamedSnippets,
  renamedTools,
  renamedVariables,
} from "../../../../../src/agent/analysis/diff/matching/mod.ts";
import { diffGraphs } from "../../../../../src/agent/analysis/diff/mod.ts";
import { end, extract, graphOf, llm, says } from "../../_graphs.ts";

const snippets = (texts: { readonly [name: string]: string }) => graphOf({ a: end }, { snippets: texts });
const tool = (name: string, response_variables: object = {}, description = "Books") => ({
  name,
  description,
  response_variables,
});
/** A graph with a node for each list of tools. */
const tools = (...lists: readonly (readonly object[])[]) =>
  graphOf(Object.fromEntries(lists.map((list, index) => [`n${index}`, { ...says("Book."), tools: list }])));
const variable = (name: string, description = "The day") => ({ name, description, type: "string" });
/** A graph with a node for each list of variables. */
const variables = (...lists: readonly (readonly object[])[]) =>
  graphOf(Object.fromEntries(lists.map((list, index) => [`n${index}`, extract(list)])));

test("a snippet is renamed if its text stands under one other name", () => {
  const text = "We are open from 9 to 5.";
  const rows = [
    [{ hours: text }, { open: text }, [["hours", "open"]]],
    [{ hours: text }, { hours: text, open: text }, []],
    [{ hours: text }, { open: text, times: text }, []],
    [{ hours: text, times: text }, { open: text }, []],
    [{ hours: text, times: text }, { open: text, when: text }, []],
    [{ hours: text }, { open: "We are closed." }, []],
  ] as const;
  for (const [before, after, renamed] of rows)
    assert.deepEqual([...renamedSnippets(snippets(before), snippets(after))], renamed);
});

test("a tool is renamed if it does the same, also with other names for what it answers", () => {
  const rows = [
    [[tool("book", { a: "$.x", b: "$.y" })], [tool("reserve", { c: "$.y", d: "$.x" })], true],
    [[tool("book", { a: "$.x" })], [tool("reserve", { a: "$.y" })], false],
    [[tool("book")], [tool("reserve", {}, "Cancels")], false],
  ] as const;
  for (const [before, after, isRenamed] of rows)
    assert.deepEqual([...renamedTools(tools(before), tools(after))], isRenamed ? [["book", "reserve"]] : []);
});

test("a tool with several definitions is renamed if all of them are, in any order", () => {
  const [one, other] = [(name: string) => tool(name), (name: string) => tool(name, {}, "Books now")];
  const before = tools([one("book")], [other("book")]);
  assert.deepEqual([...renamedTools(before, tools([other("reserve")], [one("reserve")]))], [["book", "reserve"]]);
  assert.deepEqual([...renamedTools(before, tools([one("reserve")], [one("reserve")]))], []);
});

test("a variable is renamed if every node that fills it agrees on its new name", () => {
  const rows = [
    [[[variable("day")]], [[variable("date")]], [["day", "date"]]],
    [[[variable("day"), variable("kept")]], [[variable("date"), variable("kept")]], [["day", "date"]]],
    [[[variable("day")], [variable("day")]], [[variable("date")], [variable("date")]], [["day", "date"]]],
    [[[variable("day")], [variable("day")]], [[variable("date")], [variable("when")]], []],
    [[[variable("day")], [variable("hour")]], [[variable("when")], [variable("when")]], []],
    [[[variable("day")]], [[variable("date", "The date")]], []],
    [[[variable("day")]], [[variable("day"), variable("date")]], []],
  ] as const;
  for (const [before, after, renamed] of rows)
    assert.deepEqual([...renamedVariables(variables(...before), variables(...after))], renamed);
});

test("a variable that a tool fills is renamed if the same field of the answer fills it", () => {
  const rows = [
    [{ day: "$.day" }, { date: "$.day" }, [["day", "date"]]],
    [{ day: "$.day" }, { date: "$.date" }, []],
    [{ day: "$.day", id: "$.id" }, { date: "$.day", id: "$.id" }, [["day", "date"]]],
  ] as const;
  for (const [before, after, renamed] of rows)
    assert.deepEqual([...renamedVariables(tools([tool("book", before)]), tools([tool("book", after)]))], renamed);
});

test("diffGraphs() follows a renamed snippet into LLM conditions, and reports one that nothing uses", () => {
  const graph = (name: string, value = "Caller is done") =>
    graphOf({ a: says("Greet.", llm("b", value)), b: end }, { snippets: { [name]: "We are open from 9 to 5." } });
  const changesOf = (value: (name: string) => string) =>
    diffGraphs(graph("hours", value("hours")), graph("open", value("open"))).map(({ kind, path, nodes }) => [
      kind,
      path,
      nodes,
    ]);
  assert.deepEqual(
    changesOf((name) => `Caller knows: {%${name}%}`),
    [["snippet-renamed", ["nodes", "a"], ["a"]]],
  );
  assert.deepEqual(
    changesOf(() => "Caller is done"),
    [["snippet-renamed", [], []]],
  );
});
