import assert from "node:assert/strict";
import { test } from "node:test";
import { llm } from "../../_graphs.ts";
import { nodeChangesOf, told } from "./_changes.ts";

const fills = (...variables: readonly object[]) => ({ node_type: "extract", variables_to_extract: variables });
const day = (more: object = {}) => ({ name: "day", description: "The day", type: "string", ...more });
const hour = { name: "hour", description: "The hour", type: "number" };

test("diffGraphs() says in words which variables a node fills now", () => {
  const choice = (...choices: readonly string[]) => fills(day({ type: "enum", choices }));
  const rows = [
    [fills(day()), fills(day(), hour), "variable-added", 'Node "a" fills the new variable "hour" (number)'],
    [fills(day(), hour), fills(day()), "variable-removed", 'Node "a" no longer fills variable "hour"'],
    [
      fills(day()),
      fills(day({ type: "number" })),
      "variable-changed",
      'Variable "day" of "a" is "number" instead of "string"',
    ],
    [choice("mon"), choice("mon", "tue"), "variable-changed", 'Variable "day" of "a" can be now also "tue"'],
    [choice("mon", "tue"), choice("tue"), "variable-changed", 'Variable "day" of "a" can be no longer "mon"'],
    [
      fills(day()),
      fills(day({ description: "The date" })),
      "variable-reworded",
      'Variable "day" of "a" has another description: "The date" instead of "The day"',
    ],
    [
      fills(day(), hour),
      fills(hour, day()),
      "variables-reordered",
      'Node "a" fills its variables in another order: "hour" and "day"',
    ],
  ] as const;
  for (const [before, after, kind, message] of rows)
    assert.deepEqual(told(nodeChangesOf(before, after)), [[kind, message]]);
  const [removed] = nodeChangesOf(fills(day(), hour), fills(hour));
  assert.deepEqual(removed?.path, ["nodes", "a", "variables_to_extract", 0]);
});

test("diffGraphs() says in words which tools a node has now", () => {
  const has = (...tools: readonly object[]) => ({ state_prompt: "Book.", tools });
  const book = (more: object = {}) => ({ name: "book", description: "Books", ...more });
  const find = { name: "find", description: "Finds" };
  const request = (before: object, after: object, words: string) =>
    [has(book(before)), has(book(after)), "tool-request-changed", words] as const;
  const rows = [
    [has(book()), has(book(), find), "tool-added", 'Node "a" has the new tool "find"'],
    [has(book(), find), has(book()), "tool-removed", 'Node "a" no longer has tool "find"'],
    [
      has(book(), find),
      has(find, book()),
      "tools-reordered",
      'Tools of "a" are offered in another order: "find" and "book"',
    ],
    [
      has(book()),
      has(book({ description: "Books a day" })),
      "tool-reworded",
      'Tool "book" of "a" has another description: "Books a day" instead of "Books"',
    ],
    request(
      { url: "https://a.example" },
      { url: "https://b.example" },
      'Tool "book" of "a" has url "https://b.example" instead of "https://a.example"',
    ),
    request({}, { url: "https://b.example" }, 'Tool "book" of "a" has url "https://b.example" instead of ""'),
    request({ url: "https://a.example" }, {}, 'Tool "book" of "a" has url "" instead of "https://a.example"'),
    request(
      { response_variables: { id: "$.id" } },
      { response_variables: { id: "$.key" } },
      'nodes.a.tools.0.response_variables.id is "$.key" instead of "$.id"',
    ),
  ] as const;
  for (const [before, after, kind, message] of rows)
    assert.deepEqual(told(nodeChangesOf(before, after)), [[kind, message]]);
  const [change] = nodeChangesOf(has(book({ url: "https://a.example" })), has(book()));
  assert.deepEqual([change?.before, change?.after], ["https://a.example", undefined]);
});

const leads = (...transitions: readonly object[]) => ({ state_prompt: "Talk.", transitions });
const always = (timing?: string, to = "b") => ({
  target_node_id: to,
  condition: { type: "always" },
  ...(timing && { timing }),
});
const described = (description?: string) => ({ ...llm("b", "Done"), ...(description && { description }) });

test("diffGraphs() says in words how a transition changed", () => {
  const edge = 'Transition "a" → "b"';
  const rows = [
    [described("One"), described("Two"), "transition-changed", 'has another description: "Two" instead of "One"'],
    [described(), described("Two"), "transition-changed", 'has another description: "Two" instead of ""'],
    [described("One"), described(), "transition-changed", 'has another description: "" instead of "One"'],
    [
      always(),
      always("skip_response"),
      "transition-changed",
      "is taken at once, without waiting for the caller instead of after the node has spoken",
    ],
    [
      always("else"),
      always(),
      "transition-changed",
      "is taken after the node has spoken instead of when no other transition is taken",
    ],
    [always(), always("after_speech"), "rewritten", "has another timing, which does not change when it is taken"],
    [
      llm("b", "Done"),
      { ...llm("b", "Done"), timing: "else" },
      "rewritten",
      "has another timing, which does not change when it is taken",
    ],
  ] as const;
  for (const [before, after, kind, words] of rows)
    assert.deepEqual(told(nodeChangesOf(leads(before), leads(after))), [[kind, `${edge} ${words}`]]);
});

test("diffGraphs() names a new or removed transition by its target, if there is no other way to it", () => {
  const [one, other] = [llm("b", "Done"), llm("b", "Angry")];
  const rows = [
    [leads(), leads(one), 'New transition "a" → "b" when "Done"'],
    [leads(one), leads(), 'Transition "a" → "b" when "Done" is gone'],
    [leads(one), leads(one, other), '"a" → "b" now also when "Angry"'],
    [leads(one, other), leads(one), '"a" → "b" no longer when "Angry"'],
  ] as const;
  for (const [before, after, message] of rows)
    assert.deepEqual(
      nodeChangesOf(before, after).map((each) => each.message),
      [message],
    );
});

test("diffGraphs() takes another order for a change of the way only if the order decides it", () => {
  const [b, c] = [llm("b", "Done"), llm("c", "Angry")];
  const fallback = always("else", "c");
  const rows = [
    [leads(b, c), leads(c, b), "options-reordered", "are offered in another order: c, b instead of b, c"],
    [leads(b, fallback), leads(fallback, b), "options-reordered", "are offered in another order: c, b instead of b, c"],
    [
      leads(always("skip_response"), fallback),
      leads(fallback, always("skip_response")),
      "transitions-reordered",
      "are tried in another order: c, b instead of b, c",
    ],
  ] as const;
  for (const [before, after, kind, words] of rows)
    assert.deepEqual(told(nodeChangesOf(before, after)), [[kind, `Transitions of "a" ${words}`]]);
});

test("diffGraphs() names six targets of reordered transitions, and how many more there are", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => llm("b", `Reason ${index}`));
  const of = (count: number) =>
    nodeChangesOf(leads(llm("c", "x"), ...many(count)), leads(...many(count), llm("c", "x")))[0]?.message;
  assert.ok(of(5)?.endsWith("b, b, b, b, b, c instead of c, b, b, b, b, b"), of(5));
  assert.ok(of(7)?.endsWith("b, b, b, b, b, b, 2 more instead of c, b, b, b, b, b, 2 more"), of(7));
});
