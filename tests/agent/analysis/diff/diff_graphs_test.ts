import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { clinic } from "../../../../examples/clinic/flow.ts";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { diffGraphs } from "../../../../src/agent/analysis/diff/mod.ts";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import { type AgentGraph, fingerprint, parseGraph } from "../../../../src/document/graph/mod.ts";
import { seeded } from "../../../platforms/mutate.ts";
import { fc } from "../../../properties.ts";
import { edited } from "./_edits.ts";
import { SHOP, shopRenamed, shopWith } from "./_graphs.ts";

test("diffGraphs() is empty exactly when the fingerprints are equal, on random edits", () => {
  const bases = [SHOP, SHOP, helpDesk, clinic].map((graph) => JSON.parse(JSON.stringify(graph)));
  const random = seeded(Number(process.env.CALLWEAVE_SEED ?? 1));
  let [compared, different] = [0, 0];
  let last = shopWith();
  for (let count = 0; count < fc.sampled(300); count++) {
    const base = bases[count % bases.length];
    const graph = parsed(edited(base, random));
    if (!graph) continue;
    compared += 1;
    for (const [one, other] of [
      [parseGraph(base), graph],
      [graph, parseGraph(base)],
      [last, graph],
    ] as const) {
      const equal = fingerprint(one) === fingerprint(other);
      if (!equal) different += 1;
      if ((diffGraphs(one, other).length === 0) === equal) continue;
      assert.fail(`${equal ? "a change without a difference" : "no change"}: ${JSON.stringify([one, other])}`);
    }
    last = graph;
  }
  assert.ok(compared > fc.sampled(100) && different > fc.sampled(200), `${compared} compared, ${different} different`);
});

function parsed(document: unknown): AgentGraph | undefined {
  try {
    return parseGraph(document);
  } catch (error) {
    if (isCallweaveError(error)) return undefined;
    throw error;
  }
}

test("diffGraphs() reports a renamed node as one change, references included", () => {
  for (const id of ["greet", "listen", "repair", "pay", "owner", "bye"]) {
    const changes = diffGraphs(shopWith(), shopRenamed(id, "renamed"));
    assert.deepEqual(
      changes.map(({ kind, node, before, after, nodes }) => ({ kind, node, before, after, nodes })),
      [{ kind: "node-renamed", node: "renamed", before: id, after: "renamed", nodes: [id, "renamed"] }],
    );
  }
});

const orders = (name: string, { status = "order_status", tool = "look_up", extra = "" } = {}) =>
  parseGraph({
    entry_node_id: "ask",
    snippets: { [`${name}_rules`]: "Be brief." },
    nodes: {
      ask: {
        state_prompt: `Ask {{${name}}} for the number. {%${name}_rules%}${extra}`,
        tools: [{ name: tool, description: "Finds an order", response_variables: { [status]: "$.status" } }],
        transitions: [
          { target_node_id: "bye", condition: { type: "tool_call", value: tool, outcome: "failed" } },
          {
            target_node_id: "bye",
            condition: { type: "equation", value: "", equations: [{ left: status, operator: "==", right: "sent" }] },
          },
          { target_node_id: "note", condition: { type: "llm_prompt", value: `The caller is not {{${name}}}` } },
        ],
      },
      note: {
        node_type: "extract",
        variables_to_extract: [{ name, description: "Who calls", type: "string" }],
        transitions: [{ target_node_id: "bye", condition: { type: "always", value: "" } }],
      },
      bye: { node_type: "end", state_prompt: `Goodbye, {{${name}}}.` },
    },
  });

test("diffGraphs() reports a renamed variable, tool or snippet as one change, references included", () => {
  const changes = diffGraphs(orders("caller"), orders("customer", { status: "state", tool: "find_order" }));
  assert.deepEqual(
    changes.map(({ kind, before, after, nodes }) => [kind, before, after, nodes]),
    [
      ["snippet-renamed", "caller_rules", "customer_rules", ["ask"]],
      ["tool-renamed", "look_up", "find_order", ["ask"]],
      ["variable-renamed", "order_status", "state", ["ask"]],
      ["variable-renamed", "caller", "customer", ["ask", "note", "bye"]],
    ],
  );
});

test("diffGraphs() reports no rename where the earlier name is still read", () => {
  const after = orders("customer", { extra: " Say {{caller}}." });
  const kinds = diffGraphs(orders("caller"), after).map(({ kind }) => kind);
  assert.ok(!kinds.includes("variable-renamed") && kinds.includes("variable-removed"), kinds.join(" "));
});

test("diffGraphs() finds a renamed node whose prompt and transitions were edited too", () => {
  const after = shopRenamed("repair", "book_repair", (nodes) => {
    Object.assign(nodes.book_repair ?? {}, {
      state_prompt: "Ask on which day the caller would like to bring the bicycle, and note it.",
    });
  });
  const changes = diffGraphs(shopWith(), after);
  assert.deepEqual(
    changes.map(({ kind, path }) => [kind, path.join(".")]),
    [
      ["node-renamed", "nodes.book_repair"],
      ["prompt-changed", "nodes.book_repair.state_prompt"],
    ],
  );
});

test("diffGraphs() takes another node for a new one, not for the removed one", () => {
  const after = shopWith((_, nodes) => {
    delete nodes.owner;
    Object.assign(nodes, { survey: { state_prompt: "Ask how satisfied the caller is, from one to five." } });
  });
  const changes = diffGraphs(shopWith(), after);
  assert.deepEqual(
    changes.map(({ kind, node, message }) => [kind, node, message]),
    [
      ["node-removed", "owner", 'Node "owner" (conversation) is gone'],
      ["node-added", "survey", 'New node "survey" (conversation)'],
    ],
  );
});

test("diffGraphs() lists the agent first, then nodes in the order of the later document", () => {
  const after = shopWith((document, nodes) => {
    for (const id of ["bye", "pay", "greet"]) Object.assign(nodes[id] ?? {}, { state_prompt: `New text of ${id}` });
    delete nodes.desk;
    Object.assign(document, { default_model: "openai/gpt-5" });
  });
  assert.deepEqual(
    diffGraphs(shopWith(), after).map(({ kind, node }) => [kind, node]),
    [
      ["model-changed", undefined],
      ["prompt-changed", "greet"],
      ["prompt-changed", "pay"],
      ["node-removed", "desk"],
      ["prompt-changed", "bye"],
    ],
  );
});

test("diffGraphs() compares prompts word by word", () => {
  const after = shopWith((_, nodes) =>
    Object.assign(nodes.bye ?? {}, { state_prompt: "Thank the caller warmly. Say goodbye." }),
  );
  const [change] = diffGraphs(shopWith(), after);
  assert.deepEqual(change?.words, [
    { change: "same", text: "Thank the caller" },
    { change: "added", text: " warmly" },
    { change: "same", text: ". Say goodbye." },
  ]);
});

test("diffGraphs() refuses what is no graph", () => {
  const none: AgentGraph = JSON.parse("[]");
  assert.throws(
    () => diffGraphs(shopWith(), none),
    (error) => isCallweaveError(error) && error.code === "not-a-graph",
  );
});
