import assert from "node:assert/strict";
import { test } from "node:test";
import { policy } from "../../../../../dsl/mod.ts";
import { parseGraph } from "../../../../../src/document/graph/mod.ts";
import { parsePolicies, parseScenarios } from "../../../../../src/document/scenario/mod.ts";
import {
  selectAgain,
  type WatchedInput,
  type WatchedResult,
} from "../../../../../src/surface/cli/run/watch/select_again.ts";

const say = (target: string, value: string) => ({ target_node_id: target, condition: { type: "llm_prompt", value } });

/** greet -> order -> bye, greet -> complaint -> bye; a manager from anywhere. */
function graphWith(prompts: { readonly [node: string]: string } = {}) {
  const node = (id: string, ...transitions: readonly unknown[]) => ({
    state_prompt: prompts[id] ?? `Talk about ${id}.`,
    transitions,
  });
  return parseGraph({
    entry_node_id: "greet",
    nodes: {
      greet: node("greet", say("order", "Caller orders"), say("complaint", "Caller complains")),
      order: node("order", say("bye", "Caller has ordered")),
      complaint: node("complaint", say("bye", "Caller is content")),
      bye: { node_type: "end", state_prompt: prompts.bye ?? "Say goodbye." },
      manager: { ...node("manager"), global_node_setting: { condition: "Caller wants a manager" } },
    },
  });
}

const scenarios = parseScenarios([
  { name: "orders", says: ["I order"], visits: ["order"] },
  { name: "complains", says: ["I complain"], visits: ["complaint"] },
]);
const before: WatchedInput = { graph: graphWith(), scenarios, policies: [], code: "one" };
const passed = { status: "pass", usesCode: false } as const;
const results: readonly WatchedResult[] = [
  { scenario: "orders", nodesVisited: ["greet", "order"], ...passed },
  { scenario: "complains", nodesVisited: ["greet", "complaint", "bye"], ...passed },
];

test("a scenario that passed is run again when a node that it visited was changed, and no other", () => {
  const after = { ...before, graph: graphWith({ complaint: "Apologize first." }) };
  assert.deepEqual(selectAgain(before, after, results), [{ scenario: "complains", reason: 'visited "complaint"' }]);
});

test("a scenario that did not pass is run again when a node that it could have reached was changed", () => {
  const after = { ...before, graph: graphWith({ bye: "Thank the caller." }) };
  const failed = results.map((result) => ({ ...result, status: "fail" as const }));
  assert.deepEqual(
    selectAgain(before, after, failed).map(({ scenario, reason }) => [scenario, reason]),
    [
      ["orders", 'did not pass and could have reached "bye"'],
      ["complains", 'visited "bye"'],
    ],
  );
  assert.deepEqual(
    selectAgain(before, after, results).map(({ scenario }) => scenario),
    ["complains"],
  );
});

test("a change of the whole agent or of policies reaches every scenario", () => {
  const whole = { ...before, graph: { ...graphWith(), general_prompt: "Be brief." } };
  assert.equal(selectAgain(before, whole, results).length, 2);
  const policies = parsePolicies([policy("is greeted", ({ before }) => before("greet", "bye"))]);
  assert.equal(selectAgain(before, { ...before, policies }, results).length, 2);
});

test("a changed scenario, a new one, and one without a result are run again", () => {
  const [orders, complains] = scenarios;
  assert.ok(orders && complains);
  const [added] = parseScenarios([{ name: "thanks", says: ["Thanks"], visits: ["bye"] }]);
  assert.ok(added);
  const after = { ...before, scenarios: [{ ...orders, says: ["I want to order"] }, complains, added] };
  assert.deepEqual(selectAgain(before, after, results), [
    { scenario: "orders", reason: "was changed" },
    { scenario: "thanks", reason: "is new" },
  ]);
  assert.deepEqual(selectAgain(before, before, results.slice(1)), [
    { scenario: "orders", reason: "has no result yet" },
  ]);
});

test("when code was changed, alone or with anything else, the scenarios in whose calls functions had a say are run again", () => {
  const coded = results.map((result) => ({ ...result, usesCode: result.scenario === "orders" }));
  const reason = "depends on code that was changed";
  const orders = { scenario: "orders", reason };
  assert.deepEqual(selectAgain(before, { ...before, code: "two" }, coded), [orders]);
  assert.deepEqual(
    selectAgain(before, { ...before, code: "two", graph: graphWith({ complaint: "Apologize." }) }, coded),
    [orders, { scenario: "complains", reason: 'visited "complaint"' }],
  );
  const [first, second] = scenarios;
  assert.ok(first && second);
  const edited = { ...before, code: "two", scenarios: [first, { ...second, says: ["I complain again"] }] };
  assert.deepEqual(selectAgain(before, edited, coded), [orders, { scenario: "complains", reason: "was changed" }]);
  assert.deepEqual(selectAgain(before, { ...before, graph: graphWith() }, coded), []);
});
