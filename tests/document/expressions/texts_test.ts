import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bareName,
  clausesText,
  clauseText,
  clauseWords,
  equationText,
  expandedTexts,
  expandPrompt,
  isKnownPlaceholder,
  mapExpandedTexts,
  placeholderContents,
  placeholdersIn,
  snippetsIn,
  snippetUses,
  startVariables,
  tagsIn,
  textOf,
} from "../../../src/document/expressions/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";

const clause = (left: string, operator: string, right?: string | number | boolean) => ({
  left,
  operator,
  ...(right === undefined ? {} : { right }),
});
const condition = (equations: ReturnType<typeof clause>[], logical_operator?: "and" | "or") =>
  ({ type: "equation", value: "", equations, ...(logical_operator ? { logical_operator } : {}) }) as const;

test("equations are written as in code: numbers as they are, texts in quotes, no right side where none is read", () => {
  assert.equal(clauseText(clause("{{ balance }}", "<", 0)), "balance < 0");
  assert.equal(clauseText(clause("topic", "==", "repair")), 'topic == "repair"');
  assert.equal(clauseText(clause("vip", "==", true)), 'vip == "true"');
  assert.equal(clauseText(clause("vip", "==", "{{ member }}")), "vip == {{ member }}");
  assert.equal(clauseText(clause("vip", "==", "no-{{member}}")), 'vip == "no-{{member}}"');
  assert.equal(clauseText(clause("day", "exists", "ignored")), "day exists");
  assert.equal(clauseText(clause("day", "==")), 'day == ""');
  const both = [clause("balance", "<", "-1.5"), clause("vip", "not_exist")];
  assert.equal(clausesText(condition(both)), "balance < -1.5 and vip not_exist");
  assert.equal(clausesText(condition(both, "or")), "balance < -1.5 or vip not_exist");
  assert.equal(clausesText({ type: "equation", value: "" }), "");
});

test("equations are explained with the values that their variables have", () => {
  const values = { balance: "-3", limit: 0, plan: "gold" };
  const text = (equations: ReturnType<typeof clause>[], join?: "or") =>
    equationText(condition(equations, join), values);
  assert.equal(text([clause("{{balance}}", "<", "{{limit}}")]), 'balance < {{limit}} (balance = "-3", limit = "0")');
  assert.equal(text([clause("plan", "==", "limit")]), 'plan == "limit" (plan = "gold")');
  assert.equal(text([clause("plan", "!=", "{{day}}-1")]), 'plan != "{{day}}-1" (plan = "gold", day is not set)');
  assert.equal(text([clause("plan", "==", "silver")]), 'plan == "silver" (plan = "gold")');
  assert.equal(
    text([clause("day", "exists"), clause("plan", "==", "gold")], "or"),
    'day exists or plan == "gold" (day is not set, plan = "gold")',
  );
  assert.equal(text([]), "an equation without clauses");
  assert.equal(equationText({ type: "equation", value: "" }, values), "an equation without clauses");
});

test("a model reads equations as sentences", () => {
  assert.equal(clauseWords("{{age}}", ">=", "18"), "{{age}} is at least 18");
  assert.equal(clauseWords("{{age}}", "exists", ""), "{{age}} is known");
  assert.equal(clauseWords("{{age}}", "not_exist", ""), "{{age}} is not known");
  assert.equal(clauseWords("{{age}}", "~", "18"), "{{age}} ~ 18");
});

test("names and placeholders are read without braces, spaces and filters", () => {
  assert.deepEqual(["plan", "{{plan}}", " {{ plan }} ", "{{a}} {{b}}"].map(bareName), [
    ...["plan", "plan", "plan"],
    "{{a}} {{b}}",
  ]);
  const text = 'Hi {{ order.name | upcase }}, {{age}} {{age}} {{"now" | date}} {{ current_time }} {{call.id}}';
  assert.deepEqual(placeholdersIn(text), ["order.name", "age"]);
  assert.deepEqual(placeholderContents(text).slice(0, 2), ["order.name | upcase", "age"]);
  const known = new Set(["customer", "a.b"]);
  for (const name of ["customer", "customer.name", "a.b"]) assert.ok(isKnownPlaceholder(name, known), name);
  for (const name of ["name", "a", "a.c"]) assert.ok(!isKnownPlaceholder(name, known), name);
});

test("values become text: JSON for lists and objects, nothing for null", () => {
  assert.deepEqual(
    ["a", 1.5, false, ["a"], { b: 1 }, null, undefined].map((value) => textOf(value)),
    [...["a", "1.5", "false", '["a"]', '{"b":1}'], ...[undefined, undefined]],
  );
  assert.throws(() => textOf([1n], "big"), { code: "invalid-option", path: ["variables", "big"], message: /"big"/ });
  assert.throws(() => textOf([1n]), { code: "invalid-option", path: ["variables"] });
});

test("calls start with the given values, and with the defaults of the graph for all others", () => {
  const nodes = { a: { state_prompt: "Hi" } };
  const source_metadata = { default_dynamic_variables: { city: "Oslo", tries: 0, day: null } };
  const graph = parseGraph({ entry_node_id: "a", nodes, source_metadata });
  const given = { city: "Bergen", vip: true, note: undefined };
  assert.deepEqual(
    [...startVariables(graph, given)],
    [
      ["city", "Bergen"],
      ["tries", "0"],
      ["vip", "true"],
    ],
  );
  assert.deepEqual([...startVariables(parseGraph({ entry_node_id: "a", nodes }), {})], []);
});

test("expandPrompt() inserts snippets and then variables, once, and keeps unknown names", () => {
  const snippets = { bye: "Bye, {{name}} {%bye%}" };
  const variables = { name: "{{name}} Jo", tries: 2 };
  assert.equal(expandPrompt("{% bye %} {{ tries }}", { snippets, variables }), "Bye, {{name}} Jo {%bye%} 2");
  assert.equal(expandPrompt("{%hi%} {{day}} {{ }}", { snippets, variables }), "{%hi%} {{day}} {{ }}");
});

test("snippets of a text are its tags without those of Liquid, each once", () => {
  const text = "{% bye %}{%bye%}{% if vip %}{%- endif -%}{% iffy %}{%assign x = 1%}";
  assert.deepEqual(snippetsIn(text), ["bye", "iffy"]);
  assert.equal(tagsIn(text).length, 6);
});

test("snippets are expanded in every text that a call uses, and in no equation", () => {
  const words = "Say {%bye%}";
  const llm = { type: "llm_prompt", value: words };
  const equation = { type: "equation", value: words, equations: [] };
  const graph = parseGraph({
    entry_node_id: "a",
    nodes: {
      a: {
        state_prompt: words,
        tools: [{ name: "t", description: words, url: words }],
        transitions: [
          { target_node_id: "a", condition: llm, description: words },
          { target_node_id: "a", condition: equation },
        ],
        global_node_setting: {
          condition: words,
          go_back_conditions: [
            { id: "1", condition: llm },
            { id: "2", condition: equation },
          ],
        },
      },
    },
    snippets: { bye: "goodbye" },
    source_metadata: { general_prompt: words, begin_message: words },
  });
  const paths = expandedTexts(graph).map(([path]) => path.join("."));
  assert.deepEqual(paths.sort(), [
    "nodes.a.global_node_setting",
    "nodes.a.global_node_setting.go_back_conditions.0.condition",
    "nodes.a.state_prompt",
    "nodes.a.tools.0.description",
    "nodes.a.tools.0.url",
    "nodes.a.transitions.0.condition",
    "nodes.a.transitions.0.description",
    "source_metadata.begin_message",
    "source_metadata.general_prompt",
  ]);
  assert.deepEqual(
    snippetUses(graph)
      .map(({ name, path }) => `${name} ${path.join(".")}`)
      .sort(),
    paths.map((path) => `bye ${path}`),
  );
  assert.deepEqual(snippetUses({ ...graph, snippets: { other: "x" } }), []);
  assert.deepEqual(snippetUses({ ...graph, snippets: {} }), []);
  const changed = mapExpandedTexts(graph, (text) => text.toUpperCase());
  assert.equal(JSON.stringify(changed).split("SAY {%BYE%}").length - 1, paths.length);
  assert.equal(JSON.stringify(changed).split(words).length - 1, 2, "the equations keep theirs");
});
