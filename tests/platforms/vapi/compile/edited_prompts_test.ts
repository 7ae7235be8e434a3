import assert from "node:assert/strict";
import { test } from "node:test";
import { clinic } from "../../../../examples/clinic/flow.ts";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { importAgent } from "../../../../platforms/mod.ts";
import { emitSquad } from "../../../../platforms/vapi/compile/mod.ts";
import type { JsonObject } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, fingerprint } from "../../../../src/document/graph/mod.ts";
import { sampled } from "../../../fast_check.ts";
import { always, at, graphOf, json, records, told } from "./graphs.ts";
import { comparedCall } from "./squads/random_graph.ts";

const HEADING = "\n\n# How to go on\n";

/** Emits a squad and changes the system prompts of some members. */
function edited(graph: AgentGraph, edit: (content: string, member: string) => string): JsonObject {
  const squad = structuredClone(json(emitSquad(graph).config));
  for (const member of records(squad, "members")) {
    const messages = records(member, "assistant", "model", "messages") as { content?: unknown }[]; // a clone
    const [first] = messages;
    if (first) first.content = edit(String(first.content), String(at(member, "assistant").name));
  }
  return squad;
}

/** Appends words to the node's prompt of a member. */
const adding = (name: string, words: string) => (content: string, member: string) => {
  if (member !== name) return content;
  const end = content.lastIndexOf(HEADING);
  return end < 0 ? `${content}${words}` : `${content.slice(0, end)}${words}${content.slice(end)}`;
};

function withPrompt(graph: AgentGraph, id: string, state_prompt: string): AgentGraph {
  const node = graph.nodes[id];
  assert.ok(node);
  return { ...graph, nodes: { ...graph.nodes, [id]: { ...node, state_prompt } } };
}

test("a squad with an edited prompt is imported as its graph, for every conversation node", () => {
  for (const graph of [helpDesk, clinic])
    for (const member of records(json(emitSquad(graph).config), "members")) {
      const id = String(at(member, "assistant").name);
      const { graph: found, findings } = importAgent(edited(graph, adding(id, " Be quick.")));
      const wanted = withPrompt(graph, id, `${graph.nodes[id]?.state_prompt} Be quick.`);
      assert.deepEqual(findings, []);
      assert.equal(fingerprint(found), fingerprint(importAgent(json(emitSquad(wanted).config)).graph), id);
    }
});

test("an edited prompt still refers to its snippets", () => {
  const { graph, findings } = importAgent(
    edited(helpDesk, (content) =>
      content.replace("Tell the caller that the label is on its way.", "The label comes today."),
    ),
  );
  assert.deepEqual(findings, []);
  assert.equal(Object.keys(graph.nodes).length, Object.keys(helpDesk.nodes).length);
  assert.equal(graph.nodes.label_sent?.state_prompt, "The label comes today. {%anything_else%}");
});

test("a snippet that is edited in one prompt is replaced by its text in that prompt", () => {
  const { graph, findings } = importAgent(
    edited(helpDesk, (content, member) =>
      member === "label_sent" ? content.replace("anything else I can", "more to") : content,
    ),
  );
  assert.deepEqual(findings, []);
  assert.equal(
    graph.nodes.label_sent?.state_prompt,
    'Tell the caller that the label is on its way. Ask: "Is there more to do for you?"',
  );
  assert.match(graph.nodes.tell_status?.state_prompt ?? "", /\{%anything_else%\}$/);
});

const VARIED = graphOf(
  {
    ask: { state_prompt: "Greet {{user name}}. {%legal%}", transitions: [told("route", "Caller answers")] },
    route: { node_type: "logic", transitions: [always("done")] },
    done: { state_prompt: "Call {{user_number}} back." },
  },
  {
    source_metadata: {
      general_prompt: "You answer for {{user name}}, who calls from {{user_number}}. {%legal%}",
      begin_message: "Hello {{user name}}.",
      default_dynamic_variables: { "user name": "Anna" },
    },
    snippets: { legal: "Calls from {{user_number}} are recorded." },
  },
);

test("a prompt can be edited if the general prompt has variables and snippets", () => {
  const { graph, findings } = importAgent(edited(VARIED, adding("ask", " Ask for the day.")));
  assert.deepEqual(findings, []);
  assert.deepEqual(Object.keys(graph.nodes), ["ask", "route", "done"]);
  assert.equal(graph.nodes.ask?.state_prompt, "Greet {{user name}}. {%legal%} Ask for the day.");
  assert.equal(graph.source_metadata.general_prompt, VARIED.source_metadata.general_prompt);
});

test("a general prompt that is edited in all members is edited in the graph", () => {
  const { graph, findings } = importAgent(
    edited(VARIED, (content) => content.replace("You answer for", "You speak for")),
  );
  assert.deepEqual(findings, []);
  assert.equal(
    graph.source_metadata.general_prompt,
    "You speak for {{user name}}, who calls from {{user_number}}. {%legal%}",
  );
  assert.equal(graph.nodes.done?.state_prompt, "Call {{user_number}} back.");
});

test("an edited first message becomes the begin message, or the static text of a node", () => {
  const text = (graph: AgentGraph) => JSON.stringify(emitSquad(graph).config);
  const begun = importAgent(text(VARIED).replace('"firstMessage":"Hello ', '"firstMessage":"Good morning '));
  assert.deepEqual([begun.findings, begun.graph.source_metadata.begin_message], [[], "Good morning {{user name}}."]);
  const words = importAgent(
    text(clinic).replace('"firstMessage":"I am connecting', '"firstMessage":"One moment: I am connecting'),
  );
  assert.deepEqual(
    [words.findings, words.graph.nodes.emergency?.state_prompt],
    [[], "One moment: I am connecting you to the emergency line."],
  );
});

test("random squads with edited prompts are imported as their graphs", () => {
  for (let seed = 1; seed <= sampled(25); seed++) {
    const { graph } = comparedCall(seed);
    const { graph: found, findings } = importAgent(edited(graph, adding("ask", " And wait.")));
    assert.deepEqual(findings, [], `seed ${seed}`);
    const wanted = withPrompt(graph, "ask", `${graph.nodes.ask?.state_prompt} And wait.`);
    assert.equal(fingerprint(found), fingerprint(importAgent(json(emitSquad(wanted).config)).graph), `seed ${seed}`);
  }
});

test("importAgent() reports changes that prevent importing a squad as its graph", () => {
  const squad = edited(helpDesk, (content, member) =>
    member === "welcome" ? content.replace("call to_return_lamp", "call to_check_lamp") : content,
  );
  const { graph, findings } = importAgent(squad);
  assert.ok(Object.keys(graph.nodes).length < Object.keys(helpDesk.nodes).length);
  assert.deepEqual(
    findings.map(({ code, severity, path }) => [code, severity, path]),
    [["emitted-document-changed", "warning", ["members", 0, "assistant", "model", "messages", 0, "content"]]],
  );
  assert.match(
    findings[0]?.message ?? "",
    /"members\.0\.assistant\.model\.messages\.0\.content" \(member "welcome"\) was changed/,
  );
  const renamed = importAgent({ ...json(emitSquad(helpDesk).config), name: "desk" });
  assert.deepEqual(
    renamed.findings.map(({ path, message }) => [path, / was changed$/.test(message)]),
    [[["name"], true]],
  );
});

test("importAgent() reports nothing for unchanged squads and for squads of other origin", () => {
  assert.deepEqual(importAgent(json(emitSquad(helpDesk).config)).findings, []);
  const other = { name: "x", members: [{ assistant: { name: "a", model: { provider: "openai", model: "gpt-4.1" } } }] };
  assert.deepEqual(importAgent(other).findings, []);
});
