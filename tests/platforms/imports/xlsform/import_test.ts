import assert from "node:assert/strict";
import { test } from "node:test";
import { conversation, importAgent, scripted } from "../../../../mod.ts";
import * as fc from "../../../fast_check.ts";
import { lostParts, type Parts } from "../_law.ts";
import { FARM, ref } from "./_form.ts";

const { graph, format, findings } = importAgent(FARM);

const ways = (id: string) =>
  graph.nodes[id]?.transitions.map(({ target_node_id: to, condition }) => [to, condition.equations ?? condition.type]);

test("a form is detected, and its settings give the name and the language", () => {
  assert.equal(format, "xlsform");
  assert.equal(graph.entry_node_id, "welcome");
  assert.equal(graph.source_metadata.name, "Farms");
  assert.equal(graph.source_metadata.language, "en");
  assert.equal(graph.nodes.farmer?.state_prompt, "What is your name?");
});

test("a question asks, reads the answer, and is asked again if it needs one", () => {
  assert.deepEqual(ways("farmer"), [["farmer answer", "always"]]);
  assert.deepEqual(graph.nodes["farmer answer"]?.variables_to_extract, [
    { name: "farmer", description: "What is your name?", type: "string" },
  ]);
  assert.deepEqual(ways("farmer answer"), [
    ["age", [{ left: "farmer", operator: "exists" }]],
    ["farmer", "always"],
  ]);
});

test("a constraint is an equation; what it refuses is told in its own words", () => {
  assert.equal(graph.nodes.age?.state_prompt, "How old are you, {{farmer}}?");
  assert.deepEqual(ways("age answer"), [
    [
      "has_cows",
      [
        { left: "age", operator: "exists" },
        { left: "age", operator: ">=", right: 18 },
        { left: "age", operator: "<", right: 120 },
      ],
    ],
    ["age refused", "always"],
  ]);
  assert.equal(graph.nodes["age refused"]?.state_prompt, "You have to be an adult.");
});

test("choices are said, and are those of the variable", () => {
  assert.equal(graph.nodes.has_cows?.state_prompt, "Do you keep cows? Yes or No.");
  assert.deepEqual(graph.nodes["has_cows answer"]?.variables_to_extract, [
    {
      name: "has_cows",
      description: 'Do you keep cows?; yes for "Yes", no for "No"',
      type: "enum",
      choices: ["yes", "no"],
    },
  ]);
});

test("a group is passed unless it is relevant, and one that repeats asks for another round", () => {
  assert.deepEqual(ways("cows"), [
    ["cows asked", [{ left: "has_cows", operator: "==", right: "yes" }]],
    ["grows", "always"],
  ]);
  assert.deepEqual(ways("cows asked"), [["count", "always"]]);
  assert.deepEqual(ways("end repeat"), [
    ["cow_name", "llm_prompt"],
    ["grows", "llm_prompt"],
  ]);
});

test("selected() of several answers is contains, and not() the opposite", () => {
  assert.deepEqual(ways("maize"), [
    [
      "maize asked",
      [
        { left: "grows", operator: "contains", right: "maize" },
        { left: "age", operator: "<=", right: 60 },
      ],
    ],
    [
      "maize asked",
      [
        { left: "grows", operator: "contains", right: "maize" },
        { left: "age", operator: "not_exist" },
      ],
    ],
    ["yield", "always"],
  ]);
});

test("what a call cannot ask for is named, and calls pass it", () => {
  assert.deepEqual(
    findings.map(({ code, severity, path }) => [code, severity, path.join(".")]),
    [
      ["unread-settings", "info", "sheets.Survey.1"],
      ["unread-settings", "info", "sheets.Survey.6.label"],
      ["unread-settings", "info", "sheets.Survey.8.label"],
      ["approximated", "warning", "sheets.Survey.8"],
      ["unknown-node", "warning", "sheets.Survey.14"],
      ["set-variable", "warning", "sheets.Survey.15.calculation"],
      ["unread-settings", "info", "sheets.settings.1"],
      ["unread-part", "info", "sheets.settings.1.default_language"],
    ],
  );
  assert.deepEqual(graph.source_metadata.xlsform, {
    version: "3",
    rows: [
      { type: "start", name: "started" },
      { type: "end group" },
      {
        type: "begin group",
        name: "cows",
        "label::English (en)": "Cows",
        "label::Deutsch (de)": "Kühe",
        relevant: `${ref("has_cows")} = 'yes'`,
      },
      { type: "begin repeat", name: "cow", "label::English (en)": "Cow" },
      { type: "image", name: "photo", "label::English (en)": "Take a picture" },
    ].sort((a, b) => order(a.type) - order(b.type)),
  });
});

const ORDER = ["start", "begin group", "begin repeat", "end group", "image"];
const order = (type: string) => ORDER.indexOf(type);

test("a call asks in the order of the rows, refuses an answer, and skips what is not relevant", async () => {
  const model = scripted({
    extract: [{ farmer: "Ada" }, { age: 12 }, { age: 40 }, { has_cows: "no" }, { grows: "rice" }, { yield: "0" }],
  });
  const call = conversation(graph, { models: { agent: model } });
  const { spoken } = await call.open();
  assert.deepEqual(spoken, ["Thank you for taking part.", "What is your name?"]);
  const heard: (readonly string[])[] = [];
  for (const answer of ["Ada", "12", "40", "No", "Rice"]) heard.push((await call.hear(answer)).spoken);
  assert.deepEqual(heard, [
    ["How old are you, Ada?"],
    ["You have to be an adult."],
    ["Do you keep cows? Yes or No."],
    ["What do you grow? Maize or Rice."],
    [],
  ]);
  assert.equal(call.endReason, "agent_ended");
});

const TYPES = ["text", "integer", "note", "select_one a", "select_multiple a", "image", "calculate", "begin group"];
const row = fc.record({
  type: fc.constantFrom(...TYPES, "end group", "begin repeat", "end repeat", "start", "constructor", "__proto__"),
  name: fc.constantFrom("a", "b", "c d", "__proto__", "constructor", "end of the flow", "a answer", "é"),
  relevant: fc.constantFrom(
    undefined,
    `${ref("a")} = 'x'`,
    `${ref("a")} > ${ref("b")} or (`,
    `not(selected(${ref("b")}, '1'))`,
    "1 + 1",
    "((((.)))) != ''",
  ),
  constraint: fc.constantFrom(undefined, ". > 3", "regex(., '[a-z]')", `. != ${ref("a")} and . <= 9`),
});

const forms = fc.array(row, { minLength: 1, maxLength: 12 }).map((rows) => {
  const survey = [
    ["type", "name", "label", "constraint_message", "relevant", "constraint"],
    ...rows.map(({ type, name, relevant, constraint }, at) => [type, name, `L${at}`, `M${at}`, relevant, constraint]),
  ];
  const choices = [
    ["list_name", "name", "label"],
    ["a", "x", "X1"],
    ["a", "y", "Y2"],
  ];
  const parts: Parts = {
    nodes: [],
    texts: rows.flatMap((_, at) => {
      const path = ["sheets", "survey", at + 1];
      const label = { text: `L${at}`, path: [...path, "label"] };
      const message = { text: `M${at}`, path: [...path, "constraint_message"] };
      return [label, message];
    }),
    ways: [],
  };
  return { document: { sheets: { survey, choices } }, parts };
});

test("every text of a random form is in the graph, or named in a finding, and every node is reached in some way", () => {
  fc.assert(
    fc.property(forms, ({ document, parts }) => {
      const imported = importAgent(document);
      assert.deepEqual(lostParts(parts, imported, "xlsform"), []);
      for (const node of Object.values(imported.graph.nodes))
        for (const { target_node_id: to } of node.transitions) assert.ok(Object.hasOwn(imported.graph.nodes, to), to);
    }),
    { numRuns: 500 },
  );
});

test("workbooks without the headings of a form are refused", () => {
  assert.throws(
    () =>
      importAgent({
        sheets: {
          Sheet1: [
            ["a", "b"],
            [1, 2],
          ],
        },
      }),
    { code: "unknown-format" },
  );
  assert.throws(() => importAgent({ sheets: { survey: [] } }, { format: "xlsform" }), { code: "unknown-shape" });
  assert.throws(() => importAgent({ sheets: { survey: "type,name" } }, { format: "xlsform" }), {
    code: "unknown-shape",
  });
});
