import assert from "node:assert/strict";
import { test } from "node:test";
import { env, flow, text, tool } from "../../../../dsl/mod.ts";
import { emit } from "../../../../platforms/mod.ts";
import { editGraph, knownVariables } from "../../../../src/agent/analysis/mod.ts";
import { fingerprint, parseGraph } from "../../../../src/document/graph/mod.ts";

const graph = parseGraph({
  entry_node_id: "ask",
  source_metadata: { general_prompt: "Be brief. Speak to {{name}}.", default_dynamic_variables: { name: "Anna" } },
  snippets: { tone: "Be kind." },
  nodes: {
    ask: {
      state_prompt: "Be brief. Ask {{ name.first | upcase }} why. {%tone%} Then listen.",
      tools: [{ name: "find", response_variables: { name: "$.name" } }],
      transitions: [
        {
          target_node_id: "bye",
          condition: { type: "equation", equations: [{ left: "name", operator: "==", right: "x" }] },
        },
        { target_node_id: "ask", condition: { type: "llm_prompt", value: "{{name}} asks again" } },
      ],
      metadata: { retell: { greeting: "Hello {{name}}", other: "{{names}} name" } },
    },
    bye: { node_type: "end", variables_to_extract: [{ name: "name" }] },
  },
});

test("editGraph() renames a node with its transitions and the entry", () => {
  const edited = editGraph(graph).renameNode("ask", "welcome").graph;
  assert.deepEqual(Object.keys(edited.nodes), ["welcome", "bye"]);
  assert.equal(edited.entry_node_id, "welcome");
  assert.deepEqual(
    edited.nodes.welcome?.transitions.map((edge) => edge.target_node_id),
    ["bye", "welcome"],
  );
});

test("editGraph() renames a variable wherever it is named, and nothing else", () => {
  const edited = editGraph(graph).renameVariable("name", "caller").graph;
  assert.equal(edited.source_metadata.general_prompt, "Be brief. Speak to {{caller}}.");
  assert.deepEqual(edited.source_metadata.default_dynamic_variables, { caller: "Anna" });
  const node = edited.nodes.ask;
  assert.equal(node?.state_prompt, "Be brief. Ask {{ caller.first | upcase }} why. {%tone%} Then listen.");
  assert.equal(node?.transitions[0]?.condition.equations?.[0]?.left, "caller");
  assert.equal(node?.transitions[1]?.condition.value, "{{caller}} asks again");
  assert.deepEqual(node?.tools[0]?.response_variables, { caller: "$.name" });
  assert.deepEqual(node?.metadata, { retell: { greeting: "Hello {{caller}}", other: "{{names}} name" } });
  assert.equal(edited.nodes.bye?.variables_to_extract[0]?.name, "caller");
  assert.equal(fingerprint(editGraph(edited).renameVariable("caller", "name").graph), fingerprint(graph));
});

test("editGraph() extracts and inlines snippets without changing what is said", () => {
  const edited = editGraph(graph).extractSnippet("brief", "Be brief.");
  assert.equal(edited.graph.nodes.ask?.state_prompt.slice(0, 9), "{%brief%}");
  assert.equal(edited.graph.source_metadata.general_prompt, "{%brief%} Speak to {{name}}.");
  assert.equal(fingerprint(edited.inlineSnippet("brief").graph), fingerprint(graph));
});

test("editGraph() replaces a text, retargets a transition and splits a node", () => {
  const edited = editGraph(graph)
    .replaceText("again", "twice")
    .retarget("ask", "ask", "bye")
    .splitNode("ask", { at: "Then listen", into: "listen", when: "Caller has said why" }).graph;
  assert.deepEqual(Object.keys(edited.nodes), ["ask", "listen", "bye"]);
  assert.equal(edited.nodes.ask?.state_prompt, "Be brief. Ask {{ name.first | upcase }} why. {%tone%}");
  assert.deepEqual(edited.nodes.ask?.transitions, [
    { target_node_id: "listen", condition: { type: "llm_prompt", value: "Caller has said why" } },
  ]);
  assert.equal(edited.nodes.listen?.state_prompt, "Then listen.");
  assert.deepEqual(
    edited.nodes.listen?.transitions.map((edge) => edge.target_node_id),
    ["bye", "bye"],
  );
  assert.equal(edited.nodes.listen?.transitions[1]?.condition.value, "{{name}} asks twice");
});

test("editGraph() reports unknown and taken names", () => {
  const edit = editGraph(graph);
  assert.throws(() => edit.renameNode("nope", "x"), { code: "unknown-node" });
  assert.throws(() => edit.renameNode("ask", "bye"), { code: "duplicate-node" });
  assert.throws(() => edit.renameVariable("nope", "x"), { code: "unknown-variable" });
  assert.throws(() => edit.extractSnippet("tone", "Be brief."), { code: "duplicate-snippet" });
  assert.throws(() => edit.extractSnippet("x", "never said"), { code: "unknown-text" });
  assert.throws(() => edit.inlineSnippet("nope"), { code: "unknown-snippet" });
  assert.throws(() => edit.replaceText("never said", "x"), { code: "unknown-text" });
  assert.throws(() => edit.retarget("ask", "nope", "bye"), { code: "unknown-node" });
  assert.throws(() => edit.retarget("bye", "ask", "bye"), { code: "unknown-target" });
  assert.throws(() => edit.splitNode("ask", { at: "never said", into: "x", when: "y" }), { code: "unknown-text" });
});

test("editGraph() renames a variable that settings of platforms name without braces, and in Liquid tags", () => {
  const vapi = {
    variableExtractionPlan: { output: [{ title: "plan", type: "string" }], aliases: [{ key: "plan", value: "{{$}}" }] },
    variableValues: { plan: "gold", planned: "plan" },
  };
  const tools = [{ name: "find", parameters: { type: "object", properties: { plan: { type: "string" } } } }];
  const before = parseGraph({
    entry_node_id: "plan",
    nodes: {
      plan: {
        state_prompt: '{% if plan == "plan" %}{{ customer.plan | default: plan }}{% endif %}{%plan%}',
        variables_to_extract: [{ name: "plan" }],
        metadata: { vapi, retell: { equations: [{ left: "plan", operator: "exists" }], name: "plan" } },
        tools,
      },
    },
  });
  const node = editGraph(before).renameVariable("plan", "tariff").graph.nodes.plan;
  assert.equal(node?.state_prompt, '{% if tariff == "plan" %}{{ customer.plan | default: tariff }}{% endif %}{%plan%}');
  assert.deepEqual(node?.metadata, {
    vapi: {
      variableExtractionPlan: {
        output: [{ title: "tariff", type: "string" }],
        aliases: [{ key: "tariff", value: "{{$}}" }],
      },
      variableValues: { tariff: "gold", planned: "plan" },
    },
    retell: { equations: [{ left: "tariff", operator: "exists" }], name: "plan" },
  });
  assert.deepEqual(node?.tools[0]?.parameters, tools[0]?.parameters, "a tool's own parameter keeps its name");
});

test("editGraph() renames a variable in the placeholders of right sides, and no right side that reads like it", () => {
  const rights = ["plan", "{{plan}}", "no-{{ plan }}", " {{plan}}", "{{plans}}"];
  const clauses = rights.map((right) => ({ left: "tier", operator: "==", right }));
  const back = { id: "back", condition: { type: "equation", value: "", equations: clauses } };
  const before = parseGraph({
    entry_node_id: "ask",
    nodes: {
      ask: {
        variables_to_extract: [{ name: "plan" }],
        transitions: [{ target_node_id: "ask", condition: { type: "equation", equations: clauses } }],
        global_node_setting: { condition: "Asks", go_back_conditions: [back] },
      },
    },
  });
  const { ask } = editGraph(before).renameVariable("plan", "tariff").graph.nodes;
  const renamed = ["plan", "{{tariff}}", "no-{{ tariff }}", " {{tariff}}", "{{plans}}"];
  for (const holder of [ask?.transitions[0], ask?.global_node_setting?.go_back_conditions[0]])
    assert.deepEqual(
      holder?.condition.equations?.map(({ right }) => right),
      renamed,
    );
});

test("editGraph() renames a node in settings of platforms that name it", () => {
  const example = { destination_node_id: "bye", transcript: "bye" };
  const metadata = { retell: { finetune_transition_examples: [example], name: "bye" } };
  const before = parseGraph({
    entry_node_id: "ask",
    nodes: { ask: { metadata, transitions: [{ target_node_id: "bye", condition: { type: "always" } }] }, bye: {} },
  });
  assert.deepEqual(editGraph(before).renameNode("bye", "end").graph.nodes.ask?.metadata, {
    retell: { finetune_transition_examples: [{ destination_node_id: "end", transcript: "bye" }], name: "bye" },
  });
});

test("inlineSnippet() writes a snippet out wherever calls expand it, conditions and tools included", () => {
  const before = parseGraph({
    entry_node_id: "ask",
    snippets: { who: "the owner", nested: "Say {%who%}" },
    nodes: {
      ask: {
        state_prompt: "Ask for {%who%}.",
        tools: [{ name: "find", description: "Finds {%who%}" }],
        transitions: [
          {
            target_node_id: "ask",
            condition: { type: "llm_prompt", value: "{%who%} answers" },
            description: "{%who%}",
          },
        ],
        global_node_setting: { condition: "Caller names {%who%}", go_back_conditions: [] },
      },
    },
  });
  const { graph: after } = editGraph(before).inlineSnippet("who");
  assert.deepEqual(after.snippets, { nested: "Say {%who%}" });
  const node = after.nodes.ask;
  assert.equal(node?.state_prompt, "Ask for the owner.");
  assert.equal(node?.tools[0]?.description, "Finds the owner");
  assert.equal(node?.transitions[0]?.condition.value, "the owner answers");
  assert.equal(node?.transitions[0]?.description, "the owner");
  assert.equal(node?.global_node_setting?.condition, "Caller names the owner");
  // a call expands snippets once: the inner tag is not a snippet there, and would be one in a prompt
  assert.throws(() => editGraph(before).inlineSnippet("nested"), { code: "invalid-option" });
});

test("editGraph() leaves names in placeholders alone when a text is replaced, extracted or split", () => {
  const before = parseGraph({
    entry_node_id: "ask",
    nodes: { ask: { state_prompt: "Ask {{name}} for a name. Then say {{name}}." } },
  });
  const promptOf = (edit: { readonly graph: typeof before }) => edit.graph.nodes.ask?.state_prompt;
  const edit = editGraph(before);
  assert.equal(promptOf(edit.replaceText("name", "title")), "Ask {{name}} for a title. Then say {{name}}.");
  assert.equal(promptOf(edit.extractSnippet("n", "name")), "Ask {{name}} for a {%n%}. Then say {{name}}.");
  assert.equal(promptOf(edit.splitNode("ask", { at: "name", into: "two", when: "x" })), "Ask {{name}} for a");
  assert.throws(() => edit.replaceText("Ask {{na", "x"), { code: "unknown-text" });
});

test("editGraph() replaces a text in the condition of a global node", () => {
  const before = parseGraph({
    entry_node_id: "ask",
    nodes: { ask: { global_node_setting: { condition: "Caller asks for a manager", go_back_conditions: [] } } },
  });
  const { graph: after } = editGraph(before).replaceText("a manager", "the boss");
  assert.equal(after.nodes.ask?.global_node_setting?.condition, "Caller asks for the boss");
});

test("a flow's variables and its references to secrets follow renamed variables and nodes, and split nodes", () => {
  const find = tool({
    name: "find",
    description: "Finds the caller",
    url: "https://example.com",
    retell: { headers: { authorization: env("TOKEN") } },
  });
  const source = flow("clinic", { variables: { caller: text("Caller's name") }, tools: [find] })
    .conversation("ask", { prompt: "Ask {{caller}} why. Then find the caller.", tools: ["find"] })
    .compile();
  const edited = editGraph(source)
    .renameNode("ask", "greet")
    .splitNode("greet", { at: "Then find", into: "look", when: "Caller has said why" })
    .renameVariable("caller", "name").graph;
  assert.deepEqual([...knownVariables(edited).keys()], ["name"]);
  const { text: written, losses } = emit(edited, "retell", { env: { TOKEN: "secret-value" } });
  assert.deepEqual(losses, []);
  assert.match(written, /secret-value/);
});

test("renameVariable() renames a variable that only descriptions and URLs read", () => {
  const tool = { name: "find", description: "Finds {{plan}}", url: "https://a.test/{{plan}}" };
  const always = { target_node_id: "a", condition: { type: "always" }, description: "Has {{plan}}" };
  const described = parseGraph({ entry_node_id: "a", nodes: { a: { tools: [tool], transitions: [always] } } });
  for (const [key, part] of [
    ["tools", { description: "Finds {{plan}}" }],
    ["tools", { url: "https://a.test/{{plan}}" }],
    ["transitions", { description: "Has {{plan}}" }],
  ] as const) {
    const base = key === "tools" ? { name: "find" } : { target_node_id: "a", condition: { type: "always" } };
    const one = parseGraph({ entry_node_id: "a", nodes: { a: { [key]: [{ ...base, ...part }] } } });
    assert.doesNotThrow(() => editGraph(one).renameVariable("plan", "tariff"), JSON.stringify(part));
  }
  const { a } = editGraph(described).renameVariable("plan", "tariff").graph.nodes;
  assert.deepEqual(
    [a?.tools[0]?.description, a?.tools[0]?.url, a?.transitions[0]?.description],
    ["Finds {{tariff}}", "https://a.test/{{tariff}}", "Has {{tariff}}"],
  );
});
