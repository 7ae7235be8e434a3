import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnose } from "../../../api/calls.ts";
import { run, scenario } from "../../../mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { transitionInSentence } from "../../../src/run/diagnosis/facts.ts";
import { RUN, ruleAgent, shop } from "./_shop.ts";

/** The facts of a scenario of the shop that fails. */
async function factsOf(given: Parameters<typeof run>[1][number]) {
  const { results } = await run(shop, [given], { ...RUN, models: { agent: ruleAgent() } });
  const [failed] = results;
  assert.ok(failed && failed.status !== "pass", "the scenario passes");
  return (await diagnose(failed, shop)).facts.map(({ kind, node, fact }) => ({ kind, node, fact }));
}

test("a fact says which words the agent must not say, and at which node it said them", async () => {
  const [said, ...others] = await factsOf(scenario("polite", shop).says("I complain").excludes("ALL RIGHT"));
  assert.deepEqual([said?.kind, said?.node, others], ["said", "greet", []]);
  assert.match(said?.fact ?? "", /^The agent must not say "ALL RIGHT": /);
});

test("a fact says which words are missing, at the node that spoke last", async () => {
  const [missing] = await factsOf(scenario("price", shop).says("I complain").includes("ten euros"));
  assert.deepEqual([missing?.kind, missing?.node], ["not_said", "refund"]);
  assert.match(missing?.fact ?? "", /^The agent should have said "ten euros": /);
});

test("facts are in the order of how much they tell, and ways come before words and the end of the call", async () => {
  const given = scenario("ends", shop).says("I complain", "That is all").ends("caller_ended").includes("ten euros");
  assert.deepEqual(
    (await factsOf(given.visits("gift"))).map(({ kind, node }) => [kind, node]),
    [
      ["no_way", "bye"],
      ["not_said", "bye"],
      ["ended", "bye"],
    ],
  );
});

test("transitions are named by their condition in words", () => {
  const clauses = [{ left: "{{balance}}", operator: "<", right: 0 }];
  const to = (condition: object) => ({ target_node_id: "bye", condition });
  const graph = parseGraph({
    entry_node_id: "desk",
    nodes: {
      desk: {
        node_type: "function",
        tools: [{ name: "pay", description: "Pays" }],
        transitions: [
          to({ type: "llm_prompt", value: "Caller is done" }),
          to({ type: "equation", value: "", equations: clauses }),
          to({ type: "tool_call", value: "pay", outcome: "failed" }),
          to({ type: "tool_call", value: "" }),
          to({ type: "always" }),
        ],
      },
      bye: { node_type: "end", state_prompt: "Say goodbye." },
    },
  });
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((index) => transitionInSentence(graph, "desk", index)),
    [
      'transition 0 to "bye" ("Caller is done")',
      'transition 1 to "bye" ("balance < 0")',
      'transition 2 to "bye" ("pay failed")',
      'transition 3 to "bye" ("any tool has answered")',
      'transition 4 to "bye" (always)',
      "transition 5",
    ],
  );
});
