import assert from "node:assert/strict";
import { test } from "node:test";
import { choice, eject, flow, number, text } from "../../../dsl/mod.ts";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { diffGraphs, findPath } from "../../../src/agent/analysis/mod.ts";
import { check } from "../../../src/agent/check/mod.ts";
import { drawMermaid } from "../../../src/agent/pictures/mod.ts";
import { conversation } from "../../../src/call/engine/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";

/** A flow with a choice "refill" and, on the right side of its first equation, a text or a variable of that name. */
const pharmacy = (right: string, variables: readonly object[] = []) => ({
  start_node_id: "greet",
  start_speaker: "agent",
  global_prompt: "You answer for a pharmacy.",
  model_choice: { type: "cascading", model: "gpt-4.1" },
  nodes: [
    {
      id: "greet",
      type: "conversation",
      instruction: { type: "prompt", text: "Greet." },
      edges: [{ id: "e1", destination_node_id: "read", transition_condition: { type: "prompt", prompt: "Says why" } }],
    },
    {
      id: "read",
      type: "extract_dynamic_variables",
      variables: [{ type: "string", name: "reason", description: "Why they call" }, ...variables],
      edges: [
        {
          id: "e2",
          destination_node_id: "order",
          transition_condition: {
            type: "equation",
            equations: [{ left: "reason", operator: "==", right }],
            operator: "&&",
          },
        },
      ],
      else_edge: { id: "e3", destination_node_id: "other", transition_condition: { type: "prompt", prompt: "Else" } },
    },
    { id: "order", type: "end" },
    { id: "other", type: "end" },
  ],
});
const REFILL = { type: "string", name: "refill", description: "Which medication" };

async function visited(graph: AgentGraph, extract: { readonly [name: string]: string }): Promise<readonly string[]> {
  const transition = [{ objectives_complete: true, transition_to: "read" }];
  const models = { agent: scripted({ respond: ["Hello."], transition, extract: [extract] }) };
  const call = conversation(graph, { models });
  await call.open();
  await call.hear("A refill, please.");
  return call.nodesVisited;
}

test("a call takes the same transition whether or not a variable is called like the text on the right side", async () => {
  const alone = importAgent(pharmacy("refill")).graph;
  const beside = importAgent(pharmacy("refill", [REFILL])).graph;
  assert.deepEqual(await visited(alone, { reason: "refill" }), ["greet", "read", "order"]);
  assert.deepEqual(await visited(beside, { reason: "refill", refill: "Aspirin" }), ["greet", "read", "order"]);
  const compared = importAgent(pharmacy("{{refill}}", [REFILL])).graph;
  assert.deepEqual(await visited(compared, { reason: "refill", refill: "Aspirin" }), ["greet", "read", "other"]);
  assert.deepEqual(await visited(compared, { reason: "Aspirin", refill: "Aspirin" }), ["greet", "read", "order"]);
});

test("a path to a node has values for the variable in a right side, and the text itself for a plain one", () => {
  const valuesTo = (right: string) => {
    const answer = findPath(importAgent(pharmacy(right, [REFILL])).graph, { node: "order" });
    assert.equal(answer.kind, "found");
    const step = answer.kind === "found" ? answer.path.steps.find(({ kind }) => kind === "extract") : undefined;
    return step?.kind === "extract" ? step.values : {};
  };
  assert.equal(valuesTo("refill").reason, "refill");
  const { reason, refill } = valuesTo("{{refill}}");
  assert.ok(reason !== null && reason === refill, `${reason} is ${refill}`);
  const longer = valuesTo("no-{{refill}}");
  assert.equal(longer.reason, `no-${longer.refill}`);
});

test("a path compares with the text on a right side, also where the variable of that name has a known value", () => {
  const graph = flow("shop", { variables: { reason: text("Why"), refill: text("What") } })
    .conversation("ask", { prompt: "Ask.", next: ({ to }) => [to("read", "Answered")] })
    .extract("read", {
      fills: ["reason", "refill"],
      next: ({ to, when, otherwise }) => [
        to("compare", when("reason", "==", "refill").and("refill", "==", "Aspirin")),
        otherwise("ask"),
      ],
    })
    // neither is possible here, so that the search has to know both values
    .logic("compare", {
      next: ({ to, when, otherwise }) => [
        to("order", when("reason", "!=", "refill")),
        to("order", when("refill", "!=", "Aspirin")),
        otherwise("again"),
      ],
    })
    .conversation("again", { prompt: "Ask.", next: ({ to }) => [to("order", "Caller confirms")] })
    .end("order", {})
    .compile();
  const answer = findPath(graph, { node: "order" });
  assert.ok(answer.kind === "found");
  const nodes = answer.path.steps.flatMap((step) => (step.kind === "move" ? [step.to] : []));
  assert.deepEqual(nodes, ["read", "compare", "again", "order"]);
  const step = answer.path.steps.find(({ kind }) => kind === "extract");
  assert.deepEqual(step?.kind === "extract" && step.values, { reason: "refill", refill: "Aspirin" });
});

test("right sides leave Retell as they came, and pictures, changes and findings tell a variable from its name", () => {
  for (const right of ["refill", "{{refill}}", "no-{{ refill }}"]) {
    const document = pharmacy(right, [REFILL]);
    assert.deepEqual(emit(importAgent(document).graph, "retell").config, document);
  }
  const [plain, filled] = ["refill", "{{refill}}"].map((right) => importAgent(pharmacy(right, [REFILL])).graph);
  assert.ok(plain && filled);
  assert.match(drawMermaid(plain), /reason = refill"/);
  assert.match(drawMermaid(filled), /reason = (?:\{\{refill\}\}|#123;#123;refill#125;#125;)"/);
  const [change] = diffGraphs(plain, filled);
  assert.equal(change?.kind, "equation-changed");
  assert.match(change?.message ?? "", /`reason == \{\{refill\}\}` instead of `reason == "refill"`/);
});

test("check() tells of a right side that is a variable's name, with what other tools do and one instruction", () => {
  const found = (right: string, variables: readonly object[] = [REFILL]) =>
    check(importAgent(pharmacy(right, variables)).graph).filter(({ code }) => code === "right-names-variable");
  const [finding] = found("refill");
  assert.equal(finding?.severity, "warning");
  assert.deepEqual(finding?.path, ["nodes", "read", "transitions", 0, "condition", "equations", 0]);
  assert.match(finding?.message ?? "", /compares with the text "refill", not with the variable.*voicetest/);
  assert.equal(finding?.hint, 'Write "{{refill}}" on the right to compare with the variable');
  assert.deepEqual(found("{{refill}}"), []);
  assert.deepEqual(found("refill", []), []);
});

test("check() calls a right side an error where only the variable could be compared, and an info where it is a choice", () => {
  const routed = (left: object, right: string) =>
    parseGraph({
      entry_node_id: "read",
      nodes: {
        read: {
          node_type: "extract",
          variables_to_extract: [left, { name: "limit", type: "number" }],
          transitions: [
            {
              target_node_id: "bye",
              condition: { type: "equation", equations: [{ left: "x", operator: "==", right }] },
            },
            { target_node_id: "bye", condition: { type: "always" } },
          ],
        },
        bye: { node_type: "end" },
      },
    });
  const findings = (left: object) =>
    check(routed({ name: "x", ...left }, "limit"))
      .filter(({ path }) => path.includes("equations"))
      .map(({ code, severity }) => `${severity} ${code}`);
  assert.deepEqual(findings({ type: "number" }), ["error right-names-variable"]);
  assert.deepEqual(findings({ type: "enum", choices: ["limit", "none"] }), ["info right-names-variable"]);
});

test("when() compares with a variable by { variable }, with a choice of the same name by the text, and eject() keeps both", () => {
  const graph = flow("shop", {
    variables: {
      reason: choice("Why", ["refill", "other"]),
      refill: text("What"),
      age: number("Age"),
      least: number("Least"),
    },
  })
    .conversation("ask", { prompt: "Ask.", next: ({ to }) => [to("read", "Answered")] })
    .extract("read", {
      fills: ["reason", "refill", "age", "least"],
      next: ({ to, when, otherwise }) => [
        to("bye", when("reason", "==", "refill").and("age", ">=", { variable: "least" })),
        to("bye", when("refill", "contains", "no-{{least}}")),
        otherwise("ask"),
      ],
    })
    .end("bye", {})
    .compile();
  const rights = graph.nodes.read?.transitions.flatMap(({ condition }) => condition.equations ?? []);
  assert.deepEqual(
    rights?.map(({ right }) => right),
    ["refill", "{{least}}", "no-{{least}}"],
  );
  const code = eject(graph)
    .map(({ text }) => text)
    .join("\n");
  assert.match(code, /when\("reason", "==", "refill"\)\.and\("age", ">=", \{ variable: "least" \}\)/);
  assert.match(code, /when\("refill", "contains", "no-\{\{least\}\}"\)/);
});
