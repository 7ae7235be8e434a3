import assert from "node:assert/strict";
import { test } from "node:test";
import { checkGraph } from "../../../../src/agent/analysis/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";

/** A graph of these nodes that starts at the first of them. */
function graphOf(nodes: { readonly [id: string]: object }, head: object = {}): AgentGraph {
  return parseGraph({ nodes, entry_node_id: Object.keys(nodes)[0], ...head });
}

function found(graph: AgentGraph): readonly string[] {
  return checkGraph(graph).map(({ severity, code, path }) => `${severity} ${code} ${path.join(".")}`);
}

const always = (target: string) => ({ target_node_id: target, condition: { type: "always" } });
const llm = (target: string, value: string) => ({ target_node_id: target, condition: { type: "llm_prompt", value } });
const equation = (target: string, ...equations: readonly object[]) => ({
  target_node_id: target,
  condition: { type: "equation", equations },
});
const talk = (...transitions: readonly object[]) => ({ node_type: "conversation", state_prompt: "Talk", transitions });
const logic = (...transitions: readonly object[]) => ({ node_type: "logic", transitions });
const end = { node_type: "end" };

test("checkGraph() finds an unknown entry node and unknown targets", () => {
  const graph: AgentGraph = { ...graphOf({ a: talk(llm("b", "x")), b: end }), entry_node_id: "c" };
  const { b: _, ...nodes } = graph.nodes;
  assert.deepEqual(found({ ...graph, nodes }), [
    "error unknown-entry entry_node_id",
    "error unknown-target nodes.a.transitions.0.target_node_id",
  ]);
});

test("checkGraph() finds unreachable nodes, but not global ones", () => {
  const global = {
    condition: "Asks for it",
    go_back_conditions: [{ condition: { type: "llm_prompt", value: "Done" } }],
  };
  const graph = graphOf({
    a: talk(llm("bye", "Done")),
    help: { ...talk(llm("more", "More")), global_node_setting: global },
    more: talk(always("bye")),
    lost: talk(always("island")),
    island: talk(always("lost")),
    bye: end,
  });
  assert.deepEqual(found(graph), ["warning island nodes.lost"]);
});

test("checkGraph() finds dead ends, but not in nodes that end the call or go back", () => {
  const graph = graphOf({
    a: talk(llm("stuck", "x"), llm("quit", "y"), llm("hand", "z")),
    stuck: talk(),
    quit: { ...talk(), tools: [{ name: "end_call", type: "end_call" }] },
    hand: { node_type: "transfer" },
  });
  assert.deepEqual(found(graph), ["warning dead-end nodes.stuck"]);
  assert.deepEqual(found(graphOf({ only: talk() })), []);
});

test("checkGraph() finds logic nodes without an else", () => {
  const vip = { variables_to_extract: [{ name: "vip", type: "boolean" }] };
  const graph = graphOf({
    a: { node_type: "extract", ...vip, transitions: [always("route")] },
    route: logic(equation("bye", { left: "vip", operator: "==", right: "true" })),
    bye: end,
  });
  assert.deepEqual(found(graph), ["warning no-else nodes.route"]);
});

test("checkGraph() tells loops that must be endless from loops that can be", () => {
  const endless = graphOf({ a: talk(llm("b", "x")), b: logic(always("c")), c: logic(always("b")) });
  assert.deepEqual(found(endless), ["error endless-loop nodes.b"]);

  const clause = { left: "n", operator: "exists" };
  const head = { source_metadata: { default_dynamic_variables: { n: "1" } } };
  const possible = graphOf({ a: talk(llm("b", "x")), b: logic(equation("a", clause), always("b")) }, head);
  assert.deepEqual(found(possible), ["warning silent-cycle nodes.b"]);

  assert.deepEqual(found(graphOf({ a: talk(llm("b", "x")), b: logic(always("a")) })), []);
});

test("checkGraph() finds equations that can never match", () => {
  const variables = [
    { name: "mood", type: "enum", choices: ["calm", "upset"] },
    { name: "age", type: "number" },
    { name: "vip", type: "boolean" },
  ];
  const clauses = [
    { left: "mood", operator: "==", right: "clam" },
    { left: "age", operator: ">", right: "many" },
    { left: "age", operator: "=<", right: "3" },
    { left: "vip", operator: "==", right: "yes" },
    { left: "age", operator: "==" },
    { left: "plan", operator: "==", right: "pro" },
    { left: "{{mood}}", operator: "==", right: "upset" },
    { left: "age", operator: ">", right: "{{plan}}" },
    { left: "mood", operator: "==", right: "age" },
    { left: "user_number", operator: "exists" },
  ];
  const graph = graphOf({
    a: { node_type: "extract", variables_to_extract: variables, transitions: [equation("b", ...clauses), always("b")] },
    b: end,
  });
  const at = "nodes.a.transitions.0.condition.equations";
  assert.deepEqual(found(graph), [
    `error unknown-choice ${at}.0`,
    `error equation-mismatch ${at}.1`,
    `error equation-mismatch ${at}.2`,
    `error equation-mismatch ${at}.3`,
    `error equation-mismatch ${at}.4`,
    `warning unknown-variable ${at}.5`,
    `warning unknown-variable ${at}.7`,
    `error right-names-variable ${at}.8`,
  ]);
});

test("checkGraph() finds empty conditions", () => {
  const global = { condition: " ", go_back_conditions: [{ condition: { type: "llm_prompt", value: "" } }] };
  const graph = graphOf({
    a: { ...talk(llm("b", ""), equation("b")), global_node_setting: global },
    b: end,
  });
  assert.deepEqual(found(graph), [
    "warning empty-condition nodes.a.transitions.0.condition",
    "warning empty-condition nodes.a.transitions.1.condition",
    "warning empty-condition nodes.a.global_node_setting",
    "warning empty-condition nodes.a.global_node_setting.go_back_conditions.0.condition",
  ]);
});

test("checkGraph() finds placeholders and snippets that nothing fills", () => {
  const tool = { name: "find", response_variables: { status: "$.status" } };
  const prompt =
    "{{plan}} {{ status }} {{name}} {{nope}} {{current_time_Europe/Berlin}} {{customer.number | upcase}} {%hi%} {% ho %}";
  const graph = graphOf(
    {
      a: {
        ...talk(llm("b", "{{name}} or {{who}}")),
        state_prompt: `${prompt} {% if plan %}…{% endif %}`,
        tools: [tool],
      },
      b: { node_type: "extract", variables_to_extract: [{ name: "plan" }], transitions: [always("c")] },
      c: end,
    },
    { snippets: { hi: "Hi {{snip}}" }, source_metadata: { default_dynamic_variables: { name: "you" } } },
  );
  assert.deepEqual(found(graph), [
    "info undeclared-variable snippets.hi",
    "info undeclared-variable nodes.a.state_prompt",
    "warning unknown-snippet nodes.a.state_prompt",
    "info undeclared-variable nodes.a.transitions.0.condition",
    "warning unset-variable nodes.a.state_prompt",
  ]);
});

test("checkGraph() counts a prompt as reading a variable that has the name of a platform's own", () => {
  const day = { name: "day", description: "Day of the visit", type: "string" };
  const graph = (prompt: string) =>
    graphOf({
      note: { node_type: "extract", variables_to_extract: [day], transitions: [always("confirm")] },
      confirm: { node_type: "end", state_prompt: prompt },
    });
  assert.deepEqual(found(graph("Confirm {{ day | upcase }}. Say goodbye.")), []);
  assert.deepEqual(found(graph("Say goodbye.")).filter((each) => each.includes("unused-variable")).length, 1);
});

test("checkGraph() accepts environment references in place of secrets", () => {
  const graph = graphOf({
    a: { ...talk(llm("b", "x")), state_prompt: "Dial {{env:DESK_PIN}}, {{ env:DESK_PIN }}" },
    b: end,
  });
  assert.deepEqual(found(graph), []);
});

test("checkGraph() finds incomplete nodes, and tools with the same name", () => {
  const find = { name: "find", parameters: { type: "object" } };
  const graph = graphOf({
    a: { ...talk(llm("f", "x"), llm("e", "y")), tools: [find, find] },
    f: { node_type: "function", transitions: [always("b")] },
    e: { node_type: "extract", transitions: [always("b")] },
    b: { node_type: "end", tools: [{ ...find, url: "https://example.com" }], transitions: [always("a")] },
  });
  assert.deepEqual(found(graph), [
    "error duplicate-tool nodes.a.tools.1",
    "error function-without-tool nodes.f",
    "warning nothing-to-extract nodes.e",
    "warning end-with-edges nodes.b",
    "warning conflicting-tools nodes.b.tools.0",
  ]);
});

test("checkGraph() handles ids that every object inherits, and a chain of 10,000 silent nodes", () => {
  const odd = parseGraph(
    JSON.parse(`{"entry_node_id":"__proto__","nodes":{
      "__proto__":{"node_type":"conversation","state_prompt":"Greet","transitions":[{"target_node_id":"constructor","condition":{"type":"always"}}]},
      "constructor":{"node_type":"end"}}}`),
  );
  assert.deepEqual(checkGraph(odd), []);

  const nodes = Array.from({ length: 10_000 }, (_, index) => [`n${index}`, logic(always(`n${index + 1}`))] as const);
  assert.deepEqual(found(graphOf(Object.fromEntries([...nodes, ["n10000", end]]))), ["warning hop-limit nodes.n0"]);
});

test("checkGraph() finds misspelt keys of the graph and ignores all other unknown keys", () => {
  const graph = graphOf(
    {
      a: {
        node_type: "conversation",
        state_prompt: "Talk",
        state_promt: "Greet {{name}}",
        transition: [],
        tools: [{ name: "find", desciption: "Finds", parameters: { propertys: {} }, metadata: { nmae: 1 } }],
        variables_to_extract: [{ name: "topic", choice: ["a"] }],
        global_node_setting: {
          condition: "Caller asks for help",
          goBackConditions: [],
          go_back_conditions: [{ condition: { type: "llm_prompt", value: "Ready", logicalOperator: "or" } }],
        },
        transitions: [
          { ...llm("b", "Caller is done"), descripton: "d", x_note: "n" },
          {
            target_node_id: "b",
            condition: { type: "equation", equation: [], equations: [{ left: "topic", operator: "exists", rigth: 3 }] },
          },
        ],
        retell: { state_promt: "theirs" },
        colour: "blue",
      },
      b: end,
    },
    { defaultModel: "m", source_metadata: { general_promt: "You are a shop.", retell: { general_promt: "theirs" } } },
  );
  const keys = checkGraph(graph).filter(({ code }) => code === "unknown-key");
  assert.deepEqual(
    keys.map(({ severity, path, hint }) => `${severity} ${path.join(".")}: ${hint}`),
    [
      'warning defaultModel: Did you mean "default_model"?',
      'warning source_metadata.general_promt: Did you mean "general_prompt"?',
      'warning nodes.a.state_promt: Did you mean "state_prompt"?',
      'warning nodes.a.transition: Did you mean "transitions"?',
      'warning nodes.a.tools.0.desciption: Did you mean "description"?',
      'warning nodes.a.variables_to_extract.0.choice: Did you mean "choices"?',
      'warning nodes.a.transitions.0.descripton: Did you mean "description"?',
      'warning nodes.a.transitions.1.condition.equation: Did you mean "equations"?',
      'warning nodes.a.transitions.1.condition.equations.0.rigth: Did you mean "right"?',
      'warning nodes.a.global_node_setting.goBackConditions: Did you mean "go_back_conditions"?',
      'warning nodes.a.global_node_setting.go_back_conditions.0.condition.logicalOperator: Did you mean "logical_operator"?',
    ],
  );
  assert.equal(Reflect.get(graph.nodes.a ?? {}, "state_promt"), "Greet {{name}}");
});

test("checkGraph() finds placeholders and snippets that nothing fills in descriptions and URLs, but no secrets", () => {
  const text = "{%nope%} {{nobody}}";
  const tool = { name: "find", description: text, url: "https://a.test/{{ env:KEY }}/{{nobody}}/4539578763621486" };
  const graph = graphOf({
    a: {
      state_prompt: "Ask why.",
      tools: [tool],
      transitions: [{ ...llm("b", "Caller is done"), description: text }],
    },
    b: { state_prompt: "Say goodbye.", node_type: "end" },
  });
  assert.deepEqual(found(graph), [
    "info undeclared-variable nodes.a.tools.0.description",
    "warning unknown-snippet nodes.a.tools.0.description",
    "info undeclared-variable nodes.a.tools.0.url",
    "info undeclared-variable nodes.a.transitions.0.description",
    "warning unknown-snippet nodes.a.transitions.0.description",
  ]);
});
