import assert from "node:assert/strict";
import { test } from "node:test";
import { type AgentGraph, type CheckOptions, check, emit, importAgent, parseGraph, policy } from "../../../mod.ts";

const when = (value: string) => ({ type: "llm_prompt" as const, value });

/** A graph with a tool at its end, for which Retell has no place, and a model that Vapi only has through another provider. */
const DESK = parseGraph({
  entry_node_id: "greet",
  nodes: {
    greet: { state_prompt: "Greet.", transitions: [{ target_node_id: "bye", condition: when("Caller is done") }] },
    bye: {
      node_type: "end",
      state_prompt: "Say goodbye.",
      tools: [{ name: "note", description: "Notes the call", type: "custom", url: "https://example.test" }],
    },
  },
  snippets: { hours: "From nine to five" },
  default_model: "mistral/mistral-large",
});
/** The finding of the graph alone. */
const UNUSED = "info unused-snippet snippets.hours";

/** Checks a graph; returns severity, code and path of each finding. */
function found(graph: AgentGraph, options?: CheckOptions) {
  return check(graph, options).map(({ severity, code, path }) => `${severity} ${code} ${path.join(".")}`);
}

test("check() without a target has the findings of the graph alone", () => {
  assert.deepEqual(found(DESK), [UNUSED]);
  assert.deepEqual(found(DESK, { target: "graph" }), [UNUSED]);
});

test("check() with a target adds what it drops as warnings, and what it emulates as notes", () => {
  assert.deepEqual(found(DESK, { target: "retell" }), [
    UNUSED,
    "warning unknown-model default_model",
    "warning node-tools nodes.bye.tools",
    "warning snippet-unused snippets.hours",
  ]);
  assert.deepEqual(found(DESK, { target: "vapi-squad" }), [
    UNUSED,
    "warning snippet-unused snippets.hours",
    "warning tool-dropped nodes.bye.tools.0",
    "info model-provider default_model",
  ]);
  const note = check(DESK, { target: "vapi-squad" }).at(-1);
  assert.equal(note?.message, 'Vapi squad: Vapi does not support the provider "mistral"');
  assert.equal(note?.instead, 'the model "mistral/mistral-large" of the provider "openrouter"');
  const [, model, tools] = check(DESK, { target: "retell" });
  assert.ok(tools && model);
  assert.deepEqual(Object.hasOwn(tools, "instead"), false);
  assert.deepEqual([model.instead, typeof model.hint], ["Retell's default", "string"]);
});

test("check() reports what a platform rejects", () => {
  const desk = { ...DESK.nodes.bye, id: "bye", node_type: "transfer", tools: [] };
  const graph = parseGraph({ ...DESK, nodes: { ...DESK.nodes, bye: desk } });
  assert.ok(
    found(graph, { target: "retell" }).includes("error destination-missing nodes.bye.transfer_destination.number"),
  );
});

test("check() also applies the rules of the platform that the graph was imported from, once", () => {
  const model = { provider: "openai", model: "gpt-4.1", messages: [{ role: "system", content: "Say {{ 1 + }}" }] };
  const squad = { members: [{ assistant: { name: "Desk", model } }] };
  const { graph } = importAgent(squad, { format: "vapi-squad" });
  const count = (target?: "vapi-squad" | "retell") =>
    check(graph, target ? { target } : {}).filter(({ code }) => code === "malformed-liquid").length;
  assert.deepEqual([count(), count("vapi-squad"), count("retell")], [1, 1, 1]);
});

test("check() of a graph without its entry node reports that, whatever the target", () => {
  const lost = { ...DESK, entry_node_id: "gone" };
  const alone = found(lost);
  assert.ok(alone.includes("error unknown-entry entry_node_id"), alone.join("\n"));
  assert.deepEqual(found(lost, { target: "retell" }), alone);
});

test("check() leaves out suppressed findings, everywhere or at one node, and names suppressions without an effect", () => {
  const suppress = (code: string, node?: string) => [{ code, reason: "known", ...(node ? { node } : {}) }];
  assert.deepEqual(found(DESK, { suppress: suppress("unused-snippet") }), []);
  assert.deepEqual(found(DESK, { target: "retell", suppress: suppress("node-tools", "bye") }), [
    UNUSED,
    "warning unknown-model default_model",
    "warning snippet-unused snippets.hours",
  ]);
  assert.equal(check(DESK, { suppress: suppress("unused-snippet", "bye") }).length, 2);
});

test("check() reports which policies a call of the graph can break", () => {
  const notes = policy("notes before the end", ({ before, tool }) => before(tool("note"), "bye"), DESK);
  const reachable = policy("the end can be reached", ({ wayTo }) => wayTo("bye"), DESK);
  const codes = check(DESK, { policies: [notes, reachable] }).map(({ code }) => code);
  assert.deepEqual(codes, ["unused-snippet", "policy-broken", "policy-holds"]);
});

test("check() refuses options of another kind, with the name of the option", () => {
  const wrong: readonly (readonly [options: object, path: string])[] = [
    [{ target: 7 }, "target"],
    [{ policies: "all" }, "policies"],
    [{ suppress: "unused-snippet" }, "suppress"],
    [{ suppress: [{ code: "unused-snippet" }] }, "suppress"],
    [{ suppress: [{ reason: "known" }] }, "suppress"],
    [{ suppress: [{ code: 1, reason: "known" }] }, "suppress"],
    [{ suppress: [{ code: "unused-snippet", reason: "known", node: 7 }] }, "suppress"],
    [{ suppress: [{ code: "unused-snippet", reason: "known" }, "more"] }, "suppress"],
    [{ targets: ["retell"] }, "targets"],
  ];
  for (const [options, path] of wrong)
    assert.throws(() => check(DESK, options), { code: "invalid-option", path: [path] }, JSON.stringify(options));
  const target: string = "retel";
  assert.throws(() => check(DESK, JSON.parse(JSON.stringify({ target }))), { code: "unknown-format" });
  assert.throws(() => check(JSON.parse('"graph"')), { code: "not-a-graph" });
});

test("what check() finds for a target is what emit() loses", () => {
  for (const target of ["retell", "retell-llm", "vapi-squad", "vapi-assistant"] as const) {
    const { losses } = emit(DESK, target);
    const codes = check(DESK, { target }).map(({ code }) => code);
    assert.ok(losses.length > 0, target);
    for (const { code } of losses) assert.ok(codes.includes(code), `${target}: ${code}`);
  }
});

test("check() says where calls start in a Retell flow without a start node, and what to write into its document", () => {
  const start = (document: object) => check(importAgent(document).graph).filter(({ code }) => code === "missing-start");
  const node = { type: "conversation", instruction: { type: "prompt", text: "Greet." }, edges: [] };
  const flow = {
    ...{ start_speaker: "agent", model_choice: { type: "cascading", model: "gpt-4.1" } },
    nodes: [{ ...node, id: "node-1759299298668", name: "Welcome" }],
  };
  const [finding] = start(flow);
  assert.equal(finding?.message, 'The flow has no start node; calls are taken to start at "Welcome"');
  const [, key = "", id] = /^Set "(.+)" to "(.+)" in the Retell document/.exec(finding?.hint ?? "") ?? [];
  assert.deepEqual([key, id], ["start_node_id", "node-1759299298668"]);
  assert.deepEqual(start({ ...flow, [key]: id }), []);
});
