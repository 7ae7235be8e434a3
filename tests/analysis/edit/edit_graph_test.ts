import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { editGraph } from "../../../src/analysis/mod.ts";
import { check } from "../../../src/check.ts";
import { type AgentGraph, fingerprint, parseGraph } from "../../../src/graph/mod.ts";
import { sharedAgents } from "../../dsl/eject/_shared.ts";
import { seeded } from "../../platforms/mutate.ts";
import { fc } from "../../properties.ts";

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

/** A random edit that most platforms can hold; the same graph where it has no place for it. */
function edited(before: AgentGraph, random: () => number, step: number): AgentGraph {
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const node = pick(Object.values(before.nodes).filter((each) => each.state_prompt.trim() !== ""));
  const word = pick((node?.state_prompt ?? "").match(/[A-Za-z]{5,}/g) ?? []);
  if (!node || word === undefined) return before;
  const verbs = [
    () => editGraph(before).renameNode(node.id, `${node.id}_${step}`).graph,
    () => editGraph(before).replaceText(word, `${word}${step}`).graph,
  ];
  return pick(verbs)?.() ?? before;
}

test("renamed nodes and replaced texts of every shared Retell agent are emitted and read back, and check() finds no new error", (t) => {
  const agents = sharedAgents().filter(({ format }) => format === "retell" || format === "retell-llm");
  if (agents.length === 0) {
    t.skip("no shared agents here");
    return;
  }
  for (const [index, { name, graph: imported, format }] of agents.slice(0, fc.sampled(agents.length)).entries()) {
    const random = seeded(index + 1);
    let changed = imported;
    for (let step = 0; step < 4; step++) changed = edited(changed, random, step);
    const back = importAgent(emit(changed, format).text, { format }).graph;
    assert.equal(fingerprint(back), fingerprint(changed), name);
    const errors = (of: AgentGraph) => check(of).filter(({ severity }) => severity === "error").length;
    assert.ok(errors(changed) <= errors(imported), name);
  }
});
